// How what matches add to a metric becomes cells and figures.
import { describe, expect, it } from '@jest/globals';
import { Collection, figureOf } from '../../../deception/metrics/collect.ts';
import { lieRate } from '../../../deception/metrics/lie-rate.ts';
import type { Metric } from '../../../deception/metrics/metric.ts';
import { resampling } from '../../../deception/statistics/resampling.ts';
import { statement, tables } from './row-builder.ts';

const talk = (lies: number, opportunities: number) => tables({ statements: [statement({ lies, opportunities })] });
const whole = (collection: Collection) => collection.collected().find(({ cell }) => Object.keys(cell).length === 0)!;
const figure = (collection: Collection) => figureOf(whole(collection), resampling(collection.size, 20, 1));

describe('a collection', () => {
  it('makes a ratio of sums over matches, with the mean of their values beside it', () => {
    const collection = new Collection([lieRate]);
    collection.add(talk(1, 1), 'a');
    collection.add(talk(0, 3), 'b');
    collection.add(talk(0, 0), 'c');
    const { value, mean_of_matches: mean, matches_with_value: count, matches } = figure(collection);
    expect({ value, mean, count, matches }).toEqual({ value: 1 / 4, mean: 1 / 2, count: 2, matches: 2 });
  });

  it('adds up what is of one unit, as the matches of one deal', () => {
    const collection = new Collection([lieRate]);
    collection.add(talk(1, 1), 'deal');
    collection.add(talk(0, 3), 'deal');
    expect(collection.size).toBe(1);
    expect(whole(collection).clusters).toEqual([{ unit: 'deal', sums: { lies: 1, opportunities: 4 } }]);
  });

  it('counts a match only where there is anything to count, so that its number and "too few" agree', () => {
    const collection = new Collection([lieRate]);
    for (let unit = 0; unit < 40; unit++) collection.add(unit < 9 ? talk(unit % 2, 2) : talk(0, 0), String(unit));
    expect(collection.size).toBe(40);
    expect(figure(collection)).toMatchObject({ matches: 9, reason: 'too few' });
    for (let unit = 9; unit < 12; unit++) collection.add(talk(1, 2), String(unit));
    expect(figure(collection)).toMatchObject({ matches: 12, reason: null });
  });

  it('gives no interval to a few matches, and says so', () => {
    const collection = new Collection([lieRate]);
    for (const unit of 'abc') collection.add(talk(1, 2), unit);
    const { low, high, method, reason } = figure(collection);
    expect({ low, high, method, reason }).toEqual({ low: null, high: null, method: null, reason: 'too few' });
  });

  it('pools no dimension that is always apart, and leaves a tally out of tables whose dimension it lacks', () => {
    const metric: Metric = {
      ...lieRate,
      apart: ['kind'],
      by: [['role']],
      tallies: () => [
        { cell: { kind: 'debate', role: 'x' }, sums: { lies: 1, opportunities: 1 } },
        { cell: { kind: 'debate' }, sums: { lies: 0, opportunities: 1 } },
        { cell: { kind: 'ballot' }, sums: { lies: 0, opportunities: 1 } },
      ],
    };
    const collection = new Collection([metric]);
    collection.add(tables());
    expect(collection.collected().map(({ cell, clusters }) => [cell, clusters[0]!.sums['opportunities']])).toEqual([
      [{ kind: 'ballot' }, 1],
      [{ kind: 'debate' }, 2],
      [{ kind: 'debate', role: 'x' }, 1],
    ]);
  });

  it('counts the matches that have a cell, where a metric is a mean over them', () => {
    const metric: Metric = {
      ...lieRate,
      by: [['role']],
      isPerMatch: true,
      tallies: () => ['x', 'x', 'y'].map((role) => ({ cell: { role }, sums: { lies: 1 } })),
    };
    const collection = new Collection([metric]);
    collection.add(tables(), 'deal');
    collection.add(tables(), 'deal');
    expect(collection.collected().map(({ cell, clusters }) => [cell, clusters[0]!.sums])).toEqual([
      [{}, { lies: 6, matches: 2 }],
      [{ role: 'x' }, { lies: 4, matches: 2 }],
      [{ role: 'y' }, { lies: 2, matches: 2 }],
    ]);
  });

  it('counts once a match what several metrics share', () => {
    let calls = 0;
    const tallies = () => {
      calls++;
      return [];
    };
    const collection = new Collection(['one', 'two'].map((name) => ({ ...lieRate, name, tallies })));
    collection.add(tables());
    expect(calls).toBe(1);
  });
});
