// Matches from files: every option in YAML, options that override the file, replay from a manifest, resumption by id.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { DeceptionSummary } from '../../deception/summary/match-summary-schema.ts';
import { prepareMatch } from '../../graph/prepare-match.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { eventsIn, filesIn, manifestIn } from './match-folder.ts';
import { run, short, shortest } from './process.ts';

const folder = createTemporaryFolder();
const out = path.join(folder, 'runs');
const of = (id: string) => path.join(out, id);

function file(name: string, contents: string): string {
  const where = path.join(folder, name);
  writeFileSync(where, contents);
  return where;
}

const everything = file(
  'everything.yaml',
  `
board: { name: small-6, roles: { Werewolf: 1, Seer: 1, Villager: 4 }, rules: { maxWords: 30 } }
rules: arena
rule: { debateTurns: 1, maxRounds: 1, honesty: forbidden }
seed: 5
model: bot:classic?detect=0.9
villagers: bot:classic?detect=0.1
werewolves: bot:random
roles: { Seer: bot:classic?detect=1 }
seats:
  Ginger: { model: 'bot:classic?lie=1', persona: Speaks little. }
  Leah: { persona: Speaks a lot. }
  Dan: bot:random
out: ${out}
id: everything
maxCost: 5
concurrency: 3
quiet: true
`,
);

const played = await run('match', [everything]);

describe('a YAML file', () => {
  it('says everything that flags can say, and a persona besides', () => {
    expect(played).toEqual({ code: 0, stdout: '', stderr: '' });
    const { id, setup } = manifestIn(of('everything'));
    expect(id).toBe('everything');
    expect(setup.board).toEqual({ name: 'small-6', roles: { Werewolf: 1, Seer: 1, Villager: 4 } });
    expect(setup.seed).toBe(5);
    expect(setup.rules).toMatchObject({
      debateTurns: 1,
      maxRounds: 1,
      honesty: 'forbidden',
      maxWords: 30,
      ballots: 'secret',
    });
    expect(setup.honesty_sentence).toContain('must not lie');
    const personas = setup.players.flatMap(({ name, persona }) => (persona === undefined ? [] : [[name, persona]]));
    expect(Object.fromEntries(personas)).toEqual({ Ginger: 'Speaks little.', Leah: 'Speaks a lot.' });
  });

  it('gives each seat the model of the narrowest choice', () => {
    const { players, models } = manifestIn(of('everything')).setup;
    for (const { name, role, team } of players) {
      const wider = role === 'Seer' ? 'bot:classic?detect=1' : team === 'werewolves' ? 'bot:random' : undefined;
      const seat = { Ginger: 'bot:classic?lie=1', Dan: 'bot:random' }[name];
      expect([name, models[name]]).toEqual([name, seat ?? wider ?? 'bot:classic?detect=0.1']);
    }
  });

  it('tells a persona to its player alone', () => {
    const prompts = filesIn(of('everything'))['prompts.ndjson.gz']!.trimEnd().split('\n');
    const told = prompts.filter((prompt) => prompt.includes('Speaks little.'));
    expect(told.length).toBeGreaterThan(0);
    for (const prompt of told) expect(JSON.parse(prompt)).toMatchObject({ player: 'Ginger' });
  });

  it('yields to flags, which leave alone what they do not say', async () => {
    const flags = ['--id', 'over', '--seed', '6', '--rule', 'maxWords=20', '--seat', 'Ginger=bot:random'];
    const { code } = await run('match', [everything, ...flags]);
    expect(code).toBe(0);
    const { seed, rules, players, models } = manifestIn(of('over')).setup;
    expect(seed).toBe(6);
    expect(rules).toMatchObject({ maxWords: 20, debateTurns: 1, honesty: 'forbidden' });
    expect(models['Ginger']).toBe('bot:random');
    expect(players.find(({ name }) => name === 'Ginger')!.persona).toBe('Speaks little.');
  });
});

