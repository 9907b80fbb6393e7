// `npm run import` as a user runs it: a published game becomes a record that is read, and never played on.
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../temporary-folder.ts';
import { filesIn } from './match-folder.ts';
import { run } from './process.ts';

const out = temporaryFolder();
const id = 'session_20241117_221340';
const folder = path.join(out, id);
const source = path.join(import.meta.dirname, '../published-games', id);
const imported = await run('import', ['--format', 'arena', '--out', out, source]);

describe('npm run import', () => {
  it('says where the record is and where the game left its rules', () => {
    const { code, stdout, stderr } = imported;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')[0]).toBe(folder);
    expect(stdout).toContain('round 2, day: Recorded as exiled: Jackson; by the rules: nobody.');
    expect(Object.keys(filesIn(folder))).toEqual(['answers.ndjson', 'events.ndjson', 'import.json', 'manifest.json']);
  });

  it('makes what report and show read', async () => {
    const [report, show] = await Promise.all([run('report', [folder]), run('show', [folder])]);
    expect([report.code, report.stderr, show.code, show.stderr]).toEqual([0, '', 0, '']);
    expect(show.stdout).toContain('Jackson (Villager) is exiled with 3 of 6 votes');
  });

  it.each<['match' | 'replay', string[]]>([
    ['match', ['--out', out, '--id', id]],
    ['replay', [folder]],
  ])('makes what %s refuses', async (script, args) => {
    const { code, stderr } = await run(script, args);
    expect(code).toBe(1);
    expect(stderr).toContain('neither played on nor replayed');
  });

  it.each([
    ['no format', [source], '--format'],
    ['an unknown format', ['--format', 'chess', source], 'Allowed choices are arena'],
    ['a folder without a session', ['--format', 'arena', out], 'holds no game_complete.json'],
  ])('answers %s with exit code 2', async (_what, args, said) => {
    const { code, stderr } = await run('import', args);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });
});
