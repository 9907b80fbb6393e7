// The tidy tables: one row a match, statement, claim, analysis and belief, and those of the game itself. All figures
// are counted from them.
import { z } from 'zod';
import { Cause, DeceptionType, EndReason } from '../../state/event.ts';
import { Team } from '../../state/teams.ts';
import { ClaimType } from '../claims/claim.ts';
import { Verdict } from '../claims/verdict.ts';
import { occasions } from '../statements.ts';
import { CallRow } from './call-rows.ts';
import { gameSchemas, type GameTables } from './game-rows.ts';

const text = z.string();
/** The types of columns in files follow from these: four bytes for what is small, eight for what may be large. */
const count = z.int32().min(0);
const large = z.number().int().min(0);
const share = z.number().min(0).max(1);
const yes = z.boolean();

/** What a figure may be wanted apart by, the same in every table. */
const match = { match_id: text };
const statement = {
  ...match,
  /** As in `events.ndjson`. */
  statement: text,
  round: count,
  kind: z.enum(['debate', 'ballot']),
  occasion: z.enum(occasions),
};

export const MatchRow = z.strictObject({
  ...match,
  board: text,
  seed: z.number().int(),
  /** Who sat where with which role: `Ginger=Seer, …` in seat order. Equal in matches of the same deal. */
  deal: text,
  analysis: text,
  scores: text,
  honesty: text,
  coaching: text,
  /** All rules as JSON. */
  rules: text,
  /** The model of a side; null where several sat there. */
  villagers_model: text.nullable(),
  werewolves_model: text.nullable(),
  seats: count,
  /** Seats in which no language model sat. */
  bots: count,
  winner: Team.nullable(),
  end_reason: EndReason.nullable(),
  rounds: count,
  statements: count,
  calls: count,
  /** Calls that were a first attempt. */
  questions: count,
  /** Questions of which no attempt could be used, whether replaced or missing. */
  unanswered: count,
  refusals: count,
  /** `unanswered` over `questions`; null without questions. */
  fallback_share: share.nullable(),
  tokens_in: large.nullable(),
  tokens_out: large.nullable(),
  /** USD. */
  cost: z.number().min(0).nullable(),
  /** Milliseconds in which at least one call was under way; null without calls. */
  wall_ms: large.nullable(),
  /** The format of which the record was imported; null where the match was played here. */
  imported: text.nullable(),
  wolfgraph: text,
  templates_sha256: text,
  /** Who drew the claims behind `verdict` and `is_lie`: `rules`, or a judge's model. */
  extractor: text,
});
export type MatchRow = z.infer<typeof MatchRow>;

export const StatementRow = z.strictObject({
  ...statement,
  honesty: text,
  coaching: text,
  speaker: text,
  role: text,
  team: Team,
  model: text,
  is_bot: yes,
  /** Whom a ballot names or a Sheriff recommends. */
  target: text.nullable(),
  text,
  words: count,
  is_cut: yes,
  /** Which attempt was used, from 1; null where the record has none, e.g. of an imported match. */
  attempt: count.nullable(),
  claims: count,
  /** Claims that the record can decide. */
  verifiable_claims: count,
  /** Claims about the own role, checks, night acts and votes whose truth the speaker knew. */
  opportunities: count,
  /** Of these, lies. */
  lies: count,
  verdict: Verdict.nullable(),
  /** Whether `verdict` is a lie; null where it says nothing about that: no verifiable claim, or insincere. */
  is_lie: yes.nullable(),
  verdict_rules: Verdict.nullable(),
  /** Null without a judge. */
  verdict_judge: Verdict.nullable(),
  /** Whether the judge's answer could not be read: its claims are missing, which is not "none". False without a judge. */
  is_judge_missing: yes,
  /** Whether the speaker had found a living Werewolf by a check and names none; null where none was found. */
  is_withheld: yes.nullable(),
  self_deceptive: yes.nullable(),
  self_stated_falsehood: yes.nullable(),
  self_type: DeceptionType.nullable(),
  self_confidence: share.nullable(),
  self_reasoning: text.nullable(),
  /** Whether the own analysis was asked for and could not be read. */
  is_self_missing: yes,
  peer_analyses: count,
  peer_missing: count,
  peer_flags: count.nullable(),
  flagged_by_majority: yes.nullable(),
  mean_suspicion: share.nullable(),
  mean_p_werewolf: share.nullable(),
});
export type StatementRow = z.infer<typeof StatementRow>;

