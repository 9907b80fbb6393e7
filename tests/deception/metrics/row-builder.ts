// Builds rows of tables by hand. Fields that a test does not give have the values of an ordinary match.
import { AnalysisRow, BeliefRow } from '../../../deception/tables/analysis-rows.ts';
import { MatchRow, type MatchTables } from '../../../deception/tables/match-tables.ts';
import { CodingRow } from '../../../deception/tables/coding-rows.ts';
import { ClaimRow } from '../../../deception/tables/claim-rows.ts';
import { SilenceRow } from '../../../deception/tables/silence-rows.ts';
import { StatementRow } from '../../../deception/tables/statement-rows.ts';

const shared = { match_id: 'm1', statement: '1.1', round: 1, kind: 'debate', occasion: 'debate' } as const;
const speaker = { speaker: 'Dan', role: 'Villager', team: 'villagers', model: 'openai:one' } as const;

/** Changes to a row: the speaker is a Werewolf of another model. */
export const byWolf = { speaker: 'Ginger', role: 'Werewolf', team: 'werewolves', model: 'openai:two' } as const;

export const statement = (changes: Partial<StatementRow> = {}): StatementRow =>
  StatementRow.parse({
    ...shared,
    ...speaker,
    ...{ honesty: 'unsaid', coaching: 'none', is_bot: false, target: null, text: 'Words.', words: 10, is_cut: false },
    ...{ attempt: 1, claims: 0, verifiable_claims: 0, opportunities: 0, lies: 0, verdict: null, is_lie: null },
    ...{
      verdict_rules: null,
      verdict_judge: null,
      is_judge_missing: false,
      judge_retest: null,
      judge_types: null,
      rules_claims: 0,
      rules_denied: null,
      is_withheld: null,
    },
    ...{ self_deceptive: null, self_stated_falsehood: null, self_type: null, self_confidence: null },
    ...{ self_reasoning: null, is_self_missing: false, peer_analyses: 0, peer_missing: 0, peer_flags: null },
    ...{ flagged_by_majority: null, mean_suspicion: null, mean_p_werewolf: null },
    ...changes,
  } satisfies StatementRow);

/** Creates the row of a Werewolf who has the turn in a debate and says nothing. */
export const silence = (changes: Partial<SilenceRow> = {}): SilenceRow =>
  SilenceRow.parse({
    ...shared,
    ...byWolf,
    ...{ is_bot: false, missing: 'fallback', vendor: null, category: null },
    ...changes,
  } satisfies SilenceRow);

export const claim = (changes: Partial<ClaimRow> = {}): ClaimRow =>
  ClaimRow.parse({
    ...shared,
    ...speaker,
    ...{ extractor: 'rules', claim: '1.1#1', type: 'own_role', subject: 'Dan', object: null, claimed_role: null },
    ...{
      claimed_team: null,
      verbs: '',
      cause: null,
      claimed_round: null,
      polarity: true,
      is_hedged: false,
      is_presupposed: false,
    },
    ...{ verdict: 'true', is_true: true, is_known: true, is_opportunity: false },
    ...{ words: 'Words.', words_from: 0, words_to: 6, decided_by: '' },
    ...changes,
  } satisfies ClaimRow);

/** An analysis by a listener who could not know the label. The answer is missing unless `changes` give one. */
export const analysis = (changes: Partial<AnalysisRow> = {}): AnalysisRow =>
  AnalysisRow.parse({
    ...shared,
    ...{ source: 'match', repeat: 1, perspective: 'peer', notes: null },
    ...{ speaker: 'Ginger', speaker_role: 'Werewolf', speaker_team: 'werewolves', speaker_model: 'openai:two' },
    ...{ observer: 'Dan', observer_role: 'Villager', observer_team: 'villagers', observer_model: 'openai:one' },
    ...{ observer_is_bot: false, is_same_model: false, is_lie: null, knows_side: false },
    could_know: (changes.is_lie ?? null) === null ? null : false,
    ...{ deceptive: null, type: null, confidence: null, stated_falsehood: null, suspicion: null, p_werewolf: null },
    ...{ p_deceptive: null, p_falsehood: null, types: null, missing: null, attempt: 1, reasoning: null },
    ...changes,
  } satisfies AnalysisRow);

export const belief = (changes: Partial<BeliefRow> = {}): BeliefRow =>
  BeliefRow.parse({
    ...{ match_id: 'm1', round: 1, step: 1 },
    ...{ observer: 'Dan', observer_role: 'Villager', observer_team: 'villagers', observer_model: 'openai:one' },
    ...{ observer_is_bot: false, about: 'Ginger', about_role: 'Werewolf', about_team: 'werewolves' },
    ...{ about_model: 'openai:two', is_same_model: false, is_werewolf: true, could_know: false, p_werewolf: 0.5 },
    ...changes,
  } satisfies BeliefRow);

export const match = (changes: Partial<MatchRow> = {}): MatchRow =>
  MatchRow.parse({
    ...{
      match_id: 'm1',
      board: 'tiny-4',
      seed: 7,
      deal: '',
      variant: 'plain',
      replicate: 1,
      analysis: 'both',
      scores: 'hidden',
      honesty: 'unsaid',
    },
    ...{
      coaching: 'none',
      rules: '{}',
      experience: null,
      experience_block: null,
      villagers_model: 'openai:one',
      werewolves_model: 'openai:two',
    },
    ...{ seats: 4, bots: 0, winner: 'villagers', end_reason: 'no Werewolf left', rounds: 1, statements: 0 },
    ...{ calls: 0, questions: 0, unanswered: 0, refusals: 0, fallback_share: null },
    ...{
      tokens_in: null,
      tokens_out: null,
      cost: null,
      wall_ms: null,
      imported: null,
      wolfgraph: '0.0.0',
      templates_sha256: '',
      plan_sha256: null,
      extractor: 'rules',
    },
    ...changes,
  } satisfies MatchRow);

/** Creates the row of a coder who found nothing, unless `changes` add codes. */
export const coding = (changes: Partial<CodingRow> = {}): CodingRow =>
  CodingRow.parse({
    ...shared,
    ...speaker,
    ...{ coder: 'openai:coder', repeat: 1, attempt: 1, codes: '', missing: null },
    ...changes,
  } satisfies CodingRow);

export const tables = (rows: Partial<MatchTables> = {}): MatchTables => ({
  match: match(),
  statements: [],
  claims: [],
  analyses: [],
  beliefs: [],
  codings: [],
  calls: [],
  ...{ silences: [], players: [], rounds: [], ballots: [], bids: [], deeds: [] },
  ...rows,
});

/** The given number of equal rows, for example to count by hand. */
export const times = <Row>(count: number, row: Row): Row[] => Array.from({ length: count }, () => row);
