// Slowdown of matches by a failing server: wall time with faults divided by wall time without.
import { sum } from '../../deception/statistics/sums.ts';
import { computeWallTime } from '../../deception/record/call-figures.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { type BenchFigure, roundTo } from './bench-figure.ts';
import { runWithModelServer } from './servers.ts';
import { planMatches, type RulesVariant, runJob } from './timed-process.ts';

/** One in this many calls fails. */
const faultEvery = 20;

/**
 * Plays the same matches with and without faults, at the same time in separate processes, so that both have the same
 * load. The time of a match is the time with running calls, including waits before retries. Starting a process does not
 * count.
 */
export async function measureFaultRatio(
  variant: RulesVariant,
  { matches, latencyMs }: Record<'matches' | 'latencyMs', number>,
  makeFolder: (name: string) => string,
): Promise<BenchFigure> {
  const kinds: Record<string, number> = {};
  const onFault = (kind: string) => (kinds[kind] = (kinds[kind] ?? 0) + 1);
  const time = (name: 'faulty' | 'sound') =>
    runWithModelServer({ latencyMs, ...(name === 'faulty' && { faultEvery, onFault }) }, async (baseUrl) => {
      const plans = planMatches(variant, baseUrl, matches);
      const out = makeFolder(name);
      const { folders } = await runJob({ kind: 'matches', plans, inFlight: matches, concurrency: 400, out });
      const records = folders.map((folder) => readRecord(folder).answers);
      return {
        ms: sum(records.map(computeWallTime)),
        calls: sum(records.map((answers) => answers.length)),
      };
    });
  const [faulty, sound] = await Promise.all([time('faulty'), time('sound')]);
  const ratio = roundTo(2, faulty.ms / sound.ms);
  const told = Object.entries(kinds).map(([kind, count]) => `${kind} ${count}`);
  return {
    what: `Time of matches at ${100 / faultEvery} % faults over that without`,
    target: { atMost: 2.5, text: '2.5' },
    values: [
      { ...ratio, name: variant.name, text: `${ratio.text}; ${faulty.calls} answers, faults: ${told.join(', ')}` },
    ],
  };
}
