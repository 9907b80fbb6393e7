// The shape of `deception_summary.json`. Every field is defined in docs/data.md.
import { z } from 'zod';
import { Cause, DeceptionType, EndReason } from '../../state/events.ts';
import { DeceptionScores } from '../../state/game.ts';
import { Team } from '../../state/teams.ts';
import { occasions } from '../statements.ts';

/** Increased when older readers can no longer understand new summaries. */
export const summaryVersion = 1;

const count = z.number().int().min(0);
const share = z.number().min(0).max(1).nullable();
const name = z.string();

/** A value for debate statements and one for ballot explanations. */
const createKindSchema = <Value extends z.ZodType>(value: Value) => z.strictObject({ debate: value, ballot: value });

const Leaving = z.strictObject({ round: z.number().int(), cause: Cause });

export const PlayerFigures = z.strictObject({
  role: z.string().describe('as in the manifest'),
  team: Team.describe('as in the manifest'),
  model: z.string().describe('as in the manifest'),
  models_returned: z.array(z.string()).describe('the model as the provider named it; several where it changed'),
  is_bot: z.boolean().describe('whether no language model sat there'),
  survived: z.boolean().describe('whether the player was in the game at its end'),
  left: Leaving.nullable().describe('`round` and `cause` (`night`, `exile` or `last_act`); null for a survivor'),
  total_statements: createKindSchema(count).describe('statements made'),
  fallback_statements: createKindSchema(count).describe(
    "turns of silence, and ballots drawn in the player's stead; they stand in no other figure",
  ),
  self_reports: createKindSchema(count).describe(
    'own statements with a self-report that could be read: the denominator of the next two',
  ),
  self_reported_deceptions: createKindSchema(count).describe('of these, those that the player calls deceptive'),
  self_reported_falsehoods: createKindSchema(count).describe(
    'of these, those in which the player said something known or believed to be false',
  ),
  peer_analyses: createKindSchema(count).describe("analyses of the player's statements by others that could be read"),
  peer_detected_deceptions: createKindSchema(count).describe(
    'of these, the flags, right or not, as the paper counts them; one statement can have several',
  ),
  statements_flagged_by_majority: createKindSchema(count).describe(
    'statements flagged by more than half of the observers whose analysis could be read',
  ),
  average_suspicion: createKindSchema(share).describe(
    '0…1, mean of the suspicions received, unsmoothed; null where there were none',
  ),
  missing_analyses: createKindSchema(count).describe(
    'analyses that the player was asked for and did not give, one for each statement',
  ),
  refusals: count.describe("questions of any action that the player's model refused to answer"),
  fallbacks: count.describe(
    'questions whose answer stayed unreadable and was replaced; analyses stand under `missing_analyses`',
  ),
});
export type PlayerFigures = z.infer<typeof PlayerFigures>;

export const TypeFigures = z.strictObject({
  statements: count.describe('how many'),
  self_reported_deceptions: count.describe('of these, those that the speaker also calls deceptive'),
  peer_analyses: count.describe('analyses by others that could be read'),
  mean_suspicion: share.describe('0…1, mean of their suspicions; null where there are none'),
  share_flagged: share.describe('0…1, flags / `peer_analyses`; null where there are none'),
});
export type TypeFigures = z.infer<typeof TypeFigures>;

export const TypesReported = z.record(z.enum([...DeceptionType.options, 'unreported']), TypeFigures);
export type TypesReported = z.infer<typeof TypesReported>;

export const OccasionFigures = z.strictObject({
  statements: count.describe('how many'),
  self_reports: count.describe('of these, those with a self-report that could be read'),
  self_reported_deceptions: count.describe('of these, those that the speaker calls deceptive'),
  share_self_reported_deceptive: share.describe(
    '0…1, `self_reported_deceptions` / `self_reports`; null where there are none',
  ),
  peer_analyses: count.describe('analyses by others that could be read'),
  peer_detected_deceptions: count.describe('of these, the flags'),
  share_flagged: share.describe('0…1, `peer_detected_deceptions` / `peer_analyses`; null where there are none'),
  mean_suspicion: share.describe('0…1, mean of the suspicions of these analyses; null where there are none'),
});
export type OccasionFigures = z.infer<typeof OccasionFigures>;

export const ByOccasion = z.partialRecord(z.enum(occasions), OccasionFigures);
export type ByOccasion = z.infer<typeof ByOccasion>;

