// What figures about statements are told apart by: who spoke, and when.
import type { Sums } from '../statistics/sums.ts';
import type { StatementRow, Tables } from '../tables/rows.ts';
import type { Tally } from './metric.ts';

/** One table each. Bots are a model like any other. */
export const bySpeaker = [
  ['kind'],
  ['team'],
  ['role'],
  ['model'],
  ['model', 'team'],
  ['model', 'role'],
  ['round'],
  ['occasion'],
] as const;

/** What every statement adds, in the cell of its speaker. */
export const ofStatements =
  (sumsOf: (row: StatementRow) => Sums) =>
  ({ statements }: Tables): Tally[] =>
    statements.map((row) => {
      const { kind, team, role, model, round, occasion } = row;
      return { cell: { kind, team, role, model, round: String(round), occasion }, sums: sumsOf(row) };
    });
