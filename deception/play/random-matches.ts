// Random matches, in which every legal choice is equally likely: the chance baseline of any board under any rules.
import type { Board } from '../../state/boards.ts';
import { createGame, deal } from '../../state/deal.ts';
import type { GameEvent } from '../../state/events.ts';
import type { Game, Setup } from '../../state/game.ts';
import { endOfMatch, transitions } from '../../state/phases.ts';
import { draw } from '../../state/random.ts';
import type { Rules } from '../../state/rules/common-rules.ts';
import { findStep } from '../../state/steps/index.ts';
import {
  type AskedPlayers,
  type GameChange,
  type FieldChoices,
  freeText,
  playStep,
  type Reply,
  type Step,
} from '../../state/steps/step.ts';
import { createView } from '../../state/view.ts';

/** A board with its rules. */
export interface BoardAndRules {
  board: Board;
  rules: Rules;
}

export interface RandomMatch {
  /** The set-up, with the rules that were used. */
  setup: Setup;
  /** Events as in a record, without thoughts and analyses. Every statement has the same words. */
  events: readonly GameEvent[];
}

/** Answers a question to the player `by` by selecting one of `choices`. `action`: name of the question in records. */
type Choose = <Choice>(action: string, by: string, choices: readonly Choice[]) => Choice;

/** Text of every statement in a random match. It has no meaning. */
export const randomStatementText = 'I have nothing in particular to say.';

/**
 * Plays `games` matches in which every legal choice is equally likely, as with the random bot in every seat. No
 * statement is analyzed. If the rules ask for beliefs, random beliefs are drawn after each debate.
 *
 * Match number n depends only on board, rules, seed and n. A longer run therefore begins with the matches of a shorter
 * run. `from`: number of the first match, to continue an earlier run.
 *
 * @example
 * for (const { setup, events } of playRandomMatches({ board, rules }, 100, 1)) count(setup, events);
 */
export function* playRandomMatches(
  { board, rules }: BoardAndRules,
  games: number,
  seed: number,
  from = 0,
): Generator<RandomMatch> {
  const played = disableAnalyses(rules);
  for (let game = from; game < from + games; game++) {
    const chance = draw(seed, 'random match', game);
    const setup = deal({ board, rules: played, seed: chance.integer(2 ** 31) });
    yield { setup, events: playToEnd(setup, (_action, _by, choices) => chance.pick(choices)) };
  }
}

/**
 * Returns the rules with analyses switched off, and with beliefs, if any, asked for once per round. Analyses do not
 * influence random matches.
 */
export const disableAnalyses = (rules: Rules): Rules => ({
  ...rules,
  analysis: 'off',
  analyzeBallots: false,
  scores: 'hidden',
  beliefs: rules.beliefs === 'off' ? 'off' : 'each-round',
});

/**
 * Plays a match to its end through the steps of the game, with `choose` in every seat. Returns the events in the order
 * of a record.
 *
 * @example
 * const events = playToEnd(setup, (_action, _by, choices) => choices[0]!);
 */
export function playToEnd(setup: Setup, choose: Choose): GameEvent[] {
  const game = createGame(setup);
  const allEvents: GameEvent[] = [];
  for (let wave: readonly string[] = ['start_round']; !wave.includes(endOfMatch);) {
    // The nodes of a wave run in parallel, so each node sees the state before the wave.
    const outcomes = wave.map((node) => {
      const step = findStep(node, game);
      return step ? play(game, step, choose) : { change: {}, events: [] };
    });
    for (const { change, events } of outcomes) {
      allEvents.push(...events);
      applyOutcome(game, change, events);
    }
    wave = transitions[wave[0]!]!.next(game).toSorted();
  }
  return allEvents;
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
    if (choices === freeText) return randomStatementText;
    if (!('each' in choices)) return pick(choices);
    return Object.fromEntries(choices.each.map((name) => [name, pick(choices.of)]));
  };
  if (!step.listChoices) throw new Error(`Step "${step.name}" asks players, but does not say what they may answer.`);
  const open = Object.entries<FieldChoices>(step.listChoices(createView(game, by)));
  const fields = open.map(([field, choices]): [string, unknown] => [field, drawFrom(choices)]);
  return { by, value: Object.fromEntries(fields) as Reply };
}

/** Events that no rule reads. Leaving them out makes the log much shorter and matches faster. */
const unreadByRules: ReadonlySet<GameEvent['type']> = new Set(['bid', 'ballot', 'proposal', 'summary']);

/** Applies an outcome to the game in place. This is safe because nothing else holds a reference to the game. */
function applyOutcome(game: Game, { intents, ...change }: GameChange, events: readonly GameEvent[]) {
  Object.assign(game, change);
  game.intents.push(...((intents ?? []) as Game['intents']));
  for (const event of events)
    if (event.audience !== 'moderator' && !unreadByRules.has(event.type)) game.gameLogs.push(event);
}
