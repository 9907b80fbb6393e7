// Who wins. Each match counts once.
import type { Team } from '../../state/teams.ts';
import { sumOf, type Sums } from '../statistics/sums.ts';
import type { MatchRow, Tables } from '../tables/rows.ts';
import type { Cell, Metric, Tally } from './metric.ts';

const matches = (sums: Sums) => sumOf(sums, 'for') + sumOf(sums, 'against');

const ofMatches = {
  section: 'outcomes',
  unit: 'share of matches',
  range: [0, 1],
  hasBaseline: true,
  isOfMatches: true,
  isOfWholeSides: true,
  value: (sums: Sums) => (matches(sums) === 0 ? null : sumOf(sums, 'for') / matches(sums)),
  opportunities: matches,
} as const;

/** Nothing of a match that did not come to its end. */
const counted = ({ end_reason: reason }: MatchRow, cell: Cell, isFor: boolean): Tally[] =>
  reason === null ? [] : [{ cell, sums: { for: isFor ? 1 : 0, against: isFor ? 0 : 1 } }];

function sideOf({ match }: Tables, team: Team): Tally[] {
  const { villagers_model: villagers, werewolves_model: werewolves } = match;
  const [model, opponent] = team === 'villagers' ? [villagers, werewolves] : [werewolves, villagers];
  return counted(
    match,
    { team, ...(model === null ? {} : { model }), ...(opponent === null ? {} : { opponent }) },
    match.winner === team,
  );
}

export const winRate: Metric = {
  ...ofMatches,
  name: 'win_rate',
  title: 'Wins',
  definition: 'Matches that the side won over all that ended, those without a winner included.',
  subject: 'model',
  apart: ['team'],
  by: [['model'], ['model', 'opponent']],
  tallies: (match) => [...sideOf(match, 'villagers'), ...sideOf(match, 'werewolves')],
};

export const noWinnerRate: Metric = {
  ...ofMatches,
  name: 'no_winner_rate',
  title: 'Matches without a winner',
  definition: 'Matches that ended without a winner, as at the limit of rounds, over all that ended.',
  apart: [],
  by: [['villagers'], ['werewolves'], ['villagers', 'werewolves']],
  tallies: ({ match }) => {
    const { villagers_model: villagers, werewolves_model: werewolves } = match;
    const cell = { ...(villagers === null ? {} : { villagers }), ...(werewolves === null ? {} : { werewolves }) };
    return counted(match, cell, match.winner === null);
  },
};
