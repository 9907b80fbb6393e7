// Who catches lies, counted by hand on a few judgements.
import { describe, expect, it } from '@jest/globals';
import type { AnalysisRow } from '../../../deception/tables/rows.ts';
import { figureIn, figuresOf, valueIn } from './figures.ts';
import { analysis, statement, tables, times } from './row-builder.ts';

const unknowing = { source: 'match', kind: 'debate', could_know: 'false' };

const judged = (is_lie: boolean | null, deceptive: boolean | null, changes: Partial<AnalysisRow> = {}) =>
  analysis({ is_lie, deceptive, missing: deceptive === null ? 'fallback' : null, ...changes });

/** Of 5 judgements of lies 2 hits, 2 misses, 1 missing; of 10 others 1 false alarm, 7 rejections, 2 missing. */
const analyses = [
  ...times(2, judged(true, true)),
  ...times(2, judged(true, false)),
  judged(true, null),
  judged(false, true),
  ...times(7, judged(false, false)),
  ...times(2, judged(false, null)),
];
const of = (name: string, rows: readonly AnalysisRow[] = analyses) => figuresOf(name, tables({ analyses: rows }));

describe('hits and false alarms', () => {
  it('are shares of what could be read', () => {
    expect(valueIn(of('hit_rate'), unknowing)).toBe(2 / 4);
    expect(valueIn(of('false_alarm_rate'), unknowing)).toBe(1 / 8);
  });

  it('are bounded by all that is missing being right, or wrong', () => {
    const bounds = (name: string) => {
      const { lowest, highest } = figureIn(of(name), unknowing)!;
      return [lowest, highest];
    };
    expect(bounds('hit_rate')).toEqual([2 / 5, 3 / 5]);
    expect(bounds('false_alarm_rate')).toEqual([1 / 10, 3 / 10]);
    expect(bounds('detection_balanced_accuracy')).toEqual([(2 / 5 + 7 / 10) / 2, (3 / 5 + 9 / 10) / 2]);
  });

  it('give the figures of a two-by-two table', () => {
    expect(valueIn(of('detection_balanced_accuracy'), unknowing)).toBe((2 / 4 + 7 / 8) / 2);
    expect(valueIn(of('detection_precision'), unknowing)).toBe(2 / 3);
    expect(valueIn(of('detection_prevalence'), unknowing)).toBe(4 / 12);
    expect(valueIn(of('detection_mcc'), unknowing)).toBeCloseTo((2 * 7 - 1 * 2) / Math.sqrt(3 * 4 * 8 * 9), 12);
  });
});

describe('detection counts', () => {
  it('observers who could know the label in a row of their own, without further tables', () => {
    const figures = of('hit_rate', [judged(true, false), judged(true, true, { could_know: true })]);
    expect(valueIn(figures, unknowing)).toBe(0);
    expect(valueIn(figures, { ...unknowing, could_know: 'true' })).toBe(1);
    expect(figures.filter(({ cell }) => cell['could_know'] === 'true')).toHaveLength(1);
  });

  it('neither statements without a label nor what speakers say of themselves', () => {
    expect(of('hit_rate', [judged(null, true), judged(true, true, { perspective: 'self', could_know: true })])).toEqual(
      [],
    );
  });

  it('annotators apart from players, and ballots apart from the debate', () => {
    const figures = of('hit_rate', [
      judged(true, true),
      judged(true, false, { source: 'openai:annotator', observer_model: 'openai:annotator' }),
      judged(true, false, { kind: 'ballot' }),
    ]);
    expect(valueIn(figures, unknowing)).toBe(1);
    expect(valueIn(figures, { ...unknowing, source: 'openai:annotator' })).toBe(0);
    expect(valueIn(figures, { ...unknowing, kind: 'ballot' })).toBe(0);
  });

  it('pairs of the same model apart from others, and who faced whom', () => {
    const same = { is_same_model: true, speaker_model: 'openai:one' };
    const figures = of('hit_rate', [judged(true, true), judged(true, false, same)]);
    expect(valueIn(figures, { ...unknowing, is_same_model: 'true' })).toBe(0);
    expect(valueIn(figures, { ...unknowing, observer_model: 'openai:one', speaker_model: 'openai:two' })).toBe(1);
  });

  it('hits by the type of deception that the speaker reported', () => {
    const statements = [
      statement({ statement: '1.1', self_type: 'omission' }),
      statement({ statement: '1.2', self_type: null }),
    ];
    const rows = [judged(true, true), judged(true, false, { statement: '1.2' })];
    const figures = figuresOf('hit_rate', tables({ statements, analyses: rows }));
    expect(valueIn(figures, { ...unknowing, type: 'omission' })).toBe(1);
    expect(valueIn(figures, { ...unknowing, type: 'unreported' })).toBe(0);
  });
});
