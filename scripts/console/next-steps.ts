// What to type next: with a match that was stopped, and with one that is over.
import { defaultOut } from '../command/match-command.ts';

/** Safe to paste into a shell. */
const word = (text: string) => (/^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** What a match was played under that its record does not keep. */
interface Limits {
  maxCost?: number | undefined;
  concurrency?: number | undefined;
  /** The next one needs another cap. */
  isCapReached?: boolean;
}

export function goOnCommand(id: string, out: string, { maxCost, concurrency, isCapReached }: Limits = {}): string {
  const cap = isCapReached ? '…' : maxCost;
  const parts = [
    `npm run match -- --id ${id}`,
    out === defaultOut ? null : `--out ${word(out)}`,
    concurrency === undefined ? null : `--concurrency ${concurrency}`,
    cap === undefined ? null : `--max-cost ${cap}`,
  ];
  return parts.filter((part) => part !== null).join(' ');
}

/** The command line that was typed. */
export const sameCommand = (argv: readonly string[]) => ['npm run match --', ...argv.map(word)].join(' ');

/** The three scripts that take the folder of a match. */
export const whatToDoWith = (folder: string) =>
  [
    `To read it with all that was private: npm run show -- ${word(folder)}`,
    `As Markdown and CSV tables:           npm run report -- ${word(folder)}`,
    `To play it again without any call:    npm run replay -- ${word(folder)}`,
  ].join('\n');

/** The same with a place for another cap, wherever the old one stood. */
export function withHigherCap(argv: readonly string[]): string {
  const at = argv.findIndex((text) => /^--max-cost(=|$)/.test(text));
  const rest = at < 0 ? argv : argv.toSpliced(at, argv[at] === '--max-cost' ? 2 : 1);
  return `${sameCommand(rest)} --max-cost …`;
}