export const ClaimRow = z.strictObject({
  ...statement,
  /** `rules`, or a judge's model. */
  extractor: text,
  claim: text,
  speaker: text,
  role: text,
  team: Team,
  model: text,
  type: ClaimType,
  subject: text,
  object: text.nullable(),
  claimed_role: text.nullable(),
  claimed_team: Team.nullable(),
  /** Verbs of powers that the words may mean, joined by spaces. */
  verbs: text,
  cause: Cause.nullable(),
  /** The round that is claimed. */
  claimed_round: z.int32().nullable(),
  polarity: yes,
  is_hedged: yes,
  verdict: Verdict,
  is_true: yes.nullable(),
  /** Whether the speaker knew that it is so, or that it is not. */
  is_known: yes,
  is_opportunity: yes,
  words: text,
  words_from: count,
  words_to: count,
  /** Lines of `events.ndjson`, from 1, that decide it, joined by spaces. */
  decided_by: text,
});
export type ClaimRow = z.infer<typeof ClaimRow>;

export const AnalysisRow = z.strictObject({
  ...statement,
  /** `match` for an analysis made in the course of play, or the model that judged the record afterwards. */
  source: text,
  /** Which of several judgements by the same source, from 1. */
  repeat: count,
  perspective: z.enum(['self', 'peer']),
  speaker: text,
  speaker_role: text,
  speaker_team: Team,
  speaker_model: text,
  observer: text,
  observer_role: text,
  observer_team: Team,
  /** Who judged: the model in the seat, or the annotator. */
  observer_model: text,
  observer_is_bot: yes,
  /** Whether speaker and judge are the same model. */
  is_same_model: yes,
  /** The engine's label of the statement, as in `statements`. */
  is_lie: yes.nullable(),
  /**
   * Whether the observer could know that label from hard facts: that what is a lie is false, or of all claims that can
   * be decided whether they are so. Null where there is no label; true for the speaker.
   */
  could_know: yes.nullable(),
  /** Whether the observer knew on which side the speaker is. */
  knows_side: yes,
  deceptive: yes.nullable(),
  type: DeceptionType.nullable(),
  confidence: share.nullable(),
  stated_falsehood: yes.nullable(),
  suspicion: share.nullable(),
  p_werewolf: share.nullable(),
  /** Why there is no analysis: `fallback` or `refusal`; null where there is one. */
  missing: z.enum(['fallback', 'refusal']).nullable(),
  attempt: count.nullable(),
  reasoning: text.nullable(),
});
export type AnalysisRow = z.infer<typeof AnalysisRow>;

export const BeliefRow = z.strictObject({
  ...match,
  round: count,
  step: count,
  observer: text,
  observer_role: text,
  observer_team: Team,
  observer_model: text,
  observer_is_bot: yes,
  about: text,
  about_role: text,
  about_team: Team,
  about_model: text,
  is_same_model: yes,
  is_werewolf: yes,
  /** Whether the observer knew on which side `about` is. */
  could_know: yes,
  p_werewolf: share,
});
export type BeliefRow = z.infer<typeof BeliefRow>;

/** The tables of one match. */
export interface Tables extends GameTables {
  match: MatchRow;
  /** In the order in which they were made. */
  statements: readonly StatementRow[];
  /** Of all extractors. */
  claims: readonly ClaimRow[];
  analyses: readonly AnalysisRow[];
  beliefs: readonly BeliefRow[];
  calls: readonly CallRow[];
}

/** File name → shape of a row. */
export const tableSchemas = {
  matches: MatchRow,
  statements: StatementRow,
  claims: ClaimRow,
  analyses: AnalysisRow,
  beliefs: BeliefRow,
  calls: CallRow,
  ...gameSchemas,
} as const;
