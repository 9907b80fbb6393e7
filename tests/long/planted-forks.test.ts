// Forks made with the command alone: a planted effect is found, no effect is found where none is planted, and the
// largest effects are ranked by fresh replays.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { ForkReport } from '../../report/fork-effects-parts.ts';
import { run, smallBoard } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = createTemporaryFolder();
const at = (...parts: string[]) => path.join(root, ...parts);
const short = ['--board', smallBoard, '--rules', 'wolf', '--rule', 'debateTurns=1', '--rule', 'maxRounds=1'];
const readReport = (out: string) => JSON.parse(readFileSync(path.join(out, 'effects.json'), 'utf8')) as ForkReport;

async function measure(p: number): Promise<ForkReport['effects'][number]> {
  const [study, out] = [at(`study-${p}`), at(`forks-${p}`)];
  const played = await run('match', [
    ...[...short, '--rule', 'analysis=off', '--model', `bot:follows?p=${p}`],
    ...['--matches', '60', '--out', study, '--quiet', '--no-report'],
  ]);
  expect(played.code).toBe(0);
  const where = ['--where', 'kind=debate claim.type=accusation', '--arms', 'neutral'];
  const { code, stderr } = await run('fork', [study, ...where, '--out', out, '--quiet']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const found = readReport(out).effects.find(
    (one) => one.outcome === 'votes_against_target' && one.arm === 'neutral' && Object.keys(one.of).length === 0,
  );
  expect(found).toBeDefined();
  return found!;
}

describe('listeners who vote for the accused with probability p', () => {
  it.each([0.4, 0])('give the accusation the effect p(1 − q) on the votes against its target: p = %d', async (p) => {
    const { statements, effect, other, low, high } = await measure(p);
    expect(statements).toBeGreaterThanOrEqual(50);
    const planted = p * (1 - other!);
    expect(low!).toBeLessThanOrEqual(planted);
    expect(high!).toBeGreaterThanOrEqual(planted);
    expect(Math.abs(effect! - planted)).toBeLessThan(0.12);
  });
});

describe('the largest effects', () => {
  it('are ranked by ten fresh replays each, and by these alone', async () => {
    const out = at('forks-0.4');
    const before = readdirSync(path.join(out, 'forks')).length;
    const { code } = await run('fork', ['--out', out, '--rank', '2', '--quiet']);
    expect(code).toBe(0);
    const { ranked } = readReport(out);
    expect(ranked).toHaveLength(2);
    expect(readdirSync(path.join(out, 'forks')).length).toBeGreaterThan(before);
    for (const one of ranked) expect(one).toMatchObject({ replays: 10 });
  });
});
