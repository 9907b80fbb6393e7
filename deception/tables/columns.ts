// Columns shared by several tables, and the types of cells.
import { z } from 'zod';
import { statementOccasions } from '../record/statements.ts';

export const textColumn = z.string();
export const countColumn = z.int32().min(0);
export const largeCountColumn = z.number().int().min(0);
export const shareColumn = z.number().min(0).max(1);
export const booleanColumn = z.boolean();

export const matchColumn = { match_id: textColumn.describe('id of the match') };
export const roundColumns = { ...matchColumn, round: countColumn.describe('the round, from 1') };

/** First columns of every row about a statement. */
export const statementColumns = {
  ...matchColumn,
  statement: textColumn.describe('the statement: id, round, kind, [occasion](#terms)'),
  round: countColumn.describe('the statement: id, round, kind, [occasion](#terms)'),
  kind: z.enum(['debate', 'ballot']).describe('the statement: id, round, kind, [occasion](#terms)'),
  occasion: z.enum(statementOccasions).describe('the statement: id, round, kind, [occasion](#terms)'),
};
