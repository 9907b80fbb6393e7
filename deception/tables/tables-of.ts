// The tables of one match, made from its record and whatever else judged it.
import { claimsOf } from '../claims/claims-of.ts';
import type { Extractor } from '../claims/claim.ts';
import { seatFinder, type MatchRecord } from '../match-record.ts';
import { statementsOf } from '../statements.ts';
import { analysisRows } from './analysis-rows.ts';
import type { Annotation } from './annotation.ts';
import { attemptsOf } from './attempts.ts';
import { beliefRows } from './belief-rows.ts';
import { callRows } from './call-rows.ts';
import { claimRows } from './claim-rows.ts';
import { gameTablesOf } from './game-tables-of.ts';
import { matchRow } from './match-row.ts';
import type { Measured } from './measured.ts';
import type { Tables } from './rows.ts';
import { statementRows } from './statement-rows.ts';

/** What judged a record besides its players. */
export interface Sources {
  /** Draws the claims behind the verdicts in place of the rules. */
  judge?: { name: string; extract: Extractor } | undefined;
  annotations?: readonly Annotation[] | undefined;
}

/** Throws a UsageError for a record that cannot have happened under its rules. */
export function tablesOf(record: MatchRecord, { judge, annotations = [] }: Sources = {}): Tables {
  const rules = claimsOf(record);
  const judged = judge ? claimsOf(record, judge.extract) : null;
  const byId = new Map((judged ?? rules).statements.map((one) => [one.id, one]));
  const match: Measured = {
    record,
    seatOf: seatFinder(record.manifest),
    attemptOf: attemptsOf(record.answers),
    statements: statementsOf(record.events),
    rules,
    judged,
    judge: judge?.name ?? null,
    annotations,
    judgedOf: (id) => byId.get(id)!,
  };
  return {
    match: matchRow(record, judge?.name ?? 'rules'),
    statements: statementRows(match),
    claims: claimRows(match),
    analyses: analysisRows(match),
    beliefs: beliefRows(record),
    calls: callRows(record),
    ...gameTablesOf(record),
  };
}
