// The draw of statements to label, and the measured accuracy of a reader.
import { describe, expect, it } from '@jest/globals';
import type { Claim } from '../../../deception/claims/claim.ts';
import { drawGoldSample, type GoldUnit, measureGoldSample } from '../../../deception/summary/gold-sample.ts';
import { draw } from '../../../state/random.ts';

const study = Array.from({ length: 400 }, (_, place) => ({
  id: place,
  model: place % 4 === 0 ? 'rare' : 'usual',
  team: place % 2 === 0 ? 'werewolves' : 'villagers',
  verdict: place % 40 === 0 ? 'lie' : 'no claim',
}));

describe('the sample', () => {
  const sample = drawGoldSample(study, 100, draw(1, 'gold'));

  it('has so many statements, each once, and takes rare kinds as often as others', () => {
    expect(new Set(sample.map(({ statement }) => statement.id)).size).toBe(100);
    expect(sample.filter(({ statement }) => statement.verdict === 'lie')).toHaveLength(10);
    expect(drawGoldSample(study, 1000, draw(1, 'gold'))).toHaveLength(400);
  });

  it('has probabilities that add up to the study, and is the same again from the same seed', () => {
    expect(sample.reduce((total, { probability }) => total + 1 / probability, 0)).toBeCloseTo(400);
    expect(drawGoldSample(study, 100, draw(1, 'gold'))).toEqual(sample);
    expect(drawGoldSample(study, 100, draw(2, 'gold'))).not.toEqual(sample);
  });
});

describe('labels', () => {
  const claim = (type: Claim['type'], subject: string): Claim => ({
    ...{ id: '1.1#1', statement: '1.1', by: 'Dan', round: 1, type, subject, object: null, role: null, team: null },
    ...{ verbs: [], cause: null, when: null, polarity: true, hedged: false, presupposed: false },
    words: { from: 0, to: 1, text: 'x' },
  });
  const [right, invented, missed] = [claim('departure', 'Kai'), claim('departure', 'Sam'), claim('departure', 'Leah')];
  const units = Array.from({ length: 40 }, (_, place): GoldUnit => ({
    ...{
      id: `m/${place}`,
      model: 'a',
      team: 'werewolves',
      deal: `${place % 10}`,
      isDebate: true,
      read: [right, invented],
      isReadLie: place % 2 === 0,
    },
    gold: { probability: 0.5, claims: [right, missed], isLie: place % 4 === 0, second: place < 20 ? [right] : null },
  }));

  it('give precision and recall by model, the κ of two people, and rates with the uncorrected beside them', () => {
    const { agreement, kappaOfPeople, rates } = measureGoldSample(units);
    expect(agreement).toMatchObject([{ model: 'a', statements: 40, precision: 0.5, recall: 0.5 }]);
    expect(agreement[0]!.kappa).toBeCloseTo(0.5);
    expect(kappaOfPeople).toBe(1);
    expect(rates).toMatchObject([{ model: 'a', team: 'werewolves', rate: { uncorrected: 0.5, labeled: 40 } }]);
    expect(rates[0]!.rate.value).toBeCloseTo(0.25);
  });

  it('count ballots for agreement, and not for the rates of debate statements', () => {
    const ballots = units.map((unit) => ({ ...unit, isDebate: false, isReadLie: true }));
    const { agreement, rates } = measureGoldSample([...units, ...ballots]);
    expect(agreement).toMatchObject([{ statements: 80 }]);
    expect(rates).toEqual(measureGoldSample(units).rates);
  });

  it('of one person alone have no κ of two', () => {
    const alone = units.map((unit) => ({ ...unit, gold: unit.gold && { ...unit.gold, second: null } }));
    expect(measureGoldSample(alone).kappaOfPeople).toBeNull();
  });
});
