// A crossed design with planted truth: bots that lie equally often and listen differently.
import { describe, expect, it } from '@jest/globals';
import {
  CrossedCollection,
  listCrossedArms,
  listPartContrasts,
  narrowToSides,
  pairCrossed,
} from '../../deception/comparison/crossed-effects.ts';
import type { Difference, EffectPartName } from '../../deception/comparison/comparison-schema.ts';
import { computeDifferences } from '../../deception/comparison/differences.ts';
import { isSameCell } from '../../deception/comparison/comparison-schema.ts';
import { listModelPairs, listScheduledMatches } from '../../deception/design/schedule.ts';
import { metrics } from '../../deception/metrics/index.ts';
import type { MetricCell } from '../../deception/metrics/metric.ts';
import { createResampling } from '../../deception/statistics/bootstrap.ts';
import type { MatchTables } from '../../deception/tables/match-tables.ts';
import type { PlantedRates } from '../../models/bots/calibrated.ts';
import { playCalibratedSides } from '../../tools/validate/validate-cell.ts';

/** Plays a study of two bots and returns its rows for these metrics. */
async function study(x: PlantedRates, y: PlantedRates, deals: number, isWanted: (name: string) => boolean) {
  const planted: Readonly<Record<string, PlantedRates>> = { x, y };
  const seeds = Array.from({ length: deals }, (_, index) => index + 1);
  const matches: MatchTables[] = [];
  for (const [arm, { seed, villagers, werewolves }] of listScheduledMatches(
    seeds,
    listModelPairs(['x', 'y']),
  ).entries()) {
    const sides = {
      villagers: { name: villagers, planted: planted[villagers]! },
      werewolves: { name: werewolves, planted: planted[werewolves]! },
    };
    matches.push(await playCalibratedSides(sides, seed, arm, { maxRounds: 1 }));
  }
  const rows = matches.map(({ match }) => match);
  const arms = listCrossedArms(rows);
  const wanted = metrics.flatMap((metric) => (isWanted(metric.name) ? (narrowToSides(metric) ?? []) : []));
  const collection = new CrossedCollection(wanted, arms);
  for (const match of matches) collection.add(match);
  const { deals: paired } = pairCrossed(rows, arms);
  const contrasted = collection.listContrasted(listPartContrasts(arms).identified, paired);
  return computeDifferences(contrasted, [], createResampling(paired.length, 400, 1)).secondary;
}

const find = (rows: readonly Difference[], metric: string, cell: MetricCell, part: EffectPartName) =>
  rows.find(
    (row) =>
      row.part?.name === part && [row, ...row.also].some((name) => name.metric === metric && isSameCell(name.of, cell)),
  )!;

const rates = { lie: 0.9, hit: 0.5, falseAlarm: 0.2, admission: 0.5, missing: { lie: 0, other: 0 }, icc: 0 };
const judged = { source: 'match', kind: 'debate' };
const packHeard = { ...judged, speaker_team: 'werewolves', observer_team: 'villagers' };
const flags = 'perceived_flag_rate';
const honest = 'lies_called_honest_rate';

describe('two bots that lie alike, of which one listens better', () => {
  it('differ in the listener’s part, and not in the speaker’s', async () => {
    const names = ['lie_rate', honest, flags];
    const rows = await study({ ...rates, hit: 0.9 }, { ...rates, hit: 0.3 }, 16, (name) => names.includes(name));
    const listener = find(rows, flags, packHeard, 'listener');
    // Nine in ten statements are lies, and one bot flags lies more often by .6.
    expect(Math.abs(listener.difference! - 0.54)).toBeLessThan(0.15);
    expect(listener.low!).toBeLessThan(0.54);
    expect(listener.high!).toBeGreaterThan(0.54);
    expect(listener.p_adjusted!).toBeLessThan(0.01);
    for (const [metric, cell] of [
      [honest, packHeard],
      [flags, packHeard],
    ] as const) {
      const speaker = find(rows, metric, cell, 'speaker');
      expect(speaker.part).toMatchObject({ side: 'werewolves', models: ['x', 'y'], opponents: ['x', 'y'] });
      expect(Math.abs(speaker.difference!)).toBeLessThan(0.15);
      expect(speaker.p!).toBeGreaterThan(0.01);
    }
    expect(find(rows, 'lie_rate', { team: 'werewolves' }, 'actor').p!).toBeGreaterThan(0.01);
  });
});
