// `match --judge`, and the judge in a tournament's plan: the judge reads each match as soon as it is over, and the
// study ends with a report.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readMatchCommand } from '../../scripts/command/match-command.ts';
import { readMatchFlags } from '../../scripts/command/match-options.ts';
import type { CommandIO } from '../../scripts/command/command-line.ts';
import { runMatches } from '../../scripts/run/run-match-command.ts';
import { findNoClaims, openOpenaiServer } from '../openai-server.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { reaching } from '../scripts/local-model.ts';
import { run, smallBoard } from '../scripts/process.ts';

const root = createTemporaryFolder();
const at = (name: string) => path.join(root, name);

const brief = ['--board', smallBoard, '--rules', 'arena', '--rule', 'debateTurns=4', '--rule', 'maxRounds=1'];
const set = (out: string, ...more: string[]) => [...brief, '--matches', '2', '--out', out, ...more];
const judge = ['--judge', 'openai:local'];
const quick = ['--resamples', '20', '--no-baselines', '--no-tables', '--no-cache'];

/** Reads all cached answers of a judge in a study. */
const readKept = (out: string) =>
  readdirSync(out, { recursive: true, encoding: 'utf8' })
    .filter((file) => /claims.*\.ndjson$/.test(path.basename(file)))
    .map((file) => readFileSync(path.join(out, file), 'utf8'));

