// What matches take besides the processor: memory of many in flight, bytes on disk and of traces.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { recordFiles } from '../../state/record.ts';
import { createUpperTarget, findMedian, roundTo, type BenchFigure } from './figure.ts';
import { cleanEnv, planMatch, runJob, runScriptFile, type RulesVariant } from './job.ts';
import { runWithModelServer, runWithTraceServer } from './servers.ts';

/** Plays many matches side by side to their ends in one process. */
export const measureMemory = (
  { matches, latencyMs, concurrency }: { matches: number; latencyMs: number; concurrency: number },
  variant: RulesVariant,
  out: string,
): Promise<BenchFigure[]> =>
  runWithModelServer({ latencyMs }, async ({ baseUrl, countMostUnderWay, countCalls }) => {
    const plans = Array.from({ length: matches }, (_, index) => planMatch(variant, baseUrl, index + 1));
    const { maxRss, cpuMs } = await runJob({ kind: 'matches', plans, inFlight: matches, concurrency, out });
    const calls = `${countCalls()} calls, ${(cpuMs / countCalls()).toFixed(1)} ms CPU each`;
    return [
      {
        what: `Memory with ${matches} matches in flight`,
        target: createUpperTarget(1000, '1000 MB'),
        values: [roundTo(0, maxRss / 1e6, ' MB')],
        how: `the most resident memory of one process that plays ${matches} matches of ${variant.name} side by side to their ends, recorded on disk, against a server of ${latencyMs / 1000} s latency; ${calls}`,
      },
      {
        what: 'Calls under way meanwhile',
        target: createUpperTarget(concurrency, String(concurrency)),
        values: [roundTo(0, countMostUnderWay(), ' at most')],
        how: `counted by the server; one limit of ${concurrency} for all matches`,
      },
    ];
  });

/** Of one match, in megabytes. */
type MatchBytes = Record<'record' | 'prompts' | 'traced', number>;

/** Plays matches of each variant as a user does, traced. */
export const measureBytes = (
  variants: readonly RulesVariant[],
  matches: number,
  makeFolder: (name: string) => string,
): Promise<BenchFigure[]> =>
  runWithTraceServer((address, takeBytes) =>
    runWithModelServer({ latencyMs: 0 }, async ({ baseUrl }) => {
      const all: { name: string; bytes: MatchBytes[] }[] = [];
      for (const variant of variants) {
        const out = makeFolder(`traced ${variant.name}`);
        const bytes: MatchBytes[] = [];
        for (let seed = 1; seed <= matches; seed++) {
          const folder = await playTraced(variant, baseUrl, seed, out, address);
          const record = readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
          const prompts = gunzipSync(readFileSync(path.join(folder, recordFiles.prompts))).length;
          bytes.push({ record: record / 1e6, prompts: prompts / 1e6, traced: takeBytes() / 1e6 });
        }
        all.push({ name: variant.name, bytes });
      }
      return [
        {
          what: 'Record of a match',
          target: createUpperTarget(1.5, '1.5 MB'),
          values: all.map(({ name, bytes }) => ({ name, ...showSpread(bytes.map(({ record }) => record)) })),
          how: `all files in the folder of npm run match, its log included; median and largest of ${matches} matches`,
        },
        {
          what: 'Traced of a match',
          target: createUpperTarget(1, 'twice the prompts and 1 MB'),
          values: all.map(({ name, bytes }) => ({ name, ...showTraced(bytes) })),
          how: 'bytes of all bodies sent to a local stand-in for LangSmith by these matches; the match that exceeds twice its prompts by most',
        },
      ];
    }),
  );

/** Returns the match's folder. */
async function playTraced(variant: RulesVariant, baseUrl: string, seed: number, out: string, langsmith: string) {
  const { rules, rule, model } = planMatch(variant, baseUrl, seed);
  const options = Object.entries(rule).flatMap(([name, value]) => ['--rule', `${name}=${value}`]);
  const id = `seed-${seed}`;
  const place = ['--seed', String(seed), '--model', model, '--out', out, '--id', id];
  const tracing = { LANGSMITH_TRACING: 'true', LANGSMITH_ENDPOINT: langsmith, LANGSMITH_API_KEY: 'local' };
  await runScriptFile('match.ts', ['--quiet', '--rules', rules, ...options, ...place], { ...cleanEnv, ...tracing });
  return path.join(out, id);
}

function showSpread(sizes: readonly number[]) {
  const most = roundTo(2, Math.max(...sizes), ' MB');
  return { ...most, text: `${findMedian(sizes).toFixed(2)} MB, largest ${most.text}` };
}

function showTraced(bytes: readonly MatchBytes[]) {
  const excess = ({ traced, prompts }: MatchBytes) => traced - 2 * prompts;
  const worst = bytes.reduce((one, other) => (excess(one) > excess(other) ? one : other));
  const text = `${worst.traced.toFixed(2)} MB, prompts ${worst.prompts.toFixed(2)} MB`;
  return { text, number: excess(worst) };
}
