// A claim: one checkable thing that a public statement says, with its place in the text.
import { z } from 'zod';
import { Cause, Occasion } from '../../state/events.ts';
import { Team } from '../../state/teams.ts';
import type { PublicSetup } from '../../state/view.ts';

export const ClaimType = z.enum([
  /** The speaker's own role or side. */
  'own_role',
  /** Another player's role. For a side alone, see `accusation` and `defence`. */
  'role',
  /** Somebody belongs to the Werewolves. */
  'accusation',
  /** Somebody is not a Werewolf, or is on the side of the village. */
  'defence',
  /** Somebody checked a player. The claim includes the result if the words state it. */
  'check',
  /** Somebody used another power or a last act on a player. */
  'act',
  /** Somebody voted for a player. */
  'vote',
  /** Somebody left the game. */
  'departure',
  /** Somebody said something: claimed a role or accused a player. */
  'speech',
  /** The speaker will vote for a player. */
  'promise',
]);
export type ClaimType = z.infer<typeof ClaimType>;

const name = z.string();

export const Claim = z.strictObject({
  /** Id of the statement and number of the claim in it, from 1: `2.3#1`. */
  id: z.string(),
  statement: z.string(),
  by: name,
  /** Round of the statement. */
  round: z.number().int(),
  type: ClaimType,
  /**
   * The player that the claim is about: who has the role, acted, left, spoke or will vote; `everybody` for a vote of
   * all.
   */
  subject: name,
  /** Target of the act, vote or accusation; null if the claim targets nobody. */
  object: name.nullable(),
  /** Role that the subject has, that a check found, or that the subject claimed. Null if the words name no role. */
  role: z.string().nullable(),
  /** Side that the words name instead of a role; null if none. */
  team: Team.nullable(),
  /** Verbs of powers and last acts that the words may mean. The claim says that one of these acts happened. */
  verbs: z.array(z.string()),
  /** Cause of a departure; null if not stated. */
  cause: Cause.nullable(),
  /** Round in which the claimed event happened or will happen; null if the words do not say. */
  when: z.number().int().nullable(),
  /** False if the claim is a denial. */
  polarity: z.boolean(),
  /** Whether the claim is said as an opinion ("I think"). An opinion is never a lie. */
  hedged: z.boolean(),
  /**
   * Whether the claim is presupposed by a noun, a gerund or a time clause ("losing Bob", "when Bob claimed Seer"), not
   * asserted.
   */
  presupposed: z.boolean(),
  /** Position in the statement of the words that make the claim. */
  words: z.strictObject({ from: z.number().int(), to: z.number().int(), text: z.string() }),
});
export type Claim = z.infer<typeof Claim>;

/** A public statement, as an extractor sees it. */
export interface Utterance {
  id: string;
  by: string;
  round: number;
  text: string;
  /** A statement in the debate, or the explanation that a voter gives with a ballot. */
  kind: 'debate' | 'ballot';
  occasion?: Occasion | undefined;
}

/**
 * Finds the claims of a statement, in the order of its words. An extractor sees public information only, never roles.
 * Questions, quotations, conditionals, trust and mere suspicion make no claim. The list is empty if the statement makes
 * no claim. Null means that the statement could not be read.
 */
export type Extractor = (statement: Utterance, table: PublicSetup) => Claim[] | null;

/** A claim that has no statement id yet. `from` and `to` are positions in the text. */
export type ClaimDraft = Pick<Claim, 'type' | 'subject'> &
  Partial<Omit<Claim, 'type' | 'subject' | 'words'>> & { from: number; to: number };
