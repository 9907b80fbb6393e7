// The pairs of measurement conditions that a report compares.
import { describe, expect, it } from '@jest/globals';
import {
  compareMeasuringRules,
  createDesignMatch,
  selectDesignMetrics,
} from '../../../deception/comparison/design-effects.ts';
import { metrics } from '../../../deception/metrics/index.ts';
import { buildTables } from '../../../deception/tables/match-tables.ts';
import { play } from '../../table.ts';
import { itLong } from '../../it-long.ts';

const own = selectDesignMetrics(metrics);

/** Creates two deals under each of these measurement rules. */
async function playUnder(conditions: readonly object[]) {
  const designs = [];
  for (const condition of conditions)
    for (const seed of [1, 2]) {
      const rule = { debateTurns: 1, maxRounds: 1, ballots: 'secret', ...condition };
      const { manifest, events, lines } = await play({ model: 'bot:random', rule, seed });
      designs.push(createDesignMatch(buildTables({ manifest, events, answers: lines }), own));
    }
  return designs;
}

const none = { analysis: 'off' };
const conditions = [
  none,
  { ...none, syntheticVotes: true },
  { ...none, beliefs: 'each-round' },
  { ...none, syntheticVotes: true, beliefs: 'each-round' },
];
const listPairs = (designs: Awaited<ReturnType<typeof playUnder>>) =>
  compareMeasuringRules(designs, own, { resamples: 20, seed: 1 }).map(({ a, b }) => [a, b]);

describe('conditions of measuring', () => {
  itLong('are compared each with each where there are three', async () => {
    const pairs = listPairs(await playUnder(conditions.slice(0, 3)));
    expect(pairs).toHaveLength(3);
    expect(new Set(pairs.map(([, less]) => less)).size).toBe(2);
  });

  it('of equal extent are ordered by their names, not by the order of the matches', async () => {
    const designs = await playUnder(conditions.slice(1, 3));
    expect(listPairs(designs.toReversed())).toEqual(listPairs(designs));
  });

  it('are held against the least alone where there are more', async () => {
    const pairs = listPairs(await playUnder(conditions));
    expect(pairs).toHaveLength(3);
    expect(new Set(pairs.map(([, less]) => less))).toEqual(new Set(['syntheticVotes=false, beliefs=off']));
  });
});
