// What powers declare about themselves is what they do.
import { describe, expect, it } from '@jest/globals';
import { powers } from '../../../state/roles/index.ts';
import { view } from '../../../state/view.ts';
import { acted, gameAt, type Moment } from '../../game.ts';

const seats = { Ginger: 'Werewolf', Sam: 'Seer', Paul: 'Doctor', Hayley: 'Guard', Leah: 'Witch', Dan: 'Villager' };
const holderOf = (role: string) => Object.entries(seats).find(([, other]) => other === role)![0];

/** Night of a round, the holder of every potion being told of the attack on herself. */
const nightOf = (round: number, rules: Moment['rules'] = {}) =>
  gameAt({
    seats,
    rules,
    round,
    phase: 'night',
    events: [{ round, phase: 'night', audience: ['Leah'], type: 'attacked', player: 'Leah' }],
  });

const options = [
  {},
  { protectSelf: false, guardSelf: false, witchSelfSave: 'never' },
  { protectSelf: true, guardSelf: true, witchSelfSave: 'always' },
] as const;

describe.each(powers)('to $verb', (power) => {
  const holder = holderOf(power.role.name);

  it('has the effect that is declared', () => {
    const game = nightOf(1);
    const effect = power.settle({ round: 1, verb: power.verb, by: [holder], target: 'Dan' }, game);
    expect(effect.kind).toBe(power.effect);
    if (effect.kind === 'shield') expect(effect.clashes).toBe(power.clashes!(game.setup.rules));
  });

  it.each([1, 2])('is done to oneself only where that is declared, in round %i', (round) => {
    for (const rules of options) {
      const game = nightOf(round, rules);
      const maySelf = power.maySelf?.(game.setup.rules, round) === true;
      expect(power.choices(view(game, holder)).includes(holder)).toBe(maySelf);
    }
  });

  it('is done again only as often as is declared', () => {
    const game = nightOf(2);
    const after = { ...game, gameLogs: [...game.gameLogs, acted(1, holder, power.verb, 'Dan')] };
    const isLeft = power.uses === undefined;
    if (!power.maySelf || isLeft) expect(power.choices(view(after, holder)).length > 0).toBe(isLeft);
  });
});
