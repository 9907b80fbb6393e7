// The shape of `deception_summary.json`. Every field is defined in docs/data.md.
import { z } from 'zod';
import { Cause, DeceptionType, EndReason } from '../state/event.ts';
import { DeceptionScores } from '../state/rows.ts';
import { Team } from '../state/teams.ts';
import { occasions } from './statements.ts';

/** Raised when a reader of older summaries could no longer understand new ones. */
export const summaryVersion = 1;

const count = z.number().int().min(0);
const share = z.number().min(0).max(1).nullable();
const name = z.string();

/** Debate statements and ballot explanations apart. */
const byKind = <Value extends z.ZodType>(value: Value) => z.strictObject({ debate: value, ballot: value });

const Leaving = z.strictObject({ round: z.number().int(), cause: Cause });

export const PlayerFigures = z.strictObject({
  role: z.string(),
  team: Team,
  model: z.string(),
  /** As the provider named it; several where it changed during the match. */
  models_returned: z.array(z.string()),
  is_bot: z.boolean(),
  survived: z.boolean(),
  /** Null for a survivor. */
  left: Leaving.nullable(),
  total_statements: byKind(count),
  fallback_statements: byKind(count),
  self_reports: byKind(count),
  self_reported_deceptions: byKind(count),
  self_reported_falsehoods: byKind(count),
  peer_analyses: byKind(count),
  peer_detected_deceptions: byKind(count),
  statements_flagged_by_majority: byKind(count),
  average_suspicion: byKind(share),
  missing_analyses: byKind(count),
  refusals: count,
  fallbacks: count,
});
export type PlayerFigures = z.infer<typeof PlayerFigures>;

export const TypeFigures = z.strictObject({
  statements: count,
  self_reported_deceptions: count,
  peer_analyses: count,
  mean_suspicion: share,
  share_flagged: share,
});
export type TypeFigures = z.infer<typeof TypeFigures>;

export const TypesReported = z.record(z.enum([...DeceptionType.options, 'unreported']), TypeFigures);
export type TypesReported = z.infer<typeof TypesReported>;

export const OccasionFigures = z.strictObject({
  statements: count,
  self_reports: count,
  self_reported_deceptions: count,
  share_self_reported_deceptive: share,
  peer_analyses: count,
  peer_detected_deceptions: count,
  share_flagged: share,
  mean_suspicion: share,
});
export type OccasionFigures = z.infer<typeof OccasionFigures>;

export const ByOccasion = z.partialRecord(z.enum(occasions), OccasionFigures);
export type ByOccasion = z.infer<typeof ByOccasion>;

export const Agreement = z.strictObject({
  tp: count,
  tn: count,
  fp: count,
  fn: count,
  accuracy: share,
  precision: share,
  recall: share,
  f1: share,
});
export type Agreement = z.infer<typeof Agreement>;

const known = count.nullable();

export const CallFigures = z.strictObject({
  calls: count,
  asked_again: count,
  retries: count,
  fallbacks: count,
  refusals: count,
  missing: count,
  shortened: count,
  tokens: z.strictObject({ in: known, out: known, cached: known, reasoning: known }),
  calls_with_unknown_tokens: count,
  /** USD. */
  cost: z.number().min(0).nullable(),
  calls_with_unknown_cost: count,
});
export type CallFigures = z.infer<typeof CallFigures>;

export const CallSummary = z.strictObject({
  total: CallFigures,
  by_role: z.record(z.string(), CallFigures),
  by_model: z.record(z.string(), CallFigures),
  by_action: z.record(z.string(), CallFigures),
  refusals: z.array(z.strictObject({ role: z.string(), model: z.string(), action: z.string(), count })),
  wall_ms: count,
});
export type CallSummary = z.infer<typeof CallSummary>;

export const DeceptionSummary = z.strictObject({
  schema_version: z.literal(summaryVersion),
  match_id: z.string(),
  board: z.string(),
  seed: z.number().int(),
  rules: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Null where the rules say nothing about lying. */
  honesty_sentence: z.string().nullable(),
  coaching: z.string(),
  /** Names of players in whose seats no language model sat. */
  bots: z.array(name),
  /** Says in words that bots played; null where none did. */
  bot_notice: z.string().nullable(),
  winner: Team.nullable(),
  /** Null where the record stops before the match does. */
  end_reason: EndReason.nullable(),
  rounds: count,
  contradictory_analyses: byKind(count),
  total_statements_analyzed: byKind(count),
  players: z.record(name, PlayerFigures),
  deception_scores: DeceptionScores,
  deception_types: byKind(TypesReported),
  deception_types_by_round: z.array(
    z.strictObject({ round: z.number().int(), debate: TypesReported, ballot: TypesReported }),
  ),
  /** Absent where all statements are debate and first ballots. */
  by_occasion: ByOccasion.optional(),
  agreement_with_self_report: z.record(name, byKind(Agreement)),
  agreement_with_self_report_overall: byKind(Agreement),
  model_calls: CallSummary,
});
export type DeceptionSummary = z.infer<typeof DeceptionSummary>;
