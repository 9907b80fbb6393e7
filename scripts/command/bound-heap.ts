// Limits the heap of a process that plays many matches at the same time.
import { setFlagsFromString } from 'node:v8';

/**
 * Maximum number of concurrent matches for which V8 chooses the heap size itself. So few matches need little memory.
 */
const fewMatches = 4;

/**
 * If more than a few matches are played at the same time, makes V8 collect garbage whenever the heap has grown by half.
 * Matches then take less memory and more CPU time (docs/evidence/performance.md). V8 reads this undocumented flag at
 * every collection, so it may be set late.
 *
 * @example boundHeap(Math.min(matches, concurrency));
 */
export function boundHeap(matchesAtOnce: number): void {
  if (matchesAtOnce > fewMatches) setFlagsFromString('--heap-growing-percent=50');
}
