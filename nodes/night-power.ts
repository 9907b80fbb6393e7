// The night's nodes: one for each power of the register, used by each holder alone or by a team together.
import type { Door } from '../models/ask.ts';
import { act, propose, type Proposal } from '../prompts/night-act.ts';
import { ownAct, picked, proposed } from '../state/deeds.ts';
import type { GameEvent } from '../state/event.ts';
import type { Game } from '../state/game.ts';
import { withEvents } from '../state/moment.ts';
import { actors, briefings, intentOf, isCouncil, isDivided, pickAmong, proposers } from '../state/night-acts.ts';
import type { HeldPower } from '../state/roles/index.ts';
import { cutAt } from '../state/words.ts';
import { askEach, marked, thought, type AnswerBy, type Change, type Node } from './node.ts';

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
    intents: chosen.flatMap(({ by, target }) => intentOf(game, power, [by], target)),
    events: [
      ...told,
      ...chosen.flatMap((answer): GameEvent[] => [
        ...thought(game, power.verb, answer),
        { ...ownAct(game, power, answer.by, answer.target), ...marked(answer) },
      ]),
    ],
  };
}

async function actTogether(power: HeldPower, game: Game, door: Door): Promise<Change> {
  const pack = actors(game, power);
  if (pack.length === 0) return {};
  const { answers, events } = await (isCouncil(game, pack) ? pickByVote : pickByOne)(power, game, door, pack);
  const target = pickAmong(game, targetsOf(answers));
  const replaced = answers.every(({ mark }) => mark) ? marked(answers[0]!) : {};
  return {
    intents: intentOf(game, power, pack, target),
    events: [...events, { ...picked(game, power, target), ...replaced }],
  };
}

interface Council {
  answers: AnswerBy<Proposal>[];
  events: GameEvent[];
}

const targetsOf = (answers: readonly AnswerBy<Proposal>[]) =>
  answers.flatMap(({ by, value }) => (value ? [{ by, target: value.proposal }] : []));

async function pickByOne(power: HeldPower, game: Game, door: Door, pack: readonly string[]): Promise<Council> {
  const answers = await askEach(door, game, proposers(game, pack), propose(power), () => ({ ballot: 1 }));
  return { answers, events: answers.flatMap((answer) => thought(game, power.verb, answer)) };
}

/** All propose at once; where they differ, once more after seeing each other's. */
async function pickByVote(power: HeldPower, game: Game, door: Door, pack: readonly string[]): Promise<Council> {
  const council = async (ballot: number, before: GameEvent[]): Promise<Council> => {
    const answers = await askEach(door, withEvents(game, before), pack, propose(power), () => ({ ballot }));
    const events = answers.flatMap((answer) => [
      ...thought(game, power.verb, answer),
      ...proposal(power, game, answer, ballot),
    ]);
    return { answers, events: [...before, ...events] };
  };
  const first = await council(1, []);
  return isDivided(targetsOf(first.answers)) ? council(2, first.events) : first;
}

function proposal(power: HeldPower, game: Game, answer: AnswerBy<Proposal>, ballot: number): GameEvent[] {
  if (!answer.value) return [];
  const { proposal: target, proposal_reason: said = '' } = answer.value;
  const reason = cutAt(said, game.setup.rules.maxWords * 2).text;
  return [{ ...proposed(game, power, answer.by, { target, reason, ballot }), ...marked(answer) }];
}
