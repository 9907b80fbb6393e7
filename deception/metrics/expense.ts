// What matches take: calls, tokens, money and time.
import { ratioOf, sumOf, type Sums } from '../statistics/sums.ts';
import type { CallRow } from '../tables/call-rows.ts';
import type { Metric } from './metric.ts';
import { byCaller, ofCalls } from './reliability.ts';

/** Means over the matches that have any of it, by model and side. */
const perMatch = (sumsOf: (row: CallRow) => Sums | null, name: string) =>
  ({
    section: 'reliability',
    range: [0, null],
    subject: 'model',
    apart: [],
    by: [['model'], ['team'], ['model', 'team']],
    isPerMatch: true,
    tallies: ofCalls(sumsOf),
    value: ratioOf(name, 'matches'),
    opportunities: (sums: Sums) => sumOf(sums, 'matches'),
  }) as const;

type Known = 'tokens_in' | 'tokens_out' | 'cost';

const known = (name: Known) => perMatch((row) => (row[name] === null ? null : { [name]: row[name] }), name);

/** Over calls whose provider tells the part. */
const tokenShare = (
  part: 'tokens_cached' | 'tokens_reasoning',
  whole: 'tokens_in_with_cached' | 'tokens_out_with_reasoning',
) =>
  ({
    section: 'reliability',
    unit: 'share of tokens',
    range: [0, 1],
    subject: 'model',
    apart: [],
    by: byCaller,
    tallies: ofCalls((row) => (row[part] === null ? null : { [part]: row[part], [whole]: row[whole] ?? 0 })),
    value: ratioOf(part, whole),
    opportunities: (sums: Sums) => sumOf(sums, whole),
  }) as const;

const unknownShare = (name: 'calls_with_unknown_tokens' | 'calls_with_unknown_cost') =>
  ({
    section: 'reliability',
    unit: 'share of calls',
    range: [0, 1],
    subject: 'model',
    apart: [],
    by: [['model']],
    tallies: ofCalls((row) => ({ unknown: row[name], calls: row.calls })),
    value: ratioOf('unknown', 'calls'),
    opportunities: (sums: Sums) => sumOf(sums, 'calls'),
  }) as const;

export const expense: readonly Metric[] = [
  {
    ...perMatch(({ calls }) => ({ calls }), 'calls'),
    name: 'calls_per_match',
    title: 'Calls per match',
    definition: 'Calls of models that returned in one match, by the model and the side that were called.',
    unit: 'calls',
    by: [['model'], ['team'], ['action'], ['model', 'team'], ['model', 'action']],
  },
  {
    ...known('tokens_in'),
    name: 'tokens_in_per_match',
    title: 'Tokens in per match',
    definition: 'Tokens of prompts in one match, as far as they are known, over matches of which any are.',
    unit: 'tokens',
  },
  {
    ...known('tokens_out'),
    name: 'tokens_out_per_match',
    title: 'Tokens out per match',
    definition:
      'Tokens of answers, those of reasoning among them, in one match, as far as they are known, over matches of which any are.',
    unit: 'tokens',
  },
  {
    ...tokenShare('tokens_cached', 'tokens_in_with_cached'),
    name: 'tokens_cached_rate',
    title: 'Tokens from the cache',
    definition:
      "Tokens of prompts that came from the provider's cache over all of prompts, over calls whose provider tells.",
  },
  {
    ...tokenShare('tokens_reasoning', 'tokens_out_with_reasoning'),
    name: 'tokens_reasoning_rate',
    title: 'Tokens of reasoning',
    definition: 'Tokens that the model thought with over all of answers, over calls whose provider tells.',
  },
  {
    ...unknownShare('calls_with_unknown_tokens'),
    name: 'tokens_unknown_rate',
    title: 'Calls with unknown tokens',
    definition: 'Calls of which the provider told no tokens over all calls.',
  },
  {
    ...known('cost'),
    name: 'cost_per_match',
    title: 'Cost per match',
    definition: 'Cost of all calls of one match, as far as it is known, over matches of which any is.',
    unit: 'USD',
  },
  {
    ...unknownShare('calls_with_unknown_cost'),
    name: 'cost_unknown_rate',
    title: 'Calls with unknown cost',
    definition:
      'Calls whose cost is not known over all calls; where there are any, the cost per match is a lower bound.',
  },
  {
    ...perMatch(({ calls, ms }) => ({ calls, seconds: ms / 1000 }), 'seconds'),
    name: 'seconds_per_call',
    title: 'Latency of calls',
    definition: 'Mean time from sending a call to its answer, times that it was sent again included.',
    unit: 'seconds',
    by: [['model'], ['team'], ['action'], ['model', 'team'], ['model', 'action']],
    isPerMatch: false,
    value: ratioOf('seconds', 'calls'),
    opportunities: (sums) => sumOf(sums, 'calls'),
  },
  {
    ...perMatch(({ ms }) => ({ seconds: ms / 1000 }), 'seconds'),
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
    apart: [],
    by: [],
    tallies: ({ match: { wall_ms: ms } }) =>
      ms === null ? [] : [{ cell: {}, sums: { seconds: ms / 1000, matches: 1 } }],
    value: ratioOf('seconds', 'matches'),
    opportunities: (sums) => sumOf(sums, 'matches'),
  },
];
