// Detection within a side, and what lies do to the belief in their speaker, counted by hand.
import { describe, expect, it } from '@jest/globals';
import { metrics } from '../../../deception/metrics/index.ts';
import { MetricCollection, computeFigure } from '../../../deception/metrics/metric-collection.ts';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import type { AnalysisRow } from '../../../deception/tables/analysis-rows.ts';
import type { MatchTables } from '../../../deception/tables/match-tables.ts';
import type { ClaimRow } from '../../../deception/tables/claim-rows.ts';
import { formatBriefFigure } from '../../../report/format.ts';
import { computeFigures, findFigure, findValue } from './figures.ts';
import { analysis, claim, statement, tables, times } from './row-builder.ts';

const heard = { source: 'match', kind: 'debate' };
const ofWolves = { ...heard, speaker_team: 'werewolves' };
const ofVillage = { ...heard, speaker_team: 'villagers' };
const byVillager = { speaker_team: 'villagers', speaker_role: 'Villager', speaker: 'Will' } as const;

const createJudgement = (is_lie: boolean, suspicion: number, changes: Partial<AnalysisRow> = {}) =>
  analysis({ is_lie, suspicion, deceptive: suspicion > 0.5, ...changes });

describe('within a side', () => {
  /** Whoever suspects the Werewolves alone: each of their statements by 0.9, all others by 0.1. */
  const bySide = [
    ...times(3, createJudgement(true, 0.9)),
    createJudgement(false, 0.9),
    createJudgement(true, 0.1, byVillager),
    ...times(3, createJudgement(false, 0.1, byVillager)),
  ];
  /** Whoever hears lies, whoever tells them. */
  const byWords = bySide.map((row) => ({ ...row, suspicion: row.is_lie ? 0.9 : 0.1, deceptive: row.is_lie }));
  const repeat = (analyses: readonly AnalysisRow[], count = 10) => times(count, tables({ analyses }));
  const find = (name: string, analyses: readonly AnalysisRow[], cell: Record<string, string>, count = 10) =>
    findValue(computeFigures(name, ...repeat(analyses, count)), cell);

  it('suspicion of the side alone tells nothing, though over both sides it seems to hear lies', () => {
    expect(find('suspicion_roc_auc', bySide, { ...heard, could_know: 'false' })).toBe(3 / 4);
    expect(find('suspicion_roc_auc_within_side', bySide, ofWolves)).toBe(0.5);
    expect(find('suspicion_roc_auc_within_side', bySide, ofVillage)).toBe(0.5);
    expect(find('hit_rate_within_side', bySide, ofWolves)).toBe(1);
    expect(find('false_alarm_rate_within_side', bySide, ofWolves)).toBe(1);
    expect(find('hit_rate_within_side', bySide, ofVillage)).toBe(0);
  });

  it('whoever hears lies is told from that', () => {
    expect(find('suspicion_roc_auc_within_side', byWords, ofWolves)).toBe(1);
    expect(find('suspicion_roc_auc_within_side', byWords, ofVillage)).toBe(1);
    expect(find('hit_rate_within_side', byWords, ofVillage)).toBe(1);
    expect(find('false_alarm_rate_within_side', byWords, ofWolves)).toBe(0);
  });

  it('sides are never pooled, and who could know has no part', () => {
    const knowing = createJudgement(true, 0, { could_know: true });
    expect(find('hit_rate_within_side', [...bySide, knowing], ofWolves)).toBe(1);
    expect(find('hit_rate_within_side', bySide, heard)).toBeUndefined();
  });

  it('there is no figure where fewer than ten matches have lies, or others, of the side: that is said in its place', () => {
    const nine = computeFigures('suspicion_roc_auc_within_side', ...repeat(byWords, 9), tables());
    expect(findFigure(nine, ofWolves)).toMatchObject({ value: null, low: null, reason: 'too few', matches: 9 });
    const lies = byWords.filter((row) => row.is_lie);
    const one = computeFigures('suspicion_roc_auc_within_side', ...repeat(byWords, 9), ...repeat(lies, 5));
    expect(findFigure(one, ofWolves)).toMatchObject({ value: null, mean_of_matches: null, reason: 'too few' });
    expect(findFigure(one, ofWolves)).toMatchObject({ matches: 14 });
    expect(formatBriefFigure({ ...findFigure(one, ofWolves)!, coverage: null })).toBe('too few');
    const none = computeFigures('suspicion_roc_auc_within_side', ...repeat(lies, 12));
    expect(findFigure(none, ofWolves)).toMatchObject({ value: null, reason: 'too few' });
  });
});

