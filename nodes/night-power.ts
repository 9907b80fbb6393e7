// The night's nodes: one for each power of the register, used by each holder alone or by a team together.
import type { Door } from '../models/ask.ts';
import { act, propose, type Proposal } from '../prompts/night-act.ts';
import { leaders, tally } from '../state/ballots.ts';
import { draw } from '../state/draw.ts';
import type { EventOf, GameEvent } from '../state/event.ts';
import type { Game } from '../state/game.ts';
import { stamp, withEvents } from '../state/moment.ts';
import type { Intent } from '../state/rows.ts';
import type { HeldPower } from '../state/roles/index.ts';
import { view } from '../state/view.ts';
import { cutAt } from '../state/words.ts';
import { askEach, marked, thought, type AnswerBy, type Change, type Node } from './node.ts';

/** The living who hold the power and have somebody to use it on, in seat order. */
export const actors = (game: Game, power: HeldPower) =>
  game.alivePlayers.filter(
    (name) => game.roles[name] === power.role.name && power.choices(view(game, name)).length > 0,
  );

export const nightPower =
  (power: HeldPower): Node =>
  (game, door) =>
    power.actor === 'holder' ? actAlone(power, game, door) : actTogether(power, game, door);

async function actAlone(power: HeldPower, game: Game, door: Door): Promise<Change> {
  const answers = await askEach(door, game, actors(game, power), act(power), () => undefined);
  const chosen = answers.flatMap((answer) => (answer.value ? [{ ...answer, target: answer.value.target }] : []));
  return {
    intents: chosen.map(({ by, target }): Intent => ({ round: game.roundNum, verb: power.verb, by: [by], target })),
    events: chosen.flatMap((answer): GameEvent[] => [
      ...thought(game, power.verb, answer),
      {
        ...stamp(game, [answer.by]),
        type: 'acted',
        by: answer.by,
        verb: power.verb,
        target: answer.target,
        ...marked(answer),
      },
    ]),
  };
}

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
