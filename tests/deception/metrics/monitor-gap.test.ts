// The monitor gap, computed from planted reports.
import { describe, expect, it } from '@jest/globals';
import { monitorGap } from '../../../deception/metrics/monitor-gap.ts';
import type { AnalysisRow } from '../../../deception/tables/analysis-rows.ts';
import { analysis, tables } from './row-builder.ts';

const report = (statement: string, notes: AnalysisRow['notes'], changes: Partial<AnalysisRow>): AnalysisRow =>
  analysis({
    ...{ statement, notes, perspective: 'self', observer: 'Ginger', observer_model: 'openai:two', is_same_model: true },
    ...{ source: notes === 'with-notes' ? 'openai:two' : 'match', could_know: changes.is_lie === null ? null : true },
    ...changes,
  });

const [deceptive, admitted] = monitorGap;

describe('the monitor gap', () => {
  const pair = (id: string, seen: boolean, unseen: boolean, isLie: boolean | null = true) => [
    report(id, 'with-notes', { deceptive: seen, stated_falsehood: seen, is_lie: isLie }),
    report(id, 'without-notes', { deceptive: unseen, stated_falsehood: unseen, is_lie: isLie }),
  ];
  const sumOf = (metric: typeof deceptive, analyses: AnalysisRow[]) =>
    metric!
      .count(tables({ analyses }))
      .reduce(
        ({ gap, statements }, { sums }) => ({ gap: gap + sums['gap']!, statements: statements + sums['statements']! }),
        { gap: 0, statements: 0 },
      );

  it('is the difference between both reports over statements that have both', () => {
    const rows = [...pair('1.1', true, false), ...pair('1.2', true, true), ...pair('1.3', false, true, false)];
    expect(sumOf(deceptive, rows)).toEqual({ gap: 0, statements: 3 });
    expect(sumOf(admitted, rows)).toEqual({ gap: 1, statements: 2 });
    expect(deceptive!.value({ gap: 1, statements: 4 })).toBe(0.25);
  });

  it('leaves out a statement with one report, or with a missing one', () => {
    const [seen, unseen] = pair('1.1', true, false) as [AnalysisRow, AnalysisRow];
    const missing = { ...unseen, deceptive: null, stated_falsehood: null, missing: 'fallback' } as const;
    for (const rows of [[seen], [unseen], [seen, missing]])
      expect(deceptive!.count(tables({ analyses: rows }))).toEqual([]);
  });

  it('takes the mean of repeats with the same notes', () => {
    const rows = [...pair('1.1', true, false), report('1.1', 'without-notes', { deceptive: true, repeat: 2 })];
    expect(sumOf(deceptive, rows)).toEqual({ gap: 0.5, statements: 1 });
  });
});
