// The tidy tables of the game itself: one row a player, day, ballot, bid and deed.
import { z } from 'zod';
import { Cause } from '../../state/event.ts';
import { Team } from '../../state/teams.ts';

const text = z.string();
const count = z.int32().min(0);
const yes = z.boolean();

const match = { match_id: text.describe('the match') };
const when = { ...match, round: count.describe('the round, from 1') };

export const PlayerRow = z.strictObject({
  ...match,
  player: text.describe('the name'),
  seat: count.describe('the place at the table, from 1'),
  role: text.describe('what was dealt, and who answered'),
  team: Team.describe('what was dealt, and who answered'),
  is_special: yes.describe('whether the role has powers that its side would miss: all but Villagers'),
  model: text.describe('what was dealt, and who answered'),
  is_bot: yes.describe('what was dealt, and who answered'),
  survived: yes.describe('whether the player was in the game at its end'),
  left_round: count
    .nullable()
    .describe('when and how the player left: `night`, `exile` or `last_act`; missing for a survivor'),
  left_cause: Cause.nullable().describe(
    'when and how the player left: `night`, `exile` or `last_act`; missing for a survivor',
  ),
  left_place: count
    .nullable()
    .describe('the place from 1 among all who left, in the order in which that was announced; missing for a survivor'),
  has_won: yes.nullable().describe('whether the own side won; missing where nobody did'),
  speaking_position: count
    .nullable()
    .describe(
      'the place from 1 in the order in which players first had the turn in the debate of round 1; missing for whoever had none',
    ),
  turns: count.describe('turns of the debate, silent ones among them, and their words; no other public turns'),
  words: count.describe('turns of the debate, silent ones among them, and their words; no other public turns'),
});
export type PlayerRow = z.infer<typeof PlayerRow>;

export const RoundRow = z.strictObject({
  ...when,
  villagers_alive: count.describe(
    "the living when the day's first ballot for exile was cast; at the round's end where there was none",
  ),
  werewolves_alive: count.describe(
    "the living when the day's first ballot for exile was cast; at the round's end where there was none",
  ),
  without_vote: text.describe('the living who have lost their vote by then, names separated by spaces; empty: nobody'),
  left_at_night: text.describe('who left in the night; names with spaces between, empty for nobody'),
  exiled: text.nullable().describe('who was exiled; missing where nobody was'),
  exiled_role: text.nullable().describe('who was exiled; missing where nobody was'),
  exiled_team: Team.nullable().describe('who was exiled; missing where nobody was'),
  left_by_last_act: text.describe('who left by the last act of another; names with spaces between, empty for nobody'),
  sheriff: text
    .nullable()
    .describe(
      'who held the badge when that ballot was cast, before whoever was exiled passed it on; missing without one',
    ),
  sheriff_team: Team.nullable().describe(
    'who held the badge when that ballot was cast, before whoever was exiled passed it on; missing without one',
  ),
  recommended: text.nullable().describe('whom the Sheriff recommended to exile'),
  turns: count.describe('turns of the debate of all players, and their words; no other public turns'),
  words: count.describe('turns of the debate of all players, and their words; no other public turns'),
});
export type RoundRow = z.infer<typeof RoundRow>;

/** `exile_again`: after a tie; `pseudo`: before a Sheriff's recommendation; `synthetic`: asked in private, of no effect. */
export const Vote = z.enum(['sheriff', 'synthetic', 'pseudo', 'exile', 'exile_again']);

export const BallotRow = z.strictObject({
  ...when,
  vote: Vote.describe(
    "`exile`; `exile_again` after a tie; `pseudo` before a Sheriff's recommendation, without effect; `sheriff` for the office; `synthetic`: asked after a statement, seen by nobody, without effect",
  ),
  step: count
    .nullable()
    .describe(
      'of synthetic votes, after how many turns of the round; of votes for Sheriff, which of them from 1; missing for all others',
    ),
  voter: text.describe('who voted'),
  voter_role: text.describe('who voted'),
  voter_team: Team.describe('who voted'),
  voter_model: text.describe('who voted'),
  voter_is_bot: yes.describe('who voted'),
  target: text.describe('for whom'),
  target_role: text.describe('for whom'),
  target_team: Team.describe('for whom'),
  is_drawn: yes.describe("whether the vote was drawn in the player's stead"),
});
export type BallotRow = z.infer<typeof BallotRow>;

export const BidRow = z.strictObject({
  ...when,
  step: count.describe('the turns of the round before'),
  bidder: text.describe('who bid'),
  bidder_role: text.describe('who bid'),
  bidder_team: Team.describe('who bid'),
  bidder_model: text.describe('who bid'),
  bidder_is_bot: yes.describe('who bid'),
  bid: count.nullable().describe('the bid; missing where it could not be read'),
  scale: count.describe('the highest bid that the rules allow'),
  is_mentioned: yes.describe('whether the statement just before named the bidder'),
  is_speaker: yes.describe('whether the bidder got the turn'),
});
export type BidRow = z.infer<typeof BidRow>;

export const DeedRow = z.strictObject({
  ...when,
  by: text.describe('who did it; of a deed of several, the first living of them in seat order'),
  by_role: text.describe('who did it; of a deed of several, the first living of them in seat order'),
  by_team: Team.describe('who did it; of a deed of several, the first living of them in seat order'),
  by_model: text.describe('who did it; of a deed of several, the first living of them in seat order'),
  by_is_bot: yes.describe('who did it; of a deed of several, the first living of them in seat order'),
  is_joint: yes.describe('whether several settled on it'),
  verb: text.describe('the power or last act'),
  aim: z.enum(['harm', 'shield', 'learn']).describe('what it aims at: `harm`, `shield` or `learn`'),
  is_last_act: yes.describe('whether it was done on leaving the game'),
  target: text.nullable().describe('on whom; missing where it was left undone'),
  target_role: text.nullable().describe('on whom; missing where it was left undone'),
  target_team: Team.nullable().describe('on whom; missing where it was left undone'),
  is_on_victim: yes
    .nullable()
    .describe('whether the target was attacked in the same night; missing without a target, and for last acts'),
  is_fatal: yes
    .nullable()
    .describe('whether the target left in that night, by whatever, or by that last act; missing without a target'),
  is_drawn: yes.describe("whether it was drawn in the player's stead"),
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
