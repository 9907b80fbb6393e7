// Limits the heap of a process that plays many matches at the same time.
import { setFlagsFromString } from 'node:v8';

/** Number of concurrent matches up to which memory is small enough for V8 to choose the size of its heap. */
const fewMatches = 4;

/**
 * Makes V8 collect garbage whenever the heap has grown by half, if more than a few matches are played at the same time.
 * Matches then take less memory and more CPU time (docs/evidence/performance.md). V8 reads this flag, which it does not
 * document, at every collection, so it may be set late.
 *
 * @example boundHeap(Math.min(matches, concurrency));
 */
export function boundHeap(matchesAtOnce: number): void {
  if (matchesAtOnce > fewMatches) setFlagsFromString('--heap-growing-percent=50');
}
