// Runs every command with each file that its command line can name, where an attacker or an accident has changed the
// file.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { whole } from '../graph/import/published-game.ts';
import { expectDecent, listRuns } from '../hostile/command-checks.ts';
import { mostMemory, runJobs } from '../hostile/command-runner.ts';
import { buildInputJobs, findOnly } from '../hostile/hostile-inputs.ts';
import { SpecialFiles } from '../hostile/special-files.ts';
import { run, shortest } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const describeLinux = process.platform === 'linux' ? describe : describe.skip;

const root = createTemporaryFolder();
const at = (...names: string[]) => path.join(root, ...names);
const [session, game, pool] = [at('session'), at('games', 'game.json'), at('pool')];
for (const folder of ['session', 'games', 'workshop']) mkdirSync(at(folder));

await run('match', [...shortest, '--seed', '1', '--out', at('runs'), '--quiet']);
await run('match', [...shortest, '--seed', '1', '--model', 'bot:random', '--out', at('others'), '--quiet']);
await run('validate', ['--claims', '--corpus', 'voices', '--split', 'test', '--out', at('errors.json')]);
await run('pool', ['build', at('runs'), '--out', pool]);
await run('tournament', [writePlan(), '--out', at('played'), '--quiet']);
const published = path.join(import.meta.dirname, '../published-games/session_20241117_212035');
for (const name of ['game_complete.json', 'game_logs.json'])
  writeFileSync(path.join(session, name), gunzipSync(readFileSync(path.join(published, `${name}.gz`))));
writeFileSync(game, JSON.stringify(whole));

function writePlan(): string {
  const file = at('plan.yaml');
  const rule = { debateTurns: 1, maxRounds: 1, analysis: 'off' };
  const entrants = { a: 'bot:classic', b: 'bot:random' };
  writeFileSync(file, JSON.stringify({ name: 'x', entrants, format: 'round-robin', deals: 1, rules: 'arena', rule }));
  return file;
}

const records = { record: findOnly(at('runs')), other: findOnly(at('others')) };
const sound = { ...records, errors: at('errors.json'), tournament: at('played'), pool, session, game };
const tried = buildInputJobs(at('inputs'), new SpecialFiles(at('workshop')), sound);
const runs = listRuns(tried, await runJobs(tried), root);

describeLinux('every command over hostile files on its command line', () => {
  expectDecent(runs);

  it('takes less than 350 MB', () => {
    expect(runs.filter((run) => run.peak > mostMemory).map(({ typed, peak }) => ({ typed, peak }))).toEqual([]);
  });

  it('takes a sound one', () => {
    const ofSound = runs.filter(({ typed }) => /\/sound\.(yaml|json)/.test(typed));
    const refused = ofSound.filter(({ code }) => code !== 0).map(({ typed, output }) => ({ typed, output }));
    const [answers, deals, key, database] = ['has no answer of', 'has one deal', 'is not set', 'cannot be reached'];
    const expected = { compare: answers, plan: deals, doctor: key, worker: database }; // these commands need something more than a sound input
    for (const { typed, output } of refused)
      expect(output).toContain(expected[typed.split(' ')[0] as keyof typeof expected]);
    expect(refused.map(({ typed }) => typed.split(' ')[0]).sort()).toEqual(Object.keys(expected).sort());
  });
});
