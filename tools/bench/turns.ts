// Compares rounds under `turn=bid` and `turn=draft`: calls and tokens from dry runs, successive answers and wall time
// from played matches.
import { computeMedian } from '../../deception/statistics/theil-sen.ts';
import { readRecord } from '../../models/record/recorder.ts';
import type { AnswerLine } from '../../state/record.ts';
import type { BenchFigure, BenchValue } from './bench-figure.ts';
import { countRoundLatencies } from './latencies.ts';
import { countPromptTokens } from './prompt-tokens.ts';
import { runWithModelServer } from './servers.ts';
import { planMatches, type RulesVariant, runJob } from './timed-process.ts';

/** Values of the rule `turn`. */
const turns = ['bid', 'draft'] as const;

/**
 * A round of Werewolf Arena's own code, as recorded. Its statements have 70 words; statements of the benchmark have 40.
 */
const arenaCode =
  'recorded of Werewolf Arena’s code: 83.1 calls, 86,289 tokens in, 1.94 s a round at 50 ms and 70 words';

const formatCount = (count: number) => Math.round(count).toLocaleString('en-US');

/** Computes the wall time in milliseconds of each round that ended with a summary by every player. */
export const computeRoundTimes = (answers: readonly AnswerLine[]): number[] =>
  [...Map.groupBy(answers, ({ round }) => round).values()]
    .filter((calls) => calls.some(({ action }) => action === 'summarize'))
    .map((calls) => {
      const begun = calls.map(({ started_at: at }) => Date.parse(at));
      const ended = calls.map(({ started_at: at, ms }) => Date.parse(at) + ms);
      return Math.max(...ended) - Math.min(...begun);
    });

/** Measures both ways to take a turn for each variant. `model`: the model whose prices and cache are used. */
export async function measureTurns(
  variants: readonly RulesVariant[],
  { latencyMs, matches, model }: { latencyMs: number; matches: number; model: string },
  makeFolder: (name: string) => string,
): Promise<BenchFigure[]> {
  const figures: BenchFigure[] = [];
  for (const variant of variants) {
    const values: BenchValue[] = [];
    for (const turn of turns) {
      const rules = { ...variant, rule: { ...variant.rule, turn } };
      const { calls, tokens, uncached, out, cost, rounds } = await countPromptTokens(rules, model);
      const answers = await runWithModelServer({ latencyMs }, async (baseUrl) => {
        const plans = planMatches(rules, baseUrl, matches);
        const folder = makeFolder(`turns ${variant.name} ${turn}`);
        const { folders } = await runJob({ kind: 'matches', plans, inFlight: 1, concurrency: 32, out: folder });
        return folders.map((each) => readRecord(each).answers);
      });
      const waited = answers.flatMap(countRoundLatencies);
      const wallMs = computeMedian(answers.flatMap(computeRoundTimes));
      const text = [
        `${(calls / rounds).toFixed(1)} calls`,
        `${formatCount(tokens / rounds)} tokens in`,
        `${formatCount(uncached / rounds)} uncached`,
        `${formatCount(out / rounds)} out`,
        cost === null ? 'price not known' : `$${(cost / rounds).toFixed(3)}`,
        `${computeMedian(waited) ?? '–'} answers waited for`,
        wallMs === null ? '– s' : `${(wallMs / 1000).toFixed(2)} s`,
      ].join(', ');
      values.push({ name: `turn=${turn}`, text, number: null });
    }
    figures.push({ what: `A round, ${variant.name}, ${latencyMs} ms a call`, values });
  }
  figures.push({ what: 'A round of others', values: [{ text: arenaCode, number: null }] });
  return figures;
}