describe('a judge of matches that are played', () => {
  it('reads each match once it is over, costs what the dry run said, and is asked nothing twice', async () => {
    const out = at('judged');
    const server = await openOpenaiServer(findNoClaims);
    const dry = await run('match', set(out, ...judge, '--dry-run', '--json'));
    const first = await run('match', set(out, ...judge, '--no-report'), reaching(server));
    expect([first.code, first.stderr]).toEqual([0, '']);
    const calls = server.requests.length;
    expect(first.stdout).toContain(`openai:local has judged 2 matches: ${calls} calls;`);
    expect(readKept(out)).toHaveLength(2);
    const questions = server.requests.filter(({ body }) => !/^- claim_1: /m.test(body.messages[1]!.content)).length;
    expect((JSON.parse(dry.stdout) as { judge: object }).judge).toMatchObject({
      model: 'openai:local',
      calls: questions,
    });
    const again = await run('match', set(out, ...judge, '--no-report'), reaching(server));
    expect([again.code, server.requests.length]).toEqual([0, calls]);
    expect(again.stdout).toContain('openai:local has judged 2 matches: all questions were already answered.');
    await server.close();
  });

  it.each([
    ['a line of it', (lines: readonly string[]) => [lines[0], '{"cut', ...lines.slice(2)].join('\n'), 1],
    ['all of it', () => 'ÿþ{\0"\0a\0', null],
  ])(
    'keeps what can be read where %s is damaged, and names the file and what is lost',
    async (_what, damage, again) => {
      const out = at(`damaged-${again}`);
      const server = await openOpenaiServer(findNoClaims);
      expect((await run('match', set(out, ...judge, '--no-report'), reaching(server))).code).toBe(0);
      const asked = server.requests.length;
      const [file] = readdirSync(out, { recursive: true, encoding: 'utf8' })
        .filter((name) => /claims.*\.ndjson$/.test(path.basename(name)))
        .sort();
      const kept = path.join(out, file!);
      const text = damage(readFileSync(kept, 'utf8').split('\n'));
      writeFileSync(kept, text, again === null ? 'latin1' : 'utf8');
      const { stderr, stdout } = await run('report', [out, ...quick]);
      expect(stderr).toContain('Claims are extracted by openai:local');
      const page = readFileSync(path.join(out, 'report', 'report.md'), 'utf8');
      const lost = /(?<file>\S+\.ndjson): (?<damage>[^.]*)\. (?<lost>\d+) of (?<all>\d+) questions/;
      for (const words of [page, stderr + stdout]) expect(lost.exec(words)?.groups).toMatchObject({ file: kept });
      const { metrics } = JSON.parse(readFileSync(path.join(out, 'report', 'report.json'), 'utf8')) as {
        metrics: { name: string; figures: unknown[] }[];
      };
      expect(metrics.find(({ name }) => name === 'lie_turn_rate')!.figures.length).toBeGreaterThan(0);
      expect(server.requests).toHaveLength(asked);
      if (again !== null) {
        await run('report', [out, ...quick, ...judge], reaching(server));
        expect(server.requests).toHaveLength(asked + again);
        expect(readFileSync(path.join(out, 'report', 'report.md'), 'utf8')).not.toMatch(lost);
      }
      await server.close();
    },
  );

  it('goes on where it stopped: the matches stand, the exit code and the words are the judge’s', async () => {
    const out = at('stopped');
    let isDown = true;
    const server = await openOpenaiServer((request) =>
      isDown ? { status: 401, body: { error: { message: 'no such key' } } } : findNoClaims(request),
    );
    const stopped = await run('match', set(out, ...judge, '--no-report'), reaching(server));
    expect(stopped.code).toBe(3);
    expect(stopped.stdout).toContain('2 of 2');
    expect(stopped.stderr).toContain(`To judge the rest: npm run report -- ${out} --judge openai:local`);
    isDown = false;
    const left = await run('match', set(out, ...judge, '--no-report', '--dry-run', '--json'));
    const { calls } = (JSON.parse(left.stdout) as { judge: { calls: number } }).judge;
    expect(calls).toBeGreaterThan(0);
    const resumed = await run('match', set(out, ...judge, '--no-report'), reaching(server));
    expect([resumed.code, readKept(out).length]).toEqual([0, 2]);
    await server.close();
  });

  it('shares the cap with the players', async () => {
    const out = at('capped');
    const server = await openOpenaiServer(findNoClaims);
    const dear = ['--judge', 'openai:local?priceIn=1000000&priceOut=0', '--max-cost', '1', '--no-report'];
    const { code, stderr } = await run('match', set(out, ...dear), reaching(server));
    expect([code, stderr]).toEqual([4, expect.stringContaining('The budget of $1 is reached')]);
    expect(server.requests.length).toBeLessThan(33);
    await server.close();
  });

  it.each([
    ['without a key', judge, 'OPENAI_API_KEY'],
    ['without a price under a cap', [...judge, '--max-cost', '1'], 'the price of openai:local is not known'],
  ])('%s is refused before anything is played', async (_what, options, words) => {
    const out = at('refused');
    const env = options.length > 2 ? { OPENAI_API_KEY: 'sk-0' } : {};
    const { code, stderr } = await run('match', set(out, ...options), { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(existsSync(out)).toBe(false);
  });

  it('reads one match alone too, which is then reported by it', async () => {
    const server = await openOpenaiServer(findNoClaims);
    const out = at('alone');
    const { code, stdout } = await run('match', [...brief, '--id', 'a', '--out', out, ...judge], reaching(server));
    expect([code, stdout]).toEqual([0, expect.stringMatching(/openai:local has judged 1 match: \d+ calls?;/)]);
    await server.close();
  });

  it('of a tournament is the one that its plan names', async () => {
    const plan = at('plan.yaml');
    const entrants = 'entrants: { a: "bot:classic?salt=1", b: "bot:classic?salt=2" }';
    writeFileSync(plan, `name: cup\ndeals: 1\nformat: round-robin\n${entrants}\njudge: openai:local\nrules: arena\n`);
    const dry = await run('tournament', [plan, '--dry-run', '--json', '--out', at('cup')]);
    const { calls } = (JSON.parse(dry.stdout) as { judge: { calls: number } }).judge;
    expect(calls).toBeGreaterThan(10);
    const server = await openOpenaiServer(findNoClaims);
    const { code, stdout, stderr } = await run(
      'tournament',
      [plan, '--out', at('cup'), '--no-report'],
      reaching(server),
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/openai:local has judged \d+ matches: \d+ calls/);
    await server.close();
  });
});

describe('the end of a judged study', () => {
  /** Ends the study with commands that only note their arguments. */
  async function conclude(argv: string[], codes: { report: number; compare: number }) {
    const called: string[][] = [];
    const said = { stdout: '', stderr: '' };
    const write = (name: keyof typeof said) => ({
      write: (text: string, written?: () => void) => {
        said[name] += text;
        written?.();
      },
    });
    const io: CommandIO = {
      ...{ stdout: write('stdout'), stderr: write('stderr'), env: {} },
      ...{ listenToSignals: () => new AbortController().signal, releaseSignals: () => undefined },
    };
    const note = (name: keyof typeof codes) => () =>
      Promise.resolve((args: readonly string[], { stdout }: CommandIO) => {
        called.push([name, ...args]);
        stdout.write(`words of ${name}\n`);
        return codes[name];
      });
    const { flags, file } = readMatchFlags(argv, io);
    const command = await readMatchCommand(flags, file, 1);
    const tell = () => Promise.resolve(() => Promise.reject(new Error('This study has a judge.')));
    const code = await runMatches(command, argv, io, { report: note('report'), compare: note('compare'), tell });
    return { code, called, ...said };
  }

  const models = ['--crossed', 'bot:classic?salt=1', 'bot:classic?salt=2', '--judge', 'bot:meant'];

  it('is its report and its comparison, inside its folder', async () => {
    const out = at('crossed');
    const { code, called, stdout } = await conclude(set(out, ...models), { report: 0, compare: 0 });
    expect(code).toBe(0);
    expect(called).toEqual([
      ['report', out, '--judge', 'bot:meant', '--out', path.join(out, 'report')],
      ['compare', out, '--judge', 'bot:meant', '--out', path.join(out, 'comparison')],
    ]);
    expect(stdout).toContain('words of compare');
    expect(stdout).not.toContain('words of report'); // the report would print the same table
    const refused = await conclude(set(out, ...models), { report: 5, compare: 5 });
    expect([refused.code, refused.stdout]).toEqual([5, expect.stringContaining('words of report')]);
    const json = await conclude(set(out, ...models, '--json'), { report: 5, compare: 0 });
    expect(json.code).toBe(5); // the exit code for a judge that does not read reliably
    expect(json.stdout).not.toContain('words of');
    expect(JSON.parse(json.stdout.trim().split('\n').at(-1)!)).toEqual({
      report: path.join(out, 'report'),
      comparison: path.join(out, 'comparison'),
    });
  });

  it('has no comparison where nothing is crossed, and nothing where a report failed or is not wanted', async () => {
    const alone = ['--judge', 'bot:meant'];
    expect((await conclude(set(at('one'), ...alone), { report: 0, compare: 0 })).called).toHaveLength(1);
    const failed = await conclude(set(at('crossed'), ...models), { report: 1, compare: 0 });
    expect([failed.code, failed.called.length]).toEqual([1, 1]);
    expect((await conclude(set(at('crossed'), ...models, '--no-report'), { report: 0, compare: 0 })).called).toEqual(
      [],
    );
  });
});
