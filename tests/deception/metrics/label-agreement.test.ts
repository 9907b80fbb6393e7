// Agreement between label sources, counted by hand.
import { describe, expect, it } from '@jest/globals';
import { computeJudgeAlpha } from '../../../deception/metrics/label-agreement.ts';
import type { AnalysisRow } from '../../../deception/tables/analysis-rows.ts';
import type { StatementRow } from '../../../deception/tables/statement-rows.ts';
import { computeFigures, findFigure, findValue } from './figures.ts';
import { analysis, match, statement, tables, times } from './row-builder.ts';

const debates = { kind: 'debate' };

describe("Cohen's κ", () => {
  const labels: [string, (one: boolean | null, other: boolean | null) => Partial<StatementRow>][] = [
    ['kappa_engine_self', (one, other) => ({ is_lie: one, self_stated_falsehood: other })],
    ['kappa_engine_majority', (one, other) => ({ is_lie: one, flagged_by_majority: other })],
    ['kappa_self_majority', (one, other) => ({ self_deceptive: one, flagged_by_majority: other })],
  ];

  it.each(labels)('%s is over statements that have both labels', (name, rowOf) => {
    const statements = [
      ...times(4, statement(rowOf(true, true))),
      ...times(1, statement(rowOf(true, false))),
      ...times(2, statement(rowOf(false, true))),
      ...times(3, statement(rowOf(false, false))),
      statement(rowOf(true, null)),
      statement(rowOf(null, true)),
    ];
    const whole = findFigure(computeFigures(name, tables({ statements })), debates)!;
    // The labels agree on 7 of 10 statements; by chance they would agree on (5 · 6 + 5 · 4) / 100.
    expect(whole.value).toBeCloseTo((0.7 - 0.5) / 0.5, 12);
    expect(whole.opportunities).toBe(10);
  });

  it('of rules and judge takes a statement without a claim as one more verdict', () => {
    const both = (verdict_rules: StatementRow['verdict'], verdict_judge: StatementRow['verdict']) =>
      statement({ verdict_rules, verdict_judge });
    const statements = [both('lie', 'lie'), both('true', null), both(null, null), both(null, null)];
    const unread = statement({ verdict_rules: 'lie', is_judge_missing: true });
    const judged = tables({ match: match({ extractor: 'openai:judge' }), statements: [...statements, unread] });
    // The labels agree on 3 of 4 statements; by chance they would agree on 1/4 · 1/4 + 2/4 · 3/4 of them.
    expect(findValue(computeFigures('kappa_rules_judge', judged), debates)).toBeCloseTo(
      (3 / 4 - 7 / 16) / (9 / 16),
      12,
    );
    expect(computeFigures('kappa_rules_judge', tables({ statements }))).toEqual([]);
  });
});

const sayWith = (id: string, deceptive: boolean | null, changes: Partial<AnalysisRow> = {}) =>
  analysis({ statement: id, deceptive, missing: deceptive === null ? 'fallback' : null, ...changes });

describe("Krippendorff's α", () => {
  it('is over statements with two readable judgements or more', () => {
    const analyses = [
      ...[true, true].map((deceptive) => sayWith('1.1', deceptive)),
      ...[true, false].map((deceptive) => sayWith('1.2', deceptive)),
      ...[false, false, null].map((deceptive) => sayWith('1.3', deceptive)),
      sayWith('1.4', true),
    ];
    const whole = findFigure(computeFigures('observer_alpha', tables({ analyses })), { source: 'match', ...debates })!;
    // Six answers, three of each kind: 2 of 6 pairs differ; by chance 3 · 3 · 2 / (6 · 5) would.
    expect(whole.value).toBeCloseTo(1 - 2 / 6 / (18 / 30), 12);
    expect(whole.opportunities).toBe(3);
  });

  it("does not take an annotator's repeats for observers", () => {
    const analyses = [1, 2].map((repeat) => sayWith('1.1', true, { source: 'openai:annotator', repeat }));
    expect(computeFigures('observer_alpha', tables({ analyses }))).toEqual([]);
  });
});

describe('test–retest κ', () => {
  const repeatAnswers = (id: string, observer: string, ...answers: readonly (boolean | null)[]) =>
    answers.map((deceptive, place) =>
      sayWith(id, deceptive, { source: 'openai:annotator', observer, repeat: place + 1 }),
    );

  it('pairs each two repeats of a judgement from the same view', () => {
    const analyses = [
      ...repeatAnswers('1.1', 'Dan', true, true, true),
      ...repeatAnswers('1.1', 'Will', false, false, true),
      ...repeatAnswers('1.2', 'Dan', false, null, false),
    ];
    const whole = findFigure(computeFigures('retest_kappa', tables({ analyses })), {
      source: 'openai:annotator',
      ...debates,
    })!;
    // The repeats agree in 5 of 7 pairs. The earlier repeat says deceptive in 3 of 7, the later one in 5 of 7.
    expect(whole.value).toBeCloseTo((5 / 7 - (15 + 8) / 49) / (1 - (15 + 8) / 49), 12);
    expect(whole.opportunities).toBe(7);
  });

  it('has nothing to say of players, who judge once', () => {
    expect(computeFigures('retest_kappa', tables({ analyses: [sayWith('1.1', true), sayWith('1.1', true)] }))).toEqual(
      [],
    );
  });
});

describe('the agreement of judges', () => {
  it('is 1 where all find the same types in every statement, and less where one misses some', () => {
    expect(
      computeJudgeAlpha([
        ['own_role', 'own_role'],
        ['vote check', 'vote check'],
        ['', ''],
      ]),
    ).toBe(1);
    const alpha = computeJudgeAlpha([
      ['own_role', 'own_role'],
      ['vote check', 'vote'],
      ['', null],
    ])!;
    expect(alpha).toBeGreaterThan(0.5);
    expect(alpha).toBeLessThan(1);
  });
});
