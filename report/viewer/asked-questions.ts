// Finds the questions behind each moment of a match, because events record results and not the questions that they
// answer.
import { type AnsweredQuestion, eventDescriptions } from '../../state/event-descriptions.ts';
import type { GameEvent } from '../../state/events.ts';

/** A question that a player was asked, with the number of attempts. */
export interface AskedQuestion {
  round: number;
  step: number;
  action: string;
  player: string;
  attempts: number;
}

/** The key of one attempt, as in answers and prompts. */
type Attempt = Omit<AskedQuestion, 'attempts'> & { attempt: number };

/** Criteria to find a question. Without `step`, they match the player's next question with this action in the round. */
interface Wanted {
  round: number;
  action: string;
  /** Action to look for if the record has no question with `action`. */
  otherwise?: string;
  /** Player who was asked. If absent: all players' questions with this action that no other event has answered. */
  player?: string;
  step?: number;
}

/**
 * Returns the criteria of the question that an event answers, according to the event's description; null if the event
 * answers no question.
 */
function findWanted(event: GameEvent): Wanted | null {
  const { answers } = eventDescriptions[event.type];
  const answered = (answers as ((event: GameEvent) => AnsweredQuestion) | null)?.(event);
  if (!answered) return null;
  const { isOfAll = false, ...question } = answered;
  return { round: event.round, ...question, ...(!isOfAll && 'by' in event && { player: event.by }) };
}

/**
 * Creates a function that returns the questions an event answers. Call it with each event of a match, in order.
 *
 * @example
 * const take = createQuestionFinder(record.answers);
 * const asked = record.events.map(take);
 */
export function createQuestionFinder(attempts: readonly Attempt[]): (event: GameEvent) => AskedQuestion[] {
  const open = new Map<string, AskedQuestion>();
  for (const { round, step, action, player, attempt } of attempts) {
    const key = JSON.stringify([round, step, action, player]);
    const known = open.get(key);
    open.set(key, { round, step, action, player, attempts: Math.max(attempt, known?.attempts ?? 0) });
  }
  const groups = Map.groupBy(
    [...open.values()].sort((one, other) => one.step - other.step),
    ({ round, action }) => JSON.stringify([round, action]),
  );
  return (event) => {
    const wanted = findWanted(event);
    const findGroup = (action?: string) => wanted && groups.get(JSON.stringify([wanted.round, action]));
    const group = findGroup(wanted?.action) ?? findGroup(wanted?.otherwise);
    if (!wanted || !group) return [];
    const { player, step } = wanted;
    const found = group.filter(
      (one) => (player === undefined || one.player === player) && (step === undefined || one.step === step),
    );
    const taken = player === undefined ? found : found.slice(0, 1);
    for (const one of taken) group.splice(group.indexOf(one), 1);
    return taken;
  };
}
