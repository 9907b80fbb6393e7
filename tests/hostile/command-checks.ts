// Checks that no command does anything forbidden, whatever its input.
import { expect, it } from '@jest/globals';
import { exitCodes } from '../../scripts/command/command-line.ts';
import type { CommandJob, EndedJob } from './command-runner.ts';
import { expectVisible, splitLines } from './lines.ts';

/** A finished command and its result. */
export interface CommandRun {
  /** The command line as typed, with short paths. */
  typed: string;
  /** Exit code; null if the command was killed. */
  code: number | null;
  /** Output on both streams. */
  output: string;
  /** Peak memory in MB; 0 if the command did not end. */
  peak: number;
  isPolluted: boolean;
}

/** Lists the runs. `root`: prefix that is removed from paths. */
export function listRuns(
  chains: readonly (readonly CommandJob[])[],
  ended: readonly (readonly (EndedJob | null)[])[],
  root: string,
): CommandRun[] {
  return chains.flatMap((jobs, chain) =>
    jobs.map(({ script, args }, place): CommandRun => {
      const typed = [script, ...args].join(' ').replaceAll(root, '');
      const one = ended[chain]![place];
      if (!one) return { typed, code: null, output: '', peak: 0, isPolluted: false };
      const { code, stdout, stderr, peak, isPolluted } = one;
      return { typed, code, output: stdout + stderr, peak, isPolluted };
    }),
  );
}

/** Pattern of messages of unexpected errors. */
const unthought =
  /\n {4}at |\b(Type|Range|Reference|Syntax)Error\b|Cannot read propert|Cannot convert|is not a function|is not iterable|is not defined|Maximum call stack|Invalid array length/;

const known: readonly number[] = Object.values(exitCodes);

/** Pattern of a name that was typed on the command line, which messages show as typed. */
const typedName = /match \[2K\n0 faults/g;

/** Pattern of a line that a name with line breaks could add to the output. */
const forgedLine = /^(result: 100 %|0 faults)/m;

function isVisible(text: string): boolean {
  try {
    splitLines(text.replaceAll('\n', ' ')).forEach(expectVisible);
    return !/[\r\v\f\u0085\u2028\u2029]/u.test(text);
  } catch {
    return false;
  }
}

/** Checks that a command ends by itself, prints visible text, and changes no global object. */
export function expectDecent(runs: readonly CommandRun[]): void {
  const list = (isWrong: (run: CommandRun) => boolean) => runs.filter(isWrong).map(({ typed }) => typed);

  it('ends by itself', () => {
    expect(list(({ code }) => code === null)).toEqual([]);
  });

  it('ends with a known code, in words', () => {
    expect(list(({ code }) => code !== null && !known.includes(code))).toEqual([]);
    expect(list(({ output }) => unthought.test(output))).toEqual([]);
  });

  it('prints visible characters alone', () => {
    expect(list(({ output }) => !isVisible(output))).toEqual([]);
  });

  it('has each name in one line', () => {
    expect(list(({ output }) => forgedLine.test(output.replaceAll(typedName, '')))).toEqual([]);
  });

  it('leaves all objects of the process alone', () => {
    expect(list(({ isPolluted }) => isPolluted)).toEqual([]);
  });
}
