// Columns that several tables share, and what cells hold.
import { z } from 'zod';
import { statementOccasions } from '../statements.ts';

export const text = z.string();
export const count = z.int32().min(0);
export const large = z.number().int().min(0);
export const share = z.number().min(0).max(1);
export const yes = z.boolean();

export const matchColumn = { match_id: text.describe('id of the match') };
export const roundColumns = { ...matchColumn, round: count.describe('the round, from 1') };

/** What every row about a statement begins with. */
export const statementColumns = {
  ...matchColumn,
  statement: text.describe('the statement: id, round, kind, [occasion](#words-used-throughout)'),
  round: count.describe('the statement: id, round, kind, [occasion](#words-used-throughout)'),
  kind: z.enum(['debate', 'ballot']).describe('the statement: id, round, kind, [occasion](#words-used-throughout)'),
  occasion: z.enum(statementOccasions).describe('the statement: id, round, kind, [occasion](#words-used-throughout)'),
};
