// The analysis plan: endpoints that are known, at most five of them, each once.
import { describe, expect, it } from '@jest/globals';
import { AnalysisPlan, checkPlan } from '../../../deception/comparison/analysis-plan.ts';
import { hitRate } from '../../../deception/metrics/detection.ts';
import { lieRate } from '../../../deception/metrics/lie-rate.ts';

const plan = (...endpoints: object[]) => AnalysisPlan.parse({ endpoints });
const check = (...endpoints: object[]) => checkPlan(plan(...endpoints), [lieRate]);

describe('a plan', () => {
  it('names a metric as a whole, or a cell that it is counted by in any order of dimensions', () => {
    expect(() => check({ metric: 'lie_rate' }, { metric: 'lie_rate', of: { role: 'Seer', model: 'x' } })).not.toThrow();
  });

  it('takes numbers as they stand in YAML', () => {
    expect(plan({ metric: 'lie_rate', of: { round: 1 } }).endpoints[0]!.of).toEqual({ round: '1' });
  });

  it('names a known metric', () => {
    expect(() => check({ metric: 'lies' })).toThrow(/endpoints\.0: unknown metric "lies"\. Known metrics: lie_rate/);
  });

  it('names a cell that is counted', () => {
    expect(() => check({ metric: 'lie_rate', of: { colour: 'red' } })).toThrow(
      /lie_rate is not counted by colour\. It is counted by: nothing \(the whole\); kind;/,
    );
  });

  it('names a cell of a metric that is never pooled', () => {
    expect(() => checkPlan(plan({ metric: 'hit_rate' }), [hitRate])).toThrow(
      /endpoints\.0: hit_rate needs a cell \(`of`\)\. It is counted by: source, kind, could_know; source, kind, could_know, /,
    );
  });

  it('names an endpoint once', () => {
    expect(() => check({ metric: 'lie_rate' }, { metric: 'lie_rate', of: {} })).toThrow(/stands in the plan twice/);
  });

  it.each([[[]], [Array.from({ length: 6 }, () => ({ metric: 'lie_rate' }))]])(
    'has one to five endpoints, not %j',
    (endpoints) => {
      expect(AnalysisPlan.safeParse({ endpoints }).success).toBe(false);
    },
  );
});
