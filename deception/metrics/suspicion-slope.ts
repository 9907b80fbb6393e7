// Whether suspicion of a player rises or falls from round to round, player by player.
import { theilSen } from '../statistics/rank-trend.ts';
import { sumOf, type Sums } from '../statistics/sums.ts';
import { mean } from '../ratios.ts';
import type { AnalysisRow, Tables } from '../tables/rows.ts';
import { isByListener, ofJudgements } from './judgements.ts';
import type { Metric, Tally } from './metric.ts';

const keyOf = ({ source, kind, speaker }: AnalysisRow) => JSON.stringify([source, kind, speaker]);

/** The mean suspicion in each round, as the points of a trend. */
const pointsOf = (rows: readonly AnalysisRow[]) =>
  [...Map.groupBy(rows, ({ round }) => round)].map(([x, same]) => ({
    x,
    y: mean(same.flatMap(({ suspicion }) => suspicion ?? []))!,
  }));

/** Rises and falls are added up apart, so that no sum is below 0. */
function slopesOf({ analyses }: Tables): Tally[] {
  const judged = analyses.filter((row) => isByListener(row) && row.suspicion !== null);
  return [...Map.groupBy(judged, keyOf).values()].flatMap((rows) => {
    const slope = theilSen(pointsOf(rows));
    if (slope === null) return [];
    const { source, kind, speaker_team, speaker_role, speaker_model } = rows[0]!;
    const cell = { source, kind, speaker_team, speaker_role, speaker_model };
    return [{ cell, sums: { rising: Math.max(slope, 0), falling: Math.max(-slope, 0), players: 1 } }];
  });
}

const players = (sums: Sums) => sumOf(sums, 'players');

export const suspicionSlope: Metric = {
  name: 'suspicion_slope',
  title: 'Suspicion from round to round',
  section: 'perception',
  definition:
    'The mean over players who were judged in at least two rounds of the Theil–Sen slope of the mean suspicion of their statements (WOLF).',
  unit: 'suspicion a round',
  range: [-1, 1],
  subject: 'speaker_model',
  apart: ofJudgements,
  by: [['speaker_team'], ['speaker_role'], ['speaker_model']],
  tallies: slopesOf,
  value: (sums) => (players(sums) === 0 ? null : (sumOf(sums, 'rising') - sumOf(sums, 'falling')) / players(sums)),
  opportunities: players,
};
