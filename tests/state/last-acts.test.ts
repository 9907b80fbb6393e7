// Last acts: what those who have left may still do, and in which order.
import { describe, expect, it } from '@jest/globals';
import type { GameEvent } from '../../state/event.ts';
import { dueAct } from '../../state/last-acts.ts';
import { badge, eight, elected, exiled, gameAt, passed, removed, shot, type Moment } from '../game.ts';

const seats = { ...eight, Paul: 'Hunter', Bert: 'Hunter', Mason: 'Witch' };
const everybody = Object.keys(seats);

/** What is due after these events: by whom, and what. */
function due(events: readonly GameEvent[], moment: Moment = {}): string | null {
  const gone = events.flatMap((event) => (event.type === 'death' ? [event.player] : []));
  const act = dueAct(gameAt({ seats, events, gone, ...moment }));
  return act && `${act.by} ${act.act === 'badge' ? 'badge' : act.act.verb}`;
}

describe('a last act', () => {
  it('is nothing for those whose role has none', () => {
    expect(due([])).toBeNull();
    expect(due([exiled(1, 'Dan')])).toBeNull();
    expect(due([removed(1, 'Sam')], { phase: 'night' })).toBeNull();
  });

  it('is the shot of a Hunter who was exiled, removed by the pack or shot', () => {
    expect(due([exiled(1, 'Paul')])).toBe('Paul shoot');
    expect(due([removed(1, 'Paul')], { phase: 'night', acts: { eliminate: ['Ginger', 'Paul'] } })).toBe('Paul shoot');
    expect(due([exiled(1, 'Bert'), ...shot(1, 'Bert', 'Paul')])).toBe('Paul shoot');
  });

  it('is done once, also where the Hunter held fire', () => {
    expect(due([exiled(1, 'Paul'), ...shot(1, 'Paul', 'Dan')])).toBeNull();
    expect(due([exiled(1, 'Paul'), passed(1, 'Paul', 'shoot')])).toBeNull();
  });

  it.each([
    ['was poisoned', { poison: ['Mason', 'Paul'] }, false, null],
    ['was poisoned and picked', { poison: ['Mason', 'Paul'], eliminate: ['Ginger', 'Paul'] }, false, null],
    ['was poisoned', { poison: ['Mason', 'Paul'] }, true, 'Paul shoot'],
    [
      'was picked while another was poisoned',
      { poison: ['Mason', 'Dan'], eliminate: ['Ginger', 'Paul'] },
      false,
      'Paul shoot',
    ],
  ] as const)('of a Hunter who %s, by %j with hunterPoisoned=%s: %s', (_what, acts, hunterPoisoned, what) => {
    expect(due([removed(1, 'Paul')], { phase: 'night', acts, rules: { hunterPoisoned } })).toBe(what);
  });

  it('is still known for poison in a later round', () => {
    const game = gameAt({ seats, gone: ['Paul'], events: [removed(1, 'Paul')], acts: { poison: ['Mason', 'Paul'] } });
    expect(dueAct({ ...game, roundNum: 2, phase: 'day' })).toBeNull();
  });

  it('of several comes in the order in which they left', () => {
    const night = [removed(1, 'Bert'), removed(1, 'Paul')];
    expect(due(night, { phase: 'night' })).toBe('Bert shoot');
    expect(due([...night, ...shot(1, 'Bert', 'Dan')], { phase: 'night' })).toBe('Paul shoot');
    expect(due([...night, ...shot(1, 'Bert', 'Dan'), passed(1, 'Paul', 'shoot')], { phase: 'night' })).toBeNull();
  });

  it('is not due where nobody is left to shoot', () => {
    expect(due([exiled(1, 'Paul')], { gone: everybody })).toBeNull();
  });
});

describe('the badge of a Sheriff who leaves', () => {
  it('is due, and once only', () => {
    expect(due([elected('Dan'), exiled(1, 'Dan')])).toBe('Dan badge');
    expect(due([elected('Dan'), exiled(1, 'Dan'), badge(1, 'Dan', 'Sam')])).toBeNull();
    expect(due([elected('Dan'), exiled(1, 'Dan'), badge(1, 'Dan', null)])).toBeNull();
  });

  it('is due again when the successor leaves', () => {
    const passedOn = [elected('Dan'), exiled(1, 'Dan'), badge(1, 'Dan', 'Sam')];
    expect(due([...passedOn, removed(2, 'Sam')], { round: 2, phase: 'night' })).toBe('Sam badge');
  });

  it('comes after the shot of a Sheriff who is the Hunter, who may shoot nobody into office', () => {
    const left = [elected('Paul'), exiled(1, 'Paul')];
    expect(due(left)).toBe('Paul shoot');
    expect(due([...left, ...shot(1, 'Paul', 'Dan')])).toBe('Paul badge');
  });

  it('comes before the last acts of those whom the shot takes along', () => {
    const left = [elected('Paul'), exiled(1, 'Paul'), ...shot(1, 'Paul', 'Bert')];
    expect(due(left)).toBe('Paul badge');
    expect(due([...left, badge(1, 'Paul', 'Dan')])).toBe('Bert shoot');
    expect(due([...left, badge(1, 'Paul', 'Dan'), ...shot(1, 'Bert', 'Dan')])).toBe('Dan badge');
  });

  it('is not due where nobody is left to have it', () => {
    expect(due([elected('Dan'), exiled(1, 'Dan')], { gone: everybody })).toBeNull();
  });
});