describe('paths in the file of a match', () => {
  mkdirSync(path.join(folder, 'deep'));
  file('deep/own.yaml', 'name: own\nroles: { Werewolf: 1, Seer: 1, Villager: 4 }\n');
  file('deep/named.yaml', 'mine: bot:random\n');
  const match = file('deep/match.yaml', 'board: own.yaml\nmodels: named.yaml\nmodel: mine\nout: seen\nid: deep\n');

  it('are as seen from it', async () => {
    expect(await run('match', [match, '--quiet', ...short])).toEqual({ code: 0, stdout: '', stderr: '' });
    const { board, models } = manifestIn(path.join(folder, 'deep', 'seen', 'deep')).setup;
    expect(board.name).toBe('own');
    expect(new Set(Object.values(models))).toEqual(new Set(['bot:random?name=mine']));
  });

  it('are refused where matches were put as seen from the working directory, until --out says which', async () => {
    const old = path.relative(process.cwd(), path.join(folder, 'deep', 'seen'));
    const below = path.join('deep', ...old.split(path.sep)).replaceAll('..', 'd'); // so that the file's paths are inside the folder
    mkdirSync(path.join(folder, below), { recursive: true });
    const moved = file(`${below}/moved.yaml`, `model: bot:random\nout: ${old}\n`);
    const { code, stderr } = await run('match', [moved, '--quiet', ...short]);
    expect(code).toBe(2);
    expect(stderr).toContain(`has no matches, but ${path.join(folder, 'deep', 'seen')} has`);
    expect(stderr).toContain(`--out ${old}`);
    expect((await run('match', [moved, '--out', old, '--id', 'deep', '--dry-run', ...shortest])).code).toBe(0);
  });
});

describe('a models file', () => {
  const models = file('models.yaml', 'bluffer: { model: bot:classic, lie: 1 }\nhonest: bot:classic?lie=0\n');
  const [bluffer, honest] = ['bot:classic?name=bluffer&lie=1', 'bot:classic?name=honest&lie=0'];

  it('gives models names, by which flags name them, and which stand in records and tables', async () => {
    const flags = ['--models', models, '--villagers', 'honest', '--werewolves', 'bluffer', '--seat', 'Dan=bluffer'];
    const { code, stdout } = await run('match', [...flags, '--out', out, '--id', 'named', ...shortest]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/│ Dan +│ bluffer +│/);
    const { players, models: played } = manifestIn(of('named')).setup;
    for (const { name, team } of players)
      expect(played[name]).toBe(name === 'Dan' || team === 'werewolves' ? bluffer : honest);
    const summary = JSON.parse(filesIn(of('named'))['deception_summary.json']!) as DeceptionSummary;
    expect(Object.keys(summary.model_calls.by_model)).toEqual(['bluffer', 'honest']);
  });

  it('may stand in the file of a match, beside others that the command line names', async () => {
    const match = file('named.yaml', `models: { own: bot:random }\nroles: { Seer: own }\nmodel: honest\nout: ${out}\n`);
    const { code } = await run('match', [match, '--models', models, '--id', 'both', '--quiet', ...shortest]);
    expect(code).toBe(0);
    const { players, models: played } = manifestIn(of('both')).setup;
    for (const { name, role } of players) expect(played[name]).toBe(role === 'Seer' ? 'bot:random?name=own' : honest);
  });

  it('makes the same match of the same name, and names what it does not know', async () => {
    const again = await run('match', [path.join(of('named'), 'manifest.json'), '--models', models, '--out', out]);
    expect(again).toMatchObject({ code: 0 });
    const wrong = await run('match', ['--models', models, '--model', 'blufer', '--out', out]);
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain('No model is named "blufer". Names: bluffer, honest; or a model string');
    const missing = await run('match', ['--models', `${models}.none`, '--model', 'bluffer', '--out', out]);
    expect(missing).toMatchObject({ code: 2 });
    expect(missing.stderr).toContain('There is no file');
  });

  it('is what a crossed design and its comparison go by', async () => {
    const study = path.join(folder, 'study');
    const flags = ['--models', models, '--crossed', 'honest', 'bluffer', '--matches', '1', '--out', study, ...shortest];
    expect(await run('match', flags)).toMatchObject({ code: 0 });
    expect(readdirSync(study)).toContain('pack-bluffer_village-honest');
    const { code } = await run('compare', [study, '--out', path.join(folder, 'compared'), '--resamples', '20']);
    expect(code).toBe(0);
    const page = readFileSync(path.join(folder, 'compared', 'comparison.md'), 'utf8');
    expect(page).toContain('bluffer compared with honest');
    expect(page).not.toContain('name=');
  });

  it('lets one model stand at two addresses under two names, and refuses one name for two models', async () => {
    const at = (name: string, port: number, more = '') =>
      `openai:m?name=${name}&baseUrl=http://127.0.0.1:${port}${more}`;
    const prepare = (villagers: string, werewolves: string) =>
      prepareMatch({ villagers, werewolves }, { OPENAI_API_KEY: 'k' }, 0);
    const { manifest } = await prepare(at('one', 1), at('other', 2));
    expect([...new Set(Object.values(manifest.setup.models))].sort()).toEqual([
      'openai:m?name=one',
      'openai:m?name=other',
    ]);
    const moved = await prepare(at('one', 3), at('other', 2));
    expect(moved.manifest.id).toBe(manifest.id);
    await expect(prepare(at('one', 1), at('one', 1, '&seed=1'))).rejects.toThrow(/^one names two models, openai:m/);
    await expect(prepare('openai:m?structured=schema', at('', 1).replace('name=&', ''))).rejects.toThrow(
      /two addresses.*--models FILE\), for example: my-server: \{ model: openai:m, baseUrl: http:\/\/127\.0\.0\.1:1 \}/,
    );
  });

  it.each([
    ['an empty file', '', /empty-file\.yaml cannot be read: it is empty\./],
    [
      'a list of models',
      'models: [openai:gpt]\n',
      /models: must be a models file, or names with their models \(a mapping, not a list\)/,
    ],
  ])('%s is refused with the form that is expected', async (what, text, words) => {
    for (const [script, more] of [
      ['match', ''],
      ['tournament', 'name: a\nformat: round-robin\ndeals: 1\nentrants: { a: bot:classic, b: bot:random }\n'],
    ] as const) {
      const plan = file(
        `${what === 'an empty file' ? 'empty-file' : script}.yaml`,
        text === '' ? '# nothing\n' : text + more,
      );
      const { code, stderr } = await run(script, [plan, '--dry-run']);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(words) });
    }
  });

  it.each([
    ['match', ['--max-fallbacks', '25'], 'For 25 % write .25.'],
    ['plan', ['--effect', '10%'], 'For 10 % write .1.'],
    ['plan', ['--effect', '.1', '--power', '80'], 'For 80 % write .8.'],
  ] as const)('%s %j gets the share that is meant', async (script, args, words) => {
    const { code, stderr } = await run(script, args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
  });

  it('that stands for two models has the matches of one left out of a report', async () => {
    const changed = file('changed.yaml', 'honest: bot:classic?lie=0.5\n');
    const to = path.join(folder, 'changed');
    const flags = ['--model', 'honest', '--matches', '1', '--quiet', ...shortest];
    for (const one of [models, changed])
      await run('match', ['--models', one, '--out', path.join(to, path.basename(one)), ...flags]);
    const { code, stderr } = await run('report', [to, '--no-baselines', '--no-tables', '--resamples', '2']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/honest stands for \S+lie=0 here, but for \S+lie=0.5 in/);
  });
});

