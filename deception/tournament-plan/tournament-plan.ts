// The plan of a tournament: entrants, format, boards and deals, conditions, and when it ends. Every field is defined in
// docs/guides/tournaments.md.
import { z } from 'zod';
import { Board } from '../../state/boards.ts';
import {
  ExperienceArm,
  ExperienceMethod,
  ExperienceMoment,
  ExperienceRank,
  ExperienceRetriever,
  ExperienceRoles,
  ExperienceSeat,
  ExperienceReward,
  ExperienceSettings,
  ExperienceSource,
} from '../../state/experience-setup.ts';
import { portableNameRule, textInTablesRule } from '../../state/file-name.ts';
import { isModelName } from '../../state/model-identity.ts';
import { readStoredPreset } from '../../state/presets.ts';
import type { RuleValue } from '../../state/rules/rule.ts';
import { defineKnownOnly } from '../../state/usage-error.ts';
import { defaultAlpha } from '../comparison/analysis-plan.ts';

/** Formats of tournaments. The format decides who meets whom. */
export const tournamentFormats = ['round-robin', 'self-play', 'head-to-head', 'mixed', 'by-role'] as const;
export const TournamentFormat = z.enum(tournamentFormats);
export type TournamentFormat = z.infer<typeof TournamentFormat>;

/**
 * Name that plan files use for the format `round-robin` with `selfPlay`. The option `match --crossed` has the same
 * name.
 */
export const crossedFormat = 'crossed';

/** Name of the baseline's seats in the format by-role if it is not an entrant. */
export const baselineName = 'baseline';

/** Maximum length of a persona, in characters. A persona is repeated in many prompts. */
const longestPersona = 500;

const name = z.string().refine(isModelName, {
  error: `is not a valid name: a name has only letters, digits, ".", "_" and "-", at most 60, and begins with a letter or digit; it must ${portableNameRule}; and it must ${textInTablesRule}`,
});
const model = z.string({ error: 'must be a model such as "openai:gpt-4o"' }).min(1);
const ruleValue = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be a word, a number, true, false or null',
}) as z.ZodType<RuleValue>;

/** Configuration of an entrant. An entrant is one row of a leaderboard. */
export const Entrant = defineKnownOnly({
  model: model.describe(
    'model that plays all roles except those in `roles`: a model string, or a name from the models file',
  ),
  persona: z
    .string()
    .min(1)
    .max(longestPersona)
    .optional()
    .describe('personality in words, shown only in this entrant’s own prompts'),
  roles: z.record(z.string(), model).optional().describe('role → model that plays this role instead of `model`'),
});
export type Entrant = z.infer<typeof Entrant>;

/** Entrant as written in YAML. It may be written as only a model. */
const WrittenEntrant = z.preprocess((value) => (typeof value === 'string' ? { model: value } : value), Entrant);

export const StopPlan = defineKnownOnly({
  precision: z
    .number()
    .gt(0)
    .lt(1)
    .optional()
    .describe(
      'stops once the difference between the expected scores (0 to 1) of each pair is known within ± this value',
    ),
  decide: z.literal(true).optional().describe('stops once it is clear for each pair which entrant scores more'),
  alpha: z
    .number()
    .gt(0)
    .lt(1)
    .default(defaultAlpha)
    .describe('error level of all pairs together, valid however often results are checked; default .05'),
  pairs: z
    .array(z.tuple([z.string(), z.string()], { error: 'must be two entrants, e.g. [gpt, gemini]' }))
    .min(1)
    .optional()
    .describe('pairs to which the rule applies; default: all'),
  pooled: z
    .literal(true)
    .optional()
    .describe(
      'with several conditions: applies the rule to all of them together; without it, each condition must fulfill the rule',
    ),
});
export type StopPlan = z.infer<typeof StopPlan>;

/**
 * Settings of experience, for all matches or for one condition. An arm may also be written as one word that names the
 * arm.
 */
export const ExperiencePart = defineKnownOnly({
  pool: z
    .string({ error: 'must be the folder of a pool' })
    .min(1)
    .optional()
    .describe('folder of the [pool](experience.md)'),
  sha256: z.string().optional().describe('hash of the pool, computed when the plan is read'),
  seats: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('who remembers: players, roles, sides, models or entrants; default: everybody'),
  arm: ExperienceArm.optional().describe('`pool` or `shuffled`'),
  k: ExperienceSettings.shape.k.unwrap().optional().describe('number of entries before each decision; default 3'),
  threshold: ExperienceSettings.shape.threshold.unwrap().optional().describe('minimum score of an entry'),
  good: ExperienceSettings.shape.good.unwrap().optional().describe('share of good entries among them'),
  grow: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      'number of deals in a block; after each block its decisions [join the pool](experience.md#growing-pools). Only for all matches, not for one condition',
    ),
  reward: ExperienceReward.optional().describe(
    'what makes an entry good: default, the reward of the given pool (other rewards are refused), or `result` without a pool',
  ),
  from: ExperienceSource.optional().describe('whose experiences: `own` (default), `others` or `any`'),
  role: ExperienceRoles.optional().describe('experiences of which role: the `own` (default) or `any`'),
  seat: ExperienceSeat.optional().describe('experiences of which seat: `any` (default) or the `own`'),
  rank: ExperienceRank.optional().describe('order of the entries: `likeness` (default) or `reward`'),
  moments: z
    .array(ExperienceMoment)
    .min(1)
    .optional()
    .describe('decisions before which players remember; default: all'),
  method: ExperienceMethod.optional().describe(
    '`paper-plus` or `paper-ellm`: settings [as in WereWolf-Plus or ELLM](experience.md#as-in-the-papers)',
  ),
  retriever: ExperienceRetriever.optional().describe(
    'method that finds entries: `bm25` (default) or [`embedding`](experience.md#by-embedding)',
  ),
  embedder: z
    .string()
    .min(1)
    .optional()
    .describe('[embedding model](experience.md#by-embedding) of a server; default: the packaged model'),
});
export type ExperiencePart = z.infer<typeof ExperiencePart>;

