// Metrics of the Sheriff's influence: how many voters follow the Sheriff. Compares the ballot before the Sheriff's
// recommendation with the ballot after the recommendation.
import type { RoundRow } from '../tables/game-rows.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { getOpponentCell } from './breakdowns.ts';
import { createRatioFigure, type Metric, type MetricTally } from './metric.ts';

/** A voter's choices before and after the Sheriff spoke. Choices that were drawn at random are excluded. */
interface Change {
  voter: string;
  before: string;
  after: string;
}

/** A day with two votes. Between the votes, the Sheriff recommended a player to exile. */
interface Day {
  row: RoundRow & { sheriff: string; recommended: string };
  changes: readonly Change[];
}

/**
 * Selects the changes of a day that count. `towards`: the player for whom voters vote afterwards if they follow the
 * Sheriff. Null if the day does not count.
 */
type Measure = (day: Day) => { counted: readonly Change[]; towards: string } | null;

const shared = {
  section: 'sheriff',
  range: [0, 1],
  modelDimension: 'model',
  strata: ['sheriff_team'],
  breakdowns: [['model'], ['model', 'opponent'], ['round']],
  hasBaseline: true,
  ...createRatioFigure('moved', 'voters'),
} as const;

const listOtherChanges = ({ row, changes }: Day) => changes.filter(({ voter }) => voter !== row.sheriff);

/** Source: WereWolf-Plus (2025), reconstructed. */
export const sheriffInfluence: Metric = {
  ...shared,
  name: 'sheriff_influence',
  title: 'Voters moved to the recommendation',
  definition:
    'Share of voters other than the Sheriff who voted for another player before the recommendation and for the recommended player after it (WereWolf-Plus’s Sheriff score).',
  notes: 'Reconstructed; the published code counts it the wrong way round.',
  unit: 'share of voters',
  count: countChanges((day) => ({ counted: listOtherChanges(day), towards: day.row.recommended })),
};

/** Source: Helmsman (Du & Zhang 2024). */
export const sheriffOwnBallot: Metric = {
  ...shared,
  name: 'sheriff_own_ballot_influence',
  title: "Voters moved to the Sheriff's own ballot",
  definition:
    'Share of voters, the Sheriff included, who came only after the recommendation to the player for whom the Sheriff finally voted (Helmsman’s influence).',
  notes: 'Du & Zhang 2024. Days with a randomly chosen Sheriff’s ballot are left out.',
  unit: 'share of voters',
  count: countChanges(({ row, changes }) => {
    const own = changes.find(({ voter }) => voter === row.sheriff);
    return own ? { counted: changes, towards: own.after } : null;
  }),
};

export const sheriffPersuasion: Metric = {
  ...shared,
  name: 'sheriff_persuasion',
  title: 'Dissenters moved to the recommendation',
  definition:
    'Share of voters who voted for the recommended player after the recommendation, among those who had voted otherwise before, without the Sheriff and the recommended player.',
  unit: 'share of dissenting voters',
  count: countChanges((day) => {
    const { recommended } = day.row;
    return {
      counted: listOtherChanges(day).filter(({ voter, before }) => voter !== recommended && before !== recommended),
      towards: recommended,
    };
  }),
};

function countChanges(measure: Measure) {
  return (match: MatchTables): MetricTally[] =>
    listSheriffDays(match).flatMap((day) => {
      const measured = measure(day);
      if (measured === null || measured.counted.length === 0) return [];
      const { counted, towards } = measured;
      const moved = counted.filter(({ before, after }) => before !== towards && after === towards);
      return [{ cell: getSheriffCell(match, day.row), sums: { moved: moved.length, voters: counted.length } }];
    });
}

function getSheriffCell(
  { match, players }: MatchTables,
  { round, sheriff, sheriff_team: team }: RoundRow,
): MetricTally['cell'] {
  const { model } = players.find(({ player }) => player === sheriff)!;
  return { sheriff_team: team!, model, ...getOpponentCell(match, team!), round: String(round) };
}

function listSheriffDays({ rounds, ballots }: MatchTables): Day[] {
  return rounds.flatMap((row) => {
    const { round, sheriff, recommended } = row;
    if (sheriff === null || recommended === null) return [];
    const own = ballots.filter((ballot) => ballot.round === round && !ballot.is_drawn);
    const first = new Map(own.filter(({ vote }) => vote === 'pseudo').map(({ voter, target }) => [voter, target]));
    const changes = own
      .filter(({ vote, voter }) => vote === 'exile' && first.has(voter))
      .map(({ voter, target }): Change => ({ voter, before: first.get(voter)!, after: target }));
    return [{ row: { ...row, sheriff, recommended }, changes }];
  });
}
