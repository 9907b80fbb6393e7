// Whether names, seats or the order of speaking go with winning: each player of each match counts once.
import { ratioOf, sumOf } from '../statistics/sums.ts';
import type { PlayerRow } from '../tables/game-rows.ts';
import type { MatchRow, Tables } from '../tables/rows.ts';
import type { Cell, Metric, Tally } from './metric.ts';
import { rulesOf } from './rules-of.ts';

/** None of matches that did not end, nor of imported ones: there the seats may go with the roles. */
const playersOf = ({ match, players }: Tables) => (match.end_reason === null || match.imported !== null ? [] : players);

const tallyOf = ({ team, has_won: hasWon }: PlayerRow, cell: Cell): Tally => ({
  cell: { team, ...cell },
  sums: { won: hasWon === true ? 1 : 0, players: 1 },
});

const ofPlayers = {
  section: 'seats',
  unit: 'share of players',
  range: [0, 1],
  hasBaseline: true,
  value: ratioOf('won', 'players'),
  opportunities: (sums: Tally['sums']) => sumOf(sums, 'players'),
} as const;

export const seatWinRate: Metric = {
  ...ofPlayers,
  name: 'seat_win_rate',
  title: 'Wins by seat and name (bias of the set-up)',
  definition:
    'Players whose side won over all players of matches that ended. Roles are dealt by chance, so differences between seats or names beyond chance are a bias of the set-up; imported matches are left out.',
  apart: [],
  by: [['seat'], ['name'], ['team'], ['seat', 'team'], ['name', 'team']],
  tallies: (match) =>
    playersOf(match).map((player) => tallyOf(player, { seat: String(player.seat), name: player.player })),
};

/** Who decides who speaks when on the first day. */
function orderOf({ match, rounds }: { match: MatchRow; rounds: Tables['rounds'] }): string {
  if (rulesOf(match).debateOrder === 'bidding') return 'bidding';
  const first = rounds.find(({ round }) => round === 1);
  return (first?.sheriff ?? null) === null ? 'round-robin' : 'sheriff';
}

const placeOf = (position: number, last: number) => (position === 1 ? 'first' : position === last ? 'last' : 'between');

export const positionWinRate: Metric = {
  ...ofPlayers,
  name: 'position_win_rate',
  title: 'Wins by speaking position on the first day (association under bidding)',
  definition:
    "Players whose side won over all who had the turn in the first day's debate, by the order in which they first had it. A bias of the set-up only where the order is round-robin; where players bid or a Sheriff decides, who speaks when is their doing, and a difference is an association. Imported matches are left out.",
  apart: ['order'],
  by: [['position'], ['place'], ['team'], ['position', 'team'], ['place', 'team']],
  tallies: (match) => {
    const order = orderOf(match);
    const players = playersOf(match);
    const last = Math.max(...players.map(({ speaking_position: position }) => position ?? 0));
    return players.flatMap((player) => {
      const { speaking_position: position } = player;
      if (position === null) return [];
      return [tallyOf(player, { order, position: String(position), place: placeOf(position, last) })];
    });
  },
};
