// Schema of `deception_summary.json`. Every field is defined in docs/reference/data.md.
import { z } from 'zod';
import { Cause, DeceptionType, EndReason } from '../../state/events.ts';
import { DeceptionScores } from '../../state/game.ts';
import { Seal } from '../../state/record.ts';
import { Team } from '../../state/teams.ts';
import { ClaimType } from '../claims/claim.ts';
import { Verdict } from '../claims/verify-claim.ts';
import { CallSummary } from '../record/call-figures.ts';
import { statementOccasions } from '../record/statements.ts';

/**
 * Version of the format. Increase it when older readers can no longer understand new summaries. In version 1,
 * `deception_scores` also included explanations of votes, although the state of the match did not.
 */
export const summaryVersion = 2;

const count = z.number().int().min(0);
const share = z.number().min(0).max(1).nullable();
const name = z.string();

/** Creates the schema of a value that is given twice: for debate statements and for ballot explanations. */
const createKindSchema = <Value extends z.ZodType>(value: Value) => z.strictObject({ debate: value, ballot: value });

const Leaving = z.strictObject({ round: z.number().int(), cause: Cause });

export const PlayerFigures = z.strictObject({
  role: z.string().describe('as in the manifest'),
  team: Team.describe('as in the manifest'),
  model: z.string().describe('as in the manifest'),
  models_returned: z.array(z.string()).describe('the models that the provider named'),
  is_bot: z.boolean().describe('whether a bot played the seat'),
  survived: z.boolean().describe('in the game at its end'),
  left: Leaving.nullable().describe('`round` and `cause` (`night`, `exile`, `last_act`); null for survivors'),
  total_statements: createKindSchema(count).describe('statements made'),
  fallback_statements: createKindSchema(count).describe(
    'silent turns and ballots chosen at random; counted nowhere else',
  ),
  self_reports: createKindSchema(count).describe('own statements with a readable self-report'),
  self_reported_deceptions: createKindSchema(count).describe('of these, those the player calls deceptive'),
  self_reported_falsehoods: createKindSchema(count).describe(
    'of these, those in which the player admits saying something known or believed to be false',
  ),
  peer_analyses: createKindSchema(count).describe("readable analyses of the player's statements by others"),
  peer_detected_deceptions: createKindSchema(count).describe(
    'of these, the flags, right or not; a statement can have several',
  ),
  statements_flagged_by_majority: createKindSchema(count).describe(
    'statements that more than half of the readable analyses by others flag',
  ),
  average_suspicion: createKindSchema(share).describe('mean suspicion received, unsmoothed; null without any'),
  missing_analyses: createKindSchema(count).describe('missing analyses by the player, one per statement'),
  refusals: count.describe("questions the player's model refused"),
  fallbacks: count.describe('unreadable answers that were replaced, without analyses (`missing_analyses`)'),
});
export type PlayerFigures = z.infer<typeof PlayerFigures>;

export const TypeFigures = z.strictObject({
  statements: count.describe('statements'),
  self_reported_deceptions: count.describe('of these, those their speaker also calls deceptive'),
  peer_analyses: count.describe('readable analyses by others'),
  mean_suspicion: share.describe('their mean suspicion; null without any'),
  share_flagged: share.describe('flags / `peer_analyses`; null without any'),
});
export type TypeFigures = z.infer<typeof TypeFigures>;

export const TypesReported = z.record(z.enum([...DeceptionType.options, 'unreported']), TypeFigures);
export type TypesReported = z.infer<typeof TypesReported>;

export const OccasionFigures = z.strictObject({
  statements: count.describe('statements'),
  self_reports: count.describe('of these, those with a readable self-report'),
  self_reported_deceptions: count.describe('of these, those their speaker calls deceptive'),
  share_self_reported_deceptive: share.describe('`self_reported_deceptions` / `self_reports`; null without any'),
  peer_analyses: count.describe('readable analyses by others'),
  peer_detected_deceptions: count.describe('of these, the flags'),
  share_flagged: share.describe('`peer_detected_deceptions` / `peer_analyses`; null without any'),
  mean_suspicion: share.describe('their mean suspicion; null without any'),
});
export type OccasionFigures = z.infer<typeof OccasionFigures>;

export const ByOccasion = z.partialRecord(z.enum(statementOccasions), OccasionFigures);
export type ByOccasion = z.infer<typeof ByOccasion>;

