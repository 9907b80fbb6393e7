// Several matches of the same people beside bots: seats drawn for each deal, pages that open one match after another, a
// process that is killed in the middle, and a study that says nothing secret while it is played.
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { listPersonSeats } from '../../graph/people-at-table.ts';
import { replayMatch } from '../../graph/play-match.ts';
import { listFolders } from '../../graph/earlier-match.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { run, startScript } from '../scripts/process.ts';
import { openSeat, takeFirstChoices } from '../seat-browser.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const out = createTemporaryFolder();
const people = ['--seat', 'Ginger=human:alice?seconds=3600', '--seat', 'Sam=human:bob'];
const rules = ['debateTurns=2', 'maxRounds=1', 'analysis=off'].flatMap((rule) => ['--rule', rule]);
const args = ['--matches', '3', '--seed', '918273', '--serve', '--out', out, ...people, ...rules];
const running = new Set<ReturnType<typeof startScript>['child']>();

afterAll(() => running.forEach((child) => void child.kill('SIGKILL')));

/** Plays with people who answer at once, until `stop` returns true after an answer; the process is then killed. */
async function play(stop: (answers: number, matches: number) => boolean) {
  const { child, ended } = startScript('match', args);
  running.add(child);
  const told: string[][] = [];
  let answers = 0;
  const sit = async (address: string) => {
    await openSeat(address, ({ question }, seat) => {
      if (!question || child.killed) return;
      answers += 1;
      if (stop(answers, told.length / 2)) child.kill('SIGKILL');
      else void seat.answer(question, takeFirstChoices(question.fields, 'I watch how everybody votes.'));
    });
  };
  let rest = '';
  child.stderr.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, player = '', person = '', address] = /^(\w+) \((human:\w+)\): (http\S+)$/.exec(line) ?? [];
      if (address === undefined) continue;
      told.push([player, person]);
      void sit(address).catch(() => undefined); // the process may be gone
    }
  });
  return { ...(await ended), told, answers };
}

describe('people in several matches', () => {
  it('sit in drawn seats, one match after another, and a killed process goes on where it was', async () => {
    const killed = await play((answers, matches) => matches === 2 && answers > 9);
    expect(killed.code).toBeNull();
    expect(killed.told).toHaveLength(4);
    const begun = listFolders(out).filter((name) => name.startsWith('classic-8-people-'));
    expect(begun).toHaveLength(2);

    const again = await play(() => false);
    expect([again.code, again.stderr.includes('cannot')]).toEqual([0, false]);
    expect(again.told.slice(0, 2)).toEqual(killed.told.slice(2)); // everybody has the same seat as before
    expect(again.told).toHaveLength(4);
    const folders = listFolders(out).filter((name) => name.startsWith('classic-8-people-'));
    expect(folders).toEqual(expect.arrayContaining(begun));
    const records = folders.map((name) => readRecord(path.join(out, name)).manifest);
    expect(records.map(({ setup }) => setup.seed).sort()).toEqual([918_273, 918_274, 918_275]);
    for (const { setup } of records)
      expect(listPersonSeats({ setup }).map(({ spec }) => spec.replace(/\?.*/, '')).sort()).toEqual(['human:alice', 'human:bob']); // prettier-ignore
    expect(new Set([...killed.told, ...again.told].map(String)).size).toBeGreaterThan(2);
    for (const name of folders) await replayMatch(path.join(out, name));

    const shown = [killed, again].map(({ stdout, stderr }) => stdout + stderr).join('\n');
    const before = shown.slice(0, shown.indexOf('finished')); // the table at the end names models
    for (const secret of ['918273', '918274', '918275', 'Seer is', 'bot:classic']) expect(before).not.toContain(secret);
    expect(again.stdout + again.stderr).toContain('What is not known');
    expect(again.stdout + again.stderr).not.toContain('--crossed'); // people cannot play a crossed design
    expect((await play(() => false)).told).toEqual([]); // nothing is left to play
  }, 120_000);

  it('need a seed that is kept, and no design that repeats deals', async () => {
    const withoutSeed = args.filter((_, place) => place !== 2 && place !== 3);
    expect(await run('match', withoutSeed)).toMatchObject({ code: 2, stderr: expect.stringMatching(/needs --seed N/) });
    for (const more of [
      ['--variants', '1'],
      ['--replicates', '2'],
      ['--cross-rules', 'disclose=true,false'],
    ])
      // prettier-ignore
      expect(await run('match', [...args, ...more])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/is played by a person .* each deal once.*Use match with --matches/),
      });
    expect(await run('match', [...args, '--villagers', 'bot:classic'])).toMatchObject({ code: 2, stderr: expect.stringMatching(/no model can be given by side/) }); // prettier-ignore
  });
});
