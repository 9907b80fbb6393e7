// A study of forks whose process is killed can be resumed, and ends with the same files as one that was never stopped.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { run, smallBoard, startScript } from '../scripts/process.ts';

const root = createTemporaryFolder();
const at = (...parts: string[]) => path.join(root, ...parts);
const quick = ['--board', smallBoard, '--rules', 'wolf', '--rule', 'debateTurns=3', '--rule', 'maxRounds=2'];
const lies = 'verdict=lie team=werewolves kind=debate';
const listForks = (out: string) => readdirSync(path.join(out, 'forks')).sort();
const fork = (...args: string[]) => run('fork', args);

it('goes on after a kill', async () => {
  await run('match', [...quick, '--matches', '8', '--out', at('study'), '--quiet']);
  const args = [at('study'), '--where', lies, '--arms', 'neutral,silence', '--sample', '3', '--out', at('killed')];
  const process = startScript('fork', args);
  await process.said('4 of 12 forks are finished');
  process.child.kill('SIGKILL');
  await process.ended;
  expect((await fork(...args)).code).toBe(0);
  const whole = [at('study'), '--where', lies, '--arms', 'neutral,silence', '--sample', '3', '--out', at('whole')];
  expect((await fork(...whole)).code).toBe(0);
  const eventsOf = (out: string) =>
    listForks(out).map((name) => readFileSync(path.join(out, 'forks', name, 'events.ndjson'), 'utf8'));
  expect(eventsOf(at('killed'))).toEqual(eventsOf(at('whole')));
  expect(readFileSync(at('killed', 'effects.csv'), 'utf8')).toBe(readFileSync(at('whole', 'effects.csv'), 'utf8'));
});