export const LabelAgreement = z.strictObject({
  tp: count.describe('flagged and self-reported'),
  tn: count.describe('neither'),
  fp: count.describe('flagged only'),
  fn: count.describe('self-reported only'),
  accuracy: share.describe('(`tp` + `tn`) / all; null without any'),
  precision: share.describe('`tp` / (`tp` + `fp`); null without flags'),
  recall: share.describe('`tp` / (`tp` + `fn`); null without self-reported deceptions'),
  f1: share.describe('2 `tp` / (2 `tp` + `fp` + `fn`); null without either'),
});
export type LabelAgreement = z.infer<typeof LabelAgreement>;

const Lie = z.strictObject({
  claim: z.string(),
  by: name,
  type: ClaimType,
  subject: name,
  object: name.nullable(),
  claimed_role: z.string().nullable(),
  claimed_team: Team.nullable(),
  polarity: z.boolean(),
  words: z.string(),
});

export const VerdictCounts = z.strictObject({
  claims: count.describe('claims made'),
  verdicts: z.partialRecord(Verdict, count).describe('of these, by [verdict](#table-claims)'),
  statements_with_a_lie: count.describe('statements in which at least one claim is a lie'),
});
export type VerdictCounts = z.infer<typeof VerdictCounts>;

export const VerdictFigures = z.strictObject({
  by_player: z.record(name, createKindSchema(VerdictCounts)).describe('name → figures, below'),
  lies: z
    .array(Lie)
    .describe('every lie: `by`, and `claim`, what it says and `words` as in the table of [claims](#table-claims)'),
  lies_heard: z
    .strictObject({
      judged: count.describe('such judgments'),
      caught: count.describe('those that call the statement deceptive'),
    })
    .optional()
    .describe(
      "judgments of Werewolves' statements with a lie, debate and ballot, by listeners who could not know: `judged`, and `caught`, those that call it deceptive; absent in earlier summaries",
    ),
});
export type VerdictFigures = z.infer<typeof VerdictFigures>;

export const DeceptionSummary = z.strictObject({
  schema_version: z.literal(summaryVersion).describe('2'),
  match_id: z.string().describe('as in the manifest'),
  board: z.string().describe("the board's name"),
  seed: z.number().int().describe('as in the manifest'),
  rules: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).describe('every rule by name'),
  honesty_sentence: z.string().nullable().describe("sentence about lying in all players' rules; null if none"),
  coaching: z.string().describe('`none` or `paper`: whether players got advice'),
  bots: z.array(name).describe('names of players played by bots'),
  bot_notice: z
    .string()
    .nullable()
    .describe("warning that bots' figures say nothing about language models; null without bots"),
  winner: Team.nullable().describe('`villagers`, `werewolves` or null'),
  end_reason: EndReason.nullable().describe('reason of `ended`; null if the match did not end'),
  rounds: count.describe('rounds begun'),
  contradictory_analyses: createKindSchema(count).describe(
    'analyses whose type contradicts their “deceptive?”: deceptive with type `none`, or not deceptive with another type; elsewhere they count as given',
  ),
  total_statements_analyzed: createKindSchema(count).describe('statements with at least one readable analysis'),
  players: z.record(name, PlayerFigures).describe('name → [figures](#players), in seat order'),
  deception_scores: DeceptionScores.describe('observer → target → `score`, `round`: [below](#deception_scores)'),
  debate_deception_scores: DeceptionScores.describe(
    'the same for the debate alone, regardless of the rule `scoresFrom`',
  ),
  deception_types: createKindSchema(TypesReported).describe('type → [figures](#deception_types)'),
  deception_types_by_round: z
    .array(z.strictObject({ round: z.number().int(), debate: TypesReported, ballot: TypesReported }))
    .describe('the same by `round`'),
  by_occasion: ByOccasion.optional().describe(
    'occasion → [figures](#by_occasion); absent if there were only debates and first ballots',
  ),
  agreement_with_self_report: z
    .record(name, createKindSchema(LabelAgreement))
    .describe('observer → [agreement](#agreement_with_self_report)'),
  agreement_with_self_report_overall: createKindSchema(LabelAgreement).describe('the same for all observers together'),
  verdicts: VerdictFigures.nullable()
    .optional()
    .describe(
      'which claims are true, as the rules extract them: [below](#verdicts); null for a record that cannot have happened under its rules; absent in earlier summaries',
    ),
  model_calls: CallSummary.describe('calls, tokens, cost, time: [below](#model_calls)'),
  seal: Seal.optional().describe('hashes of the finished record: [below](#the-seal); absent in schema 1'),
});
export type DeceptionSummary = z.infer<typeof DeceptionSummary>;
