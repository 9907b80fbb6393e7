// Metrics of reliability and cost: answers that were asked for again, refused or missing, and the calls, tokens, cost and
// time that matches take.
import { missingActions } from '../../state/steps/index.ts';
import type { Sums } from '../statistics/sums.ts';
import type { CallRow } from '../tables/call-rows.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { createRatioFigure, type Metric, type MetricTally } from './metric.ts';

/** What one player was asked for, by action. */
const countCalls =
  (sumsOf: (row: CallRow) => MetricTally['sums'] | null) =>
  ({ calls }: MatchTables): MetricTally[] =>
    calls.flatMap((row) => {
      const { model, team, role, action } = row;
      const sums = sumsOf(row);
      return sums === null ? [] : [{ cell: { model, team, role, action }, sums }];
    });

const callBreakdowns = [['model'], ['action'], ['model', 'action']] as const;
const callAndTeamBreakdowns = [['model'], ['team'], ['action'], ['model', 'team'], ['model', 'action']] as const;

const countFaultSums = countCalls((row) => {
  const { calls, questions, asked_again: again, retries, refusals, fallbacks, missing } = row;
  const isAnalysis = missingActions.has(row.action);
  return {
    ...{ calls, questions, again, retries, refusals, fallbacks, missing },
    replaceable: isAnalysis ? 0 : questions,
    analyses: isAnalysis ? questions : 0,
  };
});

const createCallShareMetric = (part: string, whole: string) =>
  ({
    section: 'reliability',
    range: [0, 1],
    modelDimension: 'model',
    strata: [],
    breakdowns: callBreakdowns,
    count: countFaultSums,
    ...createRatioFigure(part, whole),
  }) as const;

export const reliabilityMetrics: readonly Metric[] = [
  {
    ...createCallShareMetric('again', 'calls'),
    name: 'asked_again_rate',
    title: 'Asked again',
    definition: 'Calls that asked again after an answer that could not be used over all calls.',
    unit: 'share of calls',
  },
  {
    ...createCallShareMetric('retries', 'calls'),
    name: 'retries_per_call',
    title: 'Sent again',
    definition: 'Times that calls were sent again after rate limits, server errors or timeouts, for each call.',
    unit: 'retries per call',
    range: [0, null],
  },
  {
    ...createCallShareMetric('fallbacks', 'replaceable'),
    name: 'fallback_rate',
    title: 'Fallbacks',
    definition:
      'Questions whose answer stayed unreadable and was replaced over questions whose answers are replaced, which those of analyses and beliefs never are.',
    unit: 'share of questions',
  },
  {
    ...createCallShareMetric('refusals', 'questions'),
    name: 'refusal_rate',
    title: 'Refusals',
    definition: 'Questions that a model refused over all questions.',
    unit: 'share of questions',
    breakdowns: [...callBreakdowns, ['role'], ['model', 'role'], ['model', 'role', 'action']],
  },
  {
    ...createCallShareMetric('missing', 'analyses'),
    name: 'missing_analysis_rate',
    title: 'Missing analyses',
    definition:
      'Questions for an analysis or for beliefs that stayed without an answer, refused ones included, over all such questions.',
    unit: 'share of questions',
  },
];

// Calls, tokens, cost and time.

/** Means over the matches that have any of it, by model and side. */
const createPerMatchMetric = (sumsOf: (row: CallRow) => Sums | null, name: string) =>
  ({
    section: 'reliability',
    range: [0, null],
    modelDimension: 'model',
    strata: [],
    breakdowns: [['model'], ['team'], ['model', 'team']],
    isPerMatch: true,
    count: countCalls(sumsOf),
    ...createRatioFigure(name, 'matches'),
  }) as const;

type KnownAmount = 'tokens_in' | 'tokens_out' | 'cost';

const createAmountMetric = (name: KnownAmount) =>
  createPerMatchMetric((row) => (row[name] === null ? null : { [name]: row[name] }), name);

/** Over calls whose provider tells the part. */
const createTokenShareMetric = (
  part: 'tokens_cached' | 'tokens_reasoning',
  whole: 'tokens_in_with_cached' | 'tokens_out_with_reasoning',
) =>
  ({
    section: 'reliability',
    unit: 'share of tokens',
    range: [0, 1],
    modelDimension: 'model',
    strata: [],
    breakdowns: callBreakdowns,
    count: countCalls((row) => (row[part] === null ? null : { [part]: row[part], [whole]: row[whole] ?? 0 })),
    ...createRatioFigure(part, whole),
  }) as const;

