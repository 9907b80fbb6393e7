// A match as the makers of rows see it: its record, and what is made of it.
import type { JudgedStatement, MatchClaims } from '../claims/claims-of.ts';
import type { MatchRecord, Seat } from '../match-record.ts';
import type { Statement } from '../statements.ts';
import type { Annotation } from './annotation.ts';
import type { AttemptOf } from './attempts.ts';

export interface Measured {
  record: MatchRecord;
  seatOf: (name: string) => Seat;
  attemptOf: AttemptOf;
  statements: readonly Statement[];
  rules: MatchClaims;
  judged: MatchClaims | null;
  judge: string | null;
  annotations: readonly Annotation[];
  /** A statement with the claims that stand behind its verdict. */
  judgedOf: (statement: string) => JudgedStatement;
}
