// Creates records, and reports these records in one step.
import { listAnsweringServers, listRefusals } from '../../../deception/record/call-figures.ts';
import { createAnsweredMatch } from '../../../deception/answers/answered-match.ts';
import { buildAnswerTables } from '../../../deception/answers/build-answer-tables.ts';
import type { MatchRecord } from '../../../deception/record/match-record.ts';
import { metrics } from '../../../deception/metrics/index.ts';
import { computeFigure } from '../../../deception/metrics/metric-collection.ts';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import { createMatchConditions } from '../../../deception/summary/match-conditions.ts';
import { createTimedMatch } from '../../../deception/summary/model-drift.ts';
import { listSampleVariants, SampleCollection } from '../../../deception/summary/report-samples.ts';
import type { Report } from '../../../deception/summary/report-schema.ts';
import { buildReport, type ReportFindings } from '../../../deception/summary/build-report.ts';
import type { KnownErrors } from '../../../deception/summary/corrected-figures.ts';
import { computeCurve, hasCurve } from '../../../deception/summary/score-curves.ts';
import { listClusters } from '../../../deception/summary/sufficient-statistics.ts';
import { buildTables } from '../../../deception/tables/match-tables.ts';
import { createDealEvents } from '../../../state/deal.ts';
import { called, ended, happened, heard, matchOf, owned, said } from '../match-builder.ts';

type Changes = NonNullable<Parameters<typeof matchOf>[2]>;

/**
 * Creates a match of one day. Ginger, a Werewolf, claims to be the Seer, except in every third match; Dan is the Seer
 * and says so.
 */
export function createSeerDispute(number: number, changes: Changes = {}): MatchRecord {
  const { manifest } = matchOf([], [], { id: `m${number}`, seed: number, ...changes });
  const events = [
    ...createDealEvents(manifest.setup),
    happened({ type: 'round_started', phase: 'night' }),
    happened({ type: 'quiet_night' }),
    said('1.1', 'Ginger', { text: number % 3 === 0 ? 'Let us hear everybody.' : 'I am the Seer.' }),
    owned('1.1', 'Ginger', number % 2 === 0 ? 'fabrication' : 'none'),
    heard('1.1', 'Will', 'Ginger', number % 4 === 0 ? 0.2 : 0.8),
    said('1.2', 'Dan', { text: 'I am the Seer.' }),
    owned('1.2', 'Dan'),
    heard('1.2', 'Will', 'Dan', number % 5 === 0 ? 0.9 : 0.3),
    heard('1.2', 'Leah', 'Dan', 0.4),
    ended(1, number % 2 === 0 ? 'villagers' : 'werewolves'),
  ];
  return { manifest, events, answers: [called('Dan', 'bid')] };
}

export const createSeerDisputes = (count: number, changes: Changes = {}) =>
  Array.from({ length: count }, (_, number) => createSeerDispute(number, changes));

/** Known errors of an extractor that labeled 90 of 100 cases of each kind correctly. */
export const errors: KnownErrors = {
  ofLabels: { lie_rate: { sensitivity: createMeasuredShare(), specificity: createMeasuredShare() } },
  reach: { lies: { drawn: 3, of: 4 }, truths: { drawn: 1, of: 2 } },
};

function createMeasuredShare() {
  return { right: 90, of: 100, low: 0.8, high: 0.95 };
}

export function reportOn(
  records: readonly MatchRecord[],
  {
    leftOut = [],
    errors: known = null,
    chances = new Map(),
    baselines = [],
    extractor = 'rules',
    boards = [...new Set(records.map(({ manifest }) => manifest.setup.board.name))],
    tables: matches = records.map((record) => buildTables(record)),
  }: Partial<
    Pick<ReportFindings, 'leftOut' | 'errors' | 'chances' | 'baselines'> & {
      extractor: string;
      boards: readonly string[];
      tables: readonly ReturnType<typeof buildTables>[];
    }
  > = {},
): Report {
  const [seed, resamples] = [1, 100];
  const draws = createResampling(records.length, resamples, seed);
  const samples = listSampleVariants(metrics, boards);
  const collection = new SampleCollection(samples);
  matches.forEach((tables, number) => collection.add(number, tables));
  const { cells: built, matches: counted } = collection.take();
  const curves = built
    .filter(hasCurve)
    .map((one) => computeCurve({ metric: one.metric, cell: one.cell, clusters: listClusters([one]) }, draws));
  const figures = built.map((cell) => ({
    sample: cell.sample,
    ...computeFigure(
      { metric: metrics.find(({ name }) => name === cell.metric)!, cell: cell.cell, clusters: listClusters([cell]) },
      draws,
    ),
  }));
  const report = buildReport({
    samples,
    matches: counted,
    ...{ figures, curves },
    circumstances: records.map((record, number) =>
      createMatchConditions(record.manifest, matches[number]!.statements, {
        ...{
          extractor,
          presupposed: false,
          isSealed: true,
          promptsFault: null,
          judgeFault: null,
          judgeDropped: 0,
          judgeGap: null,
        },
        servers: listAnsweringServers(record),
        refusals: listRefusals(record),
      }),
    ),
    timed: records.flatMap((record, number) => createTimedMatch(matches[number]!, listAnsweringServers(record)) ?? []),
    ...{ leftOut, errors: known, seed, resamples, chances, baselines },
  });
  const answered = matches.map((tables) => createAnsweredMatch(tables));
  return {
    ...report,
    answers: buildAnswerTables(answered, {
      seed,
      resamples,
      reading: report.judge_reading,
      claims: report.claims_notice,
      study: { folders: ['runs/study'] },
    }),
  };
}
