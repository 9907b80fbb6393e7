// The command that created a folder under an earlier version is run again: recorded matches are found, or the command
// is refused.
import { cpSync, globSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { playMatch } from '../../graph/play-match.ts';
import { createProvenance } from '../../models/record/provenance.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { openOpenaiServer } from '../openai-server.ts';
import { rewrite } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { legally, reaching } from '../scripts/local-model.ts';
import { run } from '../scripts/process.ts';

const root = createTemporaryFolder();
const golden = path.join(import.meta.dirname, '../golden');

/** Creates a folder with a golden match of schema 1, under an id that schema 1 could have used. */
function beginFolder(name: string, folder = name) {
  const [out, id] = [path.join(root, folder), 'small-6-3-01234567'];
  cpSync(path.join(golden, name), path.join(out, id), { recursive: true });
  rewrite(path.join(out, id), 'manifest.json', (text) => text.replace(/"id": "[^"]+"/, `"id": "${id}"`));
  writeFileSync(path.join(out, id, 'prompts.ndjson.gz'), '');
  return { out, id };
}

const board = path.join(root, 'small-6.yaml');
writeFileSync(board, 'name: small-6\nroles: { Werewolf: 1, Seer: 1, Doctor: 1, Villager: 3 }\n');

const common = ['--board', board, '--matches', '1', '--seed', '3', '--dry-run'];
const commands = {
  'arena-6-tinyllama': [
    ...['--model', 'openai:tinyllama?maxTokens=160&timeout=300', '--rules', 'arena'],
    ...['debateTurns=1', 'maxRounds=2', 'maxWords=40'].flatMap((rule) => ['--rule', rule]),
  ],
  'wolf-6-tinyllama': [
    ...['--model', 'openai:tinyllama?maxTokens=140&timeout=200'],
    ...['debateTurns=1', 'maxRounds=1', 'maxWords=30', 'analyzeBallots=false'].flatMap((rule) => ['--rule', rule]),
  ],
};

describe.each(Object.entries(commands))('%s, begun under other defaults,', (name, typed) => {
  const { out, id } = beginFolder(name);
  const command = [...typed, ...common, '--out', out];

  it('is not begun anew, and the command that goes on with it is named', async () => {
    const refused = await run('match', command);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(`${path.join(out, id)} was begun by an earlier version`);
    expect(refused.stderr).toContain('thoughts=kept');
    const cure = /To resume it, (?:add|give) (.+) \(in a file/.exec(refused.stderr)![1]!.split(' ');
    const typedRules = command.indexOf('--rules');
    const others = command.filter(
      (_, at) => !(cure.includes('--rules') && (at === typedRules || at === typedRules + 1)),
    );
    expect(refused.stderr).toContain(', and add structured=schema to the model;');
    const asked = (typedRules < 0 ? command : others).map((word) => word.replace(/^openai:.*/, '$&&structured=schema'));
    const again = await run('match', [...asked, ...cure]);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('The match is already finished.');
    expect(readdirSync(out)).toEqual([id]);
  });
});

it('a folder begun under other defaults is left alone where a rule that differs was typed', async () => {
  const name = 'wolf-6-tinyllama';
  const { out } = beginFolder(name);
  const anew = await run('match', [
    ...[...commands[name], ...common, '--out', out],
    ...['--rule', 'thoughts=this-round', '--mix-wordings'],
  ]);
  expect(anew).toMatchObject({ code: 0, stderr: '' });
  expect(anew.stdout).not.toContain('The match is already finished.');
});

describe('a folder that holds matches of another wording', () => {
  const { out, id } = beginFolder('arena-6-tinyllama', 'mixed-wordings');
  const recorded = readRecord(path.join(out, id)).manifest.made_by;
  const now = createProvenance({}, 0).templates_sha256.slice(0, 12);
  const command = ['--model', 'openai:one', '--seed', '8', '--rule', 'debateTurns=1', '--rule', 'maxRounds=1'];
  const [many, file] = [['--matches', '1', '--quiet'], path.join(root, 'mixed.yaml')];

  /** Runs the command with a server that gives legal answers. Returns how many questions reached the server. */
  async function play(args: readonly string[]) {
    const server = await openOpenaiServer(legally);
    const ended = await run('match', [...args, '--out', out], reaching(server));
    await server.close();
    return { ...ended, asked: server.requests.length };
  }

  it.each([
    ['a match', []],
    ['many matches', many],
    ['a dry run', ['--dry-run']],
  ])('takes no new one without the option, before any call: %s', async (_, more) => {
    const { code, stderr, asked } = await play([...command, ...more]);
    expect({ code, asked }).toEqual({ code: 2, asked: 0 });
    expect(stderr).toContain(`than new matches would have: ${recorded.templates_sha256.slice(0, 12)}, by Wolfgraph`);
    expect(stderr).toContain(`New matches: ${now}.`);
    expect(stderr).toContain('add --mix-wordings (in a file or a program: mixWordings: true)');
    expect(readdirSync(out)).toEqual([id]);
  });

  it('takes one by bots, which read no words', async () => {
    const { code } = await play(['--model', 'bot:classic', '--dry-run']);
    expect(code).toBe(0);
  });

  it('takes one with the option, typed or in a file', async () => {
    writeFileSync(file, 'mixWordings: true\n');
    expect(await play([file, ...command, '--dry-run'])).toMatchObject({ code: 0, asked: 0 });
    const { code, asked } = await play([...command, ...many, '--mix-wordings']);
    expect(code).toBe(0);
    expect(asked).toBeGreaterThan(10);
  });
});

describe('a tournament in a folder that holds matches of another wording', () => {
  let server: Awaited<ReturnType<typeof openOpenaiServer>>;
  beforeAll(async () => {
    server = await openOpenaiServer(legally);
  });
  afterAll(() => server.close());
  const study = path.join(root, 'mixed-tournament');
  const plan = path.join(root, 'mixed-tournament.yaml');

  async function play(deals: number, args: readonly string[] = []) {
    const entrants = 'entrants: { one: openai:one, two: openai:two }\nformat: round-robin';
    writeFileSync(plan, `name: mixed\n${entrants}\nrule: { debateTurns: 1, maxRounds: 1 }\ndeals: ${deals}\n`);
    const before = server.requests.length;
    const ended = await run('tournament', [plan, '--out', study, '--quiet', '--no-report', ...args], reaching(server));
    return { ...ended, asked: server.requests.length - before };
  }

  it('is not extended before it is said to be, and no call is made', async () => {
    expect(await play(1)).toMatchObject({ code: 0 });
    const manifests = globSync(`${study}/*/*/manifest.json`);
    expect(manifests).toHaveLength(2);
    for (const file of manifests)
      rewrite(path.dirname(file), 'manifest.json', (text) =>
        text
          .replace(/("templates_sha256": ?")\w{12}/, '$1000000000000')
          .replace(/("vote": ?")\w{12}/, '$1000000000000'),
      );
    const refused = await play(2);
    expect(refused).toMatchObject({ code: 2, asked: 0 });
    expect(refused.stderr).toContain(
      'whose prompts have another wording (templates_sha256) than new matches would have',
    );
    expect(refused.stderr).toContain('000000000000 (other words in vote), by Wolfgraph');
    expect(refused.stderr).toContain('add --mix-wordings');
    const mixed = await play(2, ['--mix-wordings']);
    expect(mixed.asked).toBeGreaterThan(10);
    expect(globSync(`${study}/*/*/manifest.json`)).toHaveLength(4);
  });
});

it('playMatch finds what an earlier version recorded under another id', async () => {
  const { out, id } = { out: path.join(root, 'arena-6-tinyllama'), id: 'small-6-3-01234567' };
  const plan = {
    board: { name: 'small-6', roles: { Werewolf: 1, Seer: 1, Doctor: 1, Villager: 3 } },
    ...{ rules: 'arena', seed: 3, model: 'openai:tinyllama?maxTokens=160', out, env: { OPENAI_API_KEY: 'none' } },
  };
  const rule = { debateTurns: 1, maxRounds: 2, maxWords: 40 };
  await expect(playMatch({ ...plan, rule })).rejects.toThrow('give --rules arena@1 --rule thoughts=kept (');
  const former = { ...plan, rules: 'arena@1', rule: { ...rule, thoughts: 'kept' } };
  await expect(playMatch(former)).rejects.toThrow('asked with a schema for each question');
  const { id: found } = await playMatch({ ...former, model: `${plan.model}&structured=schema` });
  expect(found).toBe(id);
  expect(readdirSync(out)).toEqual([id]);
});
