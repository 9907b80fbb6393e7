// Wrong usage and help of all scripts. Errors name the value and the known values, the exit code is 2, and nothing is
// written.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { describeModels } from '../../models/providers/index.ts';
import { roles } from '../../state/roles/index.ts';
import { boards, readBoard } from '../../state/boards.ts';
import { presetNames } from '../../state/presets.ts';
import { describeMissingRole, rulebook } from '../../state/rulebook.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { filesIn } from './match-folder.ts';
import { run } from './process.ts';

/** Counts the timers that keep this process alive. */
const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
const timersBefore = countTimers();

const folder = createTemporaryFolder();
const out = path.join(folder, 'never-made');

const file = (name: string, contents: string) => {
  const where = path.join(folder, name);
  writeFileSync(where, contents);
  return where;
};

const halfNamed = file('half-named.yaml', 'gpt: { model: openai:gpt-4o, price: { in: 1, out: 2 } }\n');
const unpriced = file('unpriced.yaml', 'mine: { model: openai:mine, apiKeyEnv: PATH }\n');
const unknownKey = file('unknown-key.yaml', 'bord: classic-8\n');
const wrongTypes = file(
  'wrong-types.yaml',
  'seed: seven\nrule: { debateTurns: [1] }\nseats: { Dan: { persona: 3 } }\n',
);
const noYaml = file('no-yaml.yaml', 'seats: { Dan: bot:random\n');
const parity = file('parity.yaml', 'name: parity\nroles: { Werewolf: 3, Villager: 3 }\n');
const manyKeys = file('many-keys.yaml', Array.from({ length: 60_000 }, (_, at) => `k${at}: 1`).join('\n'));
const huge = file('huge.yaml', Array.from({ length: 1_000_000 }, (_, at) => `k${at}: 1`).join('\n'));
const aliases = file(
  'aliases.yaml',
  `a: &a [1]\n${Array.from({ length: 9 }, (_, at) => `b${at}: &b${at} [${`*${at === 0 ? 'a' : `b${at - 1}`},`.repeat(9)}]`).join('\n')}\n`,
);
const within = file('within.yaml', 'seats: &seats { Dan: *seats }\n');
const deep = file('deep.yaml', `board: ${'['.repeat(20_000)}`);
const tagged = file('tagged.yaml', 'seed: !include other.yaml\n');
const twice = file('twice.yaml', 'seed: 1\nseed: 2\n');
const prototype = file('prototype.yaml', 'seats: { __proto__: { model: bot:random } }\n');
const longValue = file('long-value.yaml', `seed: ${'x'.repeat(100_000)}\n`);
const key = 'sk-local-0123456789abcdef';
const persona = file('persona.yaml', `seats: { Dan: { persona: "Speak as ${key} would." } }\n`);
const manifest = file('manifest.json', '{ "schema_version": 99 }');

