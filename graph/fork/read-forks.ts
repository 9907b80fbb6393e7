// Reads finished forks and compares each fork with its original match. Everything before the statement must be equal.
import path from 'node:path';
import { extractMatchClaims, type MatchClaims } from '../../deception/claims/match-claims.ts';
import { readForkOutcome } from '../../deception/forks/fork-outcome.ts';
import type { MeasuredFork } from '../../deception/forks/forked-statement.ts';
import { readRecord, type StoredRecord } from '../../models/record/recorder.ts';
import { nameForkArm } from '../../state/fork.ts';
import { checkSamePast } from './fork-point.ts';
import { nameFork } from './fork-record.ts';
import type { PlannedFork } from './fork-set.ts';

/**
 * Function that reads the claims of a fork's record: the claims that the rules extract, or the cached claims of a
 * judge.
 */
export type ReadClaims = (folder: string, record: StoredRecord) => MatchClaims;

export const readClaimsByRules: ReadClaims = (_folder, record) => extractMatchClaims(record);

/**
 * Lists the finished forks of one match, in the given order. Throws a RecordError for a damaged record, and for a fork
 * that differs from its original match before the statement.
 *
 * @example readForks('runs/forks', forks, readRecord('runs/a'), readClaimsByRules)
 */
export function readForks(
  out: string,
  forks: readonly PlannedFork[],
  origin: Pick<StoredRecord, 'events'>,
  readClaims: ReadClaims,
): { of: PlannedFork['of']; fork: MeasuredFork }[] {
  return forks.flatMap(({ of }) => {
    const folder = path.join(out, nameFork(of));
    const record = readRecord(folder);
    if (!record.isFinished) return [];
    checkSamePast(folder, record.events, origin.events, of.statement);
    const outcome = readForkOutcome(record, of.statement);
    const isAskedAgain = of.arm === 'honest' || of.arm === 'resample';
    const hasLied = isAskedAgain && outcome.text !== null ? findLie(readClaims(folder, record), of.statement) : null;
    return [{ of, fork: { arm: nameForkArm(of), kind: of.arm, copy: of.copy, outcome, hasLied } }];
  });
}

/** Whether a statement contains a lie. Null if the statement could not be read. */
function findLie({ statements }: MatchClaims, id: string): boolean | null {
  const said = statements.find((one) => one.id === id);
  return said === undefined || said.isUnread ? null : said.claims.some(({ verdict }) => verdict === 'lie');
}
