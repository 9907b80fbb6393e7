// Two annotators of the same record: only what both judged counts, and no cell names either.
import { describe, expect, it } from '@jest/globals';
import { annotatorsOf, ofAnnotator, sharedJudgements } from '../../../deception/comparison/annotators.ts';
import { byCondition, differencesOf } from '../../../deception/comparison/compare.ts';
import { detectionPrevalence, hitRate } from '../../../deception/metrics/detection.ts';
import { lieRate } from '../../../deception/metrics/lie-rate.ts';
import { resampling } from '../../../deception/statistics/resampling.ts';
import type { AnalysisRow } from '../../../deception/tables/rows.ts';
import { analysis, belief, match as matchRow, statement, tables } from '../metrics/row-builder.ts';

const [x, y] = ['openai:x', 'openai:y'];

const by = (source: string, changes: Partial<AnalysisRow> = {}) =>
  analysis({ source, observer_model: source, is_lie: true, deceptive: false, ...changes });

const shared = (...analyses: AnalysisRow[]) =>
  sharedJudgements(tables({ statements: [statement()], analyses, beliefs: [belief()] }), [x, y]);

describe('what two annotators share', () => {
  it('is what both judged: the same statement from the view of the same listener', () => {
    const { a, b, both, alone } = shared(by(x), by(x, { observer: 'Leah' }), by(y), by(y, { statement: '1.2' }));
    expect({ both, alone }).toEqual({ both: 1, alone: { a: 1, b: 1 } });
    expect([a.analyses, b.analyses]).toEqual([[by(x)], [by(y)]]);
  });

  it('pairs each repeat with the same repeat', () => {
    const { both, alone } = shared(by(x), by(x, { repeat: 2 }), by(x, { repeat: 3 }), by(y), by(y, { repeat: 2 }));
    expect({ both, alone }).toEqual({ both: 2, alone: { a: 1, b: 0 } });
  });

  it('is not what one of them gave no readable judgement of', () => {
    const missing = { deceptive: null, missing: 'fallback' } as const;
    expect(shared(by(x), by(y, missing))).toMatchObject({ both: 0, alone: { a: 1, b: 0 } });
    expect(shared(by(x, missing), by(y, missing))).toMatchObject({ both: 0, alone: { a: 0, b: 0 } });
  });

  it('has nothing of what players or others made of it', () => {
    const { a, b } = shared(by(x), by(y), by('match'), by('openai:z'));
    expect([...a.analyses, ...b.analyses].map(({ source }) => source)).toEqual([x, y]);
    expect([a.beliefs, b.beliefs]).toEqual([[], []]);
  });
});

describe('annotators', () => {
  it('are all that judged afterwards, not the players', () => {
    expect(annotatorsOf([tables({ analyses: [by(y), by('match')] }), tables({ analyses: [by(x), by(y)] })])).toEqual([
      x,
      y,
    ]);
  });

  it('are compared by judgements, in cells that name neither of them nor whether the speaker is the same', () => {
    const { apart, by: cells } = ofAnnotator(hitRate)!;
    expect(apart).toEqual(['kind', 'could_know']);
    for (const name of ['source', 'observer_model', 'is_same_model']) expect(cells.flat()).not.toContain(name);
    expect(cells.filter((table) => table.join() === 'observer_role')).toHaveLength(1);
  });

  it('are not compared by what they did not judge, nor by what both must share', () => {
    expect(ofAnnotator(lieRate)).toBeNull();
    expect(ofAnnotator(detectionPrevalence)).toBeNull();
  });

  it('differ match by match by what they made of the same lies', () => {
    const sides = byCondition([ofAnnotator(hitRate)!]);
    const deals = Array.from({ length: 12 }, (_, index) => `deal ${index}`);
    for (const [index, deal] of deals.entries()) {
      const lies = ['1.1', '1.2', '1.3', '1.4'];
      const judged = lies.flatMap((id, place) => [
        by(x, { statement: id, deceptive: place < 2 + (index % 3) }),
        by(y, { statement: id, deceptive: place < index % 2 }),
      ]);
      const alone = by(y, { statement: '1.5', deceptive: true });
      const two = sharedJudgements(
        tables({ match: matchRow({ board: 'tiny-4', deal }), analyses: [...judged, alone] }),
        [x, y],
      );
      sides.add('a', two.a);
      sides.add('b', two.b);
    }
    const of = { kind: 'debate', could_know: 'false' };
    const named = deals.map((deal) => `tiny-4: ${deal}`);
    const { primary } = differencesOf(sides.pairs(named), [{ metric: 'hit_rate', of }], resampling(12, 200, 1));
    // x catches (2 + 3 + 4) · 4 of 48, y 1 · 6 of 48; what y alone judged is no part of it
    expect(primary[0]).toMatchObject({ a: 36 / 48, b: 6 / 48, difference: 30 / 48, pairs: 12 });
    expect(primary[0]!.p!).toBeLessThan(0.05);
  });
});
