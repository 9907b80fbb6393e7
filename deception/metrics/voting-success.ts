// Whether the village's exiles hit Werewolves: VSS.
import { ratioOf, sumOf } from '../statistics/sums.ts';
import type { Tables } from '../tables/rows.ts';
import { villageBallots } from './final-ballots.ts';
import type { Metric, Tally } from './metric.ts';

const shared = {
  section: 'village',
  range: [0, 1],
  subject: 'model',
  apart: [],
  hasBaseline: true,
  side: 'villagers',
} as const;

/** DSGBench (Tang et al. 2025) and WereWolf-Plus (2025), reconstructed. */
export const vssDays: Metric = {
  ...shared,
  name: 'vss_days',
  title: 'Exiles that hit a Werewolf',
  definition: "Days that exiled a Werewolf over days that exiled anybody (WereWolf-Plus's VSS).",
  unit: 'share of days',
  by: [['model'], ['round']],
  isOfWholeSides: true,
  tallies: ({ match, rounds }) =>
    rounds
      .filter(({ exiled }) => exiled !== null)
      .map((row) => ({
        cell: {
          round: String(row.round),
          ...(match.villagers_model === null ? {} : { model: match.villagers_model }),
        },
        sums: { werewolves: row.exiled_team === 'werewolves' ? 1 : 0, exiles: 1 },
      })),
  value: ratioOf('werewolves', 'exiles'),
  opportunities: (sums) => sumOf(sums, 'exiles'),
};

export const vssBallots: Metric = {
  ...shared,
  name: 'vss_ballots',
  title: 'Exiling ballots that hit a Werewolf',
  definition: 'Ballots of the village for whoever was exiled that hit a Werewolf over all that exiled anybody.',
  unit: 'share of ballots',
  by: [['model'], ['role'], ['model', 'role'], ['round']],
  tallies: exilingBallots,
  value: ratioOf('werewolves', 'ballots'),
  opportunities: (sums) => sumOf(sums, 'ballots'),
};

function exilingBallots(match: Tables): Tally[] {
  const exiled = new Map(match.rounds.map((row) => [row.round, row.exiled]));
  return villageBallots(match)
    .filter(({ round, target }) => exiled.get(round) === target)
    .map((row) => ({
      cell: { model: row.voter_model, role: row.voter_role, round: String(row.round) },
      sums: { werewolves: row.target_team === 'werewolves' ? 1 : 0, ballots: 1 },
    }));
}
