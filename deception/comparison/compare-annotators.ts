// What two annotators made of the same statements, heard from the same seats.
import { isByListener } from '../metrics/judgements.ts';
import type { Metric } from '../metrics/metric.ts';
import type { AnalysisRow, MatchTables } from '../tables/row-schemas.ts';
import { removeDimensions } from './compare-arms.ts';

/** Model strings of all that judged any of these matches afterwards, sorted. */
export const listAnnotators = (matches: readonly MatchTables[]): string[] =>
  [...new Set(matches.flatMap(({ analyses }) => analyses.map(({ source }) => source)))].filter(isAfterwards).sort();

const isAfterwards = (source: string) => source !== 'match';

/** A match as either of two annotators judged it, with nothing but what both judged. */
export interface SharedJudgements {
  a: MatchTables;
  b: MatchTables;
  /** Statements, each from the view of a listener and in a repeat, that both gave a readable judgement of. */
  both: number;
  /** Readable judgements by one of them to which the other has none. */
  alone: { a: number; b: number };
}

/** The judgements by `a` and `b` of the same statement, listener and repeat. What players made of it has no part in it. */
export function selectSharedJudgements(match: MatchTables, [a, b]: readonly [string, string]): SharedJudgements {
  const [ofA, ofB] = [listJudgedBy(match, a), listJudgedBy(match, b)];
  const [keysA, keysB] = [new Set(ofA.map(getJudgementKey)), new Set(ofB.map(getJudgementKey))];
  const both = {
    a: ofA.filter((row) => keysB.has(getJudgementKey(row))),
    b: ofB.filter((row) => keysA.has(getJudgementKey(row))),
  };
  return {
    a: { ...match, analyses: both.a, beliefs: [] },
    b: { ...match, analyses: both.b, beliefs: [] },
    both: both.a.length,
    alone: { a: ofA.length - both.a.length, b: ofB.length - both.b.length },
  };
}

const listJudgedBy = ({ analyses }: MatchTables, annotator: string) =>
  analyses.filter((row) => row.source === annotator && row.missing === null && isByListener(row));

const getJudgementKey = ({ statement, observer, repeat }: AnalysisRow) => JSON.stringify([statement, observer, repeat]);

/** The annotator's name, by which cells would never be the same in both arms. */
const annotator = ['source', 'observer_model'];

/** Tells apart by who the annotator is too: what is of the own model for one is not for the other. */
const isOfTwo = (table: readonly string[]) => table.includes('is_same_model');

/** Of the statements alone, and so the same for all who judged them: a hypothesis that is true by construction. */
const isOfStatements = ({ name }: Metric) => name === 'detection_prevalence' || name.endsWith('_base_rate');

/** The same metric over judgements by one annotator; null where annotators cannot differ in it. */
export function narrowToAnnotator(metric: Metric): Metric | null {
  if (!metric.apart.includes('source') || isOfStatements(metric)) return null;
  const by = metric.by.filter((table) => !isOfTwo(table));
  return removeDimensions({ ...metric, by }, annotator);
}
