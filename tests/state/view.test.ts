// Views: all that one player may know, and nothing else.
import { describe, expect, it } from '@jest/globals';
import type { GameEvent } from '../../state/event.ts';
import { UsageError } from '../../state/usage-error.ts';
import { allies, livingOthers, view } from '../../state/view.ts';
import { acted, eight, gameAt, learned, said, thought, votedFor } from '../game.ts';

const marked = (event: GameEvent): GameEvent => ({ ...event, mark: 'fallback' }) as GameEvent;
const night = (round: number, audience: GameEvent['audience']) => ({ round, phase: 'night' as const, audience });

describe('a view', () => {
  const events: GameEvent[] = [
    learned(1, 'Sam', 'Leah', 'Werewolf'),
    acted(1, 'Paul', 'protect', 'Dan'),
    { ...night(1, ['Ginger', 'Leah']), type: 'pick', verb: 'eliminate', target: 'Dan' },
    thought(1, 'Dan', 'bid', 'I suspect Leah.'),
    said('1.1', 'Dan', 'Who is it?'),
    { ...night(1, 'moderator'), type: 'synthetic_vote', by: 'Dan', step: 1, target: 'Sam' },
  ];
  const seenBy = (me: string) =>
    view(gameAt({ events }), me)
      .events.filter(({ round }) => round > 0)
      .map(({ type }) => type);

  it.each([
    ['Sam', ['learned', 'statement']],
    ['Paul', ['acted', 'statement']],
    ['Ginger', ['pick', 'statement']],
    ['Leah', ['pick', 'statement']],
    ['Dan', ['thought', 'statement']],
    ['Will', ['statement']],
  ])('of %s has %j', (me, types) => {
    expect(seenBy(me)).toEqual(types);
  });

  it('has no audience and no mark of the moderator in its events', () => {
    const replaced = [marked(votedFor(1, 'Dan', 'Sam')), marked(acted(1, 'Sam', 'unmask', 'Dan'))];
    const seen = view(gameAt({ events: [...events, ...replaced] }), 'Sam').events;
    expect(seen.some((event) => 'audience' in event || 'mark' in event)).toBe(false);
    expect(seen.at(-2)).toEqual({
      round: 1,
      phase: 'day',
      type: 'ballot',
      id: '1.Dan',
      by: 'Dan',
      target: 'Sam',
    });
  });

  it('leaves the events of the game as they are', () => {
    const game = gameAt({ events: [marked(votedFor(1, 'Dan', 'Sam'))] });
    const before = structuredClone(game.gameLogs);
    view(game, 'Sam');
    expect(game.gameLogs).toEqual(before);
  });

  it('knows the own role and tells nobody else’s', () => {
    const seen = view(gameAt(), 'Sam');
    expect(seen.role).toBe('Seer');
    expect(seen.events).toEqual([{ round: 0, phase: 'night', type: 'dealt', player: 'Sam', role: 'Seer' }]);
    expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['roles', 'setup', 'intents', 'bids', 'votes']));
  });

  it('holds nothing but names of what it does not know', () => {
    const secret = gameAt({
      personas: { Dan: 'PERSONA-OF-DAN' },
      events: [thought(1, 'Dan', 'bid', 'THOUGHT-OF-DAN')],
      bids: { Dan: 4 },
      votes: { Dan: 'Will' },
      acts: { protect: ['Paul', 'Bert'] },
      suspicions: { Dan: { Sam: 0.123 }, Sam: { Dan: 0.456 } },
    });
    const text = JSON.stringify(view(secret, 'Sam'));
    expect(text).not.toMatch(/PERSONA-OF-DAN|THOUGHT-OF-DAN|0\.123|protect"/);
    expect(text).toContain('0.456');
  });

  it('has the own persona', () => {
    const game = gameAt({ personas: { Dan: 'A sailor.' } });
    expect(view(game, 'Dan').persona).toBe('A sailor.');
    expect(view(game, 'Sam').persona).toBeUndefined();
  });

  it.each([
    ['hidden', null],
    ['bands', { Dan: { score: 0.7, round: 1 } }],
    ['numbers', { Dan: { score: 0.7, round: 1 } }],
  ])('with scores=%s has the own scores %j', (scores, shown) => {
    const suspicions = { Sam: { Dan: 0.7 }, Dan: { Sam: 0.1 } };
    expect(view(gameAt({ rules: { scores }, suspicions }), 'Sam').scores).toEqual(shown);
  });

  it('lists all players and the living in seat order', () => {
    const seen = view(gameAt({ gone: ['Leah', 'Bert'] }), 'Sam');
    expect(seen.players).toEqual(Object.keys(eight));
    expect(seen.alive).toEqual(['Ginger', 'Sam', 'Paul', 'Dan', 'Will', 'Mason']);
    expect(livingOthers(seen)).toEqual(['Ginger', 'Paul', 'Dan', 'Will', 'Mason']);
  });

  it('knows the pack, if one belongs to it', () => {
    expect(allies(view(gameAt(), 'Leah'))).toEqual(['Ginger', 'Leah']);
    expect(allies(view(gameAt(), 'Sam'))).toEqual([]);
  });

  it('of a stranger there is none', () => {
    expect(() => view(gameAt(), 'Zoe')).toThrow(
      new UsageError(`No player "Zoe". At the table: ${Object.keys(eight).join(', ')}.`),
    );
  });
});
