// Rows of a comparison that are tested together. Finer cells are tested only under a headline that differs.
import { describe, expect, it } from '@jest/globals';
import { createPart, listPartContrasts, narrowToSides } from '../../../deception/comparison/crossed-effects.ts';
import type { ContrastedFigure } from '../../../deception/comparison/contrasted-figure.ts';
import { computeDifferences } from '../../../deception/comparison/differences.ts';
import {
  findHeadlinesAbove,
  getTestFamily,
  isComparedHeadline,
  selectHeadlineRows,
} from '../../../deception/comparison/test-families.ts';
import { metrics } from '../../../deception/metrics/index.ts';
import { createRatioFigure, type Metric, type MetricCell } from '../../../deception/metrics/metric.ts';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import { pairContrast } from '../../../deception/statistics/paired-test.ts';
import { draw } from '../../../state/random.ts';

const find = (name: string) => narrowToSides(metrics.find((metric) => metric.name === name)!)!;
const [flagged, wins, bids] = ['perceived_flag_rate', 'win_rate', 'highest_bid_rate'].map(find) as [Metric, Metric, Metric]; // prettier-ignore
const { identified } = listPartContrasts([
  { werewolves: 'x', villagers: 'x' },
  { werewolves: 'x', villagers: 'y' },
  { werewolves: 'y', villagers: 'x' },
  { werewolves: 'y', villagers: 'y' },
]);

/** Rows of all parts of a cell. */
const listRows = (metric: Metric, cell: MetricCell, deals: ContrastedFigure['deals'] = []): ContrastedFigure[] =>
  identified.map((one) => ({
    ...{ metric, cell, deals, contrast: one.contrast, isJoint: false, part: createPart(one, metric, cell) },
  }));

const heard = (changes: MetricCell): MetricCell => ({ source: 'match', kind: 'debate', ...changes });
const apart = heard({ speaker_team: 'werewolves', observer_team: 'villagers' });

describe('a headline', () => {
  const listHeadlines = (...rows: ContrastedFigure[]) => [...selectHeadlineRows(rows)].map(({ cell }) => cell);
  const ofVillage = heard({ speaker_team: 'villagers', observer_team: 'werewolves' });

  it('is the cell that tells speakers and listeners apart, and no coarser or finer one', () => {
    const cells = [
      ...[heard({}), heard({ observer_team: 'villagers' }), apart, ofVillage],
      ...[heard({ speaker_team: 'werewolves', observer_team: 'werewolves' }), heard({ observer_role: 'Seer' })],
    ];
    const rows = cells.flatMap((cell) => listRows(flagged, cell));
    expect(new Set(listHeadlines(...rows))).toEqual(new Set([apart, ofVillage]));
  });

  it('is of debates as players judged, unless there are only others', () => {
    const ballot = heard({ kind: 'ballot', speaker_team: 'werewolves', observer_team: 'villagers' });
    const annotated = { ...apart, source: 'bot:classic' };
    const rows = [apart, ballot, annotated].map((cell) => listRows(flagged, cell)[0]!);
    expect(listHeadlines(...rows)).toEqual([apart]);
    expect(listHeadlines(...rows.slice(2))).toEqual([annotated]);
  });

  it('is of each side where a metric names one, and of no metric that no report begins with', () => {
    const cells = [{}, { team: 'werewolves' }, { team: 'villagers' }, { role: 'Seer' }];
    const rows = [wins, bids].flatMap((metric) => cells.map((cell) => listRows(metric, cell)[0]!));
    expect(listHeadlines(...rows)).toEqual([{ team: 'werewolves' }, { team: 'villagers' }]);
    expect([wins, bids].map(isComparedHeadline)).toEqual([true, false]);
  });
});

