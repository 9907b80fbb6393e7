// `npm run pool`: builds a pool from records, shows it, checks it, and merges pools.
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readPool } from '../../graph/experience/pool-folder.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { isEventOfType } from '../../state/events.ts';
import { copyUnfinished, rewrite, listFolderNames } from '../record-folder.ts';
import { readFileSync } from 'node:fs';
import { openOpenaiServer } from '../openai-server.ts';
import { readQuestion } from '../question.ts';
import { createLegalAnswer } from '../scripted-model.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { reaching } from './local-model.ts';
import { run, short, shortest } from './process.ts';

const out = createTemporaryFolder();
const at = (name: string) => path.join(out, name);

describe('npm run pool', () => {
  beforeAll(async () => {
    for (const [name, seed] of [
      ['one', '1'],
      ['two', '2'],
    ] as const)
      await run('match', ['--out', at(name), '--seed', seed, '--matches', '1', '--quiet', ...shortest]);
  });

  it('builds a pool of records, says what it holds, and builds the same again', async () => {
    const built = await run('pool', ['build', at('one'), '--out', at('pool-1')]);
    expect(built).toMatchObject({ code: 0, stderr: '' });
    expect(built.stdout).toMatch(/entries of 1 deal, reward result: \d+ good\n/);
    expect(built.stdout).toMatch(/models: bot:classic \d+\n {2}reflections by: rules/);
    const sha = /SHA-256 (\w{64})/.exec(built.stdout)![1]!;
    expect((await run('pool', ['build', at('one'), '--out', at('pool-1')])).code).toBe(0);
    const check = await run('pool', ['check', at('pool-1')]);
    expect(check.stdout).toContain(`sound, `);
    expect(check.stdout).toContain(sha);
    const shown = await run('pool', ['show', at('pool-1'), '--moment', 'ballot', '--first', '1']);
    expect(shown.stdout).toMatch(
      /ballot of round 1[^]*You are \[[A-H]\], \w+\. Day 1[^]*\n {2}You voted for \[[A-H]\]/,
    );
    const { shown: json } = JSON.parse((await run('pool', ['show', at('pool-1'), '--json'])).stdout) as {
      shown: unknown[];
    };
    expect(json).toHaveLength(3);
  });

  it('shows the entries of a role in any case, and says where it has none', async () => {
    const shown = await run('pool', ['show', at('pool-1'), '--role', 'seer', '--first', '1']);
    expect(shown.stdout).toContain('You are [');
    const none = await run('pool', ['show', at('pool-1'), '--role', 'Seerr']);
    expect(none.code).toBe(2);
    expect(none.stderr).toMatch(/no entry of a Seerr\. Its roles: .*Seer/);
  });

  it('merges pools, and refuses a damaged one by its hash', async () => {
    await run('pool', ['build', at('two'), '--out', at('pool-2')]);
    expect((await run('pool', ['merge', at('pool-1'), at('pool-2'), '--out', at('both')])).stdout).toContain(
      'of 2 deals',
    );
    const clash = await run('pool', ['merge', at('pool-1'), '--out', at('pool-2')]);
    expect(clash.code).toBe(2);
    expect(clash.stderr).toContain('contains another pool');
    rewrite(at('pool-2'), 'entries.ndjson', (text) => text.replace(/(Your side|Nobody) (won|lost)/, 'They $2'));
    const damaged = await run('pool', ['check', at('pool-1'), at('pool-2')]);
    expect(damaged).toMatchObject({ code: 1 });
    expect(damaged.stdout).toMatch(/pool-1: sound[^]*pool-2: line \d+ does not match its hash/);
    expect((await run('pool', ['show', at('pool-2')])).code).toBe(1);
  });

  it('leaves out matches whose players remembered, and says so, unless it is to take them', async () => {
    await run('match', ['--out', at('many'), '--seed', '3', '--matches', '5', '--quiet', ...short]);
    await run('pool', ['build', at('many'), '--out', at('pool-many')]);
    const memory = [
      '--experience',
      at('pool-many'),
      '--seed',
      '77',
      '--matches',
      '1',
      '--out',
      at('memory'),
      '--quiet',
    ];
    expect(await run('match', [...memory, ...short])).toMatchObject({ code: 0, stderr: '' });
    const without = await run('pool', ['build', at('one'), at('memory'), '--out', at('without')]);
    expect(without.code).toBe(0);
    expect(without.stderr).toBe(
      'Left out: 1 match whose players remembered earlier ones. --with-memory includes them.\n',
    );
    expect(readPool(at('without')).sha256).toBe(readPool(at('pool-1')).sha256);
    const both = await run('pool', ['build', at('one'), at('memory'), '--with-memory', '--out', at('with-memory')]);
    expect(both).toMatchObject({ code: 0, stderr: '' });
    const said = Map.groupBy(readPool(at('with-memory')).entries, ({ experience }) => experience?.split(',')[0]);
    expect(new Set(said.keys())).toEqual(
      new Set([undefined, `pool of ${readPool(at('pool-many')).sha256.slice(0, 12)}`]),
    );
    // The transcript also shows a player's memories, in words.
    const [id] = listFolderNames(at('memory'));
    expect((await run('show', [path.join(at('memory'), id!)])).stdout).toMatch(
      /remembers of earlier games: .?You are \[[A-H]\]/,
    );
  });

  it('finds what a player would remember, as in play, with scores, and nothing that it could not know', async () => {
    const folder = path.join(at('memory'), listFolderNames(at('memory'))[0]!);
    const { manifest, events } = readRecord(folder);
    const { by, round, moment, entries } = events
      .filter(isEventOfType('remembered'))
      .find((event) => event.entries.length > 0)!;
    const ask = (pool: string, record: string, ...more: string[]) =>
      run('pool', ['find', pool, record, '--player', by, '--round', String(round), '--moment', moment, ...more]);
    const found = await ask(at('pool-many'), folder);
    expect(found).toMatchObject({ code: 0, stderr: '' });
    const ids = [...found.stdout.matchAll(/^([0-9a-f]{16}) score (\S+), (?:not )?good;/gm)];
    expect(ids.map(([, id]) => id)).toEqual(entries.map(({ id }) => id));
    for (const { text } of entries) expect(found.stdout).toContain(text.split('\n')[0]);
    // Names occur only in the first line, and the part that the player knew contains no role except the player's own.
    const [first, ...lines] = found.stdout.split('\n');
    expect(first).toBe(`${by}, ${moment} of round ${round}, knows:`);
    for (const { name } of manifest.setup.players) expect(lines.join('\n')).not.toMatch(new RegExp(`\\b${name}\\b`));
    expect(lines[0]).toMatch(/^ {2}You are \[[A-H]\], \w+\. (?:Day|Night)/);
    const lowest = Number(ids.at(-1)![2]);
    const json = await ask(at('pool-many'), folder, '--json', '--threshold', String(lowest + 0.001));
    expect((JSON.parse(json.stdout) as { found: unknown[] }).found.length).toBeLessThan(entries.length);
    expect((await ask(at('pool-many'), folder, '--from', 'others')).stdout).toMatch(
      /0 of these match from: others[^]*No entry is from that source/,
    );
  });

  it('finds nothing of the deal that was played, and says what it cannot look for', async () => {
    const folder = path.join(at('one'), listFolderNames(at('one'))[0]!);
    const name = readRecord(folder).answers.find(({ action }) => action === 'debate')!.player;
    const find = (player: string, round: string, pool = at('pool-1')) =>
      run('pool', ['find', pool, folder, '--player', player, '--round', round, '--moment', 'debate']);
    expect((await find(name.toLowerCase(), '1')).stdout).toMatch(
      /0 of [^]* have the same role[^]*no entry for such a decision/,
    );
    expect(await find('Nemo', '1')).toMatchObject({ code: 2, stderr: expect.stringMatching(`Players: .*${name}`) });
    expect(await find(name, '9')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/made no decision of the kind debate in round 9\. Decisions: .*ballot in round 1/),
    });
    expect((await find(name, '1', at('none'))).code).not.toBe(0);
  });

  it('takes nothing of a match under way', async () => {
    const [id] = listFolderNames(at('one'));
    copyUnfinished(path.join(at('one'), id!), path.join(at('under-way'), id!));
    rewrite(path.join(at('under-way'), id!), 'events.ndjson', (text) => `${text.split('\n').slice(0, 5).join('\n')}\n`);
    const { code, stderr } = await run('pool', ['build', at('under-way'), '--out', at('early')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Left out: .*The match is not finished[^]*These matches give no entries/);
    const mixed = await run('pool', ['build', at('two'), at('under-way'), '--out', at('mixed')]);
    expect(mixed.code).toBe(1);
    expect(mixed.stdout).toContain('of 1 deal');
  });

  it('refuses what it has no part for, and says what parts there are', async () => {
    const unknown = await run('pool', ['make']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('build, show, find, check, merge');
    expect((await run('pool', ['build', at('one')])).code).toBe(2);
    expect((await run('pool', [])).stdout).toContain('docs/guides/experience.md');
    expect((await run('pool', ['build', '--help'])).stdout).toContain(
      'Usage: npm run pool -- build [options] <records...>',
    );
  });
});

