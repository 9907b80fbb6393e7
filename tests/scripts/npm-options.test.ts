// A forgotten `--`: npm consumes the options, and the script refuses to start instead of playing and paying.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runCommand, type CommandFunction } from '../../scripts/command/command-line.ts';
import { runMatch } from '../../scripts/match.ts';
import { runPool } from '../../scripts/pool.ts';
import { runReplay } from '../../scripts/replay.ts';
import { runReport } from '../../scripts/report.ts';
import { setCommandPrefix } from '../../state/command-name.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { start } from './process.ts';
import { itLong } from '../it-long.ts';

const folder = createTemporaryFolder();

async function run(main: CommandFunction, argv: readonly string[], env: NodeJS.ProcessEnv) {
  let stderr = '';
  const code = await runCommand(main, argv, {
    stdout: { write: () => undefined },
    stderr: { write: (text) => (stderr += text) },
    env,
    listenToSignals: () => new AbortController().signal,
    releaseSignals: () => undefined,
  });
  return { code, stderr };
}

/** Returns the variables that npm sets when it runs the script `match` after consuming these settings. */
const ofMatch = (settings: Readonly<Record<string, string>>) => ({
  npm_lifecycle_event: 'match',
  ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [`npm_config_${key}`, value])),
});

// Tests that run npm. On Windows npm is a script that needs a shell, so they are skipped.
const itAsks = process.platform === 'win32' ? itLong.skip : itLong;

describe('an option that npm took', () => {
  it.each<[string, string[], Record<string, string>, string, string]>([
    ['a flag', ['plan.yaml'], { dry_run: 'true' }, '--dry-run', '--dry-run'],
    ['a value after =', ['plan.yaml'], { seed: '7' }, '--seed', '--seed <n>'],
    ['a value left behind', ['plan.yaml', '2'], { max_cost: 'true' }, '--max-cost', '--max-cost <usd>'],
    ['several', ['x', '3'], { out: 'true', id: 'true' }, '--out, --id', '--out <folder> --id <id>'],
    ["one of npm's own names", [], { loglevel: 'warn' }, '--quiet', '--quiet'],
    [
      'letters that npm reads one by one',
      ['plan.yaml'],
      { parseable: 'true', long: 'true', all: 'true' },
      '--plan',
      '--plan <file>',
    ],
    ['one given twice', [], { rule: 'true\n\ntrue' }, '--rule', '--rule <key=value>'],
  ])('is refused with the place of options: %s', async (_, argv, settings, named, form) => {
    expect(await run(runMatch, argv, ofMatch(settings))).toEqual({
      code: 2,
      stderr: `npm kept ${named} for itself, so nothing was started. Type options after --: npm run match -- … ${form}\n`,
    });
  });

  it('is known where it says no', async () => {
    const env = { npm_lifecycle_event: 'report', npm_config_judge: '' };
    expect((await run(runReport, ['runs'], env)).stderr).toContain('npm run report -- … --no-judge\n');
  });

  it('is known in a part of a command, and under its other name', async () => {
    const ofPool = { npm_lifecycle_event: 'pool', npm_config_out: 'pool' };
    expect((await run(runPool, ['build', 'runs'], ofPool)).stderr).toContain(
      'npm run pool -- build … --out <folder>\n',
    );
    const ofReplay = { npm_lifecycle_event: 'replay', npm_config_allow_changed_prompts: 'true' };
    expect((await run(runReplay, ['runs'], ofReplay)).stderr).toContain(
      'npm run replay -- … --allow-changed-prompts\n',
    );
  });

  it('is known where the command was started by npm exec', async () => {
    const env = { npm_lifecycle_event: 'npx', npm_lifecycle_script: "'wolfgraph'", npm_config_dry_run: 'true' };
    setCommandPrefix('npx wolfgraph');
    try {
      expect(await run(runMatch, ['plan.yaml'], env)).toEqual({
        code: 2,
        stderr: expect.stringContaining('Type options after the command: npx wolfgraph match … --dry-run\n'),
      });
    } finally {
      setCommandPrefix(undefined);
    }
  });

  it("is known where the command was started by a script of the user's", async () => {
    const started = { npm_lifecycle_event: 'study', npm_lifecycle_script: 'LANG=C npx wolfgraph match plan.yaml' };
    expect(await run(runMatch, ['plan.yaml', 'more.yaml'], { ...started, npm_config_dry_run: 'true' })).toEqual({
      code: 2,
      stderr: expect.stringContaining('npm run study -- … --dry-run\n'),
    });
  });

  it.each<[string, NodeJS.ProcessEnv]>([
    ['another script was run', { ...ofMatch({ json: 'true', dry_run: 'true' }), npm_lifecycle_event: 'test' }],
    ['no script was run', { npm_config_dry_run: 'true' }],
    ['a setting is empty, as those that are off', ofMatch({ dry_run: '', json: '' })],
    ['a variable sets it', { ...ofMatch({ dry_run: 'true' }), NPM_CONFIG_DRY_RUN: 'true' }],
    ['the user asked npm to be silent', ofMatch({ loglevel: 'silent' })],
  ])('is not supposed where %s', async (_, env) => {
    expect((await run(runMatch, ['--board', 'chess'], env)).stderr).toContain('"chess"');
  });

  it("is not supposed where npm's file sets it", async () => {
    const userconfig = path.join(folder, '.npmrc');
    writeFileSync(userconfig, 'fund=false\nloglevel = warn\n');
    const env = ofMatch({ loglevel: 'warn', userconfig });
    expect((await run(runMatch, ['--board', 'chess'], env)).stderr).toContain('"chess"');
  });

  itAsks('never plays: npm itself', async () => {
    const out = path.join(folder, 'never-made');
    const { code, stderr } = await start('npm', ['run', '--silent', 'match', '--dry-run', `--out=${out}`]).ended;
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('npm run match -- … --out <folder> --dry-run'),
    });
    expect(existsSync(out)).toBe(false);
  });
});
