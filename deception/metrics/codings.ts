// Metrics of codings: how often statements show a style, an emotion or a tactic, and how strongly coders agree.
import { statementCodeNames } from '../../state/statement-codes.ts';
import { countCoincidences, createKrippendorffAlpha } from '../statistics/inter-rater-agreement.ts';
import { getSum, mean } from '../statistics/sums.ts';
import { type CodingRow, listRowCodes } from '../tables/coding-rows.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { createLevelSums, meanLevel } from './breakdowns.ts';
import type { Metric, MetricTally } from './metric.ts';

/** Groups the rows of each statement by coder, with all repeats together. */
const groupByCoder = ({ codings }: MatchTables) =>
  Map.groupBy(codings, ({ coder, statement }) => JSON.stringify([coder, statement])).values();

/** Computes the share of repeats in which the code applies; null if no repeat has an answer. */
const computeLevel = (rows: readonly CodingRow[], code: string): number | null =>
  mean(rows.flatMap((row) => listRowCodes(row)?.includes(code) ?? []).map(Number));

/** Source: Werewolf Arena (2024), section 5.2.1. */
export const codeRate: Metric = {
  name: 'code_rate',
  title: 'Style, emotion and tactics',
  section: 'debate',
  definition:
    'Share of coded statements whose words show a code, by coder. Repeats count as their mean (after Werewolf Arena, section 5.2.1).',
  notes:
    'Requires [`annotate --coding`](annotate.md#style-emotion-and-tactics). Neither coders nor `kind` are ever pooled. Bounds cover missing answers. The paper only describes.',
  unit: 'share of statements',
  range: [0, 1],
  modelDimension: 'model',
  isOwnDeed: true,
  strata: ['coder', 'kind', 'code'],
  breakdowns: [['team'], ['role'], ['model'], ['model', 'team']],
  count: (match) =>
    [...groupByCoder(match)].flatMap((rows): MetricTally[] => {
      const { coder, kind, team, role, model } = rows[0]!;
      return statementCodeNames.map((code) => ({
        cell: { coder, kind, code, team, role, model },
        sums: createLevelSums(computeLevel(rows, code)),
      }));
    }),
  ...meanLevel,
};

/** Counts how the rows of one statement agree on one code. Each row gives one answer: whether the code applies. */
const countCodes = (rows: readonly CodingRow[], code: string) =>
  countCoincidences([rows.map((row) => listRowCodes(row)?.includes(code) ?? null)]);

const agreement = {
  section: 'agreement',
  unit: 'α',
  range: [-1, 1],
  breakdowns: [['code']],
  value: createKrippendorffAlpha('nominal'),
  opportunities: (sums) => getSum(sums, 'codes'),
} as const satisfies Partial<Metric>;

export const codingRetest: Metric = {
  ...agreement,
  name: 'coding_retest',
  title: 'Coders with themselves',
  definition:
    'Krippendorff’s α (nominal) between a coder’s repeats of whether a code fits a statement. Units are statements by codes.',
  notes: 'Requires `annotate --coding --repeat 3`. Given for all codes together and by `code`.',
  strata: ['coder', 'kind'],
  count: (match) =>
    [...groupByCoder(match)].flatMap((rows): MetricTally[] => {
      const { coder, kind } = rows[0]!;
      if (rows.length < 2) return [];
      return statementCodeNames.map((code) => ({
        cell: { coder, kind, code },
        sums: { ...countCodes(rows, code), codes: 1 },
      }));
    }),
};

export const codingAlpha: Metric = {
  ...agreement,
  name: 'coding_alpha',
  title: 'Coders of the same statement',
  definition:
    'Krippendorff’s α (nominal) between coders of whether a code fits a statement, from the first repeat of each. Units are statements by codes.',
  strata: ['kind'],
  count: ({ codings }) => {
    const first = codings.filter(({ repeat }) => repeat === 1);
    return [...Map.groupBy(first, ({ statement }) => statement).values()].flatMap((rows): MetricTally[] => {
      if (rows.length < 2) return [];
      return statementCodeNames.map((code) => ({
        cell: { kind: rows[0]!.kind, code },
        sums: { ...countCodes(rows, code), codes: 1 },
      }));
    });
  },
};
