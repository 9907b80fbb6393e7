// The Sheriff's badge: who holds it, and what the holder's ballot weighs.
import { describe, expect, it } from '@jest/globals';
import { leaders, tally } from '../../state/ballots.ts';
import { badgeHolder, sheriffOf, weightUnder } from '../../state/sheriff.ts';
import { badge, elected, exiled, gameAt } from '../game.ts';

describe('the badge', () => {
  it('is with nobody before an election', () => {
    expect(badgeHolder([])).toBeNull();
    expect(sheriffOf(gameAt())).toBeNull();
  });

  it('is with whoever was elected', () => {
    expect(sheriffOf(gameAt({ events: [elected('Dan')] }))).toBe('Dan');
  });

  it('stays with whoever has just left until it is passed on, but that is no Sheriff any more', () => {
    const game = gameAt({ events: [elected('Dan'), exiled(1, 'Dan')], gone: ['Dan'] });
    expect(badgeHolder(game.gameLogs)).toBe('Dan');
    expect(sheriffOf(game)).toBeNull();
  });

  it('goes from hand to hand', () => {
    const events = [elected('Dan'), badge(1, 'Dan', 'Will'), badge(2, 'Will', 'Sam')];
    expect(badgeHolder(events)).toBe('Sam');
  });

  it('is with nobody for good once it was torn', () => {
    expect(badgeHolder([elected('Dan'), badge(1, 'Dan', null)])).toBeNull();
  });
});

describe("the Sheriff's ballot", () => {
  const ballots = [
    { by: 'Dan', target: 'Ginger' },
    { by: 'Will', target: 'Leah' },
    { by: 'Sam', target: 'Leah' },
  ];

  it.each([1, 1.5, 2])('weighs %d, all others one', (sheriffWeight) => {
    const weightOf = weightUnder({ sheriffWeight }, 'Dan');
    expect([weightOf('Dan'), weightOf('Will')]).toEqual([sheriffWeight, 1]);
    expect(weightUnder({ sheriffWeight }, null)('Dan')).toBe(1);
  });

  it('beats one other, not two, with 1.5, and ties two with 2', () => {
    expect(leaders(ballots.slice(0, 2), weightUnder({ sheriffWeight: 1.5 }, 'Dan'))).toEqual(['Ginger']);
    expect(leaders(ballots, weightUnder({ sheriffWeight: 1.5 }, 'Dan'))).toEqual(['Leah']);
    expect(leaders(ballots, weightUnder({ sheriffWeight: 2 }, 'Dan'))).toEqual(['Ginger', 'Leah']);
  });

  it('is counted exactly, in whatever order the ballots come', () => {
    const many = Array.from({ length: 9 }, (_, index) => ({
      by: `p${index}`,
      target: index % 2 === 0 ? 'Ginger' : 'Leah',
    }));
    const weightOf = weightUnder({ sheriffWeight: 1.5 }, 'p1');
    for (const order of [many, many.toReversed()])
      expect(Object.fromEntries(tally(order, weightOf))).toEqual({ Ginger: 5, Leah: 4.5 });
  });
});
