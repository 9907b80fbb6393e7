// Runs commands one after another in a separate folder with a stopped clock, and stores what they print.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@jest/globals';
import { getMachine, runOnMachine } from '../../models/machine/machine.ts';
import { expectOutput, expectSameParts, splitOutput } from '../expected-file.ts';
import { filesIn } from '../scripts/match-folder.ts';
import { type Ended, run } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { testClock } from '../test-clock.ts';

type Script = Parameters<typeof run>[0];

/** A folder, the commands run in it so far, and their output. */
export class ConsoleSession {
  readonly root = createTemporaryFolder();
  readonly #env: Readonly<Record<string, string>>;
  readonly #lines: string[] = [];
  readonly #hidden: readonly (readonly [text: string, name: string])[];

  /** `hidden`: texts that differ from run to run, such as addresses, and their replacements. */
  constructor({
    env = {},
    hidden = {},
  }: { env?: Readonly<Record<string, string>>; hidden?: Readonly<Record<string, string>> } = {}) {
    this.#env = env;
    this.#hidden = [[this.root, '<out>'], [path.join(import.meta.dirname, '..'), '<tests>'], ...Object.entries(hidden)];
  }

  at(...parts: string[]): string {
    return path.join(this.root, ...parts);
  }

  write(name: string, text: string): string {
    writeFileSync(this.at(name), text);
    return this.at(name);
  }

  /** Runs a command, which must succeed. */
  async run(script: Script, ...args: readonly string[]): Promise<void> {
    const { code, stderr } = await this.#run(script, args);
    expect(code === 0 ? '' : stderr).toBe('');
  }

  /** Runs a command, which must fail. Its exit code is stored too. */
  async fail(script: Script, ...args: readonly string[]): Promise<void> {
    const { code } = await this.#run(script, args);
    expect([script, ...args, code]).not.toEqual([script, ...args, 0]);
    this.#lines.push(`[exit code ${code}]`, '');
  }

  async #run(script: Script, args: readonly string[]): Promise<Ended> {
    const machine = { ...getMachine(), clock: testClock() };
    const ended = await runOnMachine(machine, () => run(script, args, { env: this.#env }));
    this.#lines.push(`$ npm run ${script} -- ${args.join(' ')}`.trimEnd());
    if (ended.stderr !== '') this.#lines.push('[stderr]', ended.stderr.trimEnd());
    this.#lines.push(ended.stdout.trimEnd(), '');
    return ended;
  }

  /** Compares everything that was printed with the expected file. */
  expectPrinted(name: string): void {
    expectOutput(name, this.#hide(this.#lines.join('\n')));
  }

  /** Compares all files of these folders with the expected hashes. */
  expectFiles(name: string, ...folders: readonly string[]): void {
    const files = folders.flatMap((folder) =>
      Object.entries(filesIn(this.at(folder))).map(([file, text]) =>
        splitOutput(`${folder}/${file}`, this.#hide(text)),
      ),
    );
    expectSameParts(name, Object.assign({}, ...files) as Record<string, string>);
  }

  #hide(text: string): string {
    const named = this.#hidden.reduce((before, [hidden, name]) => before.replaceAll(hidden, name), text);
    // Hides the part of the ids of matches and entries that changes with every new rule.
    const told = named
      .replaceAll(/\b((?:[a-z]+-)+\d+)-[0-9a-f]{8}\b/g, '$1-…')
      .replaceAll(/(?<!\.)\b(?=\d*[a-f])(?:[0-9a-f]{64}|[0-9a-f]{16})\b/g, '…');
    // Hides the running totals, which depend on the order in which matches end.
    const tallied = told.replaceAll(/ \| \d+ of (\d+) done,.*/g, ' | … of $1 done');
    return tallied
      .replaceAll(/(?:^.* \| … of \d+ done\n)+/gm, (lines) => `${lines.trimEnd().split('\n').sort().join('\n')}\n`)
      .replaceAll(/(One match, all private: .*<out>).*/g, '$1/…')
      .replaceAll(/[\d,]+ games per second/g, '… games per second');
  }
}
