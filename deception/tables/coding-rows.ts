// Rows of codings: the codes that a coder found in each statement.
import { z } from 'zod';
import { AnswerMark } from '../../state/events.ts';
import { statementCodeNames, type StatementCode } from '../../state/statement-codes.ts';
import { Team } from '../../state/teams.ts';
import { countColumn, statementColumns, textColumn } from './columns.ts';
import type { MeasuredMatch } from './statement-rows.ts';

/** A coder's answer about one statement. */
export interface Coding {
  statement: string;
  /** Model string of the coder. */
  coder: string;
  /** Number of the repeat, from 1. */
  repeat: number;
  attempt: number;
  /** Codes that the coder found; null without a usable answer. */
  codes: readonly StatementCode[] | null;
  mark?: AnswerMark | undefined;
}

export const CodingRow = z.strictObject({
  ...statementColumns,
  coder: textColumn.describe('model that coded it, and which repeat, from 1'),
  repeat: countColumn.describe('model that coded it, and which repeat, from 1'),
  attempt: countColumn.describe('attempt at which it answered'),
  speaker: textColumn.describe('who spoke'),
  role: textColumn.describe('who spoke'),
  team: Team.describe('who spoke'),
  model: textColumn.describe('who spoke'),
  codes: textColumn
    .nullable()
    .describe(
      '[codes](annotate.md#style-emotion-and-tactics) that fit, separated by spaces; empty without any, missing without an answer',
    ),
  missing: AnswerMark.nullable().describe(
    'why there is no answer: `fallback` (unreadable) or `refusal`; missing where there is one',
  ),
});
export type CodingRow = z.infer<typeof CodingRow>;

/** Builds the rows in the order of statements. */
export function buildCodingRows(
  { record, statements, seatOf }: MeasuredMatch,
  codings: readonly Coding[],
): CodingRow[] {
  const byStatement = Map.groupBy(codings, ({ statement }) => statement);
  return statements.flatMap(({ id, round, kind, occasion, by }) => {
    const { role, team, model } = seatOf(by);
    return (byStatement.get(id) ?? []).map(({ coder, repeat, attempt, codes, mark }): CodingRow => ({
      ...{ match_id: record.manifest.id, statement: id, round, kind, occasion, coder, repeat, attempt },
      ...{ speaker: by, role, team, model },
      codes: codes === null ? null : statementCodeNames.filter((name) => codes.includes(name)).join(' '),
      missing: codes === null ? (mark ?? 'fallback') : null,
    }));
  });
}

/**
 * Lists the codes of a row; null if it has no answer.
 *
 * @example listRowCodes({ codes: 'formal humor' }) // ['formal', 'humor']
 */
export const listRowCodes = ({ codes }: Pick<CodingRow, 'codes'>): string[] | null =>
  codes === null ? null : codes.split(' ').filter((code) => code !== '');
