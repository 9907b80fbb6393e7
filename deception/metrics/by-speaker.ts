// What figures about statements are told apart by: who spoke, and when.
import type { Sums } from '../statistics/sums.ts';
import type { ClaimRow, StatementRow, Tables } from '../tables/rows.ts';
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

/**
 * What every statement adds, in the cell of its speaker; null where it is none of those that are counted. `unread` is
 * added by those whose judge gave no readable answer: what they claim is missing, which is not "nothing".
 */
export const ofStatements =
  (sumsOf: (row: StatementRow) => Sums | null, unread: Sums | null = null) =>
  ({ statements }: Tables): Tally[] =>
    statements.flatMap((row) => {
      const { kind, team, role, model, round, occasion } = row;
      const sums = row.is_judge_missing ? unread : sumsOf(row);
      return sums === null ? [] : [{ cell: { kind, team, role, model, round: String(round), occasion }, sums }];
    });

/** The claims behind the verdicts: a judge's where there is one, else those drawn by rules. */
export const claimsThatCount = ({ match, claims }: Tables): ClaimRow[] =>
  claims.filter(({ extractor }) => extractor === match.extractor);