describe('npm run pool -- build --reflect', () => {
  const isReflection = (text: string) => text.includes('The game is over, and you see above how it ended.');
  /**
   * Opens a model that plays legally with a secret in every reasoning, and whose reflections name the players at its
   * table.
   */
  const openPlayer = () =>
    openOpenaiServer(({ body: { messages } }) => {
      const [system, user] = [messages[0]!.content, messages[1]!.content];
      const me = /^You are (\p{L}+)$/mu.exec(system)![1]!;
      if (!isReflection(user)) {
        const answer = createLegalAnswer(readQuestion(messages));
        return { text: JSON.stringify({ ...answer, reasoning: `Secret${me}End` }) };
      }
      const names = /^The players are (.+)\.$/m.exec(system)![1]!.split(', ');
      const ids = [...user.matchAll(/^- (d\d+), (?:night|day) \d+: "/gm)].map(([, id]) => id!);
      const reflections = ids.map((id) => [
        id,
        { worked: `${id}: ${names[0]} believed me.`, otherwise: 'Ask "more".' },
      ]);
      return { text: JSON.stringify({ reasoning: '', reflections: Object.fromEntries(reflections) as object }) };
    });

  it('asks each seat that the model played once, from its own View, and keeps the answers', async () => {
    const server = await openPlayer();
    const surroundings = reaching(server);
    const model = 'openai:local?priceIn=1&priceOut=1';
    const played = [
      'match',
      ['--out', at('played'), '--seed', '4', '--villagers', model, '--quiet', ...shortest],
    ] as const;
    expect(await run(...played, surroundings)).toMatchObject({ code: 0 });
    const before = server.requests.length;
    const build = (...more: string[]) =>
      run('pool', ['build', at('played'), '--out', at('reflected'), '--reflect', model, ...more], surroundings);
    const dry = await build('--dry-run');
    expect(dry.stdout).toMatch(
      /^Calls go to 127\.0\.0\.1:\d+ \(openai:local\), with the key in OPENAI_API_KEY\.\n1 match, [34] questions\. To ask: [34] calls, about [\d,]+ tokens in[^]*No calls were made and nothing was written\.\n$/,
    );
    expect((await build('--max-cost', '0.000001', '--concurrency', '1')).code).toBe(4);
    const built = await build('--max-cost', '5');
    expect(built).toMatchObject({ code: 0, stderr: '' });
    const asked = server.requests
      .slice(before)
      .map(({ body }) => body.messages.map(({ content }) => content).join('\n'));
    expect(asked.length).toBeGreaterThanOrEqual(3);
    for (const prompt of asked) {
      const me = /^You are (\p{L}+)$/mu.exec(prompt)![1]!;
      expect(isReflection(prompt)).toBe(true);
      expect([...prompt.matchAll(/Secret(\p{L}+)End/gu)].filter(([, of]) => of !== me)).toEqual([]);
    }
    expect((await build()).stdout).toContain('All questions are answered.');
    expect(server.requests).toHaveLength(before + asked.length);
    const lines = readFileSync(path.join(at('reflected'), 'entries.ndjson'), 'utf8')
      .trim()
      .split('\n');
    const entries = lines.map((line) => JSON.parse(line) as Record<'model' | 'reflected_by' | 'reflection', string>);
    for (const { model: of, reflected_by: by, reflection } of entries) {
      expect(by).toBe(of === 'openai:local' ? of : 'rules');
      if (by !== 'rules')
        expect(reflection).toMatch(
          /^(Your side (won|lost)|Nobody won)\.\nWhat worked: d\d+: \[[A-H]\] believed me\.\nOtherwise: Ask "more"\.$/,
        );
    }
    expect(new Set(entries.map(({ reflected_by: by }) => by)).size).toBe(2);
    await server.close();
  });

  it('refuses bots, and a model that did not play', async () => {
    const reflect = async (model: string) =>
      run('pool', ['build', at('one'), '--out', at('never'), '--reflect', model, '--dry-run']);
    expect(await reflect('bot:classic')).toMatchObject({ code: 2 });
    expect((await reflect('openai:gpt-4o')).stderr).toContain('played in none of these matches');
  });
});