const createUnknownShareMetric = (name: 'calls_with_unknown_tokens' | 'calls_with_unknown_cost') =>
  ({
    section: 'reliability',
    unit: 'share of calls',
    range: [0, 1],
    modelDimension: 'model',
    strata: [],
    breakdowns: [['model']],
    count: countCalls((row) => ({ unknown: row[name], calls: row.calls })),
    ...createRatioFigure('unknown', 'calls'),
  }) as const;

export const expenseMetrics: readonly Metric[] = [
  {
    ...createPerMatchMetric(({ calls }) => ({ calls }), 'calls'),
    name: 'calls_per_match',
    title: 'Calls per match',
    definition: 'Calls of models that returned in one match, by the model and the side that were called.',
    unit: 'calls',
    breakdowns: callAndTeamBreakdowns,
  },
  {
    ...createAmountMetric('tokens_in'),
    name: 'tokens_in_per_match',
    title: 'Tokens in per match',
    definition: 'Tokens of prompts in one match, as far as they are known, over matches of which any are.',
    unit: 'tokens',
  },
  {
    ...createAmountMetric('tokens_out'),
    name: 'tokens_out_per_match',
    title: 'Tokens out per match',
    definition:
      'Tokens of answers, those of reasoning among them, in one match, as far as they are known, over matches of which any are.',
    unit: 'tokens',
  },
  {
    ...createTokenShareMetric('tokens_cached', 'tokens_in_with_cached'),
    name: 'tokens_cached_rate',
    title: 'Tokens from the cache',
    definition:
      "Tokens of prompts that came from the provider's cache over all of prompts, over calls whose provider tells.",
  },
  {
    ...createTokenShareMetric('tokens_reasoning', 'tokens_out_with_reasoning'),
    name: 'tokens_reasoning_rate',
    title: 'Tokens of reasoning',
    definition: 'Tokens that the model thought with over all of answers, over calls whose provider tells.',
  },
  {
    ...createUnknownShareMetric('calls_with_unknown_tokens'),
    name: 'tokens_unknown_rate',
    title: 'Calls with unknown tokens',
    definition: 'Calls of which the provider told no tokens over all calls.',
  },
  {
    ...createAmountMetric('cost'),
    name: 'cost_per_match',
    title: 'Cost per match',
    definition: 'Cost of all calls of one match, as far as it is known, over matches of which any is.',
    unit: 'USD',
  },
  {
    ...createUnknownShareMetric('calls_with_unknown_cost'),
    name: 'cost_unknown_rate',
    title: 'Calls with unknown cost',
    definition:
      'Calls whose cost is not known over all calls; where there are any, the cost per match is a lower bound.',
  },
  {
    ...createPerMatchMetric(({ calls, ms }) => ({ calls, seconds: ms / 1000 }), 'seconds'),
    name: 'seconds_per_call',
    title: 'Latency of calls',
    definition: 'Mean time from sending a call to its answer, times that it was sent again included.',
    unit: 'seconds',
    breakdowns: callAndTeamBreakdowns,
    isPerMatch: false,
    ...createRatioFigure('seconds', 'calls'),
  },
  {
    ...createPerMatchMetric(({ ms }) => ({ seconds: ms / 1000 }), 'seconds'),
    name: 'call_seconds_per_match',
    title: 'Time of all calls per match',
    definition:
      'Time of all calls of one match, as if one had followed another, by the model and the side that were called.',
    unit: 'seconds',
  },
  {
    name: 'seconds_per_match',
    title: 'Time per match',
    section: 'reliability',
    definition: 'Time of one match in which at least one call was under way, over matches with calls.',
    unit: 'seconds',
    range: [0, null],
    strata: [],
    breakdowns: [],
    count: ({ match: { wall_ms: ms } }) =>
      ms === null ? [] : [{ cell: {}, sums: { seconds: ms / 1000, matches: 1 } }],
    ...createRatioFigure('seconds', 'matches'),
  },
];
