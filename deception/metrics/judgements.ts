// Judgments of statements by listeners and annotators, and the sums (true and false positives and negatives) behind hit
// rates and false alarm rates.
import { createShare, getSum, type Statistic, type Sums } from '../statistics/sums.ts';
import type { AnalysisRow, BeliefRow } from '../tables/analysis-rows.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import type { MetricCell, Metric } from './metric.ts';

/** Strata of all metrics of judgments: the source (`match` or an annotator), and the kind of statement. */
export const judgementStrata = ['source', 'kind'];

/**
 * Returns the dimensions of a cell that describe the observer: round, team, role and model, and whether the speaker is
 * the same model.
 */
export const getObserverCell = (row: AnalysisRow | BeliefRow): MetricCell => ({
  round: String(row.round),
  observer_team: row.observer_team,
  observer_role: row.observer_role,
  observer_model: row.observer_model,
  is_same_model: String(row.is_same_model),
});

const getSpeakerCell = (row: AnalysisRow): MetricCell => ({
  speaker_team: row.speaker_team,
  speaker_role: row.speaker_role,
  speaker_model: row.speaker_model,
});

export const isByListener = ({ perspective }: AnalysisRow) => perspective === 'peer';

/** A judgment, missing or not, with the speaker's self-report about the judged statement. */
interface Heard {
  row: AnalysisRow;
  /** Whether the speaker reports the statement as deceptive; null without a self-report. */
  selfDeceptive: boolean | null;
  cell: MetricCell;
}

/**
 * Lists every judgment by listeners and annotators, including listeners who could know the truth. Each judgment's cell
 * describes both observer and speaker.
 */
export function listJudgements({ statements, analyses }: MatchTables): Heard[] {
  const saidAs = new Map(statements.map((row) => [row.statement, row]));
  return analyses.filter(isByListener).map((row) => {
    const said = saidAs.get(row.statement);
    const { source, kind, knows_side: knowsSide } = row;
    const type = said?.self_type ?? 'unreported';
    const cell = { source, kind, knows_side: String(knowsSide), ...getObserverCell(row), ...getSpeakerCell(row), type };
    return { row, selfDeceptive: said?.self_deceptive ?? null, cell };
  });
}

/**
 * Returns a list with the score of a judgment. The score is null if the answer is missing. The list is empty if no
 * answer was requested.
 */
export function listScores(row: AnalysisRow, name: 'suspicion' | 'p_werewolf'): { score: number | null }[] {
  const score = row[name];
  return score === null && row.missing === null ? [] : [{ score }];
}

type Labelled = AnalysisRow & { is_lie: boolean; could_know: boolean };

/** Returns whether the program has a label (lie or no lie) for the statement. */
const isLabelled = (row: AnalysisRow): row is Labelled => row.is_lie !== null && row.could_know !== null;

/**
 * Lists every judgment of a labeled statement with its cell, including missing judgments. Observers who could know the
 * label had nothing to detect. The cells of their judgments name no observer and no speaker, so these judgments are in
 * no breakdown.
 */
export function listLabelledJudgements({ statements, analyses }: MatchTables): { row: Labelled; cell: MetricCell }[] {
  const types = new Map(statements.map((row) => [row.statement, row.self_type]));
  return analyses
    .filter(isByListener)
    .filter(isLabelled)
    .map((row) => {
      const { source, kind, could_know: couldKnow, statement } = row;
      const whole = { source, kind, could_know: String(couldKnow) };
      const type = types.get(statement) ?? 'unreported';
      return { row, cell: couldKnow ? whole : { ...whole, ...getObserverCell(row), ...getSpeakerCell(row), type } };
    });
}

/**
 * Returns the sums of one case, named as in statistics/classification. `isSo`: whether the case is positive. `flag`:
 * the answer; null if it is missing.
 *
 * @example
 * countConfusion(true, false); // { fn: 1 }
 */
export function countConfusion(isSo: boolean, flag: boolean | null): Sums {
  if (flag === null) return isSo ? { missing_positive: 1 } : { missing_negative: 1 };
  return isSo ? (flag ? { tp: 1 } : { fn: 1 }) : flag ? { fp: 1 } : { tn: 1 };
}

/** Returns the sums as if all missing answers had been right, or all wrong. */
function fillMissing(sums: Sums, isRight: boolean): Sums {
  const { tp = 0, fn = 0, fp = 0, tn = 0, missing_positive: so = 0, missing_negative: not = 0 } = sums;
  return isRight ? { tp: tp + so, fn, fp, tn: tn + not } : { tp, fn: fn + so, fp: fp + not, tn };
}

/**
 * Creates the bounds of a figure that changes in one direction only as the number of right flags grows. The figure
 * reaches one extreme if all missing answers are right, and the other if all are wrong (Manski 1989).
 */
export const createWorstBestBounds =
  (figure: Statistic): NonNullable<Metric['bounds']> =>
  (sums) => {
    const [worst, best] = [figure(fillMissing(sums, false)), figure(fillMissing(sums, true))];
    return worst !== null && best !== null && worst > best ? [best, worst] : [worst, best];
  };

export const countPositives = (sums: Sums) => getSum(sums, 'tp') + getSum(sums, 'fn');
export const countNegatives = (sums: Sums) => getSum(sums, 'fp') + getSum(sums, 'tn');
export const countFlags = (sums: Sums) => getSum(sums, 'tp') + getSum(sums, 'fp');
export const countCases = (sums: Sums) => countPositives(sums) + countNegatives(sums);

/** FP / (FP + TN), 0 to 1; null without negative cases. */
export const computeFalseAlarmRate: Statistic = createShare((sums) => [getSum(sums, 'fp'), countNegatives(sums)]);