// What a lie does. Ginger, a Werewolf, is heard by Dan three times: a greeting, then a lie, then something true.

interface Told {
  speaker?: 'Ginger' | 'Leah';
  round?: number;
  is_lie?: boolean | null;
  type?: ClaimRow['type'];
  claimed?: Partial<ClaimRow>;
  /** By whom with which suspicion. */
  heardBy: Readonly<Record<string, number | null>>;
  changes?: Partial<AnalysisRow>;
}

/** One statement after another, each with a claim that is a lie or true where it has a label. */
function tell(...told: readonly Told[]): MatchTables {
  const rows = told.map(({ speaker = 'Ginger', round = 1, is_lie = null, ...one }, at) => {
    const which = { statement: `${round}.${at}`, round, speaker } as const;
    return {
      statements: [statement({ ...which, is_lie })],
      claims:
        is_lie === null
          ? []
          : [
              claim({
                ...which,
                verdict: is_lie ? 'lie' : 'true',
                is_true: !is_lie,
                type: one.type ?? 'own_role',
                ...one.claimed,
              }),
            ],
      analyses: Object.entries(one.heardBy).map(([observer, suspicion]) =>
        analysis({
          ...{ ...which, observer, is_lie, suspicion, p_werewolf: suspicion },
          ...(suspicion === null ? { missing: 'fallback' } : {}),
          ...one.changes,
        }),
      ),
    };
  });
  return tables({
    statements: rows.flatMap(({ statements }) => statements),
    claims: rows.flatMap(({ claims }) => claims),
    analyses: rows.flatMap(({ analyses }) => analyses),
  });
}

const said = (what: string) => ({ ...ofWolves, said: what });

describe('the shift after a lie', () => {
  const match = tell(
    { heardBy: { Dan: 0.5, Will: 0.4 } },
    { is_lie: true, heardBy: { Dan: 0.75, Will: 0.25, Eve: 1 } }, // Eve hears Ginger for the first time
    { is_lie: false, heardBy: { Dan: 0.5, Will: null } },
  );

  it('is what a listener makes of the speaker just after it, minus just before', () => {
    const figures = computeFigures('suspicion_shift', match);
    expect(findValue(figures, said('lie'))).toBeCloseTo((0.25 - 0.15) / 2, 12);
    expect(findValue(figures, said('true claim'))).toBeCloseTo(-0.25, 12);
    expect(findFigure(figures, said('lie'))?.opportunities).toBe(2);
  });

  it('is told of beliefs in the side too, where the listener does not know it', () => {
    expect(findValue(computeFigures('belief_shift', match), said('lie'))).toBeCloseTo(0.05, 12);
    const knowing = { ...match, analyses: match.analyses.map((row) => ({ ...row, knows_side: true })) };
    expect(computeFigures('belief_shift', knowing)).toEqual([]);
    expect(findValue(computeFigures('suspicion_shift', knowing), said('lie'))).toBeCloseTo(0.05, 12);
  });

  it('is of those who could not know, of one speaker, and of each annotator apart', () => {
    const other = tell({ speaker: 'Leah', heardBy: { Dan: 0.5 } }, { is_lie: true, heardBy: { Dan: 0.75 } });
    expect(computeFigures('suspicion_shift', other)).toEqual([]);
    const knowing = tell(
      { heardBy: { Dan: 0.5 } },
      { is_lie: true, heardBy: { Dan: 1 }, changes: { could_know: true } },
    );
    expect(computeFigures('suspicion_shift', knowing)).toEqual([]);
    const twice = tell(
      { heardBy: { Dan: 0.5 }, changes: { source: 'openai:x', repeat: 1 } },
      { is_lie: true, heardBy: { Dan: 1 }, changes: { source: 'openai:x', repeat: 2 } },
    );
    expect(computeFigures('suspicion_shift', twice)).toEqual([]);
  });

  it('is of claims: opinions and what nobody can decide have none', () => {
    const opinion = tell(
      { heardBy: { Dan: 0.5 } },
      { is_lie: false, claimed: { is_hedged: true }, heardBy: { Dan: 1 } },
      { is_lie: false, claimed: { is_true: false, verdict: 'error' }, heardBy: { Dan: 1 } },
    );
    expect(computeFigures('suspicion_shift', opinion)).toEqual([]);
  });

  it('believed is a lie after which suspicion does not rise', () => {
    const figures = computeFigures('lies_believed_rate', match);
    expect(findValue(figures, ofWolves)).toBe(1 / 2);
    const same = tell({ heardBy: { Dan: 0.5 } }, { is_lie: true, heardBy: { Dan: 0.5 } });
    expect(findValue(computeFigures('lies_believed_rate', same), ofWolves)).toBe(1);
  });
});

