// How npm reads the options of each command without `--`, tested with npm itself, once for each name.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { expect, it } from '@jest/globals';
import { checkNpmOptions } from '../../scripts/command/npm-options.ts';
import { runWolfgraph, commandNames } from '../../scripts/wolfgraph.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { start } from '../scripts/process.ts';

/**
 * Options of which npm leaves no trace. None of them affects calls or cost. npm reads --csv as -c -s -v, and prints its
 * own version instead of running the command.
 */
const untold = ['--no-cache', '--format', '--alpha', '--k', '--n', '--csv'];

const folder = createTemporaryFolder();
const dump = "console.log(JSON.stringify(Object.entries(process.env).filter(([name]) => name.startsWith('npm_'))))";
writeFileSync(path.join(folder, 'dump.cjs'), dump);
writeFileSync(
  path.join(folder, 'package.json'),
  JSON.stringify({ name: 'asked', private: true, scripts: { asked: 'node dump.cjs' } }),
);

async function listFlags(): Promise<string[]> {
  let help = '';
  const write = (text: string) => (help += text);
  const io = {
    stdout: { write },
    stderr: { write },
    env: {},
    listenToSignals: () => new AbortController().signal,
    releaseSignals: () => undefined,
  };
  const parts = ['build', 'show', 'find', 'merge', 'embed'].map((part) => ['pool', part]);
  for (const words of [...commandNames.map((name) => [name]), ...parts])
    await runWolfgraph([...words, words[0] === 'match' ? '--help-all' : '--help'], io);
  const flags = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+(?: [<[][^>\]]*[>\]])?)/gm)].map(([, flag]) => flag!);
  return [...new Set(flags)].filter((flag) => !flag.startsWith('--help'));
}

/**
 * Returns the options of this list that `checkNpmOptions` does not detect when npm reads all of them in one command.
 */
async function findMissed(flags: readonly string[]): Promise<string[]> {
  const typed = flags.flatMap((flag) => {
    const [name = '', value] = flag.split(' ');
    return value === undefined ? [name] : [name, value.includes('=') ? 'a=1' : '7'];
  });
  const { stdout } = await start('npm', ['run', 'asked', ...typed], { cwd: folder }).ended;
  const told = stdout.trim().split('\n').at(-1)!; // the lines before it are npm's own
  const env = told.startsWith('[[') ? (JSON.parse(told) as [string, string][]) : [];
  return flags.filter((flag) => {
    const program = new Command('npm run asked --').option(flag);
    const [name] = flag.split(' ');
    try {
      checkNpmOptions(program, 'asked', Object.fromEntries(env));
      return true;
    } catch (error) {
      expect((error as Error).message).toMatch(
        new RegExp(`^npm kept ${name} for itself.*: npm run asked -- … ${name}`),
      );
      return false;
    }
  });
}

it('every option that npm takes is known, but for those that it leaves no trace of', async () => {
  const flags = await listFlags();
  expect(flags.length).toBeGreaterThan(80);
  const missed: string[] = [];
  // Starts npm once for ten options, and again for each option that leaves no trace among others.
  const groups = Map.groupBy(flags, (_, at) => Math.floor(at / 10));
  for (const group of groups.values())
    for (const flag of await findMissed(group)) missed.push(...(await findMissed([flag])));
  expect(missed.map((flag) => flag.split(' ')[0]).toSorted()).toEqual(untold.toSorted());
});

it('an option that npm took never serves', async () => {
  const { code, stderr } = await start('npm', ['run', '--silent', 'studio', '--port', '2099']).ended;
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('npm run studio -- … --port <number>') });
});
