// Runs a program to its end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Returns what it wrote to standard error. Throws an Error where it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  // npm is a script on Windows, which only a shell starts.
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'], shell: process.platform === 'win32' });
  const [told, [code]] = await Promise.all([text(child.stderr), once(child, 'exit') as Promise<[number | null]>]);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with exit code ${code}: ${told}`);
  return told;
}