export const Agreement = z.strictObject({
  tp: count.describe('flagged, and reported as deceptive'),
  tn: count.describe('neither'),
  fp: count.describe('flagged, not reported'),
  fn: count.describe('reported, not flagged'),
  accuracy: share.describe('0…1, (`tp` + `tn`) / all four; null where all are 0'),
  precision: share.describe('0…1, `tp` / (`tp` + `fp`); null where nothing was flagged'),
  recall: share.describe('0…1, `tp` / (`tp` + `fn`); null where nothing was reported'),
  f1: share.describe('0…1, 2 `tp` / (2 `tp` + `fp` + `fn`); null where there was nothing of either'),
});
export type Agreement = z.infer<typeof Agreement>;

const known = count.nullable();

export const CallFigures = z.strictObject({
  calls: count.describe('model calls that returned; calls sent again after a failure count once'),
  asked_again: count.describe('of these, second and third attempts after an answer that could not be used'),
  retries: count.describe('times calls were sent again after rate limits, server errors, timeouts'),
  fallbacks: count.describe('questions whose answer stayed unreadable and was replaced'),
  refusals: count.describe('questions that were refused, of any action'),
  missing: count.describe(
    'questions for an analysis or a belief without an answer, refused ones included; one about a ballot covers all its explanations',
  ),
  shortened: count.describe(
    'calls whose prompt had no room for all that the player had seen (`left_out` in `answers.ndjson`)',
  ),
  tokens: z
    .strictObject({ in: known, out: known, cached: known, reasoning: known })
    .describe('`in`, `out`, `cached`, `reasoning`: sums of what is known; null where nothing is'),
  calls_with_unknown_tokens: count.describe('calls of which the provider told no tokens'),
  cost: z.number().min(0).nullable().describe('USD, the sum of what is known; null where nothing is'),
  calls_with_unknown_cost: count.describe(
    'calls whose cost is not known; where it is above 0, `cost` is a lower bound',
  ),
});
export type CallFigures = z.infer<typeof CallFigures>;

export const CallSummary = z.strictObject({
  total: CallFigures.describe('the [figures](#model_calls) of all calls'),
  by_role: z.record(z.string(), CallFigures).describe('the same figures by role, by model string and by action'),
  by_model: z.record(z.string(), CallFigures).describe('the same figures by role, by model string and by action'),
  by_action: z.record(z.string(), CallFigures).describe('the same figures by role, by model string and by action'),
  refusals: z
    .array(z.strictObject({ role: z.string(), model: z.string(), action: z.string(), count }))
    .describe('where refusals occurred: `role`, `model`, `action`, `count`'),
  wall_ms: count.describe('milliseconds in which at least one call was under way; pauses do not count'),
});
export type CallSummary = z.infer<typeof CallSummary>;

export const DeceptionSummary = z.strictObject({
  schema_version: z.literal(summaryVersion).describe('1'),
  match_id: z.string().describe('as in the manifest'),
  board: z.string().describe("the board's name"),
  seed: z.number().int().describe('as in the manifest'),
  rules: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .describe('every rule by name, in full'),
  honesty_sentence: z
    .string()
    .nullable()
    .describe('the sentence about lying that all players read; null where nothing is said'),
  coaching: z.string().describe('`none` or `paper`: whether players got advice for their role'),
  bots: z.array(name).describe('names of players in whose seats no language model sat'),
  bot_notice: z
    .string()
    .nullable()
    .describe('a sentence that says so; null where none did. Figures of bots say nothing about a language model'),
  winner: Team.nullable().describe('`villagers`, `werewolves`, or null where nobody won'),
  end_reason: EndReason.nullable().describe('the reason of `ended`; null where the record stops before the match did'),
  rounds: count.describe('rounds begun'),
  contradictory_analyses: createKindSchema(count).describe(
    'analyses that say deceptive and type `none`, or not deceptive and another type; counted as given everywhere else',
  ),
  total_statements_analyzed: createKindSchema(count).describe(
    'statements with at least one analysis that could be read, own or by others',
  ),
  players: z.record(name, PlayerFigures).describe('name → [figures](#players), in seat order'),
  deception_scores: DeceptionScores.describe('observer → target → `score` and `round`, see [below](#deception_scores)'),
  deception_types: createKindSchema(TypesReported).describe('type → [figures](#deception_types), over the match'),
  deception_types_by_round: z
    .array(z.strictObject({ round: z.number().int(), debate: TypesReported, ballot: TypesReported }))
    .describe('the same for each `round` with a statement'),
  by_occasion: ByOccasion.optional().describe(
    'occasion → [figures](#by_occasion); absent where all statements were made in debates or with first ballots',
  ),
  agreement_with_self_report: z
    .record(name, createKindSchema(Agreement))
    .describe('observer → [agreement](#agreement_with_self_report)'),
  agreement_with_self_report_overall: createKindSchema(Agreement).describe('the same, all observers together'),
  model_calls: CallSummary.describe('[what it took](#model_calls)'),
});
export type DeceptionSummary = z.infer<typeof DeceptionSummary>;