describe('a finer cell', () => {
  it('is under the headline of its metric, models and side whose cell it lies in', () => {
    const cells = [
      ...[apart, heard({ speaker_role: 'Werewolf', observer_role: 'Seer' }), heard({ observer_role: 'Seer' })],
      heard({ speaker_role: 'Seer', observer_role: 'Werewolf' }),
    ];
    const rows = cells.flatMap((cell) => listRows(flagged, cell));
    const above = findHeadlinesAbove(
      rows.map((row) => ({ row, cells: [row.cell] })),
      selectHeadlineRows(rows),
    );
    expect(above).toEqual([...[null, null, null], ...[0, 1, 2], ...[null, null, null], ...[null, null, null]]);
  });

  it('may lie in it under another name of the row', () => {
    const rows = [apart, heard({ speaker_team: 'werewolves', round: '2' })].map((cell) => listRows(flagged, cell)[0]!);
    const names = [[apart, heard({ speaker_team: 'werewolves' })], [rows[1]!.cell]];
    const placed = rows.map((row, place) => ({ row, cells: names[place]! }));
    expect(findHeadlinesAbove(placed, selectHeadlineRows(rows))).toEqual([null, 0]);
  });
});

it('families are the parts; without parts what is joint with the opponent stands apart', () => {
  const rows = listRows(flagged, apart);
  expect(rows.map(getTestFamily)).toEqual(['speaker', 'listener', 'interaction']);
  expect(listRows(wins, { team: 'werewolves' }).map(getTestFamily)).toEqual(['actor', 'opponent', 'interaction']);
  expect([true, false].map((isJoint) => getTestFamily({ part: null, isJoint }))).toEqual(['joint', 'all']);
});

describe('adjusted p', () => {
  const chance = draw(9, 'families');
  const count = 30;
  const metric = (name: string): Metric => ({ ...wins, name, title: name, ...createRatioFigure('part', 'whole') });
  const drawRow = (name: string, cell: MetricCell, rates: readonly [number, number]): ContrastedFigure => ({
    ...{ metric: metric(name), cell, contrast: pairContrast, isJoint: false, part: null },
    deals: Array.from({ length: count }, () =>
      rates.map((rate) => ({
        part: Array.from({ length: 20 }, () => chance.fraction()).filter((one) => one < rate).length,
        whole: 20,
      })),
    ),
  });
  const different = [0.7, 0.4] as const;
  const same = [0.5, 0.5] as const;
  const rows = [
    drawRow('win_rate', { team: 'werewolves' }, different),
    drawRow('win_rate', { role: 'Werewolf', round: '1' }, different),
    drawRow('win_rate', { role: 'Werewolf', round: '2' }, same),
    drawRow('bid_height', { team: 'werewolves' }, same),
    drawRow('bid_height', { role: 'Werewolf' }, different),
    drawRow('highest_bid_rate', { team: 'werewolves' }, different),
  ];
  const resampling = createResampling(count, 400, 1);
  const { secondary } = computeDifferences(rows, [], resampling);

  it('is found of a headline and of the finer cells in which it differs', () => {
    expect(secondary.map(({ tier }) => tier)).toEqual([
      ...['headline', 'finer cell', 'finer cell', 'headline', 'finer cell', 'not tested'],
    ]);
    const [headline, first, second] = secondary;
    expect(headline!.p_adjusted!).toBeLessThan(0.01);
    expect(first!.p_adjusted!).toBeLessThan(0.05);
    expect(second!.p_adjusted!).toBeGreaterThan(0.05);
  });

  it('is never less than that of the headline, so that nothing is found under one that does not differ', () => {
    const [, , , headline, finer] = secondary;
    expect(headline!.p_adjusted!).toBeGreaterThan(0.05);
    expect(finer!.p!).toBeLessThan(0.01);
    expect(finer!.p_adjusted!).toBeGreaterThanOrEqual(headline!.p_adjusted!);
  });

  it('is the same where only what tests need is resampled, and all else then has its estimates alone', () => {
    const { secondary: tested } = computeDifferences(rows, [], resampling, undefined, 'tested');
    expect(tested.slice(0, 4)).toEqual(secondary.slice(0, 4));
    for (const place of [4, 5]) {
      const [all, own] = [secondary[place]!, tested[place]!];
      const none = { p: null, p_adjusted: null, low: null, high: null, method: null, detectable: null, covers: null };
      expect(all.low).not.toBeNull();
      expect(own).toEqual({ ...all, ...none, reason: 'not resampled' });
    }
  });

  it('is missing of what is neither, however small its p', () => {
    expect(secondary[5]!.p!).toBeLessThan(0.01);
    expect(secondary[5]!.p_adjusted).toBeNull();
  });
});
