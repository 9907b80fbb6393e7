// The Seer table of Werewolf Arena, counted by hand.
import { describe, expect, it } from '@jest/globals';
import type { ClaimRow } from '../../../deception/tables/rows.ts';
import { figureIn, figuresOf, valueIn } from './figures.ts';
import { day, player } from './game-row-builder.ts';
import { claim, tables } from './row-builder.ts';

type Changes = Partial<ClaimRow>;

const bySeer = (changes: Changes) =>
  claim({ speaker: 'Sam', role: 'Seer', team: 'villagers', subject: 'Sam', ...changes });
const isSeer = (changes: Changes = {}) => bySeer({ type: 'own_role', claimed_role: 'Seer', ...changes });
const found = (object: string, claimed_role: string, changes: Changes = {}) =>
  bySeer({ type: 'check', object, claimed_role, ...changes });
const accuses = (subject: string, changes: Changes = {}) =>
  bySeer({ type: 'accusation', subject, claimed_team: 'werewolves', ...changes });

const seated = ['Sam', 'Dan', 'Will', 'Ginger', 'Leah'].map((name) => player(name));
const game = (claims: ClaimRow[], ...rounds: (string | null)[]) =>
  tables({ players: seated, claims, rounds: rounds.map((exiled, place) => day(place + 1, exiled)) });

/** Two reveals on day 2, of which Ginger is exiled, and one on day 3 that costs the Seer. */
const told = game(
  [
    isSeer({ round: 2 }),
    found('Ginger', 'Werewolf', { round: 2 }),
    found('Ginger', 'Werewolf', { round: 2, statement: '2.4' }),
    found('Dan', 'Villager', { round: 2 }),
    found('Leah', 'Werewolf', { round: 3 }),
  ],
  null,
  'Ginger',
  'Sam',
);
const silent = game([], null);
const value = (name: string, ...matches: Parameters<typeof figuresOf>[1][]) => valueIn(figuresOf(name, ...matches));

describe('reveals of a Seer', () => {
  it('count each player once a round, over all games with a Seer', () => {
    const figures = figuresOf('seer_reveals_per_game', told, silent, tables());
    expect(figureIn(figures)).toMatchObject({ value: 3 / 2, opportunities: 2, matches: 2 });
    expect(valueIn(figures, { model: 'openai:one' })).toBe(3 / 2);
  });

  it('first come in a round that is counted from 0, over games with any', () => {
    expect(value('seer_first_reveal_round', told, silent, game([isSeer()], null))).toBe((1 + 0) / 2);
    expect(value('seer_first_reveal_round', silent)).toBeNull();
  });

  it('unmask, are believed and backfire', () => {
    expect(value('seer_unmasked_rate', told)).toBe(2 / 3);
    expect(value('seer_believed_rate', told)).toBe(1 / 2);
    expect(value('seer_backfired_rate', told)).toBe(1 / 2);
    expect(value('seer_backfired_share_of_reveals', told)).toBe(1 / 3);
    expect(value('seer_believed_rate', silent)).toBeNull();
  });

  it('are of the own role where no other is told', () => {
    const alone = game([isSeer(), isSeer({ round: 2 })], null, 'Sam');
    expect(value('seer_reveals_per_game', alone)).toBe(2);
    expect(value('seer_unmasked_rate', alone)).toBe(0);
    expect(value('seer_backfired_rate', alone)).toBeNull();
  });

  it('are what a Seer says of others as the Seer, not what anybody could say', () => {
    expect(value('seer_unmasked_rate', game([isSeer(), accuses('Ginger')], null))).toBe(1);
    expect(value('seer_reveals_per_game', game([accuses('Ginger')], null))).toBe(0);
    expect(value('seer_reveals_per_game', game([isSeer(), accuses('Ginger', { statement: '1.5' })], null))).toBe(1);
    expect(value('seer_unmasked_rate', game([isSeer(), accuses('Ginger', { statement: '1.5' })], null))).toBe(0);
  });

  it.each<[string, ClaimRow]>([
    ['an opinion', isSeer({ is_hedged: true })],
    ['a denial', isSeer({ polarity: false })],
    ['the explanation of a ballot', isSeer({ kind: 'ballot' })],
    ['a claim of another extractor', isSeer({ extractor: 'openai:judge' })],
    ["another player's claim", claim({ type: 'own_role', claimed_role: 'Seer' })],
    ['a check of nobody who is named', bySeer({ type: 'act' })],
  ])('are not %s', (_, made) => {
    expect(value('seer_reveals_per_game', game([made], null))).toBe(0);
  });

  it('do not unmask a Villager, nor a Werewolf who is said to be none', () => {
    const wrong = game([found('Dan', 'Werewolf'), found('Ginger', 'Villager')], 'Ginger');
    expect(value('seer_unmasked_rate', wrong)).toBe(0);
  });
});
