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

/** Formats, which decide who meets whom. */
export const tournamentFormats = ['round-robin', 'self-play', 'head-to-head', 'mixed', 'by-role'] as const;
export const TournamentFormat = z.enum(tournamentFormats);
export type TournamentFormat = z.infer<typeof TournamentFormat>;

/** Name of the format `round-robin` with `selfPlay` in files. The option `match --crossed` has the same name. */
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
  model: model.describe('plays all roles but those named in `roles`; a model string, or a name of the models file'),
  persona: z
    .string()
    .min(1)
    .max(longestPersona)
    .optional()
    .describe('a personality in words, only for its own prompts'),
  roles: z.record(z.string(), model).optional().describe('role → model that plays it in place of `model`'),
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
    .describe('ends once the difference of expected scores (0 to 1) of each pair is known to ± so much'),
  decide: z.literal(true).optional().describe('ends once it is clear of each pair which of the two scores more'),
  alpha: z
    .number()
    .gt(0)
    .lt(1)
    .default(defaultAlpha)
    .describe('the level of all pairs together, however often one looks; .05 if not said'),
  pairs: z
    .array(z.tuple([z.string(), z.string()], { error: 'must be two entrants, as [gpt, gemini]' }))
    .min(1)
    .optional()
    .describe('the pairs that count; all if not said'),
  pooled: z
    .literal(true)
    .optional()
    .describe('of several conditions: judges all of them together; else what is to be reached is so in each'),
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
    .describe('the folder of the [pool](experience.md)'),
  sha256: z.string().optional().describe('its hash, found when the file is read'),
  seats: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('who remembers: players, roles, sides, models or entrants; everybody if not said'),
  arm: ExperienceArm.optional().describe('`pool` or `shuffled`'),
  k: ExperienceSettings.shape.k.unwrap().optional().describe('how many entries before a decision; 3 if not said'),
  threshold: ExperienceSettings.shape.threshold.unwrap().optional().describe('minimum score of an entry'),
  good: ExperienceSettings.shape.good.unwrap().optional().describe('the share of good ones among them'),
  grow: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      'of all matches only: deals of a block after which what was lived through [joins](experience.md#growing-pools)',
    ),
  reward: ExperienceReward.optional().describe(
    'what makes an entry good: as the pool that is given, `result` if none is; another is refused',
  ),
  from: ExperienceSource.optional().describe('whose: `own`, `others` or `any`; `own` if not said'),
  role: ExperienceRoles.optional().describe('of which role: the `own` (if not said) or `any`'),
  seat: ExperienceSeat.optional().describe('of which seat: `any` (if not said) or the `own`'),
  rank: ExperienceRank.optional().describe('which come first: `likeness` (if not said) or `reward`'),
  moments: z.array(ExperienceMoment).min(1).optional().describe('before which decisions; all if not said'),
  method: ExperienceMethod.optional().describe(
    '`paper-plus` or `paper-ellm`: settings [as in WereWolf-Plus or ELLM](experience.md#as-in-the-papers)',
  ),
  retriever: ExperienceRetriever.optional().describe(
    'what finds entries: `bm25` (if not said) or [`embedding`](experience.md#by-embedding)',
  ),
  embedder: z
    .string()
    .min(1)
    .optional()
    .describe('[the embedding model](experience.md#by-embedding), of a server; the packaged one if not said'),
});
export type ExperiencePart = z.infer<typeof ExperiencePart>;

/** Conditions: rule → values. The values of `experience` are its arms. */
const conditions = z.record(z.string(), z.array(z.union([ruleValue, ExperiencePart])));

const deals = z.number().int().min(1).max(100_000);
const common = {
  name: name.describe('names the tournament, and its folder in `runs`'),
  format: TournamentFormat.describe('who meets whom: [formats](#formats)'),
  role: z.string().optional().describe('of `by-role`: the role in which entrants are compared'),
  rule: z.record(z.string(), ruleValue).optional().describe('single rules, the same in every match'),
  conditions: conditions
    .optional()
    .describe(
      'rule → values; each combination is played on every deal. `experience: [none, pool, shuffled]`: its [arms](experience.md#experiment-with-three-arms)',
    ),
  experience: z
    .preprocess((value) => (typeof value === 'string' ? { pool: value } : value), ExperiencePart)
    .optional()
    .describe('what players [remember](experience.md): the folder of a pool, or `{ pool, seats, k, … }`'),
  deals: deals.describe('how many deals each pairing plays on each board under each condition'),
  replicates: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      'how often each match of a deal is played, with the same seats: [replicates](compare.md#replicates); once if not said',
    ),
  maxCost: z.number().min(0).optional().describe('USD for all matches; no call begins once they are spent'),
  judge: model
    .optional()
    .describe(
      'the model that reads each match once it is over, under the same cap; by its claims the report that ends the tournament measures the matches (`--no-report`: none). With a database the command that collects the matches asks it, and the cap is that of the workers',
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
    'of `by-role`: who plays all other roles; an entrant’s name, a model, or as an entrant',
  ),
  selfPlay: z.boolean().default(false).describe('whether every entrant also meets itself'),
  design: z
    .enum(['all', 'cyclic'])
    .default('all')
    .describe('of `round-robin`: `all` pairs on every deal, or `cyclic`, for large fields'),
  boards: z
    .array(z.string().min(1))
    .min(1)
    .default(['classic-8'])
    .describe('names of boards, or YAML files of your own'),
  rules: z
    .union([z.string(), z.array(z.string()).min(1)])
    .default('wolf')
    .describe('the preset of rules, its newest version if none is named (`wolf@1`); of several each is a condition'),
  seed: z.number().int().default(1).describe('the seed of the first deal; each further deal has the next'),
  models: z
    .union([z.string().min(1), z.record(z.string(), z.unknown())], {
      error:
        'must be a models file, or names with their models (a mapping, not a list), e.g. gpt: { model: openai:gpt-4o }',
    })
    .optional()
    .describe('the [models file](providers.md#models-file) whose names may stand for models, or its contents'),
  out: z
    .string()
    .min(1)
    .optional()
    .describe('the folder of the tournament, below that of the plan; `runs/` and its name if not said'),
  concurrency: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('calls under way at the same time at one server; 32 if not said'),
});
export type TournamentFile = z.infer<typeof TournamentFile>;

/**
 * The complete plan: all defaults are filled in, and boards and models are given in full. It holds everything that
 * decides the schedule.
 */
export const TournamentPlan = z.strictObject({
  ...common,
  entrants: z.record(name, Entrant).describe('name → whole configuration'),
  baseline: Entrant.optional().describe('of `by-role`: who plays all other roles'),
  selfPlay: z.boolean().describe('whether every entrant also meets itself'),
  design: z.enum(['all', 'cyclic']).describe('of `round-robin`: pairs on every deal'),
  boards: z.array(Board).min(1).describe('the boards in full'),
  rules: z.array(z.string().overwrite(readStoredPreset)).min(1).describe('presets of rules, with their versions'),
  seed: z.number().int().describe('the seed of the first deal'),
});
export type TournamentPlan = z.infer<typeof TournamentPlan>;
