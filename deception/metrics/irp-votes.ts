// Identification precision by what the village votes for.
import { ratioOf, sumOf } from '../statistics/sums.ts';
import { villageBallots } from './final-ballots.ts';
import type { Metric } from './metric.ts';

/** DSGBench (Tang et al. 2025), as its code counts. */
export const irpVotes: Metric = {
  name: 'irp_votes',
  title: 'Village ballots on Werewolves',
  section: 'village',
  definition:
    "Ballots of the village for a Werewolf over all of its ballots, of the last vote of each day (DSGBench's IRP).",
  unit: 'share of ballots',
  range: [0, 1],
  subject: 'model',
  apart: [],
  by: [['model'], ['role'], ['model', 'role'], ['round']],
  tallies: (match) =>
    villageBallots(match).map((row) => ({
      cell: { model: row.voter_model, role: row.voter_role, round: String(row.round) },
      sums: { on_werewolves: row.target_team === 'werewolves' ? 1 : 0, ballots: 1 },
    })),
  hasBaseline: true,
  side: 'villagers',
  value: ratioOf('on_werewolves', 'ballots'),
  opportunities: (sums) => sumOf(sums, 'ballots'),
};