describe('a board in a YAML file', () => {
  it('is played with its names and rules', async () => {
    const board = file(
      'tiny.yaml',
      `
name: tiny
roles: { Werewolf: 1, Doctor: 1, Villager: 4 }
names: [Ada, Bob, Cleo, Dora, Emil, Fritz]
rules: { debateTurns: 2, maxRounds: 1, protectSelf: false }
`,
    );
    const { code, stdout } = await run('match', ['--board', board, '--out', out, '--id', 'tiny']);
    expect(code).toBe(0);
    expect(stdout).toContain('board tiny, 6 players (1 Werewolf, 1 Doctor, 4 Villagers)');
    const { players, rules } = manifestIn(of('tiny')).setup;
    expect(players.map(({ name }) => name).sort()).toEqual(['Ada', 'Bob', 'Cleo', 'Dora', 'Emil', 'Fritz']);
    expect(rules).toMatchObject({ debateTurns: 2, protectSelf: false });
  });
});

await run('match', ['--out', out, '--id', 'first', '--seed', '9', '--seat', 'Ginger=bot:random', ...shortest]);

describe('a manifest', () => {
  const manifest = path.join(of('first'), 'manifest.json');

  it('gives the same match elsewhere', async () => {
    const elsewhere = path.join(folder, 'elsewhere');
    const { code, stdout } = await run('match', [manifest, '--out', elsewhere, '--json']);
    expect(code).toBe(0);
    const { folder: again } = JSON.parse(stdout) as { folder: string };
    expect(path.dirname(again)).toBe(elsewhere);
    expect(manifestIn(again).setup).toEqual(manifestIn(of('first')).setup);
    expect(eventsIn(again)).toBe(eventsIn(of('first')));
  });

  it('yields to flags: the same players with another seed, and the models of the roles they then have', async () => {
    const flags = ['--out', out, '--id', 'other', '--seed', '10', '--werewolves', 'bot:classic?lie=0', '--quiet'];
    expect((await run('match', [manifest, ...flags])).code).toBe(0);
    const before = manifestIn(of('first')).setup;
    const { players, models } = manifestIn(of('other')).setup;
    expect(players.map(({ name }) => name).sort()).toEqual(before.players.map(({ name }) => name).sort());
    expect(players).not.toEqual(before.players);
    for (const { name, team } of players)
      expect(models[name]).toBe(team === 'werewolves' ? 'bot:classic?lie=0' : before.models[name]);
  });
});
