// The Guard: shields one player each night, not the same one twice in a row, or nobody.
import { describe, expect, it } from '@jest/globals';
import { powerNamed, roleNamed } from '../../../state/roles/index.ts';
import { view } from '../../../state/view.ts';
import { acted, eight, gameAt, passed, type Moment } from '../../game.ts';

const seats = { ...eight, Paul: 'Guard' };
const living = Object.keys(seats);
const targets = (moment: Moment = {}) =>
  powerNamed('guard').choices(view(gameAt({ seats, phase: 'night', round: 2, ...moment }), 'Paul'));
const without = (...names: string[]) => living.filter((name) => !names.includes(name));
const guarding = (rules: Moment['rules'] = {}) =>
  powerNamed('guard').settle({ round: 1, verb: 'guard', by: ['Paul'], target: 'Dan' }, gameAt({ seats, rules }));

describe('the Guard', () => {
  it('is special to the village, acts alone beside the pack, and may pass', () => {
    expect(roleNamed('Guard')).toMatchObject({ team: 'villagers', special: true });
    const guard = powerNamed('guard');
    expect(guard).toMatchObject({ aim: 'shield', actor: 'holder', mayPass: true });
    expect(guard.wave).toBe(powerNamed('eliminate').wave);
  });

  it('may guard every living player, himself included', () => {
    expect(targets()).toEqual(living);
    expect(targets({ gone: ['Sam'] })).toEqual(without('Sam'));
  });

  it('may not guard himself where the rules forbid it', () => {
    expect(targets({ rules: { guardSelf: false } })).toEqual(without('Paul'));
  });

  it('does not guard the same player two nights in a row, not even himself', () => {
    expect(targets({ events: [acted(1, 'Paul', 'guard', 'Dan')] })).toEqual(without('Dan'));
    expect(targets({ events: [acted(1, 'Paul', 'guard', 'Paul')] })).toEqual(without('Paul'));
  });

  it('may come back to him after a night of another, or of nobody', () => {
    const dan = acted(1, 'Paul', 'guard', 'Dan');
    expect(targets({ events: [dan, acted(2, 'Paul', 'guard', 'Sam')], round: 3 })).toEqual(without('Sam'));
    expect(targets({ events: [dan, passed(2, 'Paul', 'guard')], round: 3 })).toEqual(living);
  });

  it('may repeat where the rules allow it', () => {
    const events = [acted(1, 'Paul', 'guard', 'Dan')];
    expect(targets({ events, rules: { guardRepeat: true } })).toEqual(living);
  });

  it('shields whom he guards; only under guardAndAntidote=dies does that clash with the antidote', () => {
    expect(guarding()).toEqual({ kind: 'shield', target: 'Dan', clashes: false });
    expect(guarding({ guardAndAntidote: 'dies' })).toEqual({ kind: 'shield', target: 'Dan', clashes: true });
  });

  it('tells all players in the rules what he may do', () => {
    const does = (rules: Record<string, boolean>) => roleNamed('Guard').does({ guardSelf: true, ...rules });
    expect(does({ guardRepeat: false })).toContain(
      'possibly himself, never the same one two nights in a row, or nobody',
    );
    expect(does({ guardRepeat: true })).not.toContain('in a row');
    expect(does({ guardSelf: false })).toContain('other than himself');
  });
});
