// How far those who judge the same statement agree: observers with each other, and an annotator with itself.
import { cohenKappa, coincidences, jointKey, krippendorffAlpha } from '../statistics/agreement.ts';
import { addSums, sumOf } from '../statistics/sums.ts';
import type { AnalysisRow, Tables } from '../tables/rows.ts';
import { isByListener, ofJudgements } from './judgements.ts';
import type { Metric, Tally } from './metric.ts';

/** Readable judgements by listeners or annotators, those that belong together in one list. */
const groupsOf = ({ analyses }: Tables, key: (row: AnalysisRow) => readonly string[]) =>
  Map.groupBy(
    analyses.filter((row) => isByListener(row) && row.deceptive !== null),
    (row) => JSON.stringify(key(row)),
  ).values();

/** An annotator's repeats are no observers more. */
const isFirst = ({ repeat }: AnalysisRow) => repeat === 1;

export const observerAlpha: Metric = {
  name: 'observer_alpha',
  title: 'Observers of the same statement',
  section: 'agreement',
  definition: "Krippendorff's α (nominal) of `deceptive` over all observers of the same statement.",
  unit: 'α',
  range: [-1, 1],
  apart: ofJudgements,
  by: [['speaker_team']],
  tallies: (match) =>
    [...groupsOf(match, ({ source, statement }) => [source, statement])].flatMap((rows): Tally[] => {
      const judged = rows.filter(isFirst);
      if (judged.length < 2) return [];
      const { source, kind, speaker_team: team } = judged[0]!;
      const pairs = coincidences([judged.map(({ deceptive }) => deceptive)]);
      return [{ cell: { source, kind, speaker_team: team }, sums: { ...pairs, statements: 1 } }];
    }),
  value: krippendorffAlpha('nominal'),
  opportunities: (sums) => sumOf(sums, 'statements'),
};

export const retestKappa: Metric = {
  name: 'retest_kappa',
  title: 'Annotators with themselves',
  section: 'agreement',
  definition:
    "Cohen's κ of `deceptive` between each two repeats of an annotator's judgement of a statement from the same view.",
  unit: 'κ',
  range: [-1, 1],
  subject: 'source',
  apart: ofJudgements,
  by: [],
  tallies: (match) =>
    [...groupsOf(match, ({ source, statement, observer }) => [source, statement, observer])].flatMap(
      (rows): Tally[] => {
        const { source, kind } = rows[0]!;
        const pairs = rows.flatMap((one) =>
          rows
            .filter(({ repeat }) => repeat > one.repeat)
            .map((other) => ({ [jointKey(one.deceptive!, other.deceptive!)]: 1, pairs: 1 })),
        );
        return pairs.length === 0 ? [] : [{ cell: { source, kind }, sums: addSums(pairs) }];
      },
    ),
  value: cohenKappa,
  opportunities: (sums) => sumOf(sums, 'pairs'),
};
