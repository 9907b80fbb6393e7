// Events: who may know of what.
import { describe, expect, it } from '@jest/globals';
import { GameEvent, isVisibleTo } from '../../state/event.ts';
import { withEvents } from '../../state/moment.ts';
import { gameAt, learned, said } from '../game.ts';

const quiet = (audience: GameEvent['audience']): GameEvent => ({
  round: 1,
  phase: 'night',
  audience,
  type: 'quiet_night',
});

describe('an event', () => {
  it.each([
    ['everyone', true],
    ['moderator', false],
    [['Dan'], true],
    [['Dan', 'Sam'], true],
    [['Sam'], false],
    [[], false],
  ] as const)('for %j is known to Dan: %s', (audience, isKnown) => {
    expect(isVisibleTo(quiet(typeof audience === 'string' ? audience : [...audience]), 'Dan')).toBe(isKnown);
  });

  it('is not known to a player whose name is part of one in its audience', () => {
    expect(isVisibleTo(quiet(['Jackson']), 'Jack')).toBe(false);
  });

  it('of the moderator alone never enters the state of the game', () => {
    const game = gameAt();
    const events = [quiet('moderator'), said('1.1', 'Dan', 'Hm.'), learned(1, 'Sam', 'Dan', 'Villager')];
    expect(withEvents(game, events).gameLogs).toEqual([...game.gameLogs, ...events.slice(1)]);
  });

  it.each([
    ['a suspicion above 1', { suspicion: 1.2 }],
    ['a type that nobody defined', { deception_type: 'white lie' }],
    ['a key that is not its own', { note: 'x' }],
  ])('is not accepted with %s', (_what, fault) => {
    const assessment = {
      round: 1,
      phase: 'day',
      audience: 'moderator',
      type: 'assessment',
      statement: '1.1',
      kind: 'debate',
      by: 'Dan',
      about: 'Sam',
      deceptive: true,
      deception_type: 'omission',
      confidence: 1,
      reasoning: '',
    };
    expect(GameEvent.safeParse(assessment).success).toBe(true);
    expect(GameEvent.safeParse({ ...assessment, ...fault }).success).toBe(false);
  });
});
