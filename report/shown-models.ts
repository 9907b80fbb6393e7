// The names of models on pages: as their user typed them, with their identity explained once below the table.
import type { AnswerTable } from '../deception/metrics/answer-table-schema.ts';
import { nameAsTyped } from '../state/model-identity.ts';

/** A table with the names that its users typed. */
interface ShownTable {
  table: AnswerTable;
  /** Explanation of identities that differ from the names; null if none does. */
  note: string | null;
}

/**
 * Returns the table with the names that users typed, in its rows and in all its sentences.
 *
 * @example nameShownModels(table).table.rows[0]?.model // 'openai:gpt-4o', recorded as 'openai:gpt-4o?structured=family'
 */
export function nameShownModels(table: AnswerTable): ShownTable {
  const labels = table.rows.map(({ model }) => model);
  const nameModel = nameAsTyped(labels);
  const changed = labels.filter((label) => nameModel(label) !== label);
  if (changed.length === 0) return { table, note: null };
  const byLength = [...changed].sort((one, other) => other.length - one.length);
  const rename = (text: string) => byLength.reduce((all, label) => all.replaceAll(label, nameModel(label)), text);
  return {
    table: {
      ...table,
      cautions: table.cautions.map(rename),
      rows: table.rows.map((row) => ({ ...row, model: nameModel(row.model) })),
      differences: table.differences.map((one) => ({
        ...one,
        models: [nameModel(one.models[0]), nameModel(one.models[1])],
      })),
      unknown: table.unknown.map((one) => ({ ...one, reason: rename(one.reason) })),
    },
    note: `Records and other tables write ${changed.map((label) => `${nameModel(label)} as ${label}`).join(', ')}: how answers are requested (structured) is part of a model’s identity, because it can change its answers.`,
  };
}
