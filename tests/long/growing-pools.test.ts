// Pools that grow while a set is played: the version that each match reads, resuming, and the learning curve.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { createPool, sealEntry } from '../../deception/experience/pool-entry.ts';
import { gatherDecisions, listEntries } from '../../graph/pool/gather-entries.ts';
import { readPool, writePool } from '../../graph/experience/pool-folder.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { isEventOfType } from '../../state/events.ts';
import type { Report } from '../../deception/summary/report-schema.ts';
import { createEntry } from '../deception/experience/entries.ts';
import { filesIn, manifestIn } from '../scripts/match-folder.ts';
import { run } from '../scripts/process.ts';
import { listFolderNames } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = createTemporaryFolder();
const at = (...names: string[]) => path.join(root, ...names);
const short = ['--rule', 'analysis=off', '--rule', 'debateTurns=2', '--rule', 'maxRounds=2'];
const grow = (out: string, ...more: string[]) =>
  run('match', ['--matches', '5', '--experience-grow', '2', '--out', at(out), ...short, ...more]);

/** Lists the matches in the order of their seeds. */
const listMatches = (out: string) =>
  listFolderNames(at(out))
    .filter((name) => name.startsWith('classic-8-'))
    .sort((one, other) => Number(one.split('-')[2]) - Number(other.split('-')[2]))
    .map((name) => at(out, name));

