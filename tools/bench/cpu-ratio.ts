// CPU time of matches divided by the CPU time of the same calls made without Wolfgraph, and a breakdown of the
// difference.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { sum } from '../../deception/statistics/sums.ts';
import { computeMedian } from '../../deception/statistics/theil-sen.ts';
import { type BenchFigure, type BenchValue, roundTo } from './bench-figure.ts';
import { type JobResult, planMatches, type RulesVariant, runJob } from './timed-process.ts';
import { runWithModelServer } from './servers.ts';

type Pair = Record<'matches' | 'bare', JobResult>;

/** Timings of a variant's matches. */
export type RatioRuns = Awaited<ReturnType<typeof runPairs>>;

/**
 * Plays a variant's `matches` one after another, and makes the same calls without Wolfgraph. Matches and bare calls
 * alternate in `pairs`, so that a slow phase of the machine slows both.
 */
export const runPairs = (
  variant: RulesVariant,
  { latencyMs, matches, pairs }: Record<'latencyMs' | 'matches' | 'pairs', number>,
  makeFolder: (name: string) => string,
) =>
  runWithModelServer({ latencyMs, isKept: true }, async (baseUrl, takeWaves) => {
    const plans = planMatches(variant, baseUrl, matches);
    const runs: Pair[] = [];
    let [calls, bareCalls] = [0, 0];
    for (const name of [...Array(pairs).keys(), 'profiled']) {
      const isProfiled = name === 'profiled';
      const out = makeFolder(`${variant.name} ${name}`);
      const played = await runJob({ kind: 'matches', plans, inFlight: 1, concurrency: 32, out, isProfiled });
      const waves = takeWaves();
      const file = path.join(out, 'calls.json');
      writeFileSync(file, JSON.stringify(waves));
      runs.push({ matches: played, bare: await runJob({ kind: 'bare', file, baseUrl, isProfiled }) });
      [calls, bareCalls] = [waves.flat().length, takeWaves().flat().length];
    }
    const profiled = runs.pop()!;
    const { folders } = profiled.matches; // the other pairs have the same folders
    return { variant, calls, bareCalls, folders, pairs: runs, profiled };
  });

/**
 * Computes the ratio of each variant, and splits the additional time into parts relative to the time of the bare calls.
 * The parts add up to the ratio minus one.
 */
export const computeCpuRatios = (all: readonly RatioRuns[]): BenchFigure[] => [
  {
    what: 'CPU of matches over bare calls',
    target: { atMost: 1.7, text: '1.70' },
    values: all.map((runs) => ({ name: runs.variant.name, ...showRatio(runs) })),
  },
  ...all.map(({ variant: { name }, profiled }) => ({ what: `The rest, ${name}`, values: splitRest(profiled) })),
];

/** Formats the median of the pairs with their range, and the times on this machine. */
function showRatio({ pairs, calls }: RatioRuns) {
  const ratios = pairs.map(({ matches, bare }) => matches.cpuMs / bare.cpuMs);
  const median = roundTo(2, computeMedian(ratios)!);
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const bareMs = computeMedian(pairs.map(({ bare }) => bare.cpuMs / calls))!;
  return { ...median, text: `${median.text} (${range}), ${calls} calls of ${bareMs.toFixed(2)} ms bare` };
}

/** Splits the additional time into parts. Parts below a hundredth are combined. */
function splitRest({ matches, bare }: Pair): BenchValue[] {
  const [more, less] = [splitByThread(matches), splitByThread(bare)];
  const parts = Object.keys({ ...more, ...less }).map((name) => ({
    name,
    share: ((more[name] ?? 0) - (less[name] ?? 0)) / bare.cpuMs,
  }));
  const large = parts.filter(({ share }) => Math.abs(share) >= 0.01).sort((one, other) => other.share - one.share);
  const small = parts.filter((part) => !large.includes(part));
  const rest = { name: 'else', share: sum(small.map(({ share }) => share)) };
  return [...large, rest].map(({ name, share }) => ({ name, ...roundTo(2, share) }));
}

const splitByThread = ({ cpuMs, profile }: JobResult): Record<string, number> => ({
  ...profile,
  'start, other threads': cpuMs - sum(Object.values(profile)),
});
