// Puts a prompt together: rules and role, what was seen, the task, the shape of the answer.
import type { View } from '../state/view.ts';
import { schemasFor, shapeOf, type AnswerOf, type Fields } from './fields.ts';
import { historyText } from './history.ts';
import { identityText } from './identity.ts';
import type { Prompt } from './prompt.ts';
import { memoize } from './memoize.ts';
import { rulesText } from './rules-text.ts';
import { sheriffAmong } from '../state/sheriff.ts';

interface Task<F extends Fields> {
  action: string;
  view: View;
  /** The task of the moment, in words. */
  task: string[];
  fields: F;
  kind: Prompt['kind'];
  step?: number;
  choices?: readonly string[];
  fallback?: Prompt<AnswerOf<F>>['fallback'];
}

export function compose<F extends Fields>({
  action,
  view,
  task,
  fields,
  kind,
  step,
  choices,
  fallback,
}: Task<F>): Prompt<AnswerOf<F>> {
  const shape = shapeOf(fields);
  const without = (count: number) =>
    [
      historyText(view, count),
      '',
      `It is ${view.phase} ${view.round}. Still in the game: ${view.alive.join(', ')}.`,
      ...sheriffText(view),
      ...task,
      'Answer with one JSON object of this shape and nothing else:',
      shape,
    ].join('\n');
  return {
    action,
    view,
    step: step ?? view.step,
    system: systemText(view),
    user: without(0),
    without,
    ...schemasFor(fields),
    choices: choices ?? [],
    kind,
    ...(fallback ? { fallback } : {}),
  };
}

/** One for each player of the matches that are in flight: it stands in all prompts of a player, in memory only once. */
const keptTexts = 2000;

const systemText = memoize(
  keptTexts,
  ({ board, rules, players, me, role, persona }: View) => JSON.stringify([board, rules, players, me, role, persona]),
  (view) => `${rulesText(view)}\n\n${identityText(view)}`,
);

function sheriffText({ rules, events, alive, me }: View): string[] {
  const sheriff = rules.sheriff ? sheriffAmong(events, alive) : null;
  if (sheriff === null) return [];
  return [sheriff === me ? 'You are the Sheriff.' : `The Sheriff is ${sheriff}.`];
}
