// Wrong usage of the scripts: the value and the known ones are said, the exit code is 2, and nothing is written.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../temporary-folder.ts';
import { roles } from '../../state/roles/index.ts';
import { run } from './process.ts';

const folder = temporaryFolder();
const out = path.join(folder, 'never-made');

const file = (name: string, contents: string) => {
  const where = path.join(folder, name);
  writeFileSync(where, contents);
  return where;
};

const unknownKey = file('unknown-key.yaml', 'bord: classic-8\n');
const wrongTypes = file(
  'wrong-types.yaml',
  'seed: seven\nrule: { debateTurns: [1] }\nseats: { Dan: { persona: 3 } }\n',
);
const noYaml = file('no-yaml.yaml', 'seats: { Dan: bot:random\n');
const parity = file('parity.yaml', 'name: parity\nroles: { Werewolf: 3, Villager: 3 }\n');
const manifest = file('manifest.json', '{ "schema_version": 99 }');

describe('npm run match', () => {
  it.concurrent.each<[string, string[], ...string[]]>([
    ['an unknown board', ['--board', 'chess'], '"chess"', 'classic-8', 'YAML file'],
    ['a board file that is not there', ['--board', 'gone.yaml'], 'There is no file gone.yaml.'],
    ['a board at parity', ['--board', parity], '"parity" cannot be played', 'at parity at the start'],
    ['unknown rules', ['--rules', 'chess'], '"chess"', 'wolf, arena'],
    ['an unknown rule', ['--rule', 'speed=3'], '"speed"', 'debateTurns', 'protectSelf'],
    ['an unknown value of a rule', ['--rule', 'ballots=open'], '"ballots"', '"open"', 'secret', 'public'],
    ['an unknown role', ['--role', 'Fool=bot:random'], '"Fool"', [...roles.keys()].join(', ')],
    ['a role without a model', ['--role', 'Seer'], "'Seer'", 'NAME=MODEL'],
    ['an unknown name', ['--seat', 'Zed=bot:random'], '"Zed"', 'Ginger', 'Leah'],
    ['an unknown provider', ['--model', 'nobody:gpt-4o'], '"nobody:gpt-4o"', 'openai:', 'vertexai:', 'bot:'],
    ['an unknown bot', ['--werewolves', 'bot:clever'], '"bot:clever"', 'bot:classic', 'bot:random'],
    ['an unknown option of a model', ['--model', 'openai:m?temp=1'], '"temp"', 'temperature', 'priceOut'],
    ['an unknown option', ['--bord', 'classic-8'], "'--bord'", '--board', '--help'],
    ['an argument too many', ['one.yaml', 'two.yaml'], 'one.yaml, two.yaml'],
    ['a seed that is no number', ['--seed', 'seven'], "'seven'", 'whole number'],
    ['a cap below zero', ['--max-cost', '-1'], '--max-cost -1', '>=0'],
    ['an id that leaves the folder', ['--id', '../x'], '"../x"', 'letters, digits'],
    ['an id for several matches', ['--id', 'x', '--matches', '2'], '--id x', '--matches 2', 'Leave out one'],
    ['no match at all', ['--matches', '0'], '--matches 0', '>=1'],
    ['more matches than there are seeds', ['--matches', '2', '--seed', '9007199254740991'], 'no room for the seeds'],
    ['a dry run of an unknown board', ['--dry-run', '--board', 'chess'], '"chess"', 'classic-8'],
    ['a file that is not there', ['gone.yaml'], 'There is no file gone.yaml.'],
    ['a file that is no YAML', [noYaml], noYaml, 'line 2'],
    ['a file with an unknown key', [unknownKey], unknownKey, '"bord"', 'board, rules, rule, seed'],
    ['a file with wrong values', [wrongTypes], 'seed "seven"', 'rule.debateTurns', 'seats.Dan.persona 3'],
    ['a model whose key is not set', ['--model', 'openai:gpt-4o'], 'OPENAI_API_KEY is not set', 'openai:gpt-4o'],
    ['a model without credentials', ['--model', 'vertexai:gemini-2.5-pro'], 'GOOGLE_API_KEY', 'gcloud auth'],
    [
      'a cap on several matches of a model with no known price',
      ['--matches', '2', '--max-cost', '1', '--model', 'openai:mine?apiKeyEnv=PATH'],
      '--max-cost 1',
      'openai:mine',
    ],
    [
      'a cap on a model with no known price',
      ['--max-cost', '1', '--model', 'openai:mine?apiKeyEnv=PATH'],
      '--max-cost 1',
      'openai:mine',
      'priceIn',
    ],
  ])('refuses %s', async (_what, args, ...said) => {
    const { code, stdout, stderr } = await run('match', ['--out', out, ...args], { env: { HOME: folder } });
    for (const words of said) expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/^\s+at /m); // no stack
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(existsSync(out)).toBe(false);
  });

  it.concurrent('does not repeat a key that was typed into a model', async () => {
    const { code, stderr } = await run('match', ['--out', out, '--model', 'openai:m?apiKey=sk-0123456789abcdef']);
    expect(code).toBe(2);
    expect(stderr).toContain('"apiKey"');
    expect(stderr).not.toContain('0123456789');
  });

  it.concurrent('refuses a manifest of a later version', async () => {
    const { code, stderr } = await run('match', ['--out', out, manifest]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `${manifest} has schema_version 99, and this version of Wolfgraph knows none above 1. Update Wolfgraph, or use the version that wrote it.\n`,
    );
    expect(existsSync(out)).toBe(false);
  });
});

describe('npm run show, report and replay', () => {
  it.concurrent.each(['show', 'report', 'replay'] as const)('say what is missing (%s)', async (script) => {
    const { code, stderr } = await run(script, []);
    expect(code).toBe(2);
    expect(stderr).toMatch(/missing required argument 'folders?'/);
  });
});
