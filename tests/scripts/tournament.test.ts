// Tournaments as a user runs them: interruptions do not change the folders. Also commands that are refused.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import type { TournamentRecord } from '../../deception/tournament-plan/tournament-record.ts';
import { readTournamentFile } from '../../scripts/command/tournament-command.ts';
import { findTournament } from '../../scripts/report/leaderboard-files.ts';
import { openOpenaiServer } from '../openai-server.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { legally, reaching } from './local-model.ts';
import { eventsIn, filesIn, manifestIn } from './match-folder.ts';
import { run, smallBoard } from './process.ts';
import { itLong } from '../it-long.ts';

const root = createTemporaryFolder();
const short = { debateTurns: 1, maxRounds: 1, analysis: 'off' };
/** The board with the fewest players, for matches that are played. */
const small = { boards: [smallBoard] };
const field = { zebra: 'bot:classic', okapi: { model: 'bot:classic', persona: 'Speaks little.' }, gnu: 'bot:random' };

const writePlan = (name: string, changes: object = {}) => {
  const file = path.join(root, `${name}.yaml`);
  const plan = { name: 'trial', entrants: field, format: 'round-robin', rule: short, deals: 1, ...changes };
  writeFileSync(file, stringify(plan));
  return file;
};

/** Maps pairing and match to the folder. */
const listMatches = (out: string) =>
  readdirSync(out, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(path.join(out, name)).map((id) => path.join(name, id)))
    .sort();

const readTournamentIn = (out: string) =>
  JSON.parse(readFileSync(path.join(out, 'tournament.json'), 'utf8')) as TournamentRecord;

