// A match on a terminal: colors, the counter of running calls, and a real Ctrl-C.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { openOpenaiServer } from '../openai-server.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { hangingServer, legally, modelMatch, reaching } from '../scripts/local-model.ts';
import { run, scriptArgs, short, start, type Surroundings } from '../scripts/process.ts';
import { screenOf } from '../scripts/screen.ts';

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;
const withTerminal = hasScript ? describe : describe.skip;

const out = createTemporaryFolder();
const server = await openOpenaiServer(legally);
afterAll(() => server.close());

/** Runs a command on a terminal of its own, which the program `script` provides. */
function onTerminal(args: readonly string[], surroundings: Surroundings) {
  const words = [process.execPath, ...scriptArgs('match', ...args)].map((word) => `'${word}'`);
  return start('script', ['-qec', words.join(' '), '/dev/null'], surroundings);
}

const isColored = (text: string) => /\u001b\[\d+m/.test(text); // eslint-disable-line no-control-regex
/** Removes the parts that depend on time and place. */
const story = (text: string) => text.slice(text.indexOf('Seed'), text.search(/\d+ model calls in|(\^C)?Interrupted/));

const plain = await run('match', modelMatch(path.join(out, 'played'), 'plain'), reaching(server));

withTerminal('on a terminal (needs script, of util-linux)', () => {
  it('counts the calls under way, stops at Ctrl-C and gives the cursor back', async () => {
    const slow = await hangingServer(20);
    const { child, said, ended } = onTerminal(modelMatch(path.join(out, 'interrupted'), 'stopped'), reaching(slow));
    await slow.hangs;
    await said('calls under way, ');
    child.stdin.write('\u0003');
    const { code, stdout } = await ended;
    await slow.close();
    expect(code).toBe(130);
    expect(stdout.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stdout.lastIndexOf('\u001b[?25l'));
    const screen = screenOf(stdout);
    expect(story(plain.stdout)).toContain(story(screen)); // nothing is left of the counter
    expect(story(screen)).toContain('Day 1');
    expect(screen).toMatch(
      /\n(\^C)?Interrupted\.\nAnswers so far are recorded\. To resume: npm run match -- --id stopped/,
    );
  });

  it('shows the same story as without, whatever the counter did, in colours', async () => {
    const shown = await onTerminal(modelMatch(path.join(out, 'played'), 'shown'), reaching(server)).ended;
    expect(shown.code).toBe(0);
    expect(isColored(shown.stdout)).toBe(true);
    expect(story(screenOf(shown.stdout))).toBe(story(plain.stdout));
  });

  it('counts matches, calls and money in one line where there are several, and leaves nothing of it', async () => {
    const [, , , , ...rest] = modelMatch(out, '');
    const { code, stdout } = await onTerminal(
      ['--out', path.join(out, 'set'), '--matches', '3', ...rest],
      reaching(server),
    ).ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/\d\/3 done, \d playing, 0 failed; .*\$\d+(\.\d+)?; \d+ calls, [\d.]+k? tok/);
    const screen = screenOf(stdout);
    expect(screen).not.toContain('under way, ');
    expect(screen).toMatch(/^3 matches: [^]*\n\n┌─+┬─+┐\n│ Matches finished +│ +3 of 3 │\n/);
    expect(stdout.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stdout.lastIndexOf('\u001b[?25l'));
  });

  it('gets no code of colors or of the cursor where TERM is dumb', async () => {
    const dumb = { env: { TERM: 'dumb' } };
    const { code, stdout } = await onTerminal(['--out', out, '--id', 'dumb', ...short], dumb).ended;
    expect(code).toBe(0);
    expect(stdout).toContain('Night 1');
    expect(stdout).not.toContain('\u001b');
  });

  it('heeds NO_COLOR', async () => {
    const args = ['--out', out, '--id', 'grey', ...short];
    const { code, stdout } = await onTerminal(args, { env: { NO_COLOR: '1' } }).ended;
    expect(code).toBe(0);
    expect(stdout).toContain('Night 1');
    expect(isColored(stdout)).toBe(false);
  });
});
