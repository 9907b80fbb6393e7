// The tidy tables of the game itself: one row a player, day, ballot, bid and deed.
import { z } from 'zod';
import { Cause } from '../../state/event.ts';
import { Team } from '../../state/teams.ts';

const text = z.string();
const count = z.int32().min(0);
const yes = z.boolean();

const match = { match_id: text };
const when = { ...match, round: count };

export const PlayerRow = z.strictObject({
  ...match,
  player: text,
  /** From 1, in seat order. */
  seat: count,
  role: text,
  team: Team,
  /** Whether the role has powers that its side would miss. */
  is_special: yes,
  model: text,
  is_bot: yes,
  survived: yes,
  left_round: count.nullable(),
  left_cause: Cause.nullable(),
  /** The place from 1 among those who left, in the order in which it was announced. */
  left_place: count.nullable(),
  /** Whether the own side won; null where nobody did. */
  has_won: yes.nullable(),
  /** The place from 1 in the order in which players first had the turn in the debate of round 1; null: had none. */
  speaking_position: count.nullable(),
  /** Turns of the debate, spoken or silent, and their words; not those of candidates, the Sheriff's word or the tied. */
  turns: count,
  words: count,
});
export type PlayerRow = z.infer<typeof PlayerRow>;

export const RoundRow = z.strictObject({
  ...when,
  /** The living when the day's first ballot for exile was cast, or at the round's end where there was none. */
  villagers_alive: count,
  werewolves_alive: count,
  /** Names of those who left in the night, joined by spaces. */
  left_at_night: text,
  exiled: text.nullable(),
  exiled_role: text.nullable(),
  exiled_team: Team.nullable(),
  /** Those who left by a last act, joined by spaces. */
  left_by_last_act: text,
  /** Who held the badge then, before whoever was exiled passed it on. */
  sheriff: text.nullable(),
  sheriff_team: Team.nullable(),
  /** Whom the Sheriff recommended to exile. */
  recommended: text.nullable(),
  /** Turns of the debate, spoken or silent, and their words. */
  turns: count,
  words: count,
});
export type RoundRow = z.infer<typeof RoundRow>;

/** `exile_again`: after a tie; `pseudo`: before a Sheriff's recommendation; `synthetic`: asked in private, of no effect. */
export const Vote = z.enum(['sheriff', 'synthetic', 'pseudo', 'exile', 'exile_again']);

export const BallotRow = z.strictObject({
  ...when,
  vote: Vote,
  /** Of synthetic votes, after how many turns; of votes for Sheriff, which of them from 1; null for all others. */
  step: count.nullable(),
  voter: text,
  voter_role: text,
  voter_team: Team,
  voter_model: text,
  voter_is_bot: yes,
  target: text,
  target_role: text,
  target_team: Team,
  /** Drawn in the voter's stead. */
  is_drawn: yes,
});
export type BallotRow = z.infer<typeof BallotRow>;

export const BidRow = z.strictObject({
  ...when,
  /** Turns before this one. */
  step: count,
  bidder: text,
  bidder_role: text,
  bidder_team: Team,
  bidder_model: text,
  bidder_is_bot: yes,
  /** Null where it could not be read. */
  bid: count.nullable(),
  /** The highest bid that the rules allow. */
  scale: count,
  /** Whether the turn just before named the bidder. */
  is_mentioned: yes,
  /** Whether the bidder got the turn. */
  is_speaker: yes,
});
export type BidRow = z.infer<typeof BidRow>;

export const DeedRow = z.strictObject({
  ...when,
  /** `joint`: what a pack settled on, by its first living member in seat order. */
  by: text,
  by_role: text,
  by_team: Team,
  by_model: text,
  by_is_bot: yes,
  is_joint: yes,
  verb: text,
  aim: z.enum(['harm', 'shield', 'learn']),
  is_last_act: yes,
  /** Null where it was left undone. */
  target: text.nullable(),
  target_role: text.nullable(),
  target_team: Team.nullable(),
  /** Whether the pack attacked the target in the same night; null without a target, and of last acts. */
  is_on_victim: yes.nullable(),
  /** Whether the target left in that night, or by that last act. */
  is_fatal: yes.nullable(),
  is_drawn: yes,
});
export type DeedRow = z.infer<typeof DeedRow>;

/** What happened in one match, whatever was said. */
export interface GameTables {
  players: readonly PlayerRow[];
  rounds: readonly RoundRow[];
  ballots: readonly BallotRow[];
  bids: readonly BidRow[];
  deeds: readonly DeedRow[];
}

/** File name → shape of a row. */
export const gameSchemas = {
  players: PlayerRow,
  rounds: RoundRow,
  ballots: BallotRow,
  bids: BidRow,
  deeds: DeedRow,
} as const;