describe('a tournament', () => {
  const grown = path.join(root, 'grown');

  it('goes on with nothing twice, with more deals or entrants', async () => {
    const { gnu, ...two } = field;
    const first = await run('tournament', [writePlan('first', { ...small, entrants: two }), '--out', grown]);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('Tournament trial: round-robin, 2 entrants, 1 deal, 2 matches; board small');
    const before = listMatches(grown).map((match) => filesIn(path.join(grown, match)));
    const more = await run('tournament', [
      writePlan('more', { ...small, entrants: { ...two, gnu }, deals: 2 }),
      '--out',
      grown,
    ]);
    expect(more.stdout).toContain('2 of 12 matches are already finished and only read.');
    expect(listMatches(grown).filter((match) => !match.includes('gnu') && /-1-\w+$/.test(match))).toHaveLength(2);
    expect(before).toEqual(
      listMatches(grown)
        .filter((match) => !match.includes('gnu') && /-1-\w+$/.test(match))
        .map((match) => filesIn(path.join(grown, match))),
    );
    expect((await run('tournament', [writePlan('more', { ...small, deals: 2 }), '--out', grown])).stdout).toContain(
      'All 12 matches are already finished.',
    );
    expect(readTournamentIn(grown).earlier_plans).toMatchObject([{ deals: 1, entrants: ['zebra', 'okapi'] }]);
  });

  itLong('with more deals and entrants is the same in the end as one played at once', async () => {
    const { gnu, ...two } = field;
    await run('tournament', [writePlan('first', { ...small, entrants: two }), '--out', grown]);
    await run('tournament', [writePlan('more', { ...small, entrants: { ...two, gnu }, deals: 2 }), '--out', grown]);
    const whole = path.join(root, 'whole');
    expect(
      (await run('tournament', [writePlan('whole', { ...small, deals: 2 }), '--out', whole, '--quiet'])).stdout,
    ).toBe('');
    expect(listMatches(grown)).toEqual(listMatches(whole));
    for (const match of listMatches(grown))
      expect(eventsIn(path.join(grown, match))).toBe(eventsIn(path.join(whole, match)));
    expect({ ...readTournamentIn(grown), earlier_plans: [] }).toEqual(readTournamentIn(whole));
  });

  it('names in every manifest its place and the entrant of each seat, and in no prompt an entrant', () => {
    for (const match of listMatches(grown)) {
      const { tournament, setup } = manifestIn(path.join(grown, match));
      const [, pack, village] = /^pack-(\w+)_village-(\w+)\//.exec(match)!;
      expect(tournament).toMatchObject({ name: 'trial', deal: setup.seed, condition: null });
      for (const { name, team, persona } of setup.players) {
        const entrant = team === 'werewolves' ? pack : village;
        expect(tournament!.entrants[name]).toBe(entrant);
        expect(persona).toBe(entrant === 'okapi' ? 'Speaks little.' : undefined);
        expect(setup.models[name]).toBe(entrant === 'gnu' ? 'bot:random' : 'bot:classic');
      }
      const { 'prompts.ndjson.gz': prompts, 'events.ndjson': events } = filesIn(path.join(grown, match));
      expect(`${prompts}${events}`).not.toMatch(/zebra|okapi|\bgnu\b|trial/i);
    }
  });

  it('is reported as a whole, if a folder beside it is reported together with one of its own', () => {
    const [match] = listMatches(grown);
    const [pairing, folder] = [path.join(grown, path.dirname(match!)), path.join(grown, match!)];
    const count = (...named: string[]) => findTournament(named, [folder])!.schedule.length;
    expect([count(grown), count(pairing), count(pairing, path.join(root, 'beside'))]).toEqual([12, 2, 12]);
  });

  it('has the same players, roles and seats on a deal whoever plays it', () => {
    const deals = Map.groupBy(listMatches(grown), (match) => manifestIn(path.join(grown, match)).setup.seed);
    for (const matches of deals.values()) {
      const dealt = matches.map((match) =>
        manifestIn(path.join(grown, match)).setup.players.map(({ name, role }) => `${name} ${role}`),
      );
      for (const other of dealt) expect(other).toEqual(dealt[0]);
    }
  });

  it('tells with --status and --dry-run what is done and left, and writes nothing', async () => {
    const more = writePlan('status', { ...small, deals: 3 });
    const before = readFileSync(path.join(grown, 'tournament.json'), 'utf8');
    const { stdout } = await run('tournament', [more, '--status', '--out', grown]);
    expect(stdout).toMatch(
      /^trial: 12 of 18 matches done, 0 under way, 6 waiting, 0 failed; 2 of 3 deals complete\.\n/,
    );
    const status = JSON.parse((await run('tournament', [more, '--status', '--out', grown, '--json'])).stdout) as object;
    expect(status).toMatchObject({ matches: 18, done: 12, under_way: 0, waiting: 6, failed: 0, deals_complete: 2 });
    const answers = Object.entries(filesIn(grown)).filter(([file]) => path.basename(file) === 'answers.ndjson');
    const lines = answers.flatMap(([, contents]) => contents.trimEnd().split('\n'));
    expect(status).toMatchObject({ calls: lines.length });
    const dry = await run('tournament', [more, '--dry-run', '--out', grown]);
    expect(dry.stdout).toContain('12 of 18 matches are already finished and only read.');
    expect(dry.stdout).toContain('Balanced: every entrant has each role equally often, on the same deals.');
    expect(dry.stdout).toContain('Estimate for the remaining 6 matches:');
    expect(readFileSync(path.join(grown, 'tournament.json'), 'utf8')).toBe(before);
  });

  itLong('tells with --dry-run how many deals a precision takes', async () => {
    const plan = writePlan('precise', { ...small, deals: 3 });
    const { stdout } = await run('tournament', [
      plan,
      '--dry-run',
      '--out',
      path.join(root, 'none'),
      '--precision',
      '0.2',
    ]);
    expect(stdout).toMatch(/± 0\.2 for a difference takes \d+ deals, \d+ matches in all/);
  });

  it('tells with --dry-run how many matches were begun', async () => {
    const begun = path.join(root, 'begun');
    cpSync(grown, begun, { recursive: true });
    for (const match of listMatches(begun).slice(0, 2)) rmSync(path.join(begun, match, 'deception_summary.json'));
    const { stdout } = await run('tournament', [
      writePlan('whole', { ...small, deals: 2 }),
      '--dry-run',
      '--out',
      begun,
    ]);
    expect(stdout).toContain('10 of 12 matches are already finished and only read; 2 matches were begun and resume');
  });

  it('is refused under another plan of the same name, with every difference named', async () => {
    const refuse = async (changes: object) =>
      (await run('tournament', [writePlan('other', { ...small, ...changes }), '--out', grown])).stderr;
    expect(await refuse({ deals: 2, seed: 5 })).toContain(
      'trial began under another plan. It differs in seed (1, now 5).',
    );
    expect(await refuse({ deals: 2, entrants: { ...field, gnu: 'bot:classic?lie=1' } })).toContain(
      'It differs in entrants.gnu.model ("bot:random", now "bot:classic?lie=1").',
    );
    expect(await refuse({ deals: 1 })).toContain('It has fewer deals (1) than were planned (2).');
    expect(await refuse({ deals: 2, format: 'mixed' })).toContain('It differs in format ("round-robin", now "mixed").');
  });
});

