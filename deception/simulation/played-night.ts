// A night played by the rules alone.
import { ownAct, picked, proposed } from '../../state/deeds.ts';
import type { GameEvent } from '../../state/event.ts';
import { withEvents } from '../../state/moment.ts';
import { briefings, intentOf, isCouncil, isDivided, options, pickAmong, proposers } from '../../state/night-acts.ts';
import { pass } from '../../state/role.ts';
import { powers, type HeldPower } from '../../state/roles/index.ts';
import type { Ballot, Intent } from '../../state/rows.ts';
import { happen, words, type PlayedMatch } from './played-match.ts';

/** Powers that act side by side, in the order in which a record has them. */
const waves = [...Map.groupBy(powers, ({ wave }) => wave).values()].map((wave) =>
  wave.toSorted((one, other) => (one.verb < other.verb ? -1 : 1)),
);

/** All that is done this night, up to its resolution. */
export function actAtNight(match: PlayedMatch): void {
  for (const wave of waves) {
    const done = wave.map((power) => (power.actor === 'holder' ? actAlone(power, match) : actTogether(power, match)));
    for (const { events, intents } of done) {
      happen(match, events);
      match.game.intents.push(...intents);
    }
  }
}

interface Done {
  events: GameEvent[];
  intents: Intent[];
}

function actAlone(power: HeldPower, { game, choose }: PlayedMatch): Done {
  const told = briefings(game, power);
  const briefed = told.length > 0 ? withEvents(game, told) : game;
  const chosen = options(briefed, power).map(({ by, targets }) => ({
    by,
    target: choose(power.verb, by, power.mayPass ? [...targets, pass] : targets),
  }));
  return {
    events: [...told, ...chosen.map(({ by, target }) => ownAct(game, power, by, target))],
    intents: chosen.flatMap(({ by, target }) => intentOf(game, power, [by], target)),
  };
}

function actTogether(power: HeldPower, { game, choose }: PlayedMatch): Done {
  const open = options(game, power);
  if (open.length === 0) return { events: [], intents: [] };
  const team = open.map(({ by }) => by);
  const propose = (from: typeof open): Ballot[] =>
    from.map(({ by, targets }) => ({ by, target: choose(power.verb, by, targets) }));
  const asked = proposers(game, team);
  const first = propose(open.filter(({ by }) => asked.includes(by)));
  const isKnown = isCouncil(game, team);
  const second = isKnown && isDivided(first) ? propose(open) : null;
  const target = pickAmong(game, second ?? first);
  const asEvents = (proposals: readonly Ballot[], ballot: number) =>
    proposals.map((proposal) => proposed(game, power, proposal.by, { target: proposal.target, reason: words, ballot }));
  return {
    events: [...(isKnown ? asEvents(first, 1) : []), ...asEvents(second ?? [], 2), picked(game, power, target)],
    intents: intentOf(game, power, team, target),
  };
}
