// The night's nodes: one for each power of the register, used by each holder alone or by a team together.
import type { Door } from '../models/ask.ts';
import { act, propose, type Proposal } from '../prompts/night-act.ts';
import { leaders, tally } from '../state/ballots.ts';
import { draw } from '../state/draw.ts';
import type { EventOf, GameEvent } from '../state/event.ts';
import type { Game } from '../state/game.ts';
import { stamp, withEvents } from '../state/moment.ts';
import type { Intent } from '../state/rows.ts';
import { pass } from '../state/role.ts';
import type { HeldPower } from '../state/roles/index.ts';
import { view } from '../state/view.ts';
import { cutAt } from '../state/words.ts';
import { askEach, marked, thought, type AnswerBy, type Change, type Node } from './node.ts';

const holders = (game: Game, { role }: HeldPower) => game.alivePlayers.filter((name) => game.roles[name] === role.name);

/** What the moderator tells the living holders before they are asked, in seat order. */
const briefings = (game: Game, power: HeldPower): GameEvent[] =>
  power.brief ? holders(game, power).flatMap((name) => power.brief!(game, name)) : [];

/** The living who hold the power and have somebody to use it on, in seat order. */
const actors = (game: Game, power: HeldPower) =>
  holders(game, power).filter((name) => power.choices(view(game, name)).length > 0);

/**
 * Whether anybody may have a use for the power tonight. Judged by what was known at nightfall, so that the routers of
 * nodes that act side by side, which do not see each other's writes, agree.
 */
export function isReady(game: Game, power: HeldPower): boolean {
  const nightfall = { ...game, gameLogs: game.gameLogs.filter((event) => !isTonight(game, event)) };
  return holders(game, power).some((name) => {
    const seen = view(nightfall, name);
    return power.isReady ? power.isReady(seen) : power.choices(seen).length > 0;
  });
}

const isTonight = ({ roundNum }: Game, { round, phase }: GameEvent) => round === roundNum && phase === 'night';

export const nightPower =
  (power: HeldPower): Node =>
  (game, door) =>
    power.actor === 'holder' ? actAlone(power, game, door) : actTogether(power, game, door);

async function actAlone(power: HeldPower, game: Game, door: Door): Promise<Change> {
  const told = briefings(game, power);
  const briefed = withEvents(game, told);
  const answers = await askEach(door, briefed, actors(briefed, power), act(power), () => undefined);
  const chosen = answers.flatMap((answer) => (answer.value ? [{ ...answer, target: answer.value.target }] : []));
  return {
    intents: chosen.flatMap(({ by, target }): Intent[] =>
      target === pass ? [] : [{ round: game.roundNum, verb: power.verb, by: [by], target }],
    ),
    events: [
      ...told,
      ...chosen.flatMap((answer): GameEvent[] => [
        ...thought(game, power.verb, answer),
        { ...stamp(game, [answer.by]), by: answer.by, verb: power.verb, ...used(answer.target), ...marked(answer) },
      ]),
    ],
  };
}

const used = (target: string) => (target === pass ? { type: 'passed' as const } : { type: 'acted' as const, target });

async function actTogether(power: HeldPower, game: Game, door: Door): Promise<Change> {
  const { setup, roundNum } = game;
  const pack = actors(game, power);
  if (pack.length === 0) return {};
  const team = setup.players.filter((player) => player.team === power.role.team).map(({ name }) => name);
  const { answers, events } =
    setup.rules.pack === 'one' || pack.length === 1
      ? await pickByOne(power, game, door, draw(setup.seed, 'picker', roundNum).pick(pack))
      : await pickByVote(power, game, door, pack, team);
  const target = draw(setup.seed, 'pick', roundNum).pick(leaders(targetsOf(answers)));
  const replaced = answers.every(({ mark }) => mark) ? marked(answers[0]!) : {};
  return {
    intents: [{ round: roundNum, verb: power.verb, by: pack, target }],
    events: [...events, { ...stamp(game, team), type: 'pick', verb: power.verb, target, ...replaced }],
  };
}

interface Council {
  answers: AnswerBy<Proposal>[];
  events: GameEvent[];
}

const targetsOf = (answers: readonly AnswerBy<Proposal>[]) =>
  answers.flatMap(({ by, value }) => (value ? [{ by, target: value.proposal }] : []));

async function pickByOne(power: HeldPower, game: Game, door: Door, picker: string): Promise<Council> {
  const answers = await askEach(door, game, [picker], propose(power), () => ({ ballot: 1 }));
  return { answers, events: answers.flatMap((answer) => thought(game, power.verb, answer)) };
}

/** All propose at once; where they differ, once more after seeing each other's. */
async function pickByVote(power: HeldPower, game: Game, door: Door, pack: string[], team: string[]): Promise<Council> {
  const council = async (ballot: number, before: GameEvent[]): Promise<Council> => {
    const answers = await askEach(door, withEvents(game, before), pack, propose(power), () => ({ ballot }));
    const events = answers.flatMap((answer) => [
      ...thought(game, power.verb, answer),
      ...proposal(power, game, answer, ballot, team),
    ]);
    return { answers, events: [...before, ...events] };
  };
  const first = await council(1, []);
  const isAgreed = tally(targetsOf(first.answers)).length === 1;
  return isAgreed ? first : council(2, first.events);
}

function proposal(
  power: HeldPower,
  game: Game,
  answer: AnswerBy<Proposal>,
  ballot: number,
  team: string[],
): EventOf<'proposal'>[] {
  if (!answer.value) return [];
  const { proposal: target, proposal_reason: reason = '' } = answer.value;
  return [
    {
      ...stamp(game, team),
      type: 'proposal',
      by: answer.by,
      verb: power.verb,
      target,
      reason: cutAt(reason, game.setup.rules.maxWords * 2).text,
      ballot,
      ...marked(answer),
    },
  ];
}
