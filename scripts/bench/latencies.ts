// How many answers a match had to wait for one after another, counted from when its calls were under way.
import type { AnswerLine } from '../../state/record.ts';
import { powers } from '../../state/roles/index.ts';

type TimedCall = Pick<AnswerLine, 'started_at' | 'ms'>;

/**
 * The number of calls in the longest chain of which each began when the one before had ended. Calls that wait for
 * nothing but each other's wave overlap, and count once.
 */
export function latencies(calls: readonly TimedCall[]): number {
  const intervals = calls.map(({ started_at, ms }) => ({
    from: Date.parse(started_at),
    to: Date.parse(started_at) + ms,
  }));
  let count = 0;
  let reached = -Infinity;
  for (const { from, to } of intervals.sort((one, other) => one.to - other.to)) {
    if (from < reached) continue;
    count += 1;
    reached = to;
  }
  return count;
}

/**
 * The latencies of each full round: one that ended with everybody's summary. Rounds in which a team proposed twice at
 * night are counted without the second time.
 */
export function fullRounds(answers: readonly AnswerLine[]): number[] {
  const verbs = powers.map(({ verb }) => verb);
  return [...Map.groupBy(answers, ({ round }) => round).values()]
    .filter((calls) => calls.some(({ action }) => action === 'summarize'))
    .map((calls) => latencies(calls.filter(({ action, step }) => !(verbs.includes(action) && step > 0))));
}
