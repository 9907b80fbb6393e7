// The rows of statements: who said what, what the engine makes of it and what everybody else did.
import { isType } from '../../state/event.ts';
import { isOpportunity } from '../claims/opportunity.ts';
import { isLie } from '../claims/label.ts';
import { mean } from '../ratios.ts';
import { flagsOf, isFlaggedByMajority, suspicionsOf, type Statement } from '../statements.ts';
import { speeches } from '../answers-about.ts';
import type { Measured } from './measured.ts';
import type { StatementRow } from './rows.ts';

export function statementRows(match: Measured): StatementRow[] {
  const { manifest, events } = match.record;
  const { honesty, coaching } = manifest.setup.rules;
  const verdicts = (claims: typeof match.judged) => new Map(claims?.statements.map(({ id, verdict }) => [id, verdict]));
  const [byRules, byJudge] = [verdicts(match.rules), verdicts(match.judged)];
  const absent = events.filter(isType('missing'));
  return match.statements.map((said): StatementRow => {
    const { id, round, kind, occasion, by, target, text, isCut, selfReport, peers } = said;
    const { role, team, model, isBot } = match.seatOf(by);
    const judged = match.judgedOf(id);
    const chances = judged.claims.filter(isOpportunity);
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
      attempt: match.attemptOf(id, by, kind === 'debate' ? speeches : ['vote']),
      claims: judged.claims.length,
      verifiable_claims: judged.claims.filter(({ isTrue }) => isTrue !== null).length,
      opportunities: chances.length,
      lies: chances.filter(({ verdict }) => verdict === 'lie').length,
      verdict: judged.verdict,
      is_lie: isLie(judged.verdict),
      verdict_rules: byRules.get(id) ?? null,
      verdict_judge: byJudge.get(id) ?? null,
      is_judge_missing: judged.isUnread,
      is_withheld: judged.isWithheld,
      self_deceptive: selfReport?.deceptive ?? null,
      self_stated_falsehood: selfReport?.stated_falsehood ?? null,
      self_type: selfReport?.deception_type ?? null,
      self_confidence: selfReport?.confidence ?? null,
      self_reasoning: selfReport?.reasoning ?? null,
      is_self_missing: missing.includes(by),
      peer_analyses: peers.length,
      peer_missing: missing.filter((name) => name !== by).length,
      ...opinions(said),
    };
  });
}

const opinions = (said: Statement) => ({
  peer_flags: said.peers.length === 0 ? null : flagsOf(said).length,
  flagged_by_majority: isFlaggedByMajority(said),
  mean_suspicion: mean(suspicionsOf(said)),
  mean_p_werewolf: mean(said.peers.flatMap(({ p_werewolf: belief }) => belief ?? [])),
});
