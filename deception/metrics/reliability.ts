// Metrics of reliability and cost: repeated, refused and missing answers, and the calls, tokens, cost and time of
// matches.
import { missingActions } from '../../state/steps/index.ts';
import type { Sums } from '../statistics/sums.ts';
import type { CallRow } from '../tables/call-rows.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { createRatioFigure, type Metric, type MetricTally } from './metric.ts';

/** Counts requests to players, by action. `sumsOf` returns the sums of a row; null if the row does not count. */
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
    definition: 'Share of calls that repeated a question after an answer that could not be used.',
    unit: 'share of calls',
  },
  {
    ...createCallShareMetric('retries', 'calls'),
    name: 'retries_per_call',
    title: 'Sent again',
    definition: 'Times that a request was sent again after rate limits, server errors or timeouts, per call.',
    unit: 'retries per call',
    range: [0, null],
  },
  {
    ...createCallShareMetric('fallbacks', 'replaceable'),
    name: 'fallback_rate',
    title: 'Fallbacks',
    definition:
      'Share of questions whose answer stayed unreadable and was replaced, over all questions but those for analyses and beliefs, which are never replaced.',
    unit: 'share of questions',
  },
  {
    ...createCallShareMetric('refusals', 'questions'),
    name: 'refusal_rate',
    title: 'Refusals',
    definition: 'Share of questions that a model refused.',
    notes:
      'Also by role. A refused question also counts as replaced or missing. `refusals` in `report.json` says who refused, and for what.',
    unit: 'share of questions',
    breakdowns: [...callBreakdowns, ['role'], ['model', 'role'], ['model', 'role', 'action']],
  },
  {
    ...createCallShareMetric('missing', 'analyses'),
    name: 'missing_analysis_rate',
    title: 'Missing analyses',
    definition: 'Share of questions for an analysis or for beliefs that stayed unanswered, refused ones included.',
    notes: 'One question covers all explanations of a ballot.',
    unit: 'share of questions',
  },
];

// Calls, tokens, cost and time.

/**
 * Creates the common fields of a metric of calls. The metric's value is a mean per match, over the matches in which the
 * model made calls that count.
 */
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

/**
 * Creates the metric of one kind of tokens as a share of all input tokens or all output tokens. Only calls whose
 * provider reports this kind count.
 */
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
    definition: 'Model calls that returned, per match, by the model and the side that were called.',
    unit: 'calls',
    breakdowns: callAndTeamBreakdowns,
  },
  {
    ...createAmountMetric('tokens_in'),
    name: 'tokens_in_per_match',
    title: 'Tokens in per match',
    definition: 'Prompt tokens per match as far as they are known, over matches where any are known.',
    notes: 'A lower bound where [`tokens_unknown_rate`](#tokens_unknown_rate) is above 0.',
    unit: 'tokens',
  },
  {
    ...createAmountMetric('tokens_out'),
    name: 'tokens_out_per_match',
    title: 'Tokens out per match',
    definition:
      'Answer tokens per match, reasoning included, as far as they are known, over matches where any are known.',
    unit: 'tokens',
  },
  {
    ...createTokenShareMetric('tokens_cached', 'tokens_in_with_cached'),
    name: 'tokens_cached_rate',
    title: 'Tokens from the cache',
    definition: 'Share of prompt tokens that came from the provider’s cache, over calls whose provider reports it.',
  },
  {
    ...createTokenShareMetric('tokens_reasoning', 'tokens_out_with_reasoning'),
    name: 'tokens_reasoning_rate',
    title: 'Tokens of reasoning',
    definition: 'Share of answer tokens that the model spent on reasoning, over calls whose provider reports it.',
  },
  {
    ...createUnknownShareMetric('calls_with_unknown_tokens'),
    name: 'tokens_unknown_rate',
    title: 'Calls with unknown tokens',
    definition: 'Share of calls for which the provider reported no tokens.',
  },
  {
    ...createAmountMetric('cost'),
    name: 'cost_per_match',
    title: 'Cost per match',
    definition: 'Cost of all calls of a match as far as it is known, over matches where any cost is known.',
    notes: 'A lower bound where [`cost_unknown_rate`](#cost_unknown_rate) is above 0.',
    unit: 'USD',
  },
  {
    ...createUnknownShareMetric('calls_with_unknown_cost'),
    name: 'cost_unknown_rate',
    title: 'Calls with unknown cost',
    definition: 'Share of calls whose cost is unknown. If there are any, the cost per match is a lower bound.',
  },
  {
    ...createPerMatchMetric(({ calls, ms }) => ({ calls, seconds: ms / 1000 }), 'seconds'),
    name: 'seconds_per_call',
    title: 'Latency of calls',
    definition: 'Mean time from first sending a call to its answer, retries included.',
    unit: 'seconds',
    breakdowns: callAndTeamBreakdowns,
    isPerMatch: false,
    ...createRatioFigure('seconds', 'calls'),
  },
  {
    ...createPerMatchMetric(({ ms }) => ({ seconds: ms / 1000 }), 'seconds'),
    name: 'call_seconds_per_match',
    title: 'Time of all calls per match',
    definition: 'Time of all calls of a match added up, by the model and the side that were called.',
    unit: 'seconds',
  },
  {
    name: 'seconds_per_match',
    title: 'Time per match',
    section: 'reliability',
    definition: 'Time of a match during which at least one call was under way, over matches with calls.',
    notes: 'Not by side: both sides wait for each other.',
    unit: 'seconds',
    range: [0, null],
    strata: [],
    breakdowns: [],
    count: ({ match: { wall_ms: ms } }) =>
      ms === null ? [] : [{ cell: {}, sums: { seconds: ms / 1000, matches: 1 } }],
    ...createRatioFigure('seconds', 'matches'),
  },
];
