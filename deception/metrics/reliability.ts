// How reliably models answer: what had to be asked again, was sent again, refused, replaced or stayed missing.
import { ratioOf, sumOf } from '../statistics/sums.ts';
import { analysesOf } from '../answers-about.ts';
import type { CallRow } from '../tables/call-rows.ts';
import type { Tables } from '../tables/rows.ts';
import type { Metric, Tally } from './metric.ts';

/** What one player was asked for, by action. */
export const ofCalls =
  (sumsOf: (row: CallRow) => Tally['sums'] | null) =>
  ({ calls }: Tables): Tally[] =>
    calls.flatMap((row) => {
      const { model, team, action } = row;
      const sums = sumsOf(row);
      return sums === null ? [] : [{ cell: { model, team, action }, sums }];
    });

export const byCaller = [['model'], ['action'], ['model', 'action']] as const;

/** Questions whose answers go missing; those of all others are replaced. */
const unreplaced: ReadonlySet<string> = new Set([
  ...Object.values(analysesOf).flatMap(({ self, peer }) => [...self, ...peer]),
  'beliefs',
]);

const faults = ofCalls((row) => {
  const { calls, questions, asked_again: again, retries, refusals, fallbacks, missing } = row;
  const isAnalysis = unreplaced.has(row.action);
  return {
    ...{ calls, questions, again, retries, refusals, fallbacks, missing },
    replaceable: isAnalysis ? 0 : questions,
    analyses: isAnalysis ? questions : 0,
  };
});

const shareOf = (part: string, whole: string) =>
  ({
    section: 'reliability',
    range: [0, 1],
    subject: 'model',
    apart: [],
    by: byCaller,
    tallies: faults,
    value: ratioOf(part, whole),
    opportunities: (sums: Tally['sums']) => sumOf(sums, whole),
  }) as const;

export const reliability: readonly Metric[] = [
  {
    ...shareOf('again', 'calls'),
    name: 'asked_again_rate',
    title: 'Asked again',
    definition: 'Calls that asked again after an answer that could not be used over all calls.',
    unit: 'share of calls',
  },
  {
    ...shareOf('retries', 'calls'),
    name: 'retries_per_call',
    title: 'Sent again',
    definition: 'Times that calls were sent again after rate limits, server errors or timeouts, for each call.',
    unit: 'retries per call',
    range: [0, null],
  },
  {
    ...shareOf('fallbacks', 'replaceable'),
    name: 'fallback_rate',
    title: 'Fallbacks',
    definition:
      'Questions whose answer stayed unreadable and was replaced over questions whose answers are replaced, which those of analyses and beliefs never are.',
    unit: 'share of questions',
  },
  {
    ...shareOf('refusals', 'questions'),
    name: 'refusal_rate',
    title: 'Refusals',
    definition: 'Questions that a model refused over all questions.',
    unit: 'share of questions',
  },
  {
    ...shareOf('missing', 'analyses'),
    name: 'missing_analysis_rate',
    title: 'Missing analyses',
    definition:
      'Questions for an analysis or for beliefs that stayed without an answer, refused ones included, over all such questions.',
    unit: 'share of questions',
  },
];
