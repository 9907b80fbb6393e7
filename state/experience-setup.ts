// Experience: what a player remembers of earlier matches. Here is what a match must say of it, and what one player was given.
import { z } from 'zod';

/** The decisions before which players remember. */
export const ExperienceMoment = z.enum(['debate', 'ballot', 'night']);
export type ExperienceMoment = z.infer<typeof ExperienceMoment>;

/**
 * What makes an experience good: that its side won, where its ballot fell, whether it did better than chance, or that its
 * side won in few rounds (`rounds`: Eq. 1 of WereWolf-Plus).
 */
export const ExperienceReward = z.enum(['result', 'vote', 'chance', 'rounds']);
export type ExperienceReward = z.infer<typeof ExperienceReward>;

/** Whose experiences a player may get: those of its own model, those of others, or all. */
export const ExperienceSource = z.enum(['own', 'others', 'any']);
export type ExperienceSource = z.infer<typeof ExperienceSource>;

/** Whether a player gets experiences of its own role alone, or of any. */
export const ExperienceRoles = z.enum(['own', 'any']);
export type ExperienceRoles = z.infer<typeof ExperienceRoles>;

/** Whose seat an experience may come from: any, or the player's own, which stands for the player (names are dealt anew). */
export const ExperienceSeat = z.enum(['any', 'own']);
export type ExperienceSeat = z.infer<typeof ExperienceSeat>;

/** `pool`: what fits best. `shuffled`: as much of the same kind, of other situations. */
export const ExperienceArm = z.enum(['pool', 'shuffled']);
export type ExperienceArm = z.infer<typeof ExperienceArm>;

/** What finds entries: words in common (BM25), or likeness of meaning (cosine of embeddings). */
export const ExperienceRetriever = z.enum(['bm25', 'embedding']);
export type ExperienceRetriever = z.infer<typeof ExperienceRetriever>;

/** Papers whose way of remembering can be named in place of single settings. */
export const ExperienceMethod = z.enum(['paper-plus', 'paper-ellm']);
export type ExperienceMethod = z.infer<typeof ExperienceMethod>;

/** Which entries above the threshold come first: those most alike, or those with the highest reward (WereWolf-Plus). */
export const ExperienceRank = z.enum(['likeness', 'reward']);
export type ExperienceRank = z.infer<typeof ExperienceRank>;

const allMoments = ExperienceMoment.options;

/** One experience as a player is given it. */
export const RememberedEntry = z.strictObject({
  id: z.string().describe('of the entry in the pool'),
  text: z.string().describe('as it stands in the prompt'),
});
export type RememberedEntry = z.infer<typeof RememberedEntry>;

/** How experiences are chosen for a player, besides the pool. */
export const ExperienceSettings = z.strictObject({
  arm: ExperienceArm.default('pool').describe(
    '`pool`, or `shuffled`: as many entries of other situations, the control',
  ),
  k: z.number().int().min(1).max(20).default(3).describe('how many entries a player is given before a decision'),
  threshold: z
    .number()
    .min(0)
    .default(0)
    .describe('the least score of an entry; 0: any that shares a word, or by embeddings any above 0'),
  good: z.number().min(0).max(1).default(0.5).describe('the share of good ones among them, as far as there are such'),
  from: ExperienceSource.default('own').describe(
    'whose: of the same model or entrant (`own`), of `others`, or of `any`',
  ),
  role: ExperienceRoles.default('own').describe('of which role: the `own` alone, or of `any`'),
  seat: ExperienceSeat.default('any').describe(
    'of which seat: `any`, or the `own`, as the player of that number in the papers',
  ),
  rank: ExperienceRank.default('likeness').describe(
    'which come first of those above `threshold`: most alike (`likeness`), or of the highest reward (`reward`), whatever `good` says',
  ),
  moments: z
    .array(ExperienceMoment)
    .min(1)
    .default(() => [...allMoments])
    .describe('before which decisions players remember: `debate`, `ballot`, `night`; all by default'),
});
export type ExperienceSettings = z.infer<typeof ExperienceSettings>;

/** All that decides what is remembered in a match. */
export const ExperienceSetup = z.strictObject({
  pool: z.string().describe('SHA-256 of the pool'),
  retriever: z.string().describe('what finds entries, with its version'),
  reward: ExperienceReward.describe('what makes an entry of the pool good'),
  ...ExperienceSettings.shape,
  wording: z.string().describe('version of the words around what is remembered'),
  seats: z.array(z.string()).describe('the players who remember, in seat order'),
});
export type ExperienceSetup = z.infer<typeof ExperienceSetup>;
