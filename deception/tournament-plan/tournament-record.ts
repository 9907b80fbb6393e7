// `tournament.json` in a tournament's folder: the full plan under which its matches were played, and the reason why it
// ended before its last deal.
//
// The folder also holds a folder for each pairing and condition, with a folder for every match. The match's manifest
// says in `tournament` where it belongs: `runs/frontier/pack-gpt_village-gemini__honesty-unsaid/classic-8-1-0f3a9c1d/`.
import { z } from 'zod';
import { identifyModel } from '../../state/model-identity.ts';
import { nameStoredPreset } from '../../state/presets.ts';
import { hashPlan } from '../comparison/analysis-plan.ts';
import { type Entrant, type ExperiencePart, TournamentPlan } from './tournament-plan.ts';

/** Name of the file. */
export const tournamentFileName = 'tournament.json';

export const TournamentRecord = z.strictObject({
  tournament_version: z.literal(1).describe('1; raised when older versions could not read newer files'),
  plan: TournamentPlan.describe(
    'the [plan](#plan) with every default filled in, models by their [identity](data.md#identity)',
  ),
  plan_sha256: z.string().describe('hash of `plan` without `maxCost`'),
  earlier_plans: z
    .array(z.strictObject({ plan_sha256: z.string(), deals: z.number().int(), entrants: z.array(z.string()) }))
    .describe('plans under which matches were played before the tournament was extended, oldest first'),
  matches: z.number().int().min(1).describe('number of matches in the schedule'),
  stopped: z
    .strictObject({
      deals: z.number().int().min(0).describe('number of first deals that decided it'),
      reason: z.enum(['precision', 'decided']).describe('what was reached'),
    })
    .nullable()
    .describe('why the tournament ended before its last deal; null if it did not'),
});
export type TournamentRecord = z.infer<typeof TournamentRecord>;

/**
 * Returns the plan with each model reduced to the settings that influence its answers. Addresses, key variables, limits
 * and prices are removed.
 */
export function identifyEntrants<
  Plan extends Pick<TournamentPlan, 'entrants' | 'baseline' | 'judge' | 'experience' | 'conditions'>,
>(plan: Plan): Plan {
  const identify = ({ model, roles, ...entrant }: Entrant): Entrant => ({
    model: identifyModel(model),
    ...entrant,
    ...(roles && {
      roles: Object.fromEntries(Object.entries(roles).map(([role, text]) => [role, identifyModel(text)])),
    }),
  });
  return {
    ...plan,
    entrants: Object.fromEntries(Object.entries(plan.entrants).map(([name, entrant]) => [name, identify(entrant)])),
    ...(plan.baseline && { baseline: identify(plan.baseline) }),
    ...(plan.judge !== undefined && { judge: identifyModel(plan.judge) }),
    ...(plan.experience && { experience: dropFolder(plan.experience) }),
    ...(plan.conditions?.['experience'] && {
      conditions: {
        ...plan.conditions,
        experience: plan.conditions['experience'].map((arm) =>
          typeof arm === 'object' && arm !== null ? dropFolder(arm) : arm,
        ),
      },
    }),
  };
}

/** Replaces a pool's folder by its hash, and removes an embedding model's address. */
const dropFolder = ({ pool, embedder, ...others }: ExperiencePart): ExperiencePart => {
  const part = { ...others, ...(embedder !== undefined && { embedder: identifyModel(embedder) }) };
  return part.sha256 === undefined && pool !== undefined ? { pool, ...part } : part;
};

/**
 * Returns the hash of everything that decides a tournament's matches and its end. `maxCost` is excluded; see
 * `hashPlan`.
 */
export const hashTournament = (plan: TournamentPlan): string =>
  hashPlan({ ...identifyEntrants(plan), rules: plan.rules.map(nameStoredPreset), maxCost: undefined });
