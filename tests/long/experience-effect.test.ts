// The three arms find a planted effect of memory: the bot plays better with relevant entries than with shuffled ones.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import type { Comparison } from '../../deception/comparison/comparison-schema.ts';
import { run } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = createTemporaryFolder();
const at = (...names: string[]) => path.join(root, ...names);
const rule = { analysis: 'off', debateTurns: 3, maxRounds: 2 };

describe('the three arms', () => {
  const out = at('out');
  beforeAll(async () => {
    mkdirSync(at('past'));
    writeFileSync(at('past.yaml'), stringify({ rule, villagers: 'bot:classic', werewolves: 'bot:random' }));
    await run('match', [at('past.yaml'), '--matches', '20', '--out', at('past'), '--quiet']);
    await run('pool', ['build', at('past'), '--out', at('pool')]);
    const plan = {
      ...{ name: 'memory', entrants: { heedful: 'bot:classic?memory=1', dice: 'bot:random' } },
      ...{ format: 'head-to-head', rule, deals: 12, seed: 500 },
      ...{ experience: { pool: 'pool', from: 'any', seats: ['heedful'] } },
      ...{ conditions: { experience: ['none', 'pool', 'shuffled'] } },
    };
    writeFileSync(at('memory.yaml'), stringify(plan));
    expect(await run('tournament', [at('memory.yaml'), '--out', out, '--quiet'])).toMatchObject({ code: 0 });
  });
  const village = (arm: string) => path.join(out, `pack-dice_village-heedful__experience-${arm}`);

  it('finds a bot that plays better with what fits, and shuffled entries no better than none', async () => {
    const compare = async (one: string, other: string) => {
      const to = at(`${one}-${other}`);
      const { code } = await run('compare', [
        village(one),
        village(other),
        '--out',
        to,
        '--resamples',
        '300',
        '--no-cache',
      ]);
      expect(code).toBe(0);
      const comparison = JSON.parse(readFileSync(path.join(to, 'comparison.json'), 'utf8')) as Comparison;
      expect(comparison.contrasts.map(({ what }) => what)).toContain('experience');
      return comparison.secondary.find(({ metric, of }) => metric === 'irp_votes' && Object.keys(of).length === 0)!;
    };
    const memory = await compare('pool', 'shuffled');
    expect(memory.difference!).toBeGreaterThan(0.05);
    expect(memory.low!).toBeGreaterThan(0);
    const tokens = await compare('shuffled', 'none');
    expect(tokens.difference!).toBeLessThan(memory.difference!);
  });
});
