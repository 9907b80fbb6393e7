// Measures the resources of matches other than CPU: memory of many concurrent matches, bytes on disk and bytes in
// traces.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sum } from '../../deception/statistics/sums.ts';
import { computeMedian } from '../../deception/statistics/theil-sen.ts';
import type { MatchPlan } from '../../graph/prepare-match.ts';
import { recordFiles } from '../../state/record.ts';
import { type BenchFigure, type BenchValue, roundTo } from './bench-figure.ts';
import { cleanEnv, planMatches, type RulesVariant, runJob, runNode } from './timed-process.ts';
import { runWithModelServer, runWithTraceServer } from './servers.ts';

/**
 * Measures the maximum resident memory of one process that plays many matches at the same time, until all have ended.
 */
export const measureMemory = (
  variant: RulesVariant,
  { matches, latencyMs, concurrency }: Record<'matches' | 'latencyMs' | 'concurrency', number>,
  out: string,
) =>
  runWithModelServer({ latencyMs }, async (baseUrl): Promise<BenchFigure> => {
    const plans = planMatches(variant, baseUrl, matches);
    const { maxRss } = await runJob({ kind: 'matches', plans, inFlight: matches, concurrency, out });
    const total = roundTo(0, maxRss / 1e6, ' MB');
    return {
      what: `Memory with ${matches} matches in flight`,
      target: { atMost: 1000, text: '1000 MB' },
      values: [{ ...total, text: `${total.text}, ${(maxRss / 1e6 / matches).toFixed(1)} MB each, the program shared` }],
    };
  });

/** Plays matches of each variant as a user would, with traces. */
export const measureBytes = (
  variants: readonly RulesVariant[],
  matches: number,
  makeFolder: (name: string) => string,
): Promise<BenchFigure[]> =>
  runWithTraceServer((address, takeBytes) =>
    runWithModelServer({ latencyMs: 0 }, async (baseUrl) => {
      const tracing = { LANGSMITH_TRACING: 'true', LANGSMITH_ENDPOINT: address, LANGSMITH_API_KEY: 'local' };
      const [records, traces]: [BenchValue[], BenchValue[]] = [[], []];
      for (const variant of variants) {
        const out = makeFolder(`traced ${variant.name}`);
        const sizes: Record<'record' | 'prompts' | 'traced', number>[] = [];
        for (const plan of planMatches(variant, baseUrl, matches)) {
          const folder = await playAsUser(plan, out, { ...cleanEnv, ...tracing });
          const record = sum(readdirSync(folder).map((name) => statSync(path.join(folder, name)).size)) / 1e6;
          const prompts = gunzipSync(readFileSync(path.join(folder, recordFiles.prompts))).length / 1e6;
          sizes.push({ record, prompts, traced: takeBytes() / 1e6 });
        }
        const largest = roundTo(2, Math.max(...sizes.map(({ record }) => record)), ' MB');
        const median = computeMedian(sizes.map(({ record }) => record))!;
        records.push({ ...largest, name: variant.name, text: `${median.toFixed(2)} MB, largest ${largest.text}` });
        const excess = ({ traced, prompts }: (typeof sizes)[number]) => traced - 2 * prompts;
        const worst = sizes.reduce((one, other) => (excess(one) > excess(other) ? one : other));
        const text = `${worst.traced.toFixed(2)} MB, prompts ${worst.prompts.toFixed(2)} MB`;
        traces.push({ name: variant.name, text, number: excess(worst) });
      }
      return [
        { what: 'Record of a match', target: { atMost: 1.5, text: '1.5 MB' }, values: records },
        { what: 'Traced of a match', target: { atMost: 1, text: 'twice the prompts and 1 MB' }, values: traces },
      ];
    }),
  );

/** Plays a match as a user would, and returns its folder. */
async function playAsUser(plan: MatchPlan, out: string, env: NodeJS.ProcessEnv) {
  const id = `seed-${plan.seed}`;
  const file = path.join(out, `${id}.yaml`);
  writeFileSync(file, JSON.stringify({ ...plan, out, id, quiet: true }));
  await runNode([path.join(import.meta.dirname, '../../scripts/match.ts'), file], env);
  return path.join(out, id);
}
