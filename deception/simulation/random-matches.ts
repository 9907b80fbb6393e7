// Matches played by chance: the baseline of any board under any rules.
import type { Board } from '../../state/boards.ts';
import { createGame, deal } from '../../state/deal.ts';
import type { GameEvent } from '../../state/events.ts';
import type { Game, Setup } from '../../state/game.ts';
import { over, transitions } from '../../state/phases.ts';
import { draw } from '../../state/random.ts';
import type { Rules } from '../../state/rules/options.ts';
import { findStep } from '../../state/steps/index.ts';
import {
  type AskedPlayers,
  type Change,
  type FieldChoices,
  freeText,
  playStep,
  type Reply,
  type Step,
} from '../../state/steps/step.ts';
import { createView } from '../../state/view.ts';

/** What a match is played on. */
export interface Ground {
  board: Board;
  rules: Rules;
}

export interface RandomMatch {
  /** Who sat where with which role, and the rules as they were played. */
  setup: Setup;
  /** As they stand in a record, without thoughts and analyses; every statement has the same words. */
  events: readonly GameEvent[];
}

/** Answers for `by`: one of `choices`. `action` is the name that the question has in a record. */
export type Choose = <Choice>(action: string, by: string, choices: readonly Choice[]) => Choice;

/** Stands for whatever is said or written: by chance nothing is meant by it. */
export const words = 'I have nothing in particular to say.';

/**
 * Plays `games` matches in which every legal choice is equally likely, as the random bot plays them: deal, night,
 * election, debate, ballots, last acts, by the rules of the board. Nothing is analysed; where players are asked for
 * their beliefs, these are drawn after each debate. The same ground and seed always give the same matches, each by
 * itself: a longer run begins with those of a shorter one, and one that begins at number `from` has those of that run.
 */
export function* randomMatches(
  { board, rules }: Ground,
  games: number,
  seed: number,
  from = 0,
): Generator<RandomMatch> {
  const played = withoutAnalyses(rules);
  for (let game = from; game < from + games; game++) {
    const chance = draw(seed, 'random match', game);
    const setup = deal({ board, rules: played, seed: chance.integer(2 ** 31) });
    yield { setup, events: playOut(setup, (_action, _by, choices) => chance.pick(choices)) };
  }
}

/** The rules as they are played by chance: what is to be analysed decides nothing there. */
export const withoutAnalyses = (rules: Rules): Rules => ({
  ...rules,
  analysis: 'off',
  analyzeBallots: false,
  scores: 'hidden',
  beliefs: rules.beliefs === 'off' ? 'off' : 'each-round',
});

/**
 * Plays a match to its end by the steps of the game alone: whoever has a choice answers by `choose`. Gives all that
 * happened, in the order in which a record has it.
 */
export function playOut(setup: Setup, choose: Choose): GameEvent[] {
  const game = createGame(setup);
  const happened: GameEvent[] = [];
  for (let wave: readonly string[] = ['start_round']; !wave.includes(over);) {
    // The nodes of a wave all see the game as it was before it.
    const outcomes = wave.map((node) => {
      const step = findStep(node, game);
      return step ? play(game, step, choose) : { change: {}, events: [] };
    });
    for (const { change, events } of outcomes) {
      happened.push(...events);
      write(game, change, events);
    }
    wave = transitions[wave[0]!]!.next(game).toSorted();
  }
  return happened;
}

function play(game: Game, step: Step, choose: Choose) {
  const turns = playStep(game, step);
  let turn = turns.next();
  while (!turn.done)
    turn = turns.next(turn.value.askers.map((by) => answer(turn.value as AskedPlayers, by, step, choose)));
  return turn.value;
}

function answer({ game }: AskedPlayers, by: string, step: Step, choose: Choose) {
  const pick = <Choice>(choices: readonly Choice[]) => choose(step.name, by, choices);
  const drawFrom = (choices: FieldChoices): unknown => {
    if (choices === freeText) return words;
    if (!('each' in choices)) return pick(choices);
    return Object.fromEntries(choices.each.map((name) => [name, pick(choices.of)]));
  };
  const open = Object.entries<FieldChoices>(step.listChoices(createView(game, by)));
  const fields = open.map(([field, choices]): [string, unknown] => [field, drawFrom(choices)]);
  return { by, value: Object.fromEntries(fields) as Reply };
}

/** What no rule ever asks after; a log without it is a fraction as long, and so is the time that a match takes. */
const unread: ReadonlySet<GameEvent['type']> = new Set(['bid', 'ballot', 'proposal', 'summary']);

/** The game is changed in place: it is nobody else's. */
function write(game: Game, { intents, ...change }: Change, events: readonly GameEvent[]) {
  Object.assign(game, change);
  game.intents.push(...((intents ?? []) as Game['intents']));
  for (const event of events) if (event.audience !== 'moderator' && !unread.has(event.type)) game.gameLogs.push(event);
}