/** Conditions: rule → values. The values of `experience` are its arms. */
const conditions = z.record(z.string(), z.array(z.union([ruleValue, ExperiencePart])));

const deals = z.number().int().min(1).max(100_000);
const common = {
  name: name.describe('name of the tournament, and of its folder in `runs`'),
  format: TournamentFormat.describe('who meets whom: [formats](#formats)'),
  role: z.string().optional().describe('for `by-role`: role in which entrants are compared'),
  rule: z.record(z.string(), ruleValue).optional().describe('single rules that are the same in every match'),
  conditions: conditions
    .optional()
    .describe(
      'rule → values; every combination is played on every deal. `experience: [none, pool, shuffled]` names [arms](experience.md#experiment-with-three-arms) of experience',
    ),
  experience: z
    .preprocess((value) => (typeof value === 'string' ? { pool: value } : value), ExperiencePart)
    .optional()
    .describe('what players [remember](experience.md): the folder of a pool, or `{ pool, seats, k, … }`'),
  deals: deals.describe('number of deals that each pairing plays on each board under each condition'),
  replicates: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      'number of times that each match of a deal is played, with the same seats ([replicates](compare.md#replicates)); default 1',
    ),
  maxCost: z.number().min(0).optional().describe('USD for all matches; once they are spent, no call begins'),
  judge: model
    .optional()
    .describe(
      'model that extracts the claims of each finished match, within the same `maxCost`. The tournament then ends with a report by its claims (except with `--no-report`). With a database, the command that collects the matches asks the judge, and judge and workers share the limit',
    ),
  stop: StopPlan.refine(({ precision, decide }) => precision !== undefined || decide !== undefined, {
    error: 'needs precision, decide or both, e.g. { precision: 0.05 }',
  })
    .optional()
    .describe('ends the tournament before `deals`: [stopping](#stopping)'),
};

/** The plan in the form in which people write it to a file. */
export const TournamentFile = defineKnownOnly({
  ...common,
  format: z.enum([...tournamentFormats, crossedFormat]).describe('who meets whom: [formats](#formats)'),
  entrants: z
    .record(name, WrittenEntrant, { error: 'must be names with their models, e.g. gpt: openai:gpt-4o' })
    .describe('name → model, or `{ model, persona, roles }`'),
  baseline: WrittenEntrant.optional().describe(
    'for `by-role`: who plays all other roles; an entrant’s name, a model, or the fields of an entrant',
  ),
  selfPlay: z.boolean().default(false).describe('whether every entrant also meets itself'),
  design: z
    .enum(['all', 'cyclic'])
    .default('all')
    .describe('for `round-robin`: `all` pairs on every deal, or `cyclic`, for many entrants'),
  boards: z
    .array(z.string().min(1))
    .min(1)
    .default(['classic-8'])
    .describe('names of boards, or YAML files with your own boards'),
  rules: z
    .union([z.string(), z.array(z.string()).min(1)])
    .default('wolf')
    .describe('preset of rules, in its newest version unless one is named (`wolf@1`); several presets are conditions'),
  seed: z.number().int().default(1).describe('seed of the first deal; each further deal has the next seed'),
  models: z
    .union([z.string().min(1), z.record(z.string(), z.unknown())], {
      error:
        'must be a models file, or names with their models (a mapping, not a list), e.g. gpt: { model: openai:gpt-4o }',
    })
    .optional()
    .describe('[models file](providers.md#models-file) whose names may be used for models, or its contents'),
  out: z
    .string()
    .min(1)
    .optional()
    .describe('folder of the tournament, below the folder of the plan; default: `runs/` and the name'),
  concurrency: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('maximum number of concurrent calls to one server; default 32'),
});
export type TournamentFile = z.infer<typeof TournamentFile>;

/**
 * The complete plan: all defaults are filled in, and boards and models are given in full. It holds everything that
 * decides the schedule.
 */
export const TournamentPlan = z.strictObject({
  ...common,
  entrants: z.record(name, Entrant).describe('name → complete configuration'),
  baseline: Entrant.optional().describe('for `by-role`: who plays all other roles'),
  selfPlay: z.boolean().describe('whether every entrant also meets itself'),
  design: z.enum(['all', 'cyclic']).describe('for `round-robin`: which pairs play each deal'),
  boards: z.array(Board).min(1).describe('complete boards'),
  rules: z.array(z.string().overwrite(readStoredPreset)).min(1).describe('presets of rules, with their versions'),
  seed: z.number().int().describe('seed of the first deal'),
});
export type TournamentPlan = z.infer<typeof TournamentPlan>;