describe('a pool that grows', () => {
  beforeAll(async () => {
    const { code, stdout, stderr } = await grow('whole');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/5 of 5/);
  });

  it('is read as it was frozen after the block before, and is empty in the first', () => {
    const matches = listMatches('whole').map((folder) => ({ ...manifestIn(folder), record: readRecord(folder) }));
    expect(matches.map(({ experience_block: block }) => block)).toEqual([1, 1, 2, 2, 3]);
    const pools = [1, 2].map((block) => readPool(at('whole', 'experience', 'all', String(block))));
    const empty = createPool('result', []).sha256;
    const hashes = [empty, empty, pools[0]!.sha256, pools[0]!.sha256, pools[1]!.sha256];
    expect(matches.map(({ setup }) => setup.experience!.pool)).toEqual(hashes);
    expect(existsSync(at('whole', 'experience', 'all', '3'))).toBe(false); // no block follows that would read this pool
    const ids = matches.map(({ id }) => id);
    expect([...new Set(pools[0]!.entries.map(({ match }) => match))]).toEqual(ids.slice(0, 2));
    expect([...new Set(pools[1]!.entries.map(({ match }) => match))]).toEqual(ids.slice(0, 4));
    const remembered = matches.map(({ record }) =>
      record.events.filter(isEventOfType('remembered')).flatMap(({ entries }) => entries.map(({ id }) => id)),
    );
    expect(remembered.slice(0, 2)).toEqual([[], []]);
    expect(remembered[4]!.length).toBeGreaterThan(0); // in a pool of two matches hardly any entry has a partner
    const later = new Set(pools[1]!.entries.map(({ sha256 }) => sha256.slice(0, 16)));
    expect(remembered[4]!.filter((id) => !later.has(id))).toEqual([]);
    const known = new Set(pools[0]!.entries.map(({ sha256 }) => sha256.slice(0, 16)));
    expect([...remembered[2]!, ...remembered[3]!].filter((id) => !known.has(id))).toEqual([]);
  });

  it('goes on where it was stopped, and is the same in the end', async () => {
    cpSync(at('whole'), at('half'), { recursive: true });
    for (const folder of listMatches('half').slice(3)) rmSync(folder, { recursive: true });
    rmSync(at('half', 'experience', 'all', '2'), { recursive: true });
    const again = await grow('half');
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('3 of 5 matches are already finished');
    expect(listMatches('half').map((folder) => filesIn(folder)['events.ndjson'])).toEqual(
      listMatches('whole').map((folder) => filesIn(folder)['events.ndjson']),
    );
    expect((await grow('half')).stdout).toContain('All 5 matches are already finished.');
    expect((await grow('half', '--dry-run')).stdout).toContain('All 5 matches are already finished.');
  });

  it('goes on with the reward of the pool that is given to begin with, and with no other', async () => {
    await run('pool', ['build', at('whole'), '--out', at('votes'), '--reward', 'vote']);
    const given = ['--seed', '60', '--matches', '2', '--experience-grow', '1', '--experience', at('votes')];
    expect(await run('match', [...given, ...short, '--out', at('on')])).toMatchObject({ code: 0, stderr: '' });
    const joined = readPool(at('on', 'experience', 'all', '1'));
    expect(joined.reward).toBe('vote');
    const fresh = joined.entries.filter(({ match }) => match.startsWith('classic-8-60-'));
    expect(fresh.length).toBeGreaterThan(0);
    const [folder] = listMatches('on');
    const { events, manifest } = readRecord(folder!);
    const asked = await gatherDecisions(folder!);
    expect(fresh).toEqual(listEntries({ events, manifest }, asked, 'vote').map(sealEntry));
    writeFileSync(at('other.yaml'), stringify({ experience: { pool: at('votes'), grow: 1, reward: 'result' } }));
    const other = await run('match', [at('other.yaml'), '--seed', '70', '--matches', '2', '--out', at('off')]);
    expect(other).toMatchObject({ code: 2 });
    expect(other.stderr).toContain('has the reward vote, but reward: result was given');
  });

  it('is refused where the folder holds pools of other matches, and for one match', async () => {
    cpSync(at('whole', 'experience'), at('other', 'experience'), { recursive: true });
    const other = await grow('other', '--seed', '90');
    expect(other).toMatchObject({ code: 2 });
    expect(other.stderr).toMatch(/holds a pool without match classic-8-90-\w+, \w+ of seat [A-H] in/);
    // A pool with more entries than its matches gave is a different pool too.
    const [own, more] = [at('whole', 'experience', 'all', '1'), at('more', 'experience', 'all', '1')];
    for (const folder of listMatches('whole').slice(0, 2))
      cpSync(folder, at('more', path.basename(folder)), { recursive: true });
    const { entries } = readPool(own);
    const stranger = createEntry({ match: 'classic-8-99-00000000', rules: entries[0]!.rules });
    writePool(more, createPool('result', [...entries, stranger]));
    expect((await grow('more')).stderr).toMatch(
      /with match classic-8-99-0+, vote of seat A .*, which is not of its block/,
    );
    // Rewords the decisions as the version that began the set would have worded them.
    rmSync(more, { recursive: true });
    const reworded = entries.map(({ sha256, ...entry }) =>
      sealEntry(sha256 === entries[0]!.sha256 ? { ...entry, done: 'else' } : entry),
    );
    writePool(more, createPool('result', reworded));
    expect(await grow('more')).toMatchObject({ code: 0, stderr: '' });
    const one = await run('match', ['--experience-grow', '2', '--out', at('one')]);
    expect(one.stderr).toContain('--experience-grow 2 needs --matches N');
  });

  it('is one for each arm of a tournament, and entrants read what they lived through themselves', async () => {
    const plan = {
      ...{ name: 'learning', entrants: { heedful: 'bot:classic?memory=1', liar: 'bot:classic?lie=0.9' } },
      ...{ format: 'self-play', deals: 3, seed: 4, rule: { analysis: 'off', debateTurns: 2, maxRounds: 2 } },
      ...{ experience: { grow: 2, k: 1 }, conditions: { experience: ['none', 'pool', 'shuffled'] } },
    };
    writeFileSync(at('learning.yaml'), stringify(plan));
    const played = await run('tournament', [at('learning.yaml'), '--out', at('arms')]);
    expect(played).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(at('arms', 'experience')).sort()).toEqual(['experience-pool', 'experience-shuffled']);
    const [pool, shuffled] = ['pool', 'shuffled'].map((arm) =>
      readPool(at('arms', 'experience', `experience-${arm}`, '1')),
    );
    expect(pool!.sha256).not.toBe(shuffled!.sha256);
    const folder = at('arms', 'pack-liar_village-liar__experience-pool');
    const last = listFolderNames(folder).find((name) => name.startsWith('classic-8-6-'))!;
    const own = new Set(
      pool!.entries.filter(({ entrant }) => entrant === 'liar').map(({ sha256 }) => sha256.slice(0, 16)),
    );
    const { events } = readRecord(path.join(folder, last));
    const ids = events.filter(isEventOfType('remembered')).flatMap(({ entries }) => entries.map(({ id }) => id));
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => !own.has(id))).toEqual([]);
    expect((await run('tournament', [at('learning.yaml'), '--out', at('arms'), '--status'])).stdout).toMatch(
      /18 of 18/,
    );
  });

  it('has its learning curve in the report: a figure and a picture by arm and block', async () => {
    const to = at('report');
    const reported = await run('report', [
      at('arms'),
      '--out',
      to,
      '--resamples',
      '10',
      '--no-baselines',
      '--no-cache',
    ]);
    expect(reported.code).toBe(0);
    const { metrics, conditions } = JSON.parse(readFileSync(path.join(to, 'report.json'), 'utf8')) as Report;
    const cells = metrics.find(({ name }) => name === 'learning_votes')!.figures.map(({ cell }) => cell);
    const whole = cells
      .filter((cell) => cell['model'] === undefined)
      .map(({ experience, block }) => `${experience!.split(',')[0]!} ${block!}`);
    expect(whole.sort()).toEqual(['none 1', 'none 2', 'pool 1', 'pool 2', 'shuffled 1', 'shuffled 2']);
    const { values } = conditions.find(({ name }) => name === 'experience')!;
    expect(values.map(({ value, matches }) => [value.split(',')[0], matches])).toEqual([
      ['none', 6],
      ['pool of a growing pool', 6],
      ['shuffled of a growing pool', 6],
    ]);
    expect(readFileSync(path.join(to, 'pictures', 'learning.svg'), 'utf8')).toContain('by block of experience');
  });
});