describe('the difference of shifts', () => {
  const find = (name: string, ...matches: readonly MatchTables[]) =>
    findFigure(computeFigures(name, ...matches), ofWolves);
  const greet = (round = 1) => ({ round, heardBy: { Dan: 0.5 } });
  const say = (is_lie: boolean, suspicion: number, more: Partial<Told> = {}): Told => ({
    is_lie,
    heardBy: { Dan: suspicion },
    ...more,
  });

  it('is against true claims of the same type', () => {
    const matches = [
      ...times(10, tell(greet(), say(true, 0.9))),
      ...times(10, tell(greet(), say(false, 0.6))),
      ...times(10, tell(greet(), say(false, 0, { type: 'vote' }))), // another type
    ];
    expect(find('suspicion_shift_difference', ...matches)?.value).toBeCloseTo(0.4 - 0.1, 12);
    expect(find('belief_shift_difference', ...matches)?.value).toBeCloseTo(0.4 - 0.1, 12);
    expect(find('suspicion_shift_difference', ...matches)?.opportunities).toBe(10);
  });

  it('is against those of the same round, else of the nearest, of two the earlier', () => {
    const of = (round: number, is_lie: boolean, suspicion: number) =>
      times(10, tell(greet(round), say(is_lie, suspicion, { round })));
    const compute = (...matches: MatchTables[][]) => find('suspicion_shift_difference', ...matches.flat())?.value;
    const truths = [of(1, false, 0.5), of(3, false, 0.7), of(6, false, 1)];
    expect(compute(of(3, true, 1), ...truths)).toBeCloseTo(0.5 - 0.2, 12);
    expect(compute(of(5, true, 1), ...truths)).toBeCloseTo(0.5 - 0.5, 12);
    expect(compute(of(2, true, 1), ...truths)).toBeCloseTo(0.5 - 0, 12);
  });

  it('weighs by the lies', () => {
    const matches = [
      ...times(30, tell(greet(), say(true, 0.9))),
      ...times(10, tell(greet(), say(true, 0.5, { type: 'check' }))),
      ...times(10, tell(greet(), say(false, 0.5))),
      ...times(10, tell(greet(), say(false, 0.5, { type: 'check' }))),
      ...times(10, tell(greet(), say(true, 0, { type: 'act' }))), // without a match
    ];
    const figure = find('suspicion_shift_difference', ...matches);
    expect(figure?.value).toBeCloseTo((30 * 0.4 + 10 * 0) / 40, 12);
    expect(figure?.opportunities).toBe(40);
  });

  it('is none where fewer than ten matches have a true claim of the side', () => {
    const matches = [...times(20, tell(greet(), say(true, 0.9))), ...times(9, tell(greet(), say(false, 0.6)))];
    expect(find('suspicion_shift_difference', ...matches)).toMatchObject({ value: null, reason: 'too few' });
  });

  it('has an interval that holds what was planted, and one around 0 where lies do what truths do', () => {
    const metric = metrics.filter(({ name }) => name === 'suspicion_shift_difference');
    const compute = (after: (match: number) => number) => {
      const collection = new MetricCollection(metric);
      for (let match = 0; match < 40; match++) {
        const isLie = match % 2 === 0;
        collection.add(tell(greet(), say(isLie, isLie ? after(match) : 0.5 + (match % 5) / 10)), String(match));
      }
      const [cell] = collection.listCells();
      return computeFigure(cell!, createResampling(40, 500, 1));
    };
    const none = compute((match) => 0.5 + (match % 5) / 10);
    expect([none.low! < 0, none.high! > 0]).toEqual([true, true]);
    const some = compute((match) => 0.2 + (match % 5) / 10);
    expect([some.low! < -0.3, some.high! > -0.3, some.high! < 0]).toEqual([true, true, true]);
  });
});
