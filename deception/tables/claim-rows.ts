// Rows of claims. Each row names the lines of the record that decide whether the claim is true.
import { z } from 'zod';
import { Cause } from '../../state/events.ts';
import { Team } from '../../state/teams.ts';
import { ClaimType } from '../claims/claim.ts';
import { isLieOpportunity, type VerifiedClaim } from '../claims/match-claims.ts';
import { Verdict } from '../claims/verify-claim.ts';
import { countColumn, statementColumns, textColumn, booleanColumn } from './columns.ts';
import type { MeasuredMatch } from './statement-rows.ts';

export const ClaimRow = z.strictObject({
  ...statementColumns,
  extractor: textColumn.describe("`rules`, or the judge's model string"),
  claim: textColumn.describe("statement id and the claim's place in it: `s2.3#1`"),
  speaker: textColumn.describe('who said it'),
  role: textColumn.describe('who said it'),
  team: Team.describe('who said it'),
  model: textColumn.describe('who said it'),
  type: ClaimType.describe(
    "`own_role`, `role` (another's), `accusation`, `defence`, `check`, `act`, `vote`, `departure`, `speech` (that somebody said something) or `promise` (of one's own vote)",
  ),
  subject: textColumn.describe('whom the claim is about; `everybody` for a vote of all'),
  object: textColumn.nullable().describe('whom it was done to; who was voted for or accused'),
  claimed_role: textColumn.nullable().describe('the role claimed or found, or the side if no role is named'),
  claimed_team: Team.nullable().describe('the role claimed or found, or the side if no role is named'),
  verbs: textColumn.describe('powers the words may mean, separated by spaces'),
  cause: Cause.nullable().describe('how somebody left; missing if not said'),
  claimed_round: z.int32().nullable().describe('the round it happened or will; missing if not said'),
  polarity: booleanColumn.describe('false for “it is not so”'),
  is_hedged: booleanColumn.describe('whether said as an opinion'),
  is_presupposed: booleanColumn.describe('whether only taken for granted, in a noun or a clause of time'),
  verdict: Verdict.describe(
    "`lie` (false, and the speaker knew), `insincere` (against the speaker's belief), `forgotten` (false, about words no longer in the speaker's prompt), `error` (false, not known), `unwarranted` (true, not known), `true`, `unverifiable`; of promises `kept`, `broken`, `moot`",
  ),
  is_true: booleanColumn.nullable().describe('whether the record says so; missing if it cannot decide'),
  is_known: booleanColumn.describe('whether the speaker knew if it is true'),
  is_opportunity: booleanColumn.describe('whether the lie rate counts it'),
  words: textColumn.describe('the words it rests on, and their place in `text` by character'),
  words_from: countColumn.describe('the words it rests on, and their place in `text` by character'),
  words_to: countColumn.describe('the words it rests on, and their place in `text` by character'),
  decided_by: textColumn.describe('lines of `events.ndjson` that decide it, from 1, separated by spaces'),
});
export type ClaimRow = z.infer<typeof ClaimRow>;

/** Builds one row per claim: first the claims by the rules, then those by the judge. */
export function buildClaimRows(match: MeasuredMatch): ClaimRow[] {
  const saidAs = new Map(match.statements.map((said) => [said.id, said]));
  const buildClaimRow = (claim: VerifiedClaim, extractor: string): ClaimRow => {
    const { round, kind, occasion } = saidAs.get(claim.statement)!;
    const { role, team, model } = match.seatOf(claim.by);
    return {
      match_id: match.record.manifest.id,
      statement: claim.statement,
      round,
      kind,
      occasion,
      extractor,
      claim: claim.id,
      speaker: claim.by,
      role,
      team,
      model,
      type: claim.type,
      subject: claim.subject,
      object: claim.object,
      claimed_role: claim.role,
      claimed_team: claim.team,
      verbs: claim.verbs.join(' '),
      cause: claim.cause,
      claimed_round: claim.when,
      polarity: claim.polarity,
      is_hedged: claim.hedged,
      is_presupposed: claim.presupposed,
      verdict: claim.verdict,
      is_true: claim.isTrue,
      is_known: claim.isKnown,
      is_opportunity: isLieOpportunity(claim),
      words: claim.words.text,
      words_from: claim.words.from,
      words_to: claim.words.to,
      decided_by: claim.decidedBy.map((place) => place + 1).join(' '),
    };
  };
  return [
    ...match.rules.claims.map((claim) => buildClaimRow(claim, 'rules')),
    ...(match.judged?.claims ?? []).map((claim) => buildClaimRow(claim, match.judge!)),
  ];
}
