// The time in which a match was waiting for models; it survives a resume, since pauses between runs do not count.
import { z } from 'zod';
import type { AnswerLine } from '../state/record.ts';

const moment = z.iso.datetime().pipe(z.coerce.date());

/**
 * Whole milliseconds in which at least one call was under way: the length of the union of the calls' intervals.
 * Throws a ZodError for a `started_at` that is not ISO 8601 in UTC.
 */
export function wallTime(lines: readonly Pick<AnswerLine, 'started_at' | 'ms'>[]): number {
  const intervals = lines.map(({ started_at, ms }) => {
    const from = moment.parse(started_at).getTime();
    return { from, to: from + ms };
  });
  let length = 0;
  let reached = -Infinity;
  for (const { from, to } of intervals.sort((one, other) => one.from - other.from)) {
    length += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return Math.round(length);
}
