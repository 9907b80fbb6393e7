// Rows of statements: who said what, the engine's verdict, and the reactions of all other players.
import { isImpliedBy } from '../claims/implied-claims.ts';
import { z } from 'zod';
import { type AnswerMark, type Assessment, DeceptionType, isEventOfType } from '../../state/events.ts';
import type { AnswerLine } from '../../state/record.ts';
import type { Rules } from '../../state/rules/common-rules.ts';
import type { AssessmentFields } from '../../state/steps/analysis.ts';
import { Team } from '../../state/teams.ts';
import type { JudgeAgreement } from '../claims/majority-claims.ts';
import { isLieOpportunity, type MatchClaims, type VerifiedStatement } from '../claims/match-claims.ts';
import { getLieLabel, Verdict } from '../claims/verify-claim.ts';
import { createAnswerFinder, type MatchRecord, type Seat, statementActions } from '../record/match-record.ts';
import { isFlaggedByMajority, listFlags, listSuspicions, type Statement } from '../record/statements.ts';
import { mean } from '../statistics/sums.ts';
import { countColumn, shareColumn, statementColumns, textColumn, booleanColumn } from './columns.ts';

export const StatementRow = z.strictObject({
  ...statementColumns,
  honesty: textColumn.describe('the rules of these names'),
  coaching: textColumn.describe('the rules of these names'),
  speaker: textColumn.describe('who said it'),
  role: textColumn.describe('who said it'),
  team: Team.describe('who said it'),
  model: textColumn.describe('who said it'),
  is_bot: booleanColumn.describe('who said it'),
  target: textColumn.nullable().describe('whom the ballot names, or the Sheriff recommends to exile; else missing'),
  text: textColumn.describe('the words'),
  words: countColumn.describe('number of words'),
  is_cut: booleanColumn.describe('whether it was cut for its length'),
  attempt: countColumn.nullable().describe('which attempt was used, from 1; missing if not recorded (imports)'),
  claims: countColumn.describe('number of claims'),
  verifiable_claims: countColumn.describe('claims the record can decide'),
  opportunities: countColumn.describe(
    'claims about own role, checks, night acts and votes whose truth the speaker knew',
  ),
  lies: countColumn.describe('`opportunities` that are lies'),
  verdict: Verdict.nullable().describe('gravest [verdict](#table-claims) of its claims; missing without claims'),
  is_lie: booleanColumn
    .nullable()
    .describe(
      'the label: whether `verdict` is `lie`; missing if no claim can be decided or the verdict is `insincere`',
    ),
  verdict_rules: Verdict.nullable().describe("verdict by the rules' claims"),
  verdict_judge: Verdict.nullable().describe("verdict by the judge's claims; missing without a judge"),
  judge_retest: z
    .number()
    .nullable()
    .describe(
      'how far the repeats of a judge agree, 0 to 1: mean F1 of their claims; missing unless asked several times',
    ),
  judge_types: textColumn
    .nullable()
    .describe('types of the claims that each judge found, separated by " | "; missing with fewer than two judges'),
  is_judge_missing: booleanColumn.describe(
    'whether the extractor could not read it (unlike a statement without claims): the judge gave no readable answer or, without a judge, the rules do not know the language or the text has more than 10,000 characters',
  ),
  rules_claims: countColumn.describe('claims that the rules extract'),
  rules_denied: countColumn
    .nullable()
    .describe(
      'those of them that the judge did not extract in any form; missing without a judge, and if either could not read it',
    ),
  is_withheld: booleanColumn
    .nullable()
    .describe(
      'whether the speaker has found living Werewolves by a check, has not named them since, and names none here; missing without such Werewolves, for ballots, and if this or an earlier statement that may name them was unreadable',
    ),
  self_deceptive: booleanColumn.nullable().describe('the self-report; missing without one'),
  self_stated_falsehood: booleanColumn.nullable().describe('the self-report; missing without one'),
  self_type: DeceptionType.nullable().describe('the self-report; missing without one'),
  self_confidence: shareColumn.nullable().describe('the self-report; missing without one'),
  self_reasoning: textColumn.nullable().describe('the self-report; missing without one'),
  is_self_missing: booleanColumn.describe('whether a requested self-report is missing'),
  peer_analyses: countColumn.describe('readable analyses by others'),
  peer_missing: countColumn.describe('missing analyses by others'),
  peer_flags: countColumn.nullable().describe('`peer_analyses` that call it deceptive; missing without any'),
  flagged_by_majority: booleanColumn
    .nullable()
    .describe('whether `peer_flags` are more than half of `peer_analyses`; missing without any'),
  mean_suspicion: shareColumn.nullable().describe('means over `peer_analyses`, 0…1; missing without any'),
  mean_p_werewolf: shareColumn.nullable().describe('means over `peer_analyses`, 0…1; missing without any'),
});
export type StatementRow = z.infer<typeof StatementRow>;

// Data that the rows are built from.

/**
 * The content of a recorded analysis. A speaker's analysis has no suspicion; a listener's has no `stated_falsehood`.
 */
export type ReasonedOpinion = AssessmentFields & Pick<Assessment, 'reasoning'>;

