// Metrics of outcomes: who wins, and whether names, seats or speaking order are related to winning.
import type { Team } from '../../state/teams.ts';
import { createShare, getSum, type Sums } from '../statistics/sums.ts';
import type { PlayerRow } from '../tables/game-rows.ts';
import type { MatchRow, MatchTables } from '../tables/match-tables.ts';
import { getOpponentCell } from './breakdowns.ts';
import { createRatioFigure, type MetricCell, type Metric, parseRowRules, type MetricTally } from './metric.ts';

const countMatches = (sums: Sums) => getSum(sums, 'for') + getSum(sums, 'against');

const ofMatches = {
  section: 'outcomes',
  unit: 'share of matches',
  range: [0, 1],
  hasBaseline: true,
  isOfMatches: true,
  isOfWholeSides: true,
  value: createShare((sums) => [getSum(sums, 'for'), countMatches(sums)]),
  opportunities: countMatches,
} as const;

/** Counts the outcome of a match. An unfinished match has no tally. */
const countOutcome = ({ end_reason: reason }: MatchRow, cell: MetricCell, isFor: boolean): MetricTally[] =>
  reason === null ? [] : [{ cell, sums: { for: isFor ? 1 : 0, against: isFor ? 0 : 1 } }];

function countSide({ match }: MatchTables, team: Team): MetricTally[] {
  const model = team === 'villagers' ? match.villagers_model : match.werewolves_model;
  return countOutcome(
    match,
    { team, ...(model === null ? {} : { model }), ...getOpponentCell(match, team) },
    match.winner === team,
  );
}

export const winRate: Metric = {
  ...ofMatches,
  name: 'win_rate',
  title: 'Wins',
  definition: 'Share of ended matches that the side won. Matches without a winner count in the denominator.',
  notes: 'The interval is Wilson’s.',
  modelDimension: 'model',
  strata: ['team'],
  breakdowns: [['model'], ['model', 'opponent']],
  count: (match) => [...countSide(match, 'villagers'), ...countSide(match, 'werewolves')],
};

export const noWinnerRate: Metric = {
  ...ofMatches,
  name: 'no_winner_rate',
  title: 'Matches without a winner',
  definition: 'Share of ended matches without a winner, as at the limit of rounds.',
  notes: 'The interval is Wilson’s.',
  strata: [],
  breakdowns: [['villagers'], ['werewolves'], ['villagers', 'werewolves']],
  count: ({ match }) => {
    const { villagers_model: villagers, werewolves_model: werewolves } = match;
    const cell = { ...(villagers === null ? {} : { villagers }), ...(werewolves === null ? {} : { werewolves }) };
    return countOutcome(match, cell, match.winner === null);
  },
};

// Relation of names, seats and speaking order to winning. Each player of each match counts once.

/**
 * Lists the players who count. Excludes the players of unfinished matches, and of imported matches, in which seats may
 * depend on roles.
 */
const listCountedPlayers = ({ match, players }: MatchTables) =>
  match.end_reason === null || match.imported !== null ? [] : players;

const createSeatTally = ({ team, has_won: hasWon }: PlayerRow, cell: MetricCell): MetricTally => ({
  cell: { team, ...cell },
  sums: { won: hasWon === true ? 1 : 0, players: 1 },
});

const ofPlayers = {
  section: 'seats',
  unit: 'share of players',
  range: [0, 1],
  hasBaseline: true,
  ...createRatioFigure('won', 'players'),
} as const;

export const seatWinRate: Metric = {
  ...ofPlayers,
  name: 'seat_win_rate',
  title: 'Wins by seat and name (bias of the set-up)',
  definition:
    'Share of players whose side won, over all players of ended matches. Roles are dealt at random, so differences between seats or names beyond chance are a bias of the setup. Imported matches are left out.',
  notes: 'By `seat` and by name, each also by side. In a match without a winner nobody has won.',
  strata: [],
  breakdowns: [['seat'], ['name'], ['team'], ['seat', 'team'], ['name', 'team']],
  count: (match) =>
    listCountedPlayers(match).map((player) =>
      createSeatTally(player, { seat: String(player.seat), name: player.player }),
    ),
};

/** Describes who decides the speaking order on the first day. */
function describeDayOrder({ match, rounds }: { match: MatchRow; rounds: MatchTables['rounds'] }): string {
  if (parseRowRules(match).debateOrder === 'bidding') return 'bidding';
  const first = rounds.find(({ round }) => round === 1);
  return (first?.sheriff ?? null) === null ? 'round-robin' : 'sheriff';
}

const classifyPlace = (position: number, last: number) =>
  position === 1 ? 'first' : position === last ? 'last' : 'between';

export const positionWinRate: Metric = {
  ...ofPlayers,
  name: 'position_win_rate',
  title: 'Wins by speaking position on the first day (association under bidding)',
  definition:
    'Share of players whose side won, by the order in which players had their first turn in the first day’s debate. With round-robin order a difference is a bias of the setup; with bidding or a Sheriff, who chooses, it is an association. Imported matches are left out.',
  notes: '`place` is `first`, `last` or `between`. `order` is never pooled.',
  strata: ['order'],
  breakdowns: [['position'], ['place'], ['team'], ['position', 'team'], ['place', 'team']],
  count: (match) => {
    const order = describeDayOrder(match);
    const players = listCountedPlayers(match);
    const last = Math.max(...players.map(({ speaking_position: position }) => position ?? 0));
    return players.flatMap((player) => {
      const { speaking_position: position } = player;
      if (position === null) return [];
      return [createSeatTally(player, { order, position: String(position), place: classifyPlace(position, last) })];
    });
  },
};