describe('npm run match', () => {
  it.each<[string, string[], ...string[]]>([
    ['an unknown board', ['--board', 'chess'], '"chess"', 'classic-8', 'YAML file'],
    ['a board file that is not there', ['--board', 'gone.yaml'], 'There is no file gone.yaml.'],
    ['a board at parity', ['--board', parity], '"parity" cannot be played', 'at parity at the start'],
    ['unknown rules', ['--rules', 'chess'], '"chess"', 'wolf, arena'],
    ['an unknown rule', ['--rule', 'speed=3'], '"speed"', 'debateTurns', 'protectSelf'],
    ['an unknown value of a rule', ['--rule', 'ballots=open'], '"ballots"', '"open"', 'secret', 'public'],
    ['an unknown role', ['--role', 'Fool=bot:random'], '"Fool"', [...roles.keys()].join(', ')],
    ['a role without a model', ['--role', 'Seer'], "'Seer'", 'NAME=MODEL'],
    ['an unknown name', ['--seat', 'Zed=bot:random'], '"Zed"', 'Ginger', 'Leah'],
    ['an unknown provider', ['--model', 'nobody:gpt-4o'], '"nobody:gpt-4o"', 'openai:gpt-4o', 'vertexai', 'bot'],
    ['an unknown bot', ['--werewolves', 'bot:clever'], '"bot:clever"', 'bot:classic', 'bot:random'],
    ['an unknown option of a model', ['--model', 'openai:m?temp=1'], '"temp"', 'temperature', 'priceOut'],
    ['an unknown option', ['--bord', 'classic-8'], "'--bord'", '--board', '--help'],
    ['an option that is given twice', ['--seed', '1', '--seed', '2'], '--seed is given twice'],
    ['a rule that is given twice', ['--rule', 'maxRounds=1', '--rule', 'maxRounds=2'], 'maxRounds is given twice'],
    ['a role that is given twice', ['--role', 'Seer=bot:random', '--role', 'Seer=bot:classic'], 'Seer is given twice'],
    ['a seat that is given twice', ['--seat', 'Dan=bot:random', '--seat', 'Dan=bot:classic'], 'Dan is given twice'],
    [
      'a rule that is crossed twice',
      ['--matches', '1', '--cross-rules', 'analysis=both', 'analysis=off'],
      '--cross-rules crosses analysis twice',
    ],
    ['a board that is nearly one', ['--board', 'clasic-8'], 'Did you mean "classic-8"?'],
    ['rules that are nearly some', ['--rules', 'arean'], 'Did you mean "arena"?'],
    ['what is no pair of key and host', ['--allow-key', 'KEY'], '--allow-key must be NAME@HOST', '"KEY"'],
    ['a name without a models file', ['--model', 'gpt'], '"gpt"', '--models FILE'],
    ['a folder in place of a models file', ['--models', folder], `${folder} is a folder`, 'gives models names'],
    ['a models file that is not there', ['--models', 'gone.yaml'], 'There is no file gone.yaml.'],
    ['a plan that is not there', ['--plan', 'gone.yaml', '--matches', '1'], 'There is no file gone.yaml.'],
    ['a folder in place of a plan', ['--plan', folder, '--matches', '1'], `${folder} is a folder`, 'analysis plan'],
    ['half the name of a group of options', ['--models', halfNamed], halfNamed, 'gpt: unknown: "price"', '"prices"'],
    [
      'a cap on a named model with no known price, by its name',
      ['--max-cost', '1', '--models', unpriced, '--model', 'mine', '--allow-key', 'PATH@api.openai.com'],
      'the price of mine is not known',
      'prices: { in: …, out: … }',
    ],
    ['a folder in place of a file', [folder], `${folder} is a folder`, 'manifest.json'],
    ['an argument too many', ['one.yaml', 'two.yaml'], 'one.yaml, two.yaml'],
    ['a seed that is no number', ['--seed', 'seven'], "'seven'", 'whole number'],
    ['a cap below zero', ['--max-cost', '-1'], '--max-cost <usd>', "'-1'", 'a number from 0 up'],
    ['a share above one', ['--max-fallbacks', '25'], "'25'", 'a number from 0 to 1'],
    ['a wait without end', ['--max-wait', '1e400'], "'1e400'", 'a number'],
    ['an id that leaves the folder', ['--id', '../x'], '"../x"', 'letters, digits'],
    ['a bot for a judge', ['--judge', 'bot:classic'], 'bot:classic cannot be the judge', 'Name a language model'],
    ['an id for several matches', ['--id', 'x', '--matches', '2'], '--id x', '--matches 2', 'Remove one'],
    ['an option for a pool', ['--experience', '--dry-run'], '--experience <pool>', 'must be the folder of a pool'],
    ['an id that Windows keeps', ['--id', 'Con.1'], 'The id "Con.1" must', 'CON, NUL, COM1'],
    ['no match at all', ['--matches', '0'], '--matches 0', 'must be 1 or more'],
    [
      'more matches than there are seeds',
      ['--matches', '2', '--seed', '9007199254740991'],
      'too large for 2 matches with successive seeds',
    ],
    ['a dry run of an unknown board', ['--dry-run', '--board', 'chess'], '"chess"', 'classic-8'],
    ['a file that is not there', ['gone.yaml'], 'There is no file gone.yaml.'],
    ['a file that is no YAML', [noYaml], noYaml, 'line 2'],
    ['a file of a million names', [huge], huge, 'is larger than 1 MB'],
    ['a file of too many names', [manyKeys], manyKeys, 'is too long'],
    ['a file whose aliases multiply', [aliases], aliases, 'alias'],
    ['a file with a value within itself', [within], within, '*seats refers to a value that contains it'],
    ['a file without a bottom', [deep], deep, 'cannot be read'],
    ['a file with a tag', [tagged], tagged, '!include', 'Write the value itself'],
    ['a file that says a name twice', [twice], twice, '"seed" occurs twice'],
    ['a file with a name of the language', [prototype], prototype, '"__proto__" is not allowed'],
    ['a name of the language', ['--seat', '__proto__=bot:random'], '__proto__'],
    ['a long value, which is cut', [longValue], 'must be a number'],
    ['a key in a persona', [persona], 'The persona of Dan contains a key', 'Speak as [redacted]'],
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
    expect(stderr.length).toBeLessThan(3000);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(existsSync(out)).toBe(false);
  });

  it('refuses an empty folder to write to', async () => {
    expect((await run('match', ['--out', ''])).stderr).toBe('--out cannot be used:\n  must not be empty\n');
  });

  it('does not repeat a key that was typed into a model', async () => {
    const { code, stderr } = await run('match', ['--out', out, '--model', 'openai:m?apiKey=sk-0123456789abcdef']);
    expect(code).toBe(2);
    expect(stderr).toContain('"apiKey"');
    expect(stderr).not.toContain('0123456789');
  });

  it('refuses a manifest of a later version', async () => {
    const { code, stderr } = await run('match', ['--out', out, manifest]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `${manifest} has schema_version 99, but this version of Wolfgraph reads only up to 4. Update Wolfgraph, or use the version that wrote it.\n`,
    );
    expect(existsSync(out)).toBe(false);
  });
});

