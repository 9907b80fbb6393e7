// Counts, from records, the successive answers that a match waits for.
import { readRecord } from '../../models/record/recorder.ts';
import type { AnswerLine } from '../../state/record.ts';
import { powers } from '../../state/roles/index.ts';
import type { RatioRuns } from './cpu-ratio.ts';
import type { BenchFigure } from './bench-figure.ts';

/**
 * Counts the calls in the longest chain in which each call began after the previous one had ended. Concurrent calls
 * count once.
 */
export function countLatencies(calls: readonly Pick<AnswerLine, 'started_at' | 'ms'>[]): number {
  const times = calls.map(({ started_at, ms }) => ({ from: Date.parse(started_at), to: Date.parse(started_at) + ms }));
  let count = 0;
  let reached = -Infinity;
  for (const { from, to } of times.sort((one, other) => one.to - other.to)) {
    if (from < reached) continue;
    count += 1;
    reached = to;
  }
  return count;
}

/**
 * Counts the latencies of each round that ended with all players' summaries and had no second round of proposals at
 * night.
 */
export function countRoundLatencies(answers: readonly AnswerLine[]): number[] {
  const verbs = powers.map(({ verb }) => verb);
  return [...Map.groupBy(answers, ({ round }) => round).values()]
    .filter((calls) => calls.some(({ action }) => action === 'summarize'))
    .map((calls) => countLatencies(calls.filter(({ action, step }) => !(verbs.includes(action) && step > 0))));
}

export const computeLatencies = (all: readonly RatioRuns[]): BenchFigure[] =>
  all.flatMap(({ variant: { name, latencies }, folders }) => {
    if (latencies === undefined) return [];
    const counts = folders.flatMap((folder) => countRoundLatencies(readRecord(folder).answers));
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    const text = counts.length === 0 ? '–' : least === most ? String(most) : `${least} to ${most}`;
    return {
      what: 'Latencies of a full round',
      target: { atMost: latencies, text: String(latencies) },
      values: [{ name, text, number: counts.length === 0 ? null : most }],
    };
  });
