// A step of the game as data: who is asked, what each may answer, and what comes of the answers. Whoever drives a match
// (the graph's nodes, simulation, import) plays these same steps, so a rule is written once.
import type { EventOf, GameEvent, Mark } from '../events.ts';
import { createEventHeader, type Game, type GameUpdate, withEvents } from '../game.ts';
import { listSurvivors } from '../night-resolution.ts';
import { privateWords, truncateWords } from '../text.ts';
import type { View } from '../view.ts';

/** What a player answers; every answer may come with reasoning for the own scratchpad. */
export interface Reply {
  reasoning?: string;
}

/**
 * The answer of one player. Given: it has a value. A refusal or a fallback: the value is what stands for it, marked, or
 * null where nothing can stand for it. `cut`: the value was shortened when it was read.
 */
export type Answer<Value extends Reply = Reply> = { by: string } & (
  { value: Value; mark?: Mark; cut?: true } | { value: null; mark: Mark; cut?: true }
);

/** Stands for the choices of a field in which players write what they like. */
export const freeText = 'free text';

/** A choice for each of some players, e.g. how likely each is a Werewolf. */
export interface ForEach<Choice> {
  each: readonly string[];
  of: readonly Choice[];
}

/** What may stand in a field of an answer: one of a list, words, or one of a list for each of some players. */
export type FieldChoices = readonly (string | number | boolean)[] | typeof freeText | ForEach<number>;

/** The legal answers to a step, field by field; a field that is not named is not asked for. */
export type Choices<Value extends Reply> = { readonly [Field in Exclude<keyof Value, 'reasoning'>]?: FieldChoices };

/** What changes in a game, besides its log. */
export type Change = Omit<GameUpdate, 'gameLogs'>;

/** What comes of a step. */
export interface StepOutcome {
  change?: Change;
  /** In the order in which a record has them. */
  events: GameEvent[];
  /** Whether the step is asked once more, by who has seen its events, before it is over. */
  isOpen?: boolean;
}

/** One step of a match. `Value` is what each player who is asked answers. */
export interface Step<Value extends Reply = Reply> {
  /** The action under which its answers are recorded. */
  name: string;
  /** What the moderator tells some before they are asked; absent: nothing. */
  brief?(game: Game): GameEvent[];
  /** Who is asked, in the order in which their answers are told; empty where nobody has anything to say. */
  listAskers(game: Game): readonly string[];
  /** What the player of a View may answer. */
  listChoices(view: View): Choices<Value>;
  /** What comes of the answers: pure, so every driver gets the same. */
  apply(game: Game, answers: readonly Answer<Value>[]): StepOutcome;
}

/** Players who are to be asked, in the game as they know it. */
export interface AskedPlayers {
  game: Game;
  askers: readonly string[];
}

/**
 * Plays one step: yields who is to be asked as often as it takes, takes their answers (one for each asker, in their
 * order), and returns what changed and what happened. A driver fetches the answers as it likes, also asynchronously.
 *
 * @example
 * const play = playStep(game, voteStep);
 * let turn = play.next();
 * while (!turn.done) turn = play.next(turn.value.askers.map((by) => ({ by, value: { vote: 'Dan' } })));
 * const { change, events } = turn.value;
 */
export function* playStep<Value extends Reply>(
  game: Game,
  step: Step<Value>,
): Generator<AskedPlayers, Required<Pick<StepOutcome, 'change' | 'events'>>, readonly Answer<Value>[]> {
  const events = step.brief?.(game) ?? [];
  let now = events.length > 0 ? withEvents(game, events) : game;
  for (;;) {
    const askers = step.listAskers(now);
    const {
      change,
      events: more,
      isOpen = false,
    } = step.apply(now, askers.length > 0 ? yield { game: now, askers } : []);
    events.push(...more);
    if (isOpen) now = withEvents(now, more);
    else return { change: { ...change, ...removeDead(game, events) }, events };
  }
}

/** Whoever dies in a step has left the game. */
const removeDead = ({ alivePlayers }: Game, events: readonly GameEvent[]): Change =>
  events.some(({ type }) => type === 'death') ? { alivePlayers: listSurvivors(alivePlayers, events) } : {};

/** The reasoning of an answer, for the player's own scratchpad; nothing where there is none. */
export function recordThought(game: Game, action: string, { by, value }: Answer): EventOf<'thought'>[] {
  if (!value?.reasoning) return [];
  const reasoning = truncateWords(value.reasoning, privateWords).text;
  return [{ ...createEventHeader(game, [by]), type: 'thought', by, action, step: game.step, reasoning }];
}

/** The mark of an answer, to be spread into its event. */
export const getMark = ({ mark }: Pick<Answer, 'mark'>) => (mark === undefined ? {} : { mark });

/** For steps in which nobody is asked. */
export const nobody = { listAskers: () => [], listChoices: () => ({}) } satisfies Partial<Step>;
