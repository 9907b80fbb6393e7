// Estimates of matches whose players have a pool. Other rules cannot be estimated with its entries.
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { estimateBeliefs, estimateBothTurns, estimateMatches, estimateWithFullMemory } from '../../graph/estimate.ts';
import { playMatch } from '../../graph/play-match.ts';
import type { MatchPlan } from '../../graph/prepare-match.ts';
import { run } from '../scripts/process.ts';
import { createBoard } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const env = { OPENAI_API_KEY: 'none' };
const priced = 'openai:tiny?structured=family&priceIn=1&priceOut=10';

describe('an estimate of matches with a pool', () => {
  it('compares no other rules, since its entries hold for those of the pool alone, and adds beliefs without it', async () => {
    const past = createTemporaryFolder();
    const long: MatchPlan = { board: createBoard(1, 1, 1, 3), rules: 'arena', rule: { debateTurns: 3, maxRounds: 1 } };
    for (const seed of [1, 2, 3])
      await playMatch({ ...long, model: 'bot:classic', seed, out: path.join(past, 'runs') });
    await run('pool', ['build', path.join(past, 'runs'), '--out', path.join(past, 'pool')]);
    const experience = { pool: path.join(past, 'pool'), from: 'any' as const, k: 2 };
    const planOf = (seed: number): MatchPlan => ({ ...long, model: priced, seed });
    const set = { seed: 500, matches: 2, planOf: (seed: number) => ({ ...planOf(seed), experience }) };
    const options = { env, concurrency: 1000 };
    expect(await estimateBothTurns(set, await estimateMatches(set, options), options)).toBeNull();
    expect(await estimateWithFullMemory(set, options)).toBeNull();
    const added = await estimateBeliefs(set, options);
    expect(added?.calls).toBeGreaterThan(0);
    expect(added).toEqual(await estimateBeliefs({ ...set, planOf }, options));
  });
});
