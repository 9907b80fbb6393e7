// Effects of statements, calculated by hand: differences, intervals that never have width 0, moved votes, and
// selections.
import { describe, expect, it } from '@jest/globals';
import { estimateEffects, firstFreshCopy, freshReplays } from '../../../deception/forks/estimate-effects.ts';
import type { ForkedStatement, MeasuredFork } from '../../../deception/forks/forked-statement.ts';
import type { OutcomeName } from '../../../deception/forks/outcome-measures.ts';
import { computeShareBounds } from '../../../deception/statistics/proportion.ts';

/**
 * A fork in which the first `against` of four listeners vote against the speaker, Dan. More than two such votes exile
 * Dan; otherwise Sam is exiled.
 */
const play = (arm: MeasuredFork['kind'], against: number, more: Partial<MeasuredFork> = {}): MeasuredFork => ({
  arm,
  kind: arm,
  copy: 1,
  hasLied: null,
  ...more,
  outcome: {
    text: 'I am calm.',
    listeners: ['Ann', 'Bert', 'Cleo', 'Sam'].map((name, at) => ({
      ...{ name, model: at < 2 ? 'bot:one' : 'bot:two', vote: at < against ? 'Dan' : 'Ann' },
      ...{ suspicionAfter: null, beliefAfter: null, suspicionAtVote: null, beliefAtVote: null },
    })),
    exiled: against > 2 ? 'Dan' : 'Sam',
    hasWon: null,
  },
});

const say = (deal: number, forks: readonly MeasuredFork[], statement = '1.1'): ForkedStatement => ({
  ...{ match: `m${deal}`, folder: `m${deal}`, statement, deal: `d${deal}`, round: 1, speaker: 'Dan' },
  ...{ role: 'Werewolf', team: 'werewolves', model: 'bot:one', text: 'I am calm.', verdict: 'lie', claims: [] },
  ...{ target: null, unknowing: null, forks },
});

const deals = Array.from({ length: 10 }, (_, deal) => deal);
const find = (statements: readonly ForkedStatement[], outcome: OutcomeName) =>
  estimateEffects(statements).effects.find((one) => one.outcome === outcome && Object.keys(one.of).length === 0);

describe('an effect', () => {
  it('is what keep had more than the arm, with Student’s t over deals', () => {
    const statements = deals.map((deal) => say(deal, [play('keep', 3), play('silence', deal % 2)]));
    // Differences are .75 and .5 in turn, so over 10 deals the mean is .625, the standard deviation .1318 and the
    // standard error .0417.
    const found = find(statements, 'votes_against_speaker');
    expect(found).toMatchObject({ keep: 0.75, other: 0.125, effect: 0.625, statements: 10, deals: 10 });
    expect(found?.se).toBeCloseTo(0.0417, 3);
    expect(found?.low).toBeCloseTo(0.625 - 2.262 * 0.0417, 3);
  });

  it('of 0 in every deal, also where statements of one deal cancel, is bounded by the deals that may differ', () => {
    const [, most] = computeShareBounds(0, deals.length, 0.95);
    const bounded = { effect: 0, low: -most, high: most, se: 0 };
    const same = deals.map((deal) => say(deal, [play('keep', 1), play('silence', 1)]));
    expect(find(same, 'speaker_exiled')).toMatchObject(bounded);
    const cancelling = deals.flatMap((deal) => [
      say(deal, [play('keep', 3), play('silence', 1)], '1.1'),
      say(deal, [play('keep', 1), play('silence', 3)], '1.2'),
    ]);
    expect(find(cancelling, 'speaker_exiled')).toMatchObject(bounded);
  });

  it('of 1 in every deal is not certain either', () => {
    const [, most] = computeShareBounds(0, deals.length, 0.95);
    const found = find(deals.map((deal) => say(deal, [play('keep', 4), play('silence', 0)])), 'speaker_exiled'); // prettier-ignore
    expect(found).toMatchObject({ effect: 1, se: 0 });
    expect(found?.low).toBeCloseTo(1 - 2 * most);
    expect(found?.high).toBeCloseTo(1);
  });

  it('has no interval with few deals', () => {
    const found = find([say(0, [play('keep', 3), play('silence', 1)])], 'votes_against_speaker');
    expect(found).toMatchObject({ effect: 0.5, low: null, high: null, reason: 'too few' });
  });
});

it('subtracts from the votes that an arm moved those that a second replay moves', () => {
  const statements = deals.map((deal) =>
    say(deal, [play('keep', 4), play('keep', deal < 2 ? 0 : 4, { copy: 2 }), play('silence', deal < 5 ? 0 : 4)]),
  );
  const [moved] = estimateEffects(statements).moved;
  expect(moved).toMatchObject({ floor: 0.2, differs: 0.3 }); // deals 0 and 1; deals 2 to 4
  expect(moved?.effect).toBeCloseTo(0.1);
});

it('counts who complied, and marks effects among them as selected', () => {
  const statements = deals.map((deal) => say(deal, [play('keep', 4), play('honest', 0, { hasLied: deal < 2 })]));
  const { compliance, effects } = estimateEffects(statements);
  expect(compliance).toEqual([{ arm: 'honest', statements: 10, read: 10, withoutLie: 8 }]);
  const exiled = effects.filter(({ outcome }) => outcome === 'speaker_exiled');
  expect(exiled.map(({ isSelected, statements: count }) => [isSelected, count])).toEqual([[false, 10], [true, 8]]); // prettier-ignore
});

it('ranks single statements by their fresh replays alone', () => {
  const fresh = (keep: number, count = freshReplays) =>
    Array.from({ length: count }, (_, at) => ({ copy: firstFreshCopy + at })).flatMap((copy) => [
      play('keep', keep, copy),
      play('silence', 0, copy),
    ]);
  const statements = [
    say(0, [play('keep', 4), play('silence', 0), ...fresh(1)]), // the largest effect, by chance
    say(1, [play('keep', 2), play('silence', 0), ...fresh(2)]),
    say(2, [play('keep', 4), play('silence', 0), ...fresh(4, freshReplays - 1)]), // too few replays
  ];
  const { ranked } = estimateEffects(statements);
  expect(ranked.map(({ match, effect, replays }) => [match, effect, replays])).toEqual([['m1', 0.5, 10], ['m0', 0.25, 10]]); // prettier-ignore
});
