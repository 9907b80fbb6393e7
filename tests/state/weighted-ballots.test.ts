// Ballots where one weighs more, and ties that are voted on again.
import { describe, expect, it } from '@jest/globals';
import { resolveExile, voters } from '../../state/ballots.ts';
import { elected, eight, exiled, gameAt, tied, type Moment } from '../game.ts';

const outcome = (votes: Record<string, string>, moment: Moment = {}) =>
  resolveExile(gameAt({ votes, events: [elected('Dan')], ...moment }));
const nobody = (reason: 'no majority' | 'tie') => expect.objectContaining({ type: 'no_exile', reason });
const against = (target: string, ...by: string[]) => Object.fromEntries(by.map((name) => [name, target]));

describe("the Sheriff's ballot", () => {
  const plurality = { exile: 'plurality', sheriff: true };
  const tie = { ...against('Ginger', 'Dan', 'Sam'), ...against('Leah', 'Will', 'Bert') };

  it('decides what would be a tie', () => {
    expect(outcome(tie, { rules: plurality })).toEqual(exiled(1, 'Ginger'));
    expect(outcome(tie, { rules: plurality, events: [] })).toEqual(nobody('tie'));
  });

  it('does not weigh more than one and a half', () => {
    const votes = { ...against('Ginger', 'Dan'), ...against('Leah', 'Will', 'Bert') };
    expect(outcome(votes, { rules: plurality })).toEqual(exiled(1, 'Leah'));
  });

  it('weighs like any other in a rule that says so, or once the Sheriff has left', () => {
    expect(outcome(tie, { rules: { ...plurality, sheriffWeight: 1 } })).toEqual(nobody('tie'));
    expect(outcome(tie, { rules: plurality, gone: ['Dan'] })).toEqual(nobody('tie'));
  });

  it('counts for a majority of all that the living weigh', () => {
    const rules = { sheriff: true };
    const gone = ['Paul', 'Mason']; // six left, who weigh 6.5: more than 3.25 is a majority
    expect(outcome(against('Ginger', 'Dan', 'Sam', 'Will'), { rules, gone })).toEqual(exiled(1, 'Ginger'));
    expect(outcome(against('Ginger', 'Leah', 'Sam', 'Will'), { rules, gone })).toEqual(nobody('no majority'));
    const three = { rules: { ...rules, sheriffWeight: 2 }, gone: ['Paul', 'Mason', 'Bert', 'Will'] };
    expect(outcome(against('Ginger', 'Dan'), three)).toEqual(nobody('no majority')); // 2 of 5
    expect(outcome(against('Ginger', 'Dan', 'Sam'), three)).toEqual(exiled(1, 'Ginger')); // 3 of 5
  });

  it('is no majority at exactly one half', () => {
    // Five left, one of whom weighs 2: six in all.
    const gone = ['Paul', 'Mason', 'Bert'];
    const rules = { sheriff: true, sheriffWeight: 2 };
    expect(outcome(against('Ginger', 'Dan', 'Sam'), { rules, gone })).toEqual(nobody('no majority'));
    expect(outcome(against('Ginger', 'Dan', 'Sam', 'Will'), { rules, gone })).toEqual(exiled(1, 'Ginger'));
  });
});

describe('a tie under exileTies=pk', () => {
  const rules = { exile: 'plurality', exileTies: 'pk' };
  const votes = { ...against('Leah', 'Sam', 'Paul'), ...against('Ginger', 'Will', 'Bert') };
  const moment = { rules, events: [] };

  it('is announced the first time, the tied in seat order, and exiles nobody yet', () => {
    expect(outcome(votes, moment)).toEqual(tied(1, 'Ginger', 'Leah'));
  });

  it('exiles nobody the second time', () => {
    expect(outcome(votes, { rules, events: [tied(1, 'Ginger', 'Leah')] })).toEqual(nobody('tie'));
  });

  it('of yesterday does not count today', () => {
    expect(outcome(votes, { rules, events: [tied(1, 'Ginger', 'Leah')], round: 2 })).toEqual(tied(2, 'Ginger', 'Leah'));
  });

  it('of all the living leaves nobody to decide, and exiles nobody', () => {
    const gone = ['Sam', 'Paul', 'Dan', 'Will', 'Bert'];
    const circle = { Ginger: 'Leah', Leah: 'Mason', Mason: 'Ginger' };
    expect(outcome(circle, { ...moment, gone })).toEqual(nobody('tie'));
  });

  it('is none where weights differ', () => {
    expect(outcome(votes, { rules: { ...rules, sheriff: true }, events: [elected('Sam')] })).toEqual(exiled(1, 'Leah'));
  });
});

describe('those who vote', () => {
  const names = Object.keys(eight);

  it('are all the living; between the tied, all others', () => {
    expect(voters(gameAt({ gone: ['Sam'] }))).toEqual(names.filter((name) => name !== 'Sam'));
    const tie = [tied(1, 'Ginger', 'Leah')];
    expect(voters(gameAt({ events: tie }))).toEqual(names.slice(2));
    expect(voters(gameAt({ events: tie, round: 2 }))).toEqual(names);
  });
});
