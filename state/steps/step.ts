// A step: a question of the game as data. It says who is asked, what each player may answer and what follows from the
// answers. All drivers of a match (graph nodes, simulation, import) play these same steps, so each rule is written
// once.
import type { EventOf, GameEvent, AnswerMark } from '../events.ts';
import { createEventHeader, type Game, type GameUpdate, addEvents } from '../game.ts';
import { listSurvivors } from '../night-resolution.ts';
import { maxPrivateWords, truncateWords } from '../text.ts';
import type { View } from '../view.ts';

/** A player's answer: the fields of the step, and optionally private reasoning. */
export interface Reply {
  reasoning?: string;
}

/**
 * The answer of the player `by`. A `mark` means that the model refused or could not be read; `value` is then a
 * replacement, or null if there is none. `cut`: whether the value was shortened when it was read.
 */
export type Answer<Value extends Reply = Reply> = { by: string } & (
  { value: Value; mark?: AnswerMark; cut?: true } | { value: null; mark: AnswerMark; cut?: true }
);

/** Value that takes the place of a list of choices if players may write any text in the field. */
export const freeText = 'free text';

/** One choice for each of several players, e.g. how likely each is a Werewolf. */
interface ForEach<Choice> {
  each: readonly string[];
  of: readonly Choice[];
}

/** Legal values of a field: one of a list, free text, or one of a list for each of several players. */
export type FieldChoices = readonly (string | number | boolean)[] | typeof freeText | ForEach<number>;

/** Legal answers to a step, by field. Fields that are not listed are not asked for. */
export type Choices<Value extends Reply> = { readonly [Field in Exclude<keyof Value, 'reasoning'>]?: FieldChoices };

/** Changes to the state of a game, except to its log. */
export type GameChange = Omit<GameUpdate, 'gameLogs'>;

/** The result of the answers to a step. */
interface StepOutcome {
  change?: GameChange;
  /** Events in the order in which they are recorded. */
  events: GameEvent[];
  /** Whether the players see these events and are then asked the step once more. If absent, the step is over. */
  isOpen?: boolean;
}

/**
 * One step of a match. `Value` is the answer of each player who is asked. All functions are pure, so every driver gets
 * the same result.
 *
 * @example voteStep.listChoices!(createView(game, 'Dan')) // { vote: ['Leah', 'Sam', …] }
 */
export interface Step<Value extends Reply = Reply> {
  /** Action under which the answers are recorded. */
  name: string;
  /** Returns the events that the moderator tells players before they are asked. */
  brief?(game: Game): GameEvent[];
  /** Lists the players who are asked, in the order of their answers' events; may be empty. */
  listAskers(game: Game): readonly string[];
  /** Whether an unreadable answer is recorded as `missing`. In other steps it is replaced, or becomes a silence. */
  goesMissing?: true;
  /**
   * Returns the legal answers of the View's owner. Absent if nobody is asked. Also absent for analyses, because no
   * driver draws random answers to them.
   */
  listChoices?(view: View): Choices<Value>;
  /** Returns the result of the answers, one for each player asked, in the order of `listAskers`. */
  apply(game: Game, answers: readonly Answer<Value>[]): StepOutcome;
}

/** Players who are to be asked, and the state of the game then. */
export interface AskedPlayers {
  game: Game;
  askers: readonly string[];
}

/**
 * Plays one step. Yields the players who are to be asked: more than once if the step remains open, never if nobody is
 * asked. Receives one answer for each of them, in their order. Returns what changed and what happened. The driver may
 * get the answers in any way, even asynchronously.
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
  let now = events.length > 0 ? addEvents(game, events) : game;
  for (;;) {
    const askers = step.listAskers(now);
    const {
      change,
      events: more,
      isOpen = false,
    } = step.apply(now, askers.length > 0 ? yield { game: now, askers } : []);
    events.push(...more);
    if (isOpen) now = addEvents(now, more);
    else return { change: { ...change, ...removeDead(game, events) }, events };
  }
}

/** Removes players whose death is among the events. */
const removeDead = ({ alivePlayers }: Game, events: readonly GameEvent[]): GameChange =>
  events.some(({ type }) => type === 'death') ? { alivePlayers: listSurvivors(alivePlayers, events) } : {};

/** Returns the reasoning of an answer as an event that only the player sees, in a list; empty if there is none. */
export function recordThought(game: Game, action: string, { by, value }: Answer): EventOf<'thought'>[] {
  if (!value?.reasoning) return [];
  const reasoning = truncateWords(value.reasoning, maxPrivateWords).text;
  return [{ ...createEventHeader(game, [by]), type: 'thought', by, action, step: game.step, reasoning }];
}

/** Returns the reasoning of all answers as events, like `recordThought`. */
export const recordThoughts = (game: Game, action: string, answers: readonly Answer[]) =>
  answers.flatMap((answer) => recordThought(game, action, answer));

/** Returns the mark of an answer as fields to spread into the answer's event. */
export const getAnswerMark = ({ mark }: Pick<Answer, 'mark'>) => (mark === undefined ? {} : { mark });

/** Creates an event with its mark for each answer that has a value; answers without a value are skipped. */
export const createAnswerEvents = <Value extends Reply, Event extends GameEvent>(
  answers: readonly Answer<Value>[],
  create: (by: string, value: Value, answer: Answer<Value>) => Event,
): Event[] =>
  answers.flatMap((answer) =>
    answer.value ? [{ ...create(answer.by, answer.value, answer), ...getAnswerMark(answer) }] : [],
  );

/** Properties of a step in which nobody is asked. */
export const asksNobody = { listAskers: () => [] } satisfies Partial<Step>;
