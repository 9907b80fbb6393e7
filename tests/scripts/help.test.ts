// The help of every script: complete, and there before anybody wonders.
import { describe, expect, it } from '@jest/globals';
import { rulebook } from '../../state/rulebook.ts';
import { run, runProcess } from './process.ts';

const scripts = ['match', 'show', 'report', 'replay', 'import', 'annotate', 'simulate'] as const;

const helps = Object.fromEntries(
  await Promise.all(scripts.map(async (script) => [script, await run(script, ['--help'])] as const)),
);

describe('--help', () => {
  it.each(scripts)('of %s says how to call it, and nothing is wrong', (script) => {
    const { code, stdout, stderr } = helps[script]!;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: npm run ${script} -- `));
  });

  it('of match names every option, every rule and every exit code', () => {
    const { stdout } = helps['match']!;
    const options = ['board', 'rules', 'rule', 'seed', 'model', 'villagers', 'werewolves', 'role', 'seat', 'out', 'id'];
    for (const option of [...options, 'matches', 'dry-run', 'max-cost', 'concurrency', 'reveal', 'json', 'quiet'])
      expect(stdout).toMatch(new RegExp(`^  --${option} `, 'm'));
    for (const rule of Object.keys(rulebook)) expect(stdout).toMatch(new RegExp(`^  ${rule}=`, 'm'));
    for (const code of [0, 1, 2, 3, 4, 130, 143]) expect(stdout).toMatch(new RegExp(`\\b${code} [a-z]`));
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it.each(scripts)('of %s is answered within a second', async (script) => {
    const atExit = 'process.on("exit", () => process.stderr.write(String(process.cpuUsage().user)))';
    const env = { NODE_COMPILE_CACHE: '', NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(atExit)}` };
    const { stderr } = await runProcess(script, ['--help'], { env });
    expect(Number(stderr) / 1e6).toBeLessThan(1); // of its own time: the machine may be busy with other tests
  });
});
