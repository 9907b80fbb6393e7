// Studies planned with `npm run plan`: from a crossed pilot, from bots without a pilot, and for the width of an
// interval.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Comparison } from '../../deception/comparison/comparison-schema.ts';
import { readPlanFile } from '../../scripts/command/analysis-plan-file.ts';
import { run } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const out = createTemporaryFolder();
const at = (...parts: string[]) => path.join(out, ...parts);
const short = ['--rule', 'debateTurns=2', '--rule', 'maxRounds=1', '--quiet'];
const play = (name: string, ...more: string[]) => run('match', ['--out', at(name), ...short, ...more]);

describe('npm run plan', () => {
  it('says how many deals make an interval so narrow', async () => {
    const args = [
      ...['--trials', '4', '--rule', 'debateTurns=1', '--rule', 'maxRounds=1'],
      '--endpoint',
      'words_per_turn:team=werewolves',
      '--json',
    ];
    const count = async (...more: string[]) =>
      (JSON.parse((await run('plan', [...args, ...more])).stdout) as { endpoints: { deals: number; spread: number }[] })
        .endpoints[0]!;
    const { spread } = await count('--effect', '1');
    const precision = ['--precision', String(spread / 5)];
    const found = await count(...precision, '--spread', 'estimate');
    expect(found.deals).toBe(99); // (1.984 · 5)², with Student's t of 98 degrees of freedom
    const bound = await count(...precision);
    expect(bound.deals).toBe(433); // (1.965 · 5)² · 2 / .446: three deals have data, and .446 is the .2 quantile of χ² with two
  });

  it('plans a crossed design from bots where there is no pilot, and says so', async () => {
    const models = ['--models', 'openai:gpt-4o?priceIn=2&priceOut=8', 'openai:gpt-4o-mini?priceIn=1&priceOut=4'];
    const ground = ['--trials', '3', '--rule', 'maxRounds=1', '--rule', 'debateTurns=2'];
    const belief = ['--endpoint', 'belief_brier:source=match,kind=debate,part=village'];
    const { code, stdout } = await run('plan', ['--effect', '.1', ...models, ...ground, ...belief]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/design crossed, 4 matches per deal/);
    expect(stdout).toContain('3 matches of built-in bots (bot:classic), because there is no pilot');
  });

  it('expects the calls and the cost that a dry run of the planned study expects', async () => {
    const models = ['openai:gpt-4o?priceIn=2&priceOut=8', 'openai:gpt-4o-mini?priceIn=1&priceOut=4'];
    const judge = ['--judge', 'openai:gpt-4.1'];
    const belief = ['--endpoint', 'belief_brier:source=match,kind=debate,part=village', '--effect', '.1'];
    const file = at('estimated.yaml');
    const args = ['--models', ...models, ...judge, '--trials', '3', ...belief, ...short.slice(0, -1)];
    interface Effort {
      calls: number;
      tokens: { in: number; out: number };
      cost: number;
    }
    const planned = JSON.parse((await run('plan', [...args, '--json'])).stdout) as {
      endpoints: (Effort & { seconds: number; matches: number })[];
      judge: Effort & { model: string };
    };
    expect((await run('plan', [...args, '--out', file])).code).toBe(0);
    const { stdout } = await play('dry', '--plan', file, '--crossed', ...models, '--dry-run', '--json');
    const { judge: judging, ...dry } = JSON.parse(stdout) as Effort & { judge: Effort };
    const { matches, calls, tokens, cost, seconds } = planned.endpoints[0]!;
    expect(dry).toMatchObject({ matches, calls, tokens, cost, seconds });
    expect(judging).toMatchObject(planned.judge);
  });

  it('plans a crossed study from a crossed pilot, which is then played and compared under the plan', async () => {
    const pair = ['--crossed', 'bot:classic', 'bot:random', '--rule', 'beliefs=each-round'];
    await play('pilot-crossed', ...pair, '--matches', '3');
    const belief = 'belief_brier:source=match,kind=beliefs,part=village';
    const named = ['--endpoint', `${belief},effect=.3`, '--endpoint', 'words_per_turn:part=pack,effect=90'];
    const { code, stdout } = await run('plan', [at('pilot-crossed'), ...named, '--out', at('crossed.yaml')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/design crossed, 4 matches per deal/);
    expect(stdout).toContain('differences within 3 deals that 4 pairs of models played');
    const file = at('crossed.yaml');
    expect(readPlanFile(file).plan).toMatchObject({
      endpoints: [{ part: 'village', effect: 0.3 }, { part: 'pack' }],
      ...{ crossed: ['bot:classic', 'bot:random'], seed: 4, pilot_seeds: ['1-3'] },
    });
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^deals: \d+$/m, 'deals: 2'));
    const onPilot = await run('plan', [at('pilot-crossed'), ...named, '--seed', '3', '--out', at('on-pilot.yaml')]);
    expect([onPilot.code, onPilot.stderr]).toEqual([2, expect.stringContaining('which the pilot played')]);
    expect((await play('study', ...pair, '--plan', file)).code).toBe(0);
    const compared = await run('compare', [
      at('study'),
      '--plan',
      file,
      '--resamples',
      '20',
      '--out',
      at('study-found'),
    ]);
    expect(compared.code).toBe(0);
    const found = Comparison.parse(JSON.parse(readFileSync(at('study-found', 'comparison.json'), 'utf8')));
    expect(found).toMatchObject({ by: 'crossed', preregistration: { status: 'preregistered', sample: 'reached' } });
    expect(found.primary.map(({ part, confirmatory }) => [part!.name, confirmatory])).toEqual([
      ['village', true],
      ['pack', true],
    ]);
  });

  it('is compared under its plan where a judge ends the study', async () => {
    const pair = ['--crossed', 'bot:classic?lie=.1', 'bot:classic?lie=.9', '--judge', 'bot:meant'];
    await play('pilot-judged', ...pair, '--matches', '3');
    const file = at('judged.yaml');
    const endpoint = ['--endpoint', 'lie_turn_rate:team=werewolves,part=actor', '--effect', '.6'];
    expect((await run('plan', [at('pilot-judged'), ...endpoint, '--out', file])).code).toBe(0);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^deals: \d+$/m, 'deals: 2'));
    expect((await play('judged', ...pair, '--plan', file)).code).toBe(0);
    const found = Comparison.parse(JSON.parse(readFileSync(at('judged', 'comparison', 'comparison.json'), 'utf8')));
    expect(found).toMatchObject({ preregistration: { status: 'preregistered', sample: 'reached' } });
  });
});
