// Who wins, counted by hand on a few matches.
import { describe, expect, it } from '@jest/globals';
import { figureIn, figuresOf, valueIn } from './figures.ts';
import { match, tables } from './row-builder.ts';

const won = tables();
const lost = tables({ match: match({ winner: 'werewolves', end_reason: 'Werewolves at parity' }) });
const drawn = tables({ match: match({ winner: null, end_reason: 'round limit' }) });
const unfinished = tables({ match: match({ winner: null, end_reason: null }) });
const mixed = tables({ match: match({ villagers_model: null }) });
const played = [won, won, lost, drawn, unfinished];

describe('wins', () => {
  it('are shares of the matches that ended, those without a winner included', () => {
    const figures = figuresOf('win_rate', ...played);
    expect(valueIn(figures, { team: 'villagers' })).toBe(2 / 4);
    expect(valueIn(figures, { team: 'werewolves' })).toBe(1 / 4);
    expect(valueIn(figuresOf('no_winner_rate', ...played))).toBe(1 / 4);
  });

  it('are none for nobody, told by the models of both sides', () => {
    const figures = figuresOf('no_winner_rate', won, drawn, mixed);
    expect(valueIn(figures, { villagers: 'openai:one', werewolves: 'openai:two' })).toBe(1 / 2);
    expect(valueIn(figures, { werewolves: 'openai:two' })).toBe(1 / 3);
  });

  it("have Wilson's interval: the match is the unit", () => {
    const { method, low, high } = figureIn(figuresOf('no_winner_rate', ...played))!;
    expect(method).toBe('wilson');
    expect([low, high]).toEqual([expect.closeTo(0.0456, 4), expect.closeTo(0.6994, 4)]);
  });

  it('are told by the model of the side and by its opponent, where one model held the side', () => {
    const figures = figuresOf('win_rate', won, lost, mixed);
    expect(valueIn(figures, { team: 'villagers', model: 'openai:one', opponent: 'openai:two' })).toBe(1 / 2);
    expect(valueIn(figures, { team: 'werewolves', model: 'openai:two' })).toBe(1 / 3);
    expect(valueIn(figures, { team: 'werewolves', model: 'openai:two', opponent: 'openai:one' })).toBe(1 / 2);
  });
});
