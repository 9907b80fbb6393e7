// The Doctor: protects one player each night.
import { describe, expect, it } from '@jest/globals';
import { powerNamed, roleNamed } from '../../../state/roles/index.ts';
import { view } from '../../../state/view.ts';
import { acted, gameAt, type Moment } from '../../game.ts';

const living = ['Ginger', 'Leah', 'Sam', 'Paul', 'Dan', 'Will', 'Bert', 'Mason'];
const targets = (moment: Moment = {}) =>
  powerNamed('protect').choices(view(gameAt({ phase: 'night', round: 2, ...moment }), 'Paul'));
const without = (...names: string[]) => living.filter((name) => !names.includes(name));

describe('the Doctor', () => {
  it('is special to the village and protects alone', () => {
    expect(roleNamed('Doctor')).toMatchObject({ team: 'villagers', special: true });
    expect(powerNamed('protect')).toMatchObject({ aim: 'shield', actor: 'holder' });
  });

  it('may protect every living player, himself and the last patient included', () => {
    expect(targets({ events: [acted(1, 'Paul', 'protect', 'Dan')] })).toEqual(living);
    expect(targets({ gone: ['Sam'] })).toEqual(without('Sam'));
  });

  it('may not protect himself where the rules forbid it', () => {
    expect(targets({ rules: { protectSelf: false } })).toEqual(without('Paul'));
  });

  describe('who may not repeat', () => {
    const rules = { protectRepeat: false };

    it('does not protect the patient of last night again', () => {
      expect(targets({ rules, events: [acted(1, 'Paul', 'protect', 'Dan')] })).toEqual(without('Dan'));
    });

    it('may come back to a patient of an earlier night', () => {
      const events = [acted(1, 'Paul', 'protect', 'Dan'), acted(2, 'Paul', 'protect', 'Sam')];
      expect(targets({ rules, events, round: 3 })).toEqual(without('Sam'));
    });

    it('may protect anybody after a night in which he protected nobody', () => {
      expect(targets({ rules, events: [acted(1, 'Paul', 'protect', 'Dan')], round: 3 })).toEqual(living);
    });

    it('is not bound by what another Doctor did', () => {
      expect(targets({ rules, events: [acted(1, 'Sam', 'protect', 'Dan')] })).toEqual(living);
    });
  });

  it('may have nobody left to protect', () => {
    const rules = { protectSelf: false, protectRepeat: false };
    const gone = without('Paul', 'Dan');
    expect(targets({ rules, gone, events: [acted(1, 'Paul', 'protect', 'Dan')] })).toEqual([]);
  });

  it('shields whom he protects', () => {
    const intent = { round: 1, verb: 'protect', by: ['Paul'], target: 'Dan' };
    expect(powerNamed('protect').settle(intent, gameAt())).toEqual({ kind: 'shield', target: 'Dan', clashes: false });
  });
});