/** A model's judgment of a recorded statement, made after the match from a listener's view. */
export interface Annotation {
  statement: string;
  /** The listener from whose view the model judged. */
  observer: string;
  /** Model string of the annotator. */
  model: string;
  /** Number of the repeat, from 1. */
  repeat: number;
  attempt: number;
  /**
   * For a self-report that was repeated after the match, whether the speaker saw the thoughts recorded during the
   * match.
   */
  notes?: Rules['selfReport'] | undefined;
  /** The judgment; null without a usable answer. */
  opinion: ReasonedOpinion | null;
  mark?: AnswerMark | undefined;
}

/**
 * Returns the number of attempts up to the answer that counts; null if the record has no such answer, as in imported
 * matches.
 */
type AttemptFinder = (statement: string, player: string, actions: readonly string[]) => number | null;

export function createAttemptFinder(answers: readonly AnswerLine[]): AttemptFinder {
  const find = createAnswerFinder(answers);
  return (...asked) => find(...asked)?.attempt ?? null;
}

/** A record with all further data that its rows are built from. */
export interface MeasuredMatch {
  record: MatchRecord;
  seatOf: (name: string) => Seat;
  attemptOf: AttemptFinder;
  statements: readonly Statement[];
  rules: MatchClaims;
  judged: MatchClaims | null;
  judge: string | null;
  /** Returns how strongly the judge's repeated readings of a statement agree. */
  agreementOf: ((statement: string) => JudgeAgreement) | undefined;
  annotations: readonly Annotation[];
  /** Returns a statement with the claims behind its verdict. */
  judgedOf: (statement: string) => VerifiedStatement;
}

export function buildStatementRows(match: MeasuredMatch): StatementRow[] {
  const { manifest, events } = match.record;
  const { honesty, coaching } = manifest.setup.rules;
  const indexById = (claims: MatchClaims | null) => new Map(claims?.statements.map((one) => [one.id, one]));
  const [byRules, byJudge] = [indexById(match.rules), indexById(match.judged)];
  const absent = events.filter(isEventOfType('missing'));
  return match.statements.map((said): StatementRow => {
    const { id, round, kind, occasion, by, target, text, isCut, selfReport, peers } = said;
    const { role, team, model, isBot } = match.seatOf(by);
    const judged = match.judgedOf(id);
    const chances = judged.claims.filter(isLieOpportunity);
    const missing = absent.filter(({ statements }) => statements.includes(id)).map((event) => event.by);
    return {
      match_id: manifest.id,
      statement: id,
      round,
      kind,
      occasion,
      honesty,
      coaching,
      speaker: by,
      role,
      team,
      model,
      is_bot: isBot,
      target,
      text,
      words: judged.words,
      is_cut: isCut,
      attempt: match.attemptOf(id, by, kind === 'debate' ? statementActions : ['vote']),
      claims: judged.claims.length,
      verifiable_claims: judged.claims.filter(({ isTrue }) => isTrue !== null).length,
      opportunities: chances.length,
      lies: chances.filter(({ verdict }) => verdict === 'lie').length,
      verdict: judged.verdict,
      is_lie: getLieLabel(judged.verdict),
      verdict_rules: byRules.get(id)?.verdict ?? null,
      verdict_judge: byJudge.get(id)?.verdict ?? null,
      ...listJudgeAgreement(match.agreementOf?.(id)),
      is_judge_missing: judged.isUnread,
      ...countDenied(byRules.get(id), byJudge.get(id)),
      is_withheld: judged.isWithheld,
      self_deceptive: selfReport?.deceptive ?? null,
      self_stated_falsehood: selfReport?.stated_falsehood ?? null,
      self_type: selfReport?.deception_type ?? null,
      self_confidence: selfReport?.confidence ?? null,
      self_reasoning: selfReport?.reasoning ?? null,
      is_self_missing: missing.includes(by),
      peer_analyses: peers.length,
      peer_missing: missing.filter((name) => name !== by).length,
      ...summarizeOpinions(said),
    };
  });
}

/** Counts the claims that the rules extracted and for which the judge has no equivalent claim. */
function countDenied(
  byRules: VerifiedStatement | undefined,
  byJudge: VerifiedStatement | undefined,
): Pick<StatementRow, 'rules_claims' | 'rules_denied'> {
  const found = byRules?.claims ?? [];
  const isKnown = byRules && byJudge && !byRules.isUnread && !byJudge.isUnread;
  const denied = found.filter((claim) => !byJudge?.claims.some((other) => isImpliedBy(claim, other)));
  return { rules_claims: found.length, rules_denied: isKnown ? denied.length : null };
}

const listJudgeAgreement = ({ retest = null, types = [] }: Partial<JudgeAgreement> = {}) => ({
  judge_retest: retest,
  judge_types: types.length < 2 ? null : types.map((some) => some ?? missingReading).join(readingsBetween),
});

/** Separator between the readings of judges in `judge_types`, and the text that represents an unreadable reading. */
export const [readingsBetween, missingReading] = [' | ', '?'] as const;

const summarizeOpinions = (said: Statement) => ({
  peer_flags: said.peers.length === 0 ? null : listFlags(said).length,
  flagged_by_majority: isFlaggedByMajority(said),
  mean_suspicion: mean(listSuspicions(said)),
  mean_p_werewolf: mean(said.peers.flatMap(({ p_werewolf: belief }) => belief ?? [])),
});
