// A second opinion on the rules: reads the events of a whole match and says which rules they break.
import { isDeepStrictEqual } from 'node:util';
import { GameEvent, isType, type Audience } from '../state/event.ts';
import type { DeceptionScores } from '../state/rows.ts';
import type { Setup } from '../state/setup.ts';
import { checkDay } from './referee-day.ts';
import { checkNight } from './referee-night.ts';
import type { Must } from './referee-span.ts';

/** What breaks the rules, in words; empty for a match that went by them. */
export function rulesBroken(setup: Setup, events: readonly GameEvent[]): string[] {
  const broken: string[] = [];
  const must: Must = (isKept, rule, what) => {
    if (!isKept) broken.push(what === undefined ? rule : `${rule}: ${JSON.stringify(what)}`);
  };
  checkEach(setup, events, must);
  const rounds = Math.max(...events.map(({ round }) => round));
  let living = setup.players.map(({ name }) => name);
  for (let round = 1; round <= rounds; round++) {
    for (const phase of ['night', 'day'] as const) {
      const ofSpan = events.filter((event) => event.round === round && event.phase === phase);
      const span = { setup, round, events: ofSpan, living, must };
      living = without(living, ofSpan);
      if (phase === 'night') checkNight(span, events);
      else if (winnerAmong(setup, span.living) === null) checkDay(span);
      else must(ofSpan.every(isType('ended')), 'a match that the night decides ends at once', round);
    }
    const isOver = winnerAmong(setup, living) !== null || round === setup.rules.maxRounds;
    must(isOver === (round === rounds), 'a match goes on until a side has won or the rounds are over', round);
  }
  checkEnd(setup, events, living, must);
  return broken;
}

const without = (living: readonly string[], events: readonly GameEvent[]) =>
  living.filter((name) => !events.some((event) => event.type === 'death' && event.player === name));

const teamIn = (setup: Setup, name: string) => setup.players.find((player) => player.name === name)!.team;

function winnerAmong(setup: Setup, living: readonly string[]) {
  const wolves = living.filter((name) => teamIn(setup, name) === 'werewolves').length;
  if (wolves === 0) return 'villagers';
  return wolves >= living.length - wolves ? 'werewolves' : null;
}

function checkEnd(setup: Setup, events: readonly GameEvent[], living: readonly string[], must: Must) {
  const ends = events.filter(isType('ended'));
  const winner = winnerAmong(setup, living);
  const reasons = { villagers: 'no Werewolf left', werewolves: 'Werewolves at parity' };
  must(ends.length === 1 && events.at(-1) === ends[0], 'a match ends once, and last');
  must(ends[0]?.winner === winner, 'who has won is said', ends[0]);
  must(ends[0]?.reason === (winner === null ? 'round limit' : reasons[winner]), 'why it ends is said', ends[0]);
}

/** Actions whose reasoning stays in the own scratchpad. */
const remembered = ['eliminate', 'protect', 'unmask', 'bid', 'debate', 'vote'];

/** Nights and days in their order. */
export const momentOf = ({ round, phase }: Pick<GameEvent, 'round' | 'phase'>) => 2 * round + (phase === 'day' ? 1 : 0);

/** What holds for each event by itself. */
function checkEach(setup: Setup, events: readonly GameEvent[], must: Must) {
  let living = setup.players.map(({ name }) => name);
  let now = 0;
  for (const event of events) {
    must(GameEvent.safeParse(event).success, 'an event is what its schema says', event);
    must(isDeepStrictEqual(event.audience, audienceOf(event, setup)), 'an event is known to those it concerns', event);
    must(momentOf(event) >= now, 'time goes on', event);
    if (event.type === 'thought')
      must(remembered.includes(event.action), 'analyses and votes for show are not remembered', event);
    if ('by' in event) must(living.includes(event.by), 'the dead do nothing', event);
    if ('target' in event) must(living.includes(event.target), 'nobody names the dead', event);
    if ('about' in event) must(living.includes(event.about), 'nobody asks after the dead', event);
    if (event.type === 'death') must(living.includes(event.player), 'death is final', event);
    living = without(living, [event]);
    now = momentOf(event);
  }
}

function audienceOf(event: GameEvent, { players, rules }: Setup): Audience {
  const pack = players.filter(({ team }) => team === 'werewolves').map(({ name }) => name);
  switch (event.type) {
    case 'dealt':
      return [event.player];
    case 'acquainted':
    case 'proposal':
    case 'pick':
      return pack;
    case 'thought':
    case 'acted':
    case 'learned':
    case 'bid':
    case 'summary':
      return [event.by];
    case 'ballot':
      return rules.ballots === 'public' ? 'everyone' : [event.by];
    case 'synthetic_vote':
    case 'assessment':
    case 'beliefs':
    case 'missing':
      return 'moderator';
    default:
      return 'everyone';
  }
}

/** The suspicion scores that the analyses of a match come to: 0.7 · new + 0.3 · old, from 0.5. */
export function scoresFrom({ players }: Setup, events: readonly GameEvent[]): DeceptionScores {
  const names = players.map(({ name }) => name);
  const scoreOf = (observer: string, target: string) => {
    const met = events
      .filter(isType('assessment'))
      .filter(({ by, about, suspicion }) => by === observer && about === target && suspicion !== undefined);
    return {
      score: met.reduce((old, { suspicion }) => 0.7 * suspicion! + 0.3 * old, 0.5),
      round: met.at(-1)?.round ?? null,
    };
  };
  return Object.fromEntries(
    names.map((observer) => [
      observer,
      Object.fromEntries(names.filter((name) => name !== observer).map((name) => [name, scoreOf(observer, name)])),
    ]),
  );
}
