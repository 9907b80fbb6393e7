// Learning curves: how results change over blocks when players remember earlier blocks.
import type { MatchTables } from '../tables/match-tables.ts';
import type { Metric, MetricTally } from './metric.ts';
import { winRate } from './outcomes.ts';
import { identificationPrecisionByVotes } from './village-success.ts';

/** Returns the name of the experience arm without the words " of a growing pool". */
export const nameArm = ({ match }: MatchTables) => (match.experience ?? 'none').replace(' of a growing pool', '');

/** Counts another metric by arm and block. Matches without growing pools have no tallies. */
const countByBlock =
  (metric: Metric, keep: readonly string[]) =>
  (tables: MatchTables): MetricTally[] => {
    const { experience_block: block } = tables.match;
    if (block === null) return [];
    return metric.count(tables).map(({ cell, sums }) => ({
      cell: {
        ...Object.fromEntries(Object.entries(cell).filter(([dimension]) => keep.includes(dimension))),
        ...{ experience: nameArm(tables), block: String(block) },
      },
      sums,
    }));
  };

const byModel = [['model']] as const;

export const learningVotes: Metric = {
  ...identificationPrecisionByVotes,
  name: 'learning_votes',
  title: 'Village ballots on Werewolves, by block of experience',
  definition:
    'As `irp_votes`, in each arm and block of a set whose pools of experience grow. In block 1 nobody remembers anything of the set.',
  notes: 'As `irp_votes`; see [experience](experience.md#growing-pools).',
  hasBaseline: false,
  strata: ['experience', 'block'],
  breakdowns: byModel.map((table) => [...table]),
  count: countByBlock(identificationPrecisionByVotes, ['model']),
};

export const learningWins: Metric = {
  ...winRate,
  section: 'village',
  name: 'learning_wins',
  title: 'Wins, by block of experience',
  definition: 'As `win_rate`, in each arm and block of a set whose pools of experience grow.',
  notes: 'See [experience](experience.md#growing-pools).',
  hasBaseline: false,
  strata: ['team', 'experience', 'block'],
  breakdowns: byModel.map((table) => [...table]),
  count: countByBlock(winRate, ['team', 'model']),
};
