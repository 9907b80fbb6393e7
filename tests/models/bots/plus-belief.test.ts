// What a bot believes on boards of WereWolf-Plus: what shots, potions, first ballots and the badge tell.
import { describe, expect, it } from '@jest/globals';
import { acted, exiled, removed, said, type Moment } from '../../game.ts';
import { sceneOf } from './eyes.ts';
import { attacked, electedBy, leaned, quiet, recommended, shot, twelve } from './twelve.ts';

const names = Object.keys(twelve);
const believed = (me: string, moment: Moment) => {
  const { mine } = sceneOf(me, { seats: twelve, ...moment });
  return Object.fromEntries(names.map((name) => [name, mine.of(name)])) as Record<keyof typeof twelve, number>;
};

describe('a shot', () => {
  const accused = said('1.1', 'Jacob', 'I suspect Leah.');
  const gone = [exiled(1, 'Jacob'), ...shot(1, 'Jacob', 'Tyler')];

  it('shows its shooter to be of the village', () => {
    const p = believed('Dan', { gone: ['Jacob', 'Tyler'], events: gone });
    expect(p.Jacob).toBe(0);
    expect(p.Tyler).toBeGreaterThan(p.Ginger);
  });

  it('gives weight to what the shooter said before', () => {
    const with_ = believed('Dan', { round: 2, gone: ['Jacob', 'Tyler'], events: [accused, ...gone] });
    expect(with_.Leah).toBeGreaterThan(with_.Ginger);
  });

  it('makes whoever claims the same a liar', () => {
    const events = [...gone, said('2.1', 'Scott', 'I am the Hunter.')];
    expect(believed('Dan', { round: 2, gone: ['Jacob', 'Tyler'], events }).Scott).toBeGreaterThan(0.95);
  });
});

describe('of those who left in a night', () => {
  it('one alone was most likely attacked, of two one may have been poisoned', () => {
    const one = believed('Dan', { round: 2, gone: ['Will'], events: [removed(2, 'Will')] });
    const two = believed('Dan', {
      round: 2,
      gone: ['Will', 'Tyler'],
      events: [removed(2, 'Will'), removed(2, 'Tyler')],
    });
    expect(one.Will).toBeLessThan(0.1);
    expect(two.Will).toBeGreaterThan(one.Will);
    expect(two.Will).toBeLessThan(two.Ginger);
  });

  it('the Witch knows who was poisoned and takes the other for a victim of the pack', () => {
    const events = [acted(2, 'Hayley', 'poison', 'Tyler'), removed(2, 'Will'), removed(2, 'Tyler')];
    const p = believed('Hayley', { round: 2, gone: ['Will', 'Tyler'], events });
    expect(p.Will).toBeLessThan(0.01);
    expect(p.Tyler).toBeGreaterThan(0.2);
  });

  it('nobody is cleared by it in public argument', () => {
    expect(
      sceneOf('Dan', { seats: twelve, gone: ['Will'], events: [removed(1, 'Will')] }).isClearedByDeath('Will'),
    ).toBe(false);
  });
});

describe('the Witch', () => {
  it('knows that nobody whom the pack attacked is one of them', () => {
    const events = [attacked(1, 'Dan'), acted(1, 'Hayley', 'save', 'Dan'), quiet(1)];
    expect(believed('Hayley', { events }).Dan).toBe(0);
    expect(believed('Bert', { events: events.slice(2) }).Dan).toBeCloseTo(4 / 11);
  });
});

describe('the Guard', () => {
  it('is less sure than a Doctor alone would be that a quiet night was of his doing', () => {
    const { Dan } = believed('Paul', { events: [acted(1, 'Paul', 'guard', 'Dan'), quiet(1)] });
    expect(Dan).toBeLessThan(4 / 11);
    expect(Dan).toBeGreaterThan(0.1);
  });
});

describe('a game that goes on', () => {
  const seats = {
    Ginger: 'Werewolf',
    Leah: 'Werewolf',
    Sam: 'Seer',
    Dan: 'Villager',
    Will: 'Villager',
    Bert: 'Villager',
  };
  const gone = ['Sam', 'Will'];
  const events = [removed(1, 'Sam'), removed(2, 'Will')];
  const pair = (wins: string) =>
    sceneOf('Dan', { seats, round: 2, gone, events, rules: { wins } }).mine.both('Ginger', 'Leah', true);

  it('has fewer Werewolves than others left, or as many, or any number, as the rule says', () => {
    expect(pair('parity')).toBe(0);
    expect(pair('majority')).toBeGreaterThan(0.2);
    expect(pair('edge')).toBeCloseTo(pair('majority'));
  });

  it('is not taken for granted by somebody who has just left', () => {
    const events = [exiled(1, 'Ginger', { role: 'Werewolf' }), removed(2, 'Jacob'), removed(2, 'Dan')];
    const seats = { Ginger: 'Werewolf', Leah: 'Werewolf', Jacob: 'Hunter', Hayley: 'Witch', Dan: 'Villager', Will: 'Villager', Bert: 'Villager' }; // prettier-ignore
    const moment: Moment = { seats, round: 2, gone: ['Ginger', 'Jacob', 'Dan'], events };
    // Dan may have been the last of the pack: Bert, who sees the day, knows better.
    expect(believed('Jacob', { ...moment, phase: 'night' }).Dan).toBeGreaterThan(0.01);
    expect(believed('Bert', moment).Dan).toBe(0);
  });
});

describe('a first ballot', () => {
  it('tells for those who voted for a Werewolf and counts once where the second is the same', () => {
    const revealed = exiled(1, 'Leah', { role: 'Werewolf' });
    const once = believed('Dan', { round: 2, gone: ['Leah'], events: [leaned(1, 'Will', 'Leah'), revealed] });
    const again = [leaned(1, 'Will', 'Leah'), leaned(1, 'Will', 'Leah'), revealed];
    const twice = believed('Dan', { round: 2, gone: ['Leah'], events: again });
    expect(once.Will).toBeLessThan(once.Bert);
    expect(twice.Will).toBeCloseTo(once.Will);
  });
});

describe("the Sheriff's word and the badge", () => {
  it('make whom a player known to be of the village names more suspect, and whom such a player trusts less', () => {
    const gone = ['Jacob', 'Tyler'];
    const shown = [exiled(1, 'Jacob'), ...shot(1, 'Jacob', 'Tyler')];
    const word = [recommended(1, 'Jacob', 'Leah'), ...shown];
    const trust = [electedBy('Jacob', 'Bert'), ...shown];
    expect(believed('Dan', { round: 2, gone, events: word }).Leah).toBeGreaterThan(
      believed('Dan', { round: 2, gone, events: shown }).Leah,
    );
    expect(believed('Dan', { round: 2, gone, events: trust }).Bert).toBeLessThan(
      believed('Dan', { round: 2, gone, events: shown }).Bert,
    );
  });
});
