// The end of a script: printed errors and exit codes.
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type CommandFunction, runCommand } from '../../scripts/command/command-line.ts';
import { UsageError } from '../../state/usage-error.ts';
import { start } from './process.ts';

const file = (name: string) => JSON.stringify(path.join(import.meta.dirname, '../..', name));

/** Runs a script whose main function is `main` to its end. */
async function end(main: CommandFunction) {
  const said = { stdout: '', stderr: '' };
  const code = await runCommand(main, [], {
    stdout: { write: (text) => (said.stdout += text) },
    stderr: { write: (text) => (said.stderr += text) },
    env: {},
    listenToSignals: () => new AbortController().signal,
    releaseSignals: () => undefined,
  });
  return { code, ...said };
}

const fail = (error: unknown) =>
  end(() => {
    throw error;
  });

describe('a script', () => {
  it('tells wrong usage without a stack and exits with 2', async () => {
    const told = { code: 2, stdout: '', stderr: 'Unknown board "chess".\n' };
    expect(await fail(new UsageError('Unknown board "chess".'))).toEqual(told);
  });

  it('does so in a process of its own, and where a thread threw it', async () => {
    const program = `import { Worker } from 'node:worker_threads';
      import { runScript } from ${file('scripts/command/command-line.ts')};
      await runScript(async () => {
        const thread = new Worker(
          'import(${file('state/usage-error.ts')}).then(({ UsageError }) => { throw new UsageError("No."); })',
          { eval: true },
        );
        await new Promise((_, reject) => thread.on('error', reject));
      });`;
    const { code, stdout, stderr } = await start(process.execPath, ['--input-type=module', '--eval', program]).ended;
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: 'No.\n' });
  });

  it.each([
    ['RangeError', () => void new Array(-1), 'Invalid array length'],
    ['TypeError', () => void (null as unknown as string).length, 'Cannot read properties of null'],
  ])('shows where the program is wrong and exits with 1 after a %s of the engine', async (name, mistake, message) => {
    const { code, stderr } = await end(mistake);
    expect(code).toBe(1);
    expect(stderr).toContain(`${name}: ${message}`);
    expect(stderr).toMatch(/^\s+at /m);
  });

  it('tells any other error without a stack and exits with 1', async () => {
    expect(await fail(new Error('The disk is full.'))).toEqual({ code: 1, stdout: '', stderr: 'The disk is full.\n' });
  });
});
