// Measures many concurrent matches: the longest block of the event loop, and the memory early and late in the run.
import type { BenchFigure } from './bench-figure.ts';
import { runWithModelServer } from './servers.ts';
import { planMatches, type RulesVariant, runJob } from './timed-process.ts';

/**
 * Plays many matches in one process as `match --matches` does, at most `inFlight` at the same time. Compares the peak
 * memory during the second sixth of the answers with the peak memory during the last sixth.
 */
export const measureCrowd = (
  variant: RulesVariant,
  { matches, inFlight, latencyMs }: Record<'matches' | 'inFlight' | 'latencyMs', number>,
  out: string,
): Promise<BenchFigure[]> =>
  runWithModelServer({ latencyMs }, async (baseUrl) => {
    const [plan] = planMatches(variant, baseUrl, 1) as [ReturnType<typeof planMatches>[number]];
    const {
      longestBlockMs = NaN,
      longestWorkMs = NaN,
      memory = [],
    } = await runJob({ kind: 'set', plan, matches, inFlight, out });
    const within = (from: number, to: number) =>
      Math.max(...memory.slice(Math.floor(memory.length * from), Math.ceil(memory.length * to)));
    const [early, late] = [within(1 / 6, 1 / 3), within(5 / 6, 1)];
    const growth = Math.round(100 * (late / early - 1));
    const what = `${matches} matches of ${variant.name}, ${inFlight} at once`;
    return [
      {
        what: `Longest block of the event loop, ${what}`,
        target: { atMost: 200, text: '200 ms' },
        values: [
          {
            text: `${Math.round(longestBlockMs)} ms, ${Math.round(longestWorkMs)} ms of CPU at most`,
            number: Math.round(longestBlockMs),
          },
        ],
      },
      {
        what: `Memory late over early, ${what}`,
        target: { atMost: 10, text: '10 % more' },
        values: [
          { text: `${Math.round(late / 1e6)} MB over ${Math.round(early / 1e6)} MB, ${growth} %`, number: growth },
        ],
      },
    ];
  });
