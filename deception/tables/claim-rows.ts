// The rows of claims, with the lines of the record that decide them.
import { isOpportunity } from '../claims/opportunity.ts';
import type { JudgedClaim } from '../claims/claims-of.ts';
import type { Measured } from './measured.ts';
import type { ClaimRow } from './rows.ts';

/** Those drawn by rules, then those of the judge. */
export function claimRows(match: Measured): ClaimRow[] {
  const saidAs = new Map(match.statements.map((said) => [said.id, said]));
  const row = (claim: JudgedClaim, extractor: string): ClaimRow => {
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
      verdict: claim.verdict,
      is_true: claim.isTrue,
      is_known: claim.isKnown,
      is_opportunity: isOpportunity(claim),
      words: claim.words.text,
      words_from: claim.words.from,
      words_to: claim.words.to,
      decided_by: claim.decidedBy.map((place) => place + 1).join(' '),
    };
  };
  return [
    ...match.rules.claims.map((claim) => row(claim, 'rules')),
    ...(match.judged?.claims ?? []).map((claim) => row(claim, match.judge!)),
  ];
}
