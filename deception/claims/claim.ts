// A claim: one checkable thing that a public statement says, with its place in the text.
import { z } from 'zod';
import { Cause, Occasion } from '../../state/events.ts';
import { Team } from '../../state/teams.ts';
import type { PublicSetup } from '../../state/view.ts';

export const ClaimType = z.enum([
  /** The speaker's own role or side. */
  'own_role',
  /** Another player's role; for the side alone, see `accusation` and the next type. */
  'role',
  /** That somebody is on the side of the Werewolves. */
  'accusation',
  /** That somebody is not, or is on the side of the village. */
  'defence',
  /** That somebody checked a player, and what came of it. */
  'check',
  /** That somebody used another power or a last act on a player. */
  'act',
  /** That somebody voted for a player. */
  'vote',
  /** That somebody left the game. */
  'departure',
  /** That somebody said something: claimed a role or accused a player. */
  'speech',
  /** That the speaker will vote for a player. */
  'promise',
]);
export type ClaimType = z.infer<typeof ClaimType>;

const name = z.string();

export const Claim = z.strictObject({
  /** The statement's id and the claim's place in it, from 1: `2.3#1`. */
  id: z.string(),
  statement: z.string(),
  by: name,
  /** When it was said. */
  round: z.number().int(),
  type: ClaimType,
  /** The player about whom something is claimed: who has the role, acted, left, said it or will vote; `everybody` for a vote of all. */
  subject: name,
  /** Whom it was done to, who is voted for or was accused; null: nobody. */
  object: name.nullable(),
  /** Role that the subject has, was found in the object, or was claimed by the subject; null if no role is named. */
  role: z.string().nullable(),
  /** The side of the same, where no role is named. */
  team: Team.nullable(),
  /** The verbs of powers and last acts that the words may mean; one of them is claimed. */
  verbs: z.array(z.string()),
  /** How somebody left; null: not said. */
  cause: Cause.nullable(),
  /** The round in which it happened or will happen; null: not said. */
  when: z.number().int().nullable(),
  /** False where the claim is that it is not so. */
  polarity: z.boolean(),
  /** Said as an opinion ("I think"), so never a lie. */
  hedged: z.boolean(),
  /** Taken for granted in a noun, a gerund or a clause of time ("losing Bob", "when Bob claimed Seer"), not asserted. */
  presupposed: z.boolean(),
  /** The words it rests on, by their place in the statement. */
  words: z.strictObject({ from: z.number().int(), to: z.number().int(), text: z.string() }),
});
export type Claim = z.infer<typeof Claim>;

/** A public statement as an extractor reads it. */
export interface Utterance {
  id: string;
  by: string;
  round: number;
  text: string;
  /** The explanation of a ballot, whose vote is cast in the same breath, or a statement of the debate. */
  kind: 'debate' | 'ballot';
  occasion?: Occasion | undefined;
}

/**
 * Finds the claims of a statement, in the order of its words, from public information only: an extractor never sees roles.
 * Questions, quotations, conditionals, trust and mere suspicion are stance and give no claim. Null: the statement could
 * not be read, which is not the same as a statement without claims.
 */
export type Extractor = (statement: Utterance, table: PublicSetup) => Claim[] | null;

/** A claim before it is tied to its statement. `from` and `to` are places in the text. */
export type ClaimDraft = Pick<Claim, 'type' | 'subject'> &
  Partial<Omit<Claim, 'type' | 'subject' | 'words'>> & { from: number; to: number };
