// What is left to say when a match is over: its table, what it took, where it lies, what to do with it.
import type { MatchResult } from '../../graph/play-match.ts';
import { callsLine, summaryTable } from '../../report/summary-table.ts';
import { whatToDoWith } from './next-steps.ts';

/** `isAnew`: whether the match was played just now, not only read. */
export const farewell = ({ id, folder, summary }: MatchResult, isAnew: boolean): string =>
  [
    isAnew ? '' : `Match ${id} is over already; nothing was called or written. Its summary again:\n`,
    summaryTable(summary, { reveal: true }),
    callsLine(summary),
    ...(folder === null ? [] : [`\nRecord and summary: ${folder}`, whatToDoWith(folder)]),
  ].join('\n');
