// Builds rows of the game's own tables by hand. Fields that a test does not give have the values of an ordinary match.
import {
  BallotRow,
  BidRow,
  DeedRow,
  PlayerRow,
  RoundRow,
  type GameTables,
} from '../../../deception/tables/game-rows.ts';
import { getLastAct, powers, getRole } from '../../../state/roles/index.ts';

const when = { match_id: 'm1', round: 1 } as const;

/**
 * Player → role. The role determines the side and the model (`openai:two` for Werewolves). Players with other names are
 * Villagers.
 */
export const table: Readonly<Record<string, string>> = {
  Ginger: 'Werewolf',
  Leah: 'Werewolf',
  Sam: 'Seer',
  Wanda: 'Witch',
  Hugo: 'Hunter',
  Gus: 'Guard',
  Dan: 'Villager',
  Will: 'Villager',
};

const getDealt = (name: string) => {
  const role = table[name] ?? 'Villager';
  const { team } = getRole(role);
  return { role, team, model: team === 'werewolves' ? 'openai:two' : 'openai:one' };
};

const getRoleOf = (name: string | null) => (name === null ? null : getDealt(name).role);
const getTeamOf = (name: string | null) => (name === null ? null : getDealt(name).team);

/** Creates the row of a player who survived a match that the village won. `changes`: other fields. */
export function player(name: string, changes: Partial<PlayerRow> = {}): PlayerRow {
  const { role, team, model } = getDealt(name);
  return PlayerRow.parse({
    match_id: 'm1',
    ...{ player: name, seat: Math.max(1, Object.keys(table).indexOf(name) + 1), role, team, model, is_bot: false },
    ...{ is_special: getRole(role).special, survived: true, left_round: null, left_cause: null, left_place: null },
    ...{ has_won: team === 'villagers', speaking_position: null, turns: 0, words: 0 },
    ...changes,
  } satisfies PlayerRow);
}

/** Creates the rows of all players. `gone`: the players who left the game, as [round, cause]. */
export function players(gone: Readonly<Record<string, [number, PlayerRow['left_cause']]>> = {}): PlayerRow[] {
  const order = Object.keys(gone);
  return Object.keys(table).map((name) => {
    const left = gone[name];
    if (!left) return player(name);
    const [left_round, left_cause] = left;
    return player(name, { survived: false, left_round, left_cause, left_place: order.indexOf(name) + 1 });
  });
}

/** Creates the row of a day. `exiled`: the player who left, or null if nobody did. */
export const day = (number: number, exiled: string | null = null, changes: Partial<RoundRow> = {}): RoundRow =>
  RoundRow.parse({
    ...{
      ...when,
      round: number,
      villagers_alive: 6,
      werewolves_alive: 2,
      without_vote: '',
      left_at_night: '',
      left_by_last_act: '',
    },
    ...{ exiled, exiled_role: getRoleOf(exiled), exiled_team: getTeamOf(exiled) },
    ...{ sheriff: null, sheriff_team: null, recommended: null, turns: 0, words: 0 },
    ...changes,
  } satisfies RoundRow);

export function ballot(voter: string, target: string, changes: Partial<BallotRow> = {}): BallotRow {
  const [of, on] = [getDealt(voter), getDealt(target)];
  return BallotRow.parse({
    ...{ ...when, vote: 'exile', step: null, is_drawn: false },
    ...{ voter, voter_role: of.role, voter_team: of.team, voter_model: of.model, voter_is_bot: false },
    ...{ target, target_role: on.role, target_team: on.team },
    ...changes,
  } satisfies BallotRow);
}

/** Creates the ballots of one vote from voter → target. */
export const ballots = (cast: Readonly<Record<string, string>>, changes: Partial<BallotRow> = {}): BallotRow[] =>
  Object.entries(cast).map(([voter, target]) => ballot(voter, target, changes));

export function bid(bidder: string, amount: number | null, changes: Partial<BidRow> = {}): BidRow {
  const of = getDealt(bidder);
  return BidRow.parse({
    ...{ ...when, step: 0, scale: 10, is_mentioned: false, is_speaker: false, bid: amount },
    ...{ draft: null, draft_verdict: null, draft_is_lie: null, draft_accuses: null, draft_agrees: null },
    ...{ bidder, bidder_role: of.role, bidder_team: of.team, bidder_model: of.model, bidder_is_bot: false },
    ...changes,
  } satisfies BidRow);
}

/** Creates the row of a power or last act on `target`; null if it was not used. */
export function deed(by: string, verb: string, target: string | null, changes: Partial<DeedRow> = {}): DeedRow {
  const of = getDealt(by);
  const power = powers.find((known) => known.verb === verb);
  const { aim } = power ?? getLastAct(verb);
  return DeedRow.parse({
    ...{ ...when, verb, aim, target, is_joint: power?.actor === 'team', is_last_act: !power, is_drawn: false },
    ...{ by, by_role: of.role, by_team: of.team, by_model: of.model, by_is_bot: false },
    ...{ target_role: getRoleOf(target), target_team: getTeamOf(target) },
    ...{ is_on_victim: target === null || !power ? null : false, is_fatal: target === null ? null : !power },
    ...changes,
  } satisfies DeedRow);
}

/** A day with every event that metrics of the game count, in a match with all roles. */
export const createGameTables = (): GameTables => ({
  players: players({ Hugo: [1, 'night'], Ginger: [1, 'exile'] }).map((row, place) => ({
    ...row,
    ...(row.left_cause === 'night' ? {} : { speaking_position: place + 1, turns: 1, words: 10 }),
  })),
  rounds: [day(1, 'Ginger', { sheriff: 'Sam', sheriff_team: 'villagers', recommended: 'Ginger', turns: 7, words: 70 })],
  ballots: [
    ...ballots({ Sam: 'Leah', Dan: 'Will' }, { vote: 'synthetic', step: 1 }),
    ...ballots({ Sam: 'Ginger', Dan: 'Leah' }, { vote: 'synthetic', step: 2 }),
    ...ballots({ Sam: 'Leah', Dan: 'Will', Ginger: 'Dan' }, { vote: 'pseudo' }),
    ...ballots({ Sam: 'Ginger', Dan: 'Ginger', Ginger: 'Dan' }),
  ],
  bids: [bid('Sam', 4, { is_speaker: true }), bid('Ginger', 2, { is_mentioned: true })],
  deeds: [
    deed('Ginger', 'eliminate', 'Hugo', { is_on_victim: true, is_fatal: true }),
    deed('Sam', 'unmask', 'Ginger'),
    deed('Gus', 'guard', 'Dan'),
    deed('Nora', 'protect', 'Dan', { by_role: 'Doctor', is_on_victim: true, is_fatal: false }),
    deed('Wanda', 'poison', 'Leah', { is_fatal: true }),
    deed('Hugo', 'shoot', 'Leah'),
  ],
});
