// What a step is: a question of the game as data, with who is asked, what each may answer and what comes of the answers.
// All drivers of a match (the graph's nodes, simulation, import) play these same steps, so a rule is written once.
import type { EventOf, GameEvent, AnswerMark } from '../events.ts';
import { createEventHeader, type Game, type GameUpdate, addEvents } from '../game.ts';
import { listSurvivors } from '../night-resolution.ts';
import { maxPrivateWords, truncateWords } from '../text.ts';
import type { View } from '../view.ts';

/** What a player answers. Its fields are those of the step, and every answer may come with private reasoning. */
export interface Reply {
  reasoning?: string;
}

/**
 * The answer of the player `by`. With a `mark` the model refused or could not be read: then `value` was put in the
 * answer's place, or is null where nothing can be. `cut`: the value was shortened when it was read.
 */
export type Answer<Value extends Reply = Reply> = { by: string } & (
  { value: Value; mark?: AnswerMark; cut?: true } | { value: null; mark: AnswerMark; cut?: true }
);

/** In place of the choices of a field: players write what they like. */
export const freeText = 'free text';

/** A choice for each of some players, e.g. how likely each is a Werewolf. */
interface ForEach<Choice> {
  each: readonly string[];
  of: readonly Choice[];
}

/** The legal values of a field: one of a list, free text, or one of a list for each of some players. */
export type FieldChoices = readonly (string | number | boolean)[] | typeof freeText | ForEach<number>;

/** The legal answers to a step, field by field; a field that is not named is not asked for. */
export type Choices<Value extends Reply> = { readonly [Field in Exclude<keyof Value, 'reasoning'>]?: FieldChoices };

/** What changes in a game, besides its log. */
export type GameChange = Omit<GameUpdate, 'gameLogs'>;

/** What comes of the answers to a step. */
interface StepOutcome {
  change?: GameChange;
  /** In the order in which they are recorded. */
  events: GameEvent[];
  /** Whether players who have now seen these events are asked the step once more; absent: the step is over. */
  isOpen?: boolean;
}

/**
 * One step of a match. `Value` is what each player who is asked answers. The functions are pure, so every driver gets
 * the same.
 *
 * @example voteStep.listChoices!(createView(game, 'Dan')) // { vote: ['Leah', 'Sam', …] }
 */
export interface Step<Value extends Reply = Reply> {
  /** The action under which its answers are recorded. */
  name: string;
  /** What the moderator tells players before they are asked; absent: nothing. */
  brief?(game: Game): GameEvent[];
  /** Who is asked, in the order of their answers' events; empty where nobody is. */
  listAskers(game: Game): readonly string[];
  /** Whether an answer that cannot be read is missing (an event `missing`); those to other steps are replaced, or silence. */
  goesMissing?: true;
  /**
   * What the player whose View it is may answer; absent: nobody is asked, or it is an analysis, to which no driver draws
   * answers.
   */
  listChoices?(view: View): Choices<Value>;
  /** What comes of the answers, one for each of those who were asked, in their order. */
  apply(game: Game, answers: readonly Answer<Value>[]): StepOutcome;
}

/** Players who are to be asked, in the game as they know it. */
export interface AskedPlayers {
  game: Game;
  askers: readonly string[];
}

/**
 * Plays one step: yields who is to be asked (more than once where the step stays open, never where nobody is), takes
 * one answer for each of them in their order, and returns what changed and what happened. The driver gets the answers
 * as it likes, also asynchronously.
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

/** Players whose death is among the events have left the game. */
const removeDead = ({ alivePlayers }: Game, events: readonly GameEvent[]): GameChange =>
  events.some(({ type }) => type === 'death') ? { alivePlayers: listSurvivors(alivePlayers, events) } : {};

/** The reasoning of an answer as an event that only the player sees, in a list; an empty one where there is none. */
export function recordThought(game: Game, action: string, { by, value }: Answer): EventOf<'thought'>[] {
  if (!value?.reasoning) return [];
  const reasoning = truncateWords(value.reasoning, maxPrivateWords).text;
  return [{ ...createEventHeader(game, [by]), type: 'thought', by, action, step: game.step, reasoning }];
}

/** The reasoning of all answers, as `recordThought` gives it. */
export const recordThoughts = (game: Game, action: string, answers: readonly Answer[]) =>
  answers.flatMap((answer) => recordThought(game, action, answer));

/** The mark of an answer, to be spread into its event. */
export const getAnswerMark = ({ mark }: Pick<Answer, 'mark'>) => (mark === undefined ? {} : { mark });

/** An event with its mark for each answer that has a value; an answer without one leaves none. */
export const createAnswerEvents = <Value extends Reply, Event extends GameEvent>(
  answers: readonly Answer<Value>[],
  create: (by: string, value: Value, answer: Answer<Value>) => Event,
): Event[] =>
  answers.flatMap((answer) =>
    answer.value ? [{ ...create(answer.by, answer.value, answer), ...getAnswerMark(answer) }] : [],
  );

/** To be spread into a step in which nobody is asked. */
export const asksNobody = { listAskers: () => [] } satisfies Partial<Step>;
