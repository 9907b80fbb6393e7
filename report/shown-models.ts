// Names models on pages as their user typed them. A note below the table gives the identities. JSON and CSV files keep
// identities.
import type { StudyProgress } from '../deception/design/study-progress.ts';
import type { AnswerTable } from '../deception/metrics/answer-table-schema.ts';
import { listTypedNames } from '../state/model-identity.ts';

/** Maps a model's identity to the name that the user typed, if the two differ. */
export type TypedNames = Readonly<Record<string, string>>;

/**
 * Returns a table whose rows and differences have the names that users typed. The table's sentences already have these
 * names.
 */
export const nameRows = (table: AnswerTable): AnswerTable => ({
  ...table,
  rows: table.rows.map((row) => ({ ...row, model: table.names[row.model] ?? row.model })),
  differences: table.differences.map((one) => ({
    ...one,
    models: one.models.map((model) => table.names[model] ?? model) as [string, string],
  })),
});

/**
 * Explains names that differ from identities; null if none does.
 *
 * @example explainNames({ 'openai:gpt-4o?structured=family': 'openai:gpt-4o' })
 */
export function explainNames(names: TypedNames): string | null {
  const written = Object.entries(names).map(([model, name]) => `${name} as ${model}`);
  return written.length === 0
    ? null
    : `Records, JSON and CSV files write ${written.join(', ')}: how answers are requested (structured) is part of a model’s identity, because it can change its answers.`;
}

/**
 * Returns a document with all models named as their users typed them, also within its notes. `answers`: the document's
 * tables of answers, which hold the names. These tables stay unchanged.
 *
 * @example nameModels(report, report.answers).conditions[0]?.values
 */
export function nameModels<Document>(document: Document, answers: readonly Pick<AnswerTable, 'names'>[]): Document {
  const names = Object.assign({}, ...answers.map((table) => table.names)) as TypedNames;
  return replaceIdentities(document, names);
}

/**
 * Returns a document with `names` in place of identities.
 *
 * @example replaceIdentities(progress, listTypedNames(progress.models.map(({ model }) => model)))
 */
export function replaceIdentities<Document>(document: Document, names: TypedNames): Document {
  // The longest identity comes first, because an identity can end with another identity.
  const written = Object.entries(names).sort(([one], [other]) => other.length - one.length);
  if (written.length === 0) return document;
  const rename = (text: string) => written.reduce((all, [model, name]) => all.replaceAll(model, name), text);
  return mapTexts(document, rename) as Document;
}

/** Returns the progress of a study with its models named as typed. */
export const nameProgress = (progress: StudyProgress): StudyProgress =>
  replaceIdentities(progress, listTypedNames(progress.models.map(({ model }) => model)));

/** Maps all texts in a value, including keys, except the texts in tables of answers. */
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [map(key), key === 'answers' ? (one as unknown) : mapTexts(one, map)]),
  );
}
