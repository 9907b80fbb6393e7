// The processor's time of matches over that of the same calls made bare, and what the rest was spent on.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createUpperTarget, type BenchFigure, type BenchValue, findMedian, roundTo } from './figure.ts';
import { type JobResult, planMatch, type RulesVariant, runJob } from './job.ts';
import { runWithModelServer } from './servers.ts';

export interface RatioPlan {
  variants: readonly RulesVariant[];
  latencyMs: number;
  /** Matches of a process, one after another. */
  matches: number;
  /** How often matches and bare calls are run in turn. */
  pairs: number;
}

/** What the matches of a variant took. */
export interface RatioRuns {
  variant: RulesVariant;
  calls: number;
  /** As many, or the two do not compare. */
  bareCalls: number;
  /** Folders of the matches of one run; those of other runs are the same. */
  folders: readonly string[];
  pairs: readonly { matches: JobResult; bare: JobResult }[];
  profiled: { matches: JobResult; bare: JobResult };
}

/** Plays each variant's matches and makes the same calls bare, in turn, so that a slow hour slows both. */
export const runPairs = (
  { variants, latencyMs, matches, pairs }: RatioPlan,
  makeFolder: (name: string) => string,
  tell: (line: string) => void,
): Promise<RatioRuns[]> =>
  runWithModelServer({ latencyMs, isKept: true }, async ({ baseUrl, takeWaves }) => {
    const all: RatioRuns[] = [];
    for (const variant of variants) {
      const plans = Array.from({ length: matches }, (_, index) => planMatch(variant, baseUrl, index + 1));
      const file = path.join(makeFolder(`calls ${variant.name}`), 'calls.json');
      let [calls, bareCalls] = [0, 0];
      const runPair = async (name: string, isProfiled: boolean) => {
        tell(`matches and bare calls of ${variant.name}, ${name}`);
        const out = makeFolder(`${variant.name} ${name}`);
        const played = await runJob({ kind: 'matches', plans, inFlight: 1, concurrency: 32, out, isProfiled });
        const waves = takeWaves();
        calls = waves.flat().length;
        writeFileSync(file, JSON.stringify(waves));
        const bare = await runJob({ kind: 'bare', file, baseUrl, isProfiled });
        bareCalls = takeWaves().flat().length;
        return { matches: played, bare };
      };
      const runs: RatioRuns['pairs'][number][] = [];
      for (let pair = 1; pair <= pairs; pair++) runs.push(await runPair(`${pair} of ${pairs}`, false));
      const profiled = await runPair('profiled', true);
      all.push({ variant, calls, bareCalls, folders: profiled.matches.folders, pairs: runs, profiled });
    }
    return all;
  });

/** The ratio of each variant, and the rest in parts of the bare calls' time: they add up to the ratio less one. */
export function computeCpuRatios(all: readonly RatioRuns[]): BenchFigure[] {
  return [
    {
      what: 'CPU of matches over bare calls',
      target: createUpperTarget(1.7, '1.70'),
      values: all.map((runs) => ({ name: runs.variant.name, ...showRatio(runs) })),
      how: `user and system time of a process that plays ${all[0]!.folders.length} matches one after another, recorded on disk, over that of one that makes the same calls in the same waves through ChatOpenAI as it is; starts of both and all threads included, in turn; median, least and most of ${all[0]!.pairs.length}`,
    },
    {
      what: 'CPU per model call',
      values: all.map((runs) => ({ name: runs.variant.name, ...showCalls(runs) })),
      how: 'the same; depends on the machine',
    },
    ...all.map((runs) => ({
      what: `The rest, ${runs.variant.name}`,
      values: splitRest(runs.profiled),
      how: 'what matches take more than bare calls, in parts of the time of bare calls: self time of the main thread by package and folder, from profiles of another pair; other threads collect garbage, compile and compress',
    })),
  ];
}

function showRatio({ pairs }: RatioRuns) {
  const ratios = pairs.map(({ matches, bare }) => matches.cpuMs / bare.cpuMs);
  const median = roundTo(2, findMedian(ratios));
  return { ...median, text: `${median.text} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})` };
}

function showCalls({ pairs, calls }: RatioRuns) {
  const [played, bare] = (['matches', 'bare'] as const).map((kind) =>
    findMedian(pairs.map((pair) => pair[kind].cpuMs / calls)).toFixed(2),
  );
  return { text: `${played} ms, bare ${bare} ms; ${calls} calls`, number: null };
}

/** Parts under a hundredth are added up. */
function splitRest({ matches, bare }: RatioRuns['profiled']): BenchValue[] {
  const difference = splitByThread(matches);
  for (const [group, ms] of Object.entries(splitByThread(bare))) difference[group] = (difference[group] ?? 0) - ms;
  const parts = Object.entries(difference).map(([name, ms]) => ({ name, number: ms / bare.cpuMs }));
  const [large, small] = [0, 1].map((kind) => parts.filter(({ number }) => Number(Math.abs(number) < 0.01) === kind));
  const rest = { name: 'else', number: small!.reduce((sum, { number }) => sum + number, 0) };
  return [...large!.sort((one, other) => other.number - one.number), rest].map(({ name, number }) => ({
    name,
    ...roundTo(2, number),
  }));
}

function splitByThread({ cpuMs, profile }: JobResult): Record<string, number> {
  const mainMs = Object.values(profile).reduce((sum, ms) => sum + ms, 0);
  return { ...profile, 'start, other threads': cpuMs - mainMs };
}
