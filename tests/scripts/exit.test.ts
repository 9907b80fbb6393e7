// How a script ends: what is printed of an error, and with which code.
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { start } from './process.ts';

const modules = path.join(import.meta.dirname, '../..');
const file = (name: string) => JSON.stringify(path.join(modules, name));

/** Ends a script whose main function is `main`. */
const end = (main: string) =>
  start(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { Worker } from 'node:worker_threads';
    import { runScript } from ${file('scripts/command/exit.ts')};
    import { UsageError } from ${file('state/usage-error.ts')};
    await runScript(async () => { ${main} });`,
  ]).ended;

describe('a script', () => {
  it.concurrent('tells wrong usage without a stack and exits with 2', async () => {
    const { code, stdout, stderr } = await end(`throw new UsageError('Unknown board "chess".');`);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: 'Unknown board "chess".\n' });
  });

  it.concurrent('does so where a thread threw it', async () => {
    const { code, stderr } = await end(
      `const thread = new Worker(
        'import(${file('state/usage-error.ts')}).then(({ UsageError }) => { throw new UsageError("No."); })',
        { eval: true },
      );
      await new Promise((_, reject) => thread.on('error', reject));`,
    );
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'No.\n' });
  });

  it.concurrent.each([
    ['RangeError', 'new Array(-1);', 'Invalid array length'],
    ['TypeError', 'null.length;', 'Cannot read properties of null'],
  ])('shows where the program is wrong and exits with 1 after a %s of the engine', async (name, mistake, message) => {
    const { code, stderr } = await end(mistake);
    expect(code).toBe(1);
    expect(stderr).toContain(`${name}: ${message}`);
    expect(stderr).toMatch(/^\s+at /m);
  });

  it.concurrent('tells any other error without a stack and exits with 1', async () => {
    expect(await end(`throw new Error('The disk is full.');`)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The disk is full.\n',
    });
  });
});
