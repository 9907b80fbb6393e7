// A match whose process is killed at any moment, many times in a row, ends as one that never was.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { callName } from '../../state/record.ts';
import { openaiServer } from '../openai-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { playKilled, type KilledMatch } from './killed-match.ts';
import { legally, reaching } from './local-model.ts';
import { answersIn, eventsIn, filesIn } from './match-folder.ts';
import { run } from './process.ts';

const kills = 8;
const seed = 1;
const concurrency = 6; // less than a wave asks side by side

const out = temporaryFolder();
const folder = (where: string) => path.join(out, where, 'match');
const match = (where: string) => [
  ...['--out', path.join(out, where), '--id', 'match', '--seed', '3', '--model', 'openai:local', '--quiet'],
  ...['--rule', 'debateTurns=2', '--rule', 'maxRounds=2', '--concurrency', String(concurrency)],
];

/** Those of the calls that the record does not hold. */
const lost = ({ asked, after }: KilledMatch['last']) => asked.filter((call) => !after.includes(call));

describe(`a match that is killed ${kills} times, at moments drawn with seed ${seed}`, () => {
  let killed: KilledMatch;
  beforeAll(async () => {
    const server = await openaiServer(legally);
    [killed] = await Promise.all([
      playKilled(folder('killed'), match('killed'), kills, seed),
      run('match', match('whole'), reaching(server)),
    ]);
    await server.close();
  });

  it('goes on each time with the same command, to its end', () => {
    expect(killed.ended).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(killed.lives.length).toBe(kills);
    expect(killed.lives.some(({ unanswered }) => unanswered.size > 1)).toBe(true);
  });

  it('has the same events, byte for byte, and the same answers, each once', () => {
    expect(eventsIn(folder('killed'))).toBe(eventsIn(folder('whole')));
    const names = answersIn(folder('killed')).map(callName).sort();
    expect(names).toEqual(answersIn(folder('whole')).map(callName).sort());
    expect(new Set(names).size).toBe(names.length);
    expect(filesIn(folder('killed'))['prompts.ndjson.gz']).toBe(filesIn(folder('whole'))['prompts.ndjson.gz']);
  });

  it('never asks what was recorded', () => {
    for (const { before, asked } of [...killed.lives, killed.last])
      expect(asked.filter((call) => before.includes(call))).toEqual([]);
  });

  // A call leaves its slot when its answer stands in the record: what is lost of a life fits into the slots, though
  // some of it was answered in the very moment of the kill.
  it('loses with each kill the calls under way and no more', () => {
    for (const life of killed.lives) {
      expect(lost(life)).toEqual(expect.arrayContaining([...life.unanswered]));
      expect(lost(life).length).toBeLessThanOrEqual(concurrency);
    }
    expect(lost(killed.last)).toEqual([]);
  });

  it('makes no call twice but those', () => {
    const made = [...killed.lives, killed.last].reduce((sum, { asked }) => sum + asked.length, 0);
    const repeated = killed.lives.reduce((sum, life) => sum + lost(life).length, 0);
    expect(made).toBe(answersIn(folder('killed')).length + repeated);
  });

  it('leaves no lock behind', () => {
    expect(readdirSync(folder('killed'))).not.toContain('lock.json');
  });
});