describe('npm run show, report and verify', () => {
  it.each(['show', 'report', 'verify'] as const)('say what is missing (%s)', async (script) => {
    const { code, stderr } = await run(script, []);
    expect(code).toBe(2);
    expect(stderr).toMatch(/missing required argument 'folders?'/);
  });
});

const scripts = ['match', 'show', 'report', 'verify', 'replay', 'import', 'annotate', 'simulate'] as const;

const helps = Object.fromEntries(
  await Promise.all(scripts.map(async (script) => [script, await run(script, ['--help'])] as const)),
);

describe('--help', () => {
  it.each(scripts)('of %s says how to call it, and nothing is wrong', (script) => {
    const { code, stdout, stderr } = helps[script]!;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: npm run ${script} -- `));
  });

  it('of match fits on two screens and names all boards, presets and --help-all', () => {
    const { stdout } = helps['match']!;
    expect(stdout.split('\n').length).toBeLessThanOrEqual(2 * 25);
    for (const name of [...Object.keys(boards), ...presetNames, '--help-all']) expect(stdout).toContain(name);
    expect(stdout).not.toContain('--max-fallbacks');
  });

  it('--help-all of match names every option, every rule and every exit code', async () => {
    const { code, stdout } = await run('match', ['--help-all']);
    expect(code).toBe(0);
    const options = [
      'board',
      'rules',
      'rule',
      'seed',
      'model',
      'villagers',
      'werewolves',
      'role',
      'seat',
      'out',
      'id',
      'judge',
    ];
    const limits = [
      'plan',
      'crossed',
      'cross-rules',
      'variants',
      'max-cost',
      'max-fallbacks',
      'max-wait',
      'concurrency',
    ];
    for (const option of [...options, 'matches', 'dry-run', ...limits, 'reveal', 'json', 'quiet'])
      expect(stdout).toMatch(new RegExp(`^  --${option} `, 'm'));
    for (const rule of Object.keys(rulebook)) expect(stdout).toMatch(new RegExp(`\\b${rule}\\b`));
    for (const { name } of describeModels()) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    for (const code of [0, 1, 2, 3, 4, 5, 129, 130, 143]) expect(stdout).toMatch(new RegExp(`\\b${code} [a-z]`));
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it.each(Object.keys(boards))(
    '--help-all explains the rules of the roles on %s, and only names the others',
    async (board) => {
      const { stdout } = await run('match', ['--board', board, '--help-all']);
      expect(stdout).toContain(`Rules on the board ${board}, with their defaults:`);
      const explained = Object.keys(rulebook).filter((rule) => new RegExp(`^  ${rule}=`, 'm').test(stdout));
      expect(explained).toEqual(Object.keys(rulebook).filter((rule) => describeMissingRole(readBoard(board), rule) === null)); // prettier-ignore
    },
  );
});

const shelf = createTemporaryFolder();
const id = 'session_20241117_221340';
const session = path.join(shelf, id);
const source = path.join(import.meta.dirname, '../published-games', id);
const imported = await run('import', ['--format', 'arena', '--out', shelf, source]);

describe('npm run import', () => {
  it('says where the record is and where the game left its rules', () => {
    const { code, stdout, stderr } = imported;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')[0]).toBe(session);
    expect(stdout).toContain('round 2, day: Recorded as exiled: Jackson; by the rules: nobody.');
    const names = ['answers.ndjson', 'deception_summary.json', 'events.ndjson', 'import.json', 'manifest.json'];
    expect(Object.keys(filesIn(session))).toEqual(names);
  });

  it('makes what report and show read', async () => {
    const [report, show] = await Promise.all([run('report', [session]), run('show', [session])]);
    expect([report.code, report.stderr, show.code, show.stderr]).toEqual([0, '', 0, '']);
    expect(show.stdout).toContain('Jackson (Villager) is exiled with 3 of 6 votes');
  });

  it('makes what match refuses, and verify does not replay', async () => {
    const { code, stderr } = await run('match', ['--out', shelf, '--id', id]);
    expect(code).toBe(1);
    expect(stderr).toContain('neither resumed nor replayed');
    expect((await run('verify', [session])).stdout).toContain('1 imported, which cannot be replayed');
  });

  it.each([
    [
      'a folder without a game',
      [shelf],
      'contains no game of a known format. Known formats: sessions of Werewolf Arena',
    ],
    ['an unknown format', ['--format', 'chess', source], 'Allowed choices are arena'],
    ['a folder without a session', ['--format', 'arena', shelf], 'contains no game_complete.json'],
  ])('answers %s with exit code 2', async (_what, args, said) => {
    const { code, stderr } = await run('import', args);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });
});

describe('npm run simulate', () => {
  it('says what the paper says, what its algorithm gives, and that the two differ', async () => {
    const { code, stdout, stderr } = await run('simulate', ['--games', '50000']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/8 players, 2 of them on the side of the Werewolves, with a Doctor/);
    expect(stdout).toMatch(/Without a Seer.* 50,000 .* 1\.\d\d %.* to .*1\.20 %/);
    expect(stdout).toMatch(/With the Seer.* 50,000 .* 4[67]\.\d\d %.* to .*100\.00 %/);
    expect(stdout).toMatch(/Its 100 % with the Seer is not: the algorithm as printed gives about 47 %/);
    expect(stderr).toMatch(/games per second of CPU time/);
  });

  it('gives the same numbers as JSON for the same seed', async () => {
    const once = () => run('simulate', ['--board', 'plus-12', '--games', '1000', '--seed', '7', '--json']);
    const [first, second] = await Promise.all([once(), once()]);
    expect(second).toEqual(first);
    expect(JSON.parse(first.stdout)).toMatchObject({
      players: 12,
      werewolves: 4,
      doctor: true,
      seed: 7,
      results: [
        { with_seer: false, games: 1000, published: null },
        { with_seer: true, games: 1000, published: null },
      ],
    });
  });

  it.each([
    [['--players', '8'], /give both/],
    [['--board', 'plus-12', '--players', '8', '--werewolves', '2'], /not both/],
    [['--players', '8', '--werewolves', '5'], /5 Werewolves among 8 players/],
    [['--board', 'none'], /Unknown board "none"/],
    [['--games', '0'], /from 1 up/],
  ])('answers %j with what is wrong', async (args, words) => {
    const { code, stderr } = await run('simulate', args);
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
  });
});

describe('a command that is refused', () => {
  it('leaves no timer behind, which would keep its process alive', () => {
    expect(countTimers() - timersBefore).toBeLessThanOrEqual(1); // the limit of this test
  });
});
