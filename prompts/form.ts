// The form in which a person answers a question: its fields, made from the JSON schema of the answer.
import type { AnyPrompt } from './prompt.ts';
import { passChoice } from '../state/roles/role.ts';

interface FieldHead {
  name: string;
  label: string;
}

/** A field of a form. A field with `each` is a list of entries, one per named player; `each` lists the fields of such an entry. */
export type FormField = FieldHead &
  (
    | { kind: 'choice'; options: { value: string | boolean; label: string }[] }
    | { kind: 'several'; options: { value: string; label: string }[] }
    | { kind: 'scale'; from: number; to: number }
    | { kind: 'share' }
    | { kind: 'text'; maxWords: number | null; isOptional: boolean }
    | { kind: 'each'; entries: { player: string; fields: FormField[] }[] }
  );

/** A question to a person: its words, and the fields of its answer. */
export interface Form {
  action: string;
  task: readonly string[];
  fields: FormField[];
}

/** Labels of the fields of all answers; a test compares them with the register of shapes. */
const labels: Readonly<Record<string, string>> = {
  bid: 'Your bid: the highest speaks next',
  statement: 'What you say to all players',
  vote: 'Your vote',
  explanation: 'Your reason, which all players read',
  target: 'Your choice',
  proposal: 'Your proposal',
  proposal_reason: 'Your reason, which only your side reads',
  summary: 'Your own notes, which only you see again; they may stay empty',
  stand: 'Do you stand?',
  direction: 'The direction of the debate',
  recommendation: 'Whom you recommend to exile',
  successor: 'The new Sheriff',
  p_deceptive: 'How likely is the statement deceptive?',
  p_falsehood: 'How likely does it hold a falsehood?',
  types: 'The types of deception in it, if any',
  p_werewolf: 'How likely is the speaker a Werewolf?',
  p_werewolf_of: 'How likely is each of them a Werewolf?',
  judgements: 'Your judgment of each explanation',
  stated_falsehood: 'Did you say something that you knew or believed to be false?',
  deceptive: 'Was it meant to make anyone believe something false?',
  type: 'The type of deception that fits best',
  confidence: 'How sure are you of this answer?',
  suspicion: 'How far do you take the statement to be deceptive?',
};

/** Labels of choices that are not names. */
const choiceLabels: Readonly<Record<string, string>> = { [passChoice]: `Nobody (${passChoice})` };

/** Text that is recorded if a person leaves the notes empty. */
export const emptyNotes = '(no notes)';

interface AnswerSchema {
  type?: string;
  enum?: readonly string[];
  items?: AnswerSchema;
  minimum?: number;
  maximum?: number;
  properties?: Readonly<Record<string, AnswerSchema>>;
}

/**
 * Returns the form of a prompt. A person is not asked for private reasoning.
 *
 * @example createForm(vote.put(view, draw(1, 'options'))).fields.map(({ name }) => name) // ['vote', 'explanation']
 */
export function createForm({ action, task = [], schema, view }: AnyPrompt): Form {
  const { properties = {} } = schema as AnswerSchema;
  return { action, task, fields: listFields(properties, view.rules.maxWords) };
}

const listFields = (properties: Readonly<Record<string, AnswerSchema>>, maxWords: number): FormField[] =>
  Object.entries(properties)
    .filter(([name]) => name !== 'reasoning')
    .map(([name, schema]) =>
      createFormField({ name, label: labels[name] ?? name.replaceAll('_', ' ') }, schema, maxWords),
    );

const nameOption = (value: string) => ({ value, label: choiceLabels[value] ?? value });

/** Throws a TypeError for a schema that the answers of a match do not use. */
function createFormField(head: FieldHead, schema: AnswerSchema, maxWords: number): FormField {
  const { type, enum: choices, items, minimum = 0, maximum = 1, properties = {} } = schema;
  if (choices) return { ...head, kind: 'choice', options: choices.map(nameOption) };
  if (type === 'boolean')
    return {
      ...{ ...head, kind: 'choice' },
      options: [
        { value: true, label: 'Yes' },
        { value: false, label: 'No' },
      ],
    };
  if (type === 'integer') return { ...head, kind: 'scale', from: minimum, to: maximum };
  if (type === 'number') return { ...head, kind: 'share' };
  if (type === 'array') return { ...head, kind: 'several', options: (items?.enum ?? []).map(nameOption) };
  if (type === 'string') {
    const isOptional = head.name === 'summary';
    return { ...head, kind: 'text', maxWords: isOptional ? null : maxWords, isOptional };
  }
  if (type !== 'object') throw new TypeError(`No form can be made for a schema of type ${JSON.stringify(type)}.`);
  const entries = Object.entries(properties).map(([player, entry]) => ({
    player,
    fields: entry.properties
      ? listFields(entry.properties, maxWords)
      : [createFormField({ name: 'value', label: player }, entry, maxWords)],
  }));
  return { ...head, kind: 'each', entries };
}
