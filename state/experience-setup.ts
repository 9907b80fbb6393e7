// Experience: what players remember of earlier matches. This file has the settings of a match, and the schema of an
// entry that a player received.
import { z } from 'zod';

/** Decisions before which players are given experiences. */
export const ExperienceMoment = z.enum(['debate', 'ballot', 'night']);
export type ExperienceMoment = z.infer<typeof ExperienceMoment>;

/**
 * Criterion for a good experience. `result`: the player's side won. `vote`: the player's ballot was against the other
 * side. `chance`: the player's side did better than chance. `rounds`: the player's side won in few rounds (Eq. 1 of
 * WereWolf-Plus).
 */
export const ExperienceReward = z.enum(['result', 'vote', 'chance', 'rounds']);
export type ExperienceReward = z.infer<typeof ExperienceReward>;

/** Reward → how its value is computed, and the values that count as good. */
export const rewardMeanings: Readonly<Record<ExperienceReward, string>> = {
  result: '1 if the side won, 0 if it lost, 0.5 without a winner; good above .5',
  vote: "1 if the player's ballot of that round hit the other side, 0 if its own; good above .5. Other decisions are left out",
  rounds: '1000 − rounds if its side won, otherwise rounds (WereWolf-Plus, Eq. 1); good above 500',
  chance: '`result` minus the mean result of 2,000 random matches for that side, board and rules; good above 0',
};

/** Models whose experiences a player may get: the player's own model, other models, or any model. */
export const ExperienceSource = z.enum(['own', 'others', 'any']);
export type ExperienceSource = z.infer<typeof ExperienceSource>;

/** Whether a player gets only experiences of its own role, or of any role. */
export const ExperienceRoles = z.enum(['own', 'any']);
export type ExperienceRoles = z.infer<typeof ExperienceRoles>;

/**
 * Seat from which experiences may come: any seat, or the player's own. In the papers, a seat identifies a player. Here
 * it does not, because names are dealt anew for each match.
 */
export const ExperienceSeat = z.enum(['any', 'own']);
export type ExperienceSeat = z.infer<typeof ExperienceSeat>;

/**
 * Arm of an experiment with memory. `pool`: the entries that fit best. `shuffled`, the control: as many entries of the
 * same kind from other situations.
 */
export const ExperienceArm = z.enum(['pool', 'shuffled']);
export type ExperienceArm = z.infer<typeof ExperienceArm>;

/** Method that finds entries: words in common (BM25), or similarity of meaning (cosine of embeddings). */
export const ExperienceRetriever = z.enum(['bm25', 'embedding']);
export type ExperienceRetriever = z.infer<typeof ExperienceRetriever>;

/** Papers whose retrieval method can be named in place of single settings. */
export const ExperienceMethod = z.enum(['paper-plus', 'paper-ellm']);
export type ExperienceMethod = z.infer<typeof ExperienceMethod>;

/** Order of the entries above the threshold: most similar first, or highest reward first (WereWolf-Plus). */
export const ExperienceRank = z.enum(['likeness', 'reward']);
export type ExperienceRank = z.infer<typeof ExperienceRank>;

const allMoments = ExperienceMoment.options;

/** One experience as a player sees it. */
export const RememberedEntry = z.strictObject({
  id: z.string().describe('id of the entry in the pool'),
  text: z.string().describe('text of the entry in the prompt'),
});
export type RememberedEntry = z.infer<typeof RememberedEntry>;

/** Settings that decide which experiences a player gets, besides the pool. */
export const ExperienceSettings = z.strictObject({
  arm: ExperienceArm.default('pool').describe(
    '`pool`, or `shuffled`: as many entries of other situations, the control',
  ),
  k: z.number().int().min(1).max(20).default(3).describe('number of entries that a player sees before a decision'),
  threshold: z
    .number()
    .min(0)
    .default(0)
    .describe('lowest score of an entry; 0: any entry that shares a word or, by embeddings, scores above 0'),
  good: z.number().min(0).max(1).default(0.5).describe('share of good entries among them, if there are enough'),
  from: ExperienceSource.default('own').describe(
    'whose experiences: of the same model or entrant (`own`), of `others`, or of `any`',
  ),
  role: ExperienceRoles.default('own').describe('experiences of which role: only the `own`, or `any`'),
  seat: ExperienceSeat.default('any').describe('experiences of which seat: `any`, or only the `own`, as in the papers'),
  rank: ExperienceRank.default('likeness').describe(
    'order of the entries above `threshold`: most similar first (`likeness`), or highest reward first (`reward`), which ignores `good`',
  ),
  moments: z
    .array(ExperienceMoment)
    .min(1)
    .default(() => [...allMoments])
    .describe('decisions before which players remember: `debate`, `ballot`, `night`; all by default'),
});
export type ExperienceSettings = z.infer<typeof ExperienceSettings>;

/** All settings that decide what players remember in a match. */
export const ExperienceSetup = z.strictObject({
  pool: z.string().describe('SHA-256 of the pool'),
  retriever: z.string().describe('method that finds entries, with its version'),
  reward: ExperienceReward.describe('criterion for a good entry of the pool'),
  ...ExperienceSettings.shape,
  wording: z.string().describe('version of the wording around the entries'),
  seats: z.array(z.string()).describe('the players who remember, in seat order'),
});
export type ExperienceSetup = z.infer<typeof ExperienceSetup>;