describe('every format', () => {
  it.each([
    ['mixed', {}, ['mixed']],
    ['self-play', {}, ['gnu', 'okapi', 'zebra'].map((name) => `pack-${name}_village-${name}`)],
    ['by-role', { role: 'Seer', baseline: 'gnu' }, ['Seer-gnu', 'Seer-okapi', 'Seer-zebra']],
  ])('%s is played, each entrant in its seats', async (format, changes, folders) => {
    const out = path.join(root, format);
    const { code, stderr } = await run('tournament', [
      writePlan(format, { ...small, format, ...changes }),
      '--out',
      out,
      '--quiet',
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const matches = listMatches(out);
    expect([...new Set(matches.map((match) => path.dirname(match)))]).toEqual(folders);
    expect(matches).toHaveLength(3);
    for (const match of matches) {
      const { setup, tournament } = manifestIn(path.join(out, match));
      for (const { name } of setup.players)
        expect(setup.models[name]).toBe(
          ['gnu', 'baseline'].includes(tournament!.entrants[name]!) ? 'bot:random' : 'bot:classic',
        );
    }
  });

  itLong(
    'takes boards and models from files beside the plan, models by role, and crosses conditions and presets',
    async () => {
      mkdirSync(path.join(root, 'files'));
      writeFileSync(path.join(root, 'files', 'six.yaml'), 'name: six\nroles: { Werewolf: 1, Seer: 1, Villager: 4 }\n');
      writeFileSync(path.join(root, 'files', 'models.yaml'), 'quiet: { model: "bot:classic?lie=0" }\n');
      const plan = {
        ...{ name: 'files', format: 'head-to-head', deals: 1, rule: short, out: 'played' },
        ...{
          entrants: { one: 'quiet', two: { model: 'bot:random', roles: { Seer: 'quiet' } } },
          models: 'models.yaml',
        },
        ...{
          boards: ['six.yaml', 'classic-8'],
          rules: ['wolf', 'arena'],
          conditions: { honesty: ['unsaid', 'forbidden'] },
        },
      };
      writeFileSync(path.join(root, 'files', 'plan.yaml'), stringify(plan));
      expect(await run('tournament', [path.join(root, 'files', 'plan.yaml'), '--quiet'])).toMatchObject({ code: 0 });
      const out = path.join(root, 'files', 'played');
      const matches = listMatches(out);
      expect(matches).toHaveLength(2 * 2 * 4);
      const match = matches.find((one) =>
        one.startsWith('pack-one_village-two__rules-arena@2_honesty-forbidden/six-1-'),
      )!;
      const { setup, tournament } = manifestIn(path.join(out, match));
      expect(setup.rules.honesty).toBe('forbidden');
      expect(tournament!.condition).toBe('rules-arena@2_honesty-forbidden');
      const seer = setup.players.find(({ role }) => role === 'Seer')!;
      expect(setup.models[seer.name]).toContain('name=quiet');
      expect(tournament!.entrants[seer.name]).toBe('two');
    },
  );

  it('of one entrant is played with itself under every condition', async () => {
    const alone = {
      ...{ ...small, format: 'self-play', entrants: { one: 'bot:classic' }, deals: 2 },
      conditions: { honesty: ['unsaid', 'forbidden'] },
    };
    const out = path.join(root, 'alone');
    const { code, stderr, stdout } = await run('tournament', [writePlan('alone', alone), '--out', out]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('4 of 4');
    expect(listMatches(out)).toHaveLength(2 * 2);
  });
});

it('a tournament begun before presets had versions goes on under the first, and not under a newer one', async () => {
  const out = path.join(root, 'versions');
  const begun = { ...small, entrants: { one: 'bot:classic', two: 'bot:random' }, rules: 'arena@1' };
  expect(await run('tournament', [writePlan('versions', begun), '--out', out, '--quiet'])).toMatchObject({ code: 0 });
  const file = path.join(out, 'tournament.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"arena@1"', '"arena"')); // as earlier versions stored it
  const newer = await run('tournament', [writePlan('newer', { ...begun, rules: 'arena' }), '--out', out]);
  expect(newer).toMatchObject({ code: 2, stdout: '' });
  expect(newer.stderr).toContain(
    'began under arena@1, but the plan now selects arena@2. To resume, write rules: arena@1',
  );
  const again = await run('tournament', [writePlan('versions', begun), '--out', out]);
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(again.stdout).toContain('All 2 matches are already finished.');
});

describe('a crossed tournament', () => {
  it('has the plan of a round-robin with self-play, so that records of both are alike', () => {
    const two = { entrants: { calm: 'bot:classic', dice: 'bot:random' } };
    const crossed = readTournamentFile(writePlan('crossed', { ...two, format: 'crossed' })).plan;
    const others = readTournamentFile(writePlan('with-self-play', { ...two, selfPlay: true })).plan;
    expect(crossed).toEqual(others);
  });
});

describe('a plan that cannot be played', () => {
  it.each([
    [{ entrants: { one: 'bot:classic' } }, 'A tournament needs two entrants or more, not one.'],
    [{ entrants: { one: 'bot:classic', two: 'bot:classic' } }, 'one and two are the same entrant on board classic-8'],
    [{ entrants: { one: 'bot:classic', One: 'bot:random' } }, 'Two entrants are called One if case is ignored'],
    [{ entrants: { 'a b': 'bot:classic', c: 'bot:random' } }, 'entrants.a b'],
    [{ entrants: { one: 'chess:deep', two: 'bot:random' } }, 'entrants.one:'],
    [{ entrants: { one: 'bot:chess', two: 'bot:random' } }, 'Unknown model "bot:chess"'],
    [{ conditions: { debateTurns: [1, 2] } }, '"conditions" has several values of debateTurns, but "rule" fixes it'],
    [{ entrants: { baseline: 'bot:classic', two: 'bot:random' } }, 'No entrant can be called "baseline"'],
    [{ format: 'head-to-head' }, 'format: head-to-head is between two entrants, not 3 (zebra, okapi, gnu)'],
    [{ format: 'by-role', role: 'Seer' }, 'format: by-role needs baseline'],
    [
      { format: 'by-role', baseline: 'gnu' },
      'format: by-role needs the field role: the role in which entrants are compared, one of Werewolf',
    ],
    [{ format: 'by-role', baseline: 'gnu', role: 'Hunter' }, 'Nobody is Hunter on board classic-8'],
    [
      { format: 'by-role', role: 'Seer', baseline: 'gnu', selfPlay: true },
      'selfPlay: true would play gnu against itself twice on board classic-8: the baseline is the same configuration',
    ],
    [{ role: 'Seer' }, '"role" needs "format: by-role", but the format is round-robin'],
    [{ format: 'mixed', design: 'cyclic' }, '"design: cyclic" needs "format: round-robin"'],
    [
      { format: 'crossed', design: 'cyclic' },
      '"design: cyclic" plays some pairs on each deal, but "format: crossed" plays all',
    ],
    [
      { format: 'knockout' },
      'format "knockout": must be one of round-robin, self-play, head-to-head, mixed, by-role, crossed',
    ],
    [{ boards: ['chess'] }, 'Unknown board "chess"'],
    [{ rules: 'chess' }, 'Unknown rules "chess"'],
    [{ conditions: { honesty: ['unsaid'] } }, 'A crossed rule needs at least two different values'],
    [{ conditions: { colour: ['red', 'blue'] } }, 'conditions: unknown rule "colour"'],
    [{ stop: {} }, 'stop: needs precision, decide or both'],
    [{ stop: { decide: true, pairs: [['zebra', 'emu']] } }, 'stop.pairs: no entrant is called "emu"'],
    [{ format: 'self-play', stop: { decide: true } }, 'stop compares the scores of two entrants'],
    [{ seed: Number.MAX_SAFE_INTEGER }, 'leaves no room for the seeds of 1 deals'],
    [{ deal: 3 }, 'unknown: "deal"; known: name, format, role,'],
    [
      { entrants: { one: { modl: 'bot:classic' }, two: 'bot:random' } },
      'unknown: "modl"; known: model, persona, roles',
    ],
  ])('%j is refused with what is wrong in it', async (changes, words) => {
    const out = path.join(root, 'refused');
    const { code, stderr, stdout } = await run('tournament', [writePlan('refused', changes), '--out', out]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
    expect(existsSync(out)).toBe(false);
  });

  it.each([
    [['--precision', '0.1'], '--precision needs --dry-run'],
    [['--dry-run', '--status'], '--dry-run and --status exclude each other'],
    [['--concurrency', '0'], 'It must be a whole number from 1 to 1000'],
    [['--max-fallbacks', '2'], 'It must be a number from 0 to 1'],
  ])('%j is refused', async (args, words) => {
    const { code, stderr } = await run('tournament', [writePlan('refused'), ...args]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
  });
});

describe('a tournament of language models', () => {
  const opened = openOpenaiServer(legally);
  afterAll(async () => (await opened).close());

  it('stops at its cap, says how to go on, and keeps addresses and keys out of its record', async () => {
    const server = await opened;
    const out = path.join(root, 'capped');
    const entrants = {
      small: `openai:small?priceIn=50000&priceOut=0&baseUrl=${encodeURIComponent(server.baseUrl)}`,
      calm: 'bot:classic',
    };
    const plan = writePlan('capped', { ...small, name: 'capped', entrants, maxCost: 20 });
    const { code, stderr } = await run('tournament', [plan, '--out', out, '--max-cost', '1'], reaching(server));
    expect(code).toBe(4);
    expect(stderr).toContain(
      `To resume with a higher --max-cost: npm run tournament -- ${plan} --out ${out} --max-cost …`,
    );
    const text = readFileSync(path.join(out, 'tournament.json'), 'utf8');
    expect(text).not.toContain('127.0.0.1');
    expect(text).toContain('"maxCost": 20');
    const status = await run('tournament', [plan, '--out', out, '--status'], reaching(server));
    expect(status.stdout).toMatch(/0 of 2 matches done, 0 under way, \d waiting, \d failed/);
    expect(status.stdout).toContain('openai: ');
  });
});
