// Reports whose command is killed at each step in which it replaces the earlier report.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { run, startScript } from '../scripts/process.ts';

const study = path.join(createTemporaryFolder(), 'study');
const report = path.join(study, 'report');
const at = (name: string) => path.join(report, name);
const short = ['--rules', 'arena', '--rule', 'debateTurns=1', '--rule', 'maxRounds=1', '--quiet'];
const play = (id: string, seed: string) => run('match', ['--out', study, '--id', id, '--seed', seed, ...short]);

/**
 * Returns arguments under which Node kills itself just before one of the file-system calls that move or remove the
 * report's folder. `call`: number of this call. If the process ends by itself, it prints the number of calls.
 */
const killBefore = (call: number) => {
  const code = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    let count = 0;
    for (const name of ['renameSync', 'rmSync']) {
      const real = fs[name];
      fs[name] = (...args) => {
        if (/[.]wolfgraph-old-|draft /.test(args[0] + ' ' + args[1]) && (count += 1) === ${call}) process.kill(process.pid, 'SIGKILL');
        return real(...args);
      };
    }
    syncBuiltinESMExports();
    process.on('exit', () => count > 0 && process.stderr.write('calls: ' + count));`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
};

const start = (env: Readonly<Record<string, string>>) =>
  startScript('report', [study, '--no-baselines', '--no-cache'], { env }).ended;

/** Returns the number of matches that each file of the report states. Null if there is no report. */
const countMatches = () =>
  existsSync(report)
    ? [
        (JSON.parse(readFileSync(at('report.json'), 'utf8')) as { matches: number }).matches,
        readFileSync(at('matches.csv'), 'utf8').trimEnd().split('\n').length - 1,
      ]
    : null;

const examine = async () =>
  (await run('doctor', ['--out', study])).stdout.split('\n').find((line) => / report /.test(line));

const own = ['notes.txt', 'pictures/mine.svg', 'mine/deep.txt'];
const readOwn = () => own.filter((name) => existsSync(at(name)));

describe('a report whose command is killed while it replaces the earlier one', () => {
  it('is the earlier or the new one as a whole at each step, and the same command puts everything in its place', async () => {
    await play('first', '1');
    expect(await start({})).toMatchObject({ code: 0 });
    for (const name of own) {
      mkdirSync(path.dirname(at(name)), { recursive: true });
      writeFileSync(at(name), 'mine');
    }
    await play('second', '2');
    // Two renames test whether the folder can be moved, two swap the folders, one moves each file of the user, and one
    // call removes the old folder.
    const calls = 4 + own.length + 1;
    for (let call = 1; call <= calls; call += 1) {
      expect(await start(killBefore(call))).toMatchObject({ code: null });
      const counted = countMatches();
      expect(counted === null || counted[0] === counted[1]).toBe(true);
      const isAside = readdirSync(study).includes('.wolfgraph-old-report');
      expect(isAside).toBe(![1, 3].includes(call));
      expect(await examine()).toMatch(isAside ? /^FAULT +report .*killed.*run the command again/ : /^ok +report/);
      if (!isAside) expect(readOwn()).toEqual(own);
      // The next command recovers the folder; then the next step is tried on the first match's report.
      expect(await start({})).toMatchObject({ code: 0, stderr: expect.stringContaining('2 matches are reported') });
      expect(countMatches()).toEqual([2, 2]);
      expect(readOwn()).toEqual(own);
      expect(await examine()).toMatch(/^ok +report/);
      expect(readdirSync(study).filter((name) => name.startsWith('.')).sort()).toEqual([]); // prettier-ignore
    }
    const { stderr } = await start(killBefore(calls + 1));
    expect(stderr).toMatch(new RegExp(`calls: ${calls}$`));
    rmSync(study, { recursive: true });
  });
});
