// Permutation tests of labels: a relation is found if there is one and not if there is none. It is not tested if the
// data cannot show it.
import { describe, expect, it } from '@jest/globals';
import { testLabelsBetween, testLabelsWithin } from '../../../deception/statistics/label-permutation.ts';
import { draw } from '../../../state/random.ts';

const options = { permutations: 499, seed: 1 };
const chance = draw(1, 'labels in tests');
const names = ['1', '2', '3', '4'];

describe('scores of players who are alike', () => {
  const block = (gain: number) => {
    const labels = chance.shuffle(names);
    return [{ scores: labels.map((label) => chance.fraction() + (label === '3' ? gain : 0)), labels }];
  };
  const play = (gain: number) =>
    testLabelsWithin(
      Array.from({ length: 20 }, () => block(gain)),
      options,
    );

  it('that go with a label are told from those that do not', () => {
    expect(play(1)).toMatchObject({ labels: 4, p: 1 / 500, most: { label: '3' } });
    expect(play(1)!.most.value).toBeCloseTo(0.75, 0);
    expect(play(0)!.p).toBeGreaterThan(0.05);
  });

  it('say nothing where nobody is like another, and where nothing varies', () => {
    const alone = names.map((label) => [{ scores: [Number(label)], labels: [label] }]);
    expect(testLabelsWithin(alone, options)).toBeNull();
    expect(testLabelsWithin([[{ scores: [0.5, 0.5], labels: ['1', '2'] }]], options)).toBeNull();
    expect(testLabelsWithin([], options)).toBeNull();
  });

  it('leave out whose score or label is not known', () => {
    const blocks = Array.from({ length: 20 }, () => [{ scores: [1, 0, null, 9], labels: ['1', '2', '3', null] }]);
    expect(testLabelsWithin(blocks, options)).toMatchObject({ labels: 2, most: { label: '1' }, least: { label: '2' } });
  });
});

describe('outcomes', () => {
  const deal = (outcome: number, holder: string) => [
    { outcome, held: Object.fromEntries(names.map((name) => [name, name === holder ? 1 : 0])) },
  ];
  const deals = (isPlanted: boolean) =>
    Array.from({ length: 40 }, () => {
      const holder = chance.pick(names);
      return deal(isPlanted ? (holder === '2' ? 1 : 0) : chance.fraction() < 0.5 ? 1 : 0, holder);
    });

  it('that go with a label are told from those that do not', () => {
    expect(testLabelsBetween([deals(true)], options)).toMatchObject({ p: 1 / 500, most: { label: '2' } });
    expect(testLabelsBetween([deals(false)], options)!.p).toBeGreaterThan(0.05);
  });

  it('say nothing where a deal has no other that was played alike', () => {
    expect(
      testLabelsBetween(
        deals(true).map((one) => [one]),
        options,
      ),
    ).toBeNull();
  });
});
