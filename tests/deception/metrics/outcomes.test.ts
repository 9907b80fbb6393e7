// Who wins, counted by hand on a few matches.
import { describe, expect, it } from '@jest/globals';
import type { MatchRow } from '../../../deception/tables/match-tables.ts';
import { call, ofWolf } from './call-builder.ts';
import { findFigure, computeFigures, findValue } from './figures.ts';
import { day, player } from './game-row-builder.ts';
import { match, tables } from './row-builder.ts';

const won = tables();
const lost = tables({ match: match({ winner: 'werewolves', end_reason: 'Werewolves at parity' }) });
const drawn = tables({ match: match({ winner: null, end_reason: 'round limit' }) });
const unfinished = tables({ match: match({ winner: null, end_reason: null }) });
const mixed = tables({ match: match({ villagers_model: null }) });
const played = [won, won, lost, drawn, unfinished];

describe('wins', () => {
  it('are shares of the matches that ended, those without a winner included', () => {
    const figures = computeFigures('win_rate', ...played);
    expect(findValue(figures, { team: 'villagers' })).toBe(2 / 4);
    expect(findValue(figures, { team: 'werewolves' })).toBe(1 / 4);
    expect(findValue(computeFigures('no_winner_rate', ...played))).toBe(1 / 4);
  });

  it('are none for nobody, told by the models of both sides', () => {
    const figures = computeFigures('no_winner_rate', won, drawn, mixed);
    expect(findValue(figures, { villagers: 'openai:one', werewolves: 'openai:two' })).toBe(1 / 2);
    expect(findValue(figures, { werewolves: 'openai:two' })).toBe(1 / 3);
  });

  it("have Wilson's interval: the match is the unit", () => {
    const { method, low, high } = findFigure(computeFigures('no_winner_rate', ...played))!;
    expect(method).toBe('wilson');
    expect([low, high]).toEqual([expect.closeTo(0.0456, 4), expect.closeTo(0.6994, 4)]);
  });

  it('are told by the model of the side and by its opponent, where one model held the side', () => {
    const figures = computeFigures('win_rate', won, lost, mixed);
    expect(findValue(figures, { team: 'villagers', model: 'openai:one', opponent: 'openai:two' })).toBe(1 / 2);
    expect(findValue(figures, { team: 'werewolves', model: 'openai:two' })).toBe(1 / 3);
    expect(findValue(figures, { team: 'werewolves', model: 'openai:two', opponent: 'openai:one' })).toBe(1 / 2);
  });
});

// How seats, names and speaking positions relate to winning, counted by hand.

/** Creates a match that the village wins. Hugo was removed before anybody spoke. */
const createWonMatch = (changes: Partial<MatchRow> = {}) =>
  tables({
    match: match(changes),
    rounds: [day(1)],
    players: [
      player('Ginger', { seat: 1, speaking_position: 2 }),
      player('Sam', { seat: 2, speaking_position: 3 }),
      player('Dan', { seat: 3, speaking_position: 1 }),
      player('Hugo', { seat: 4 }),
    ],
  });

/** A match without a winner, in which Sam has the first seat. */
const drawnMatch = tables({
  match: match({ winner: null, end_reason: 'round limit' }),
  players: [player('Sam', { seat: 1, has_won: null }), player('Ginger', { seat: 2, has_won: null })],
});

describe('wins by seat', () => {
  it('are shares of the players who sat there, who have not won where nobody has', () => {
    const figures = computeFigures('seat_win_rate', createWonMatch(), drawnMatch);
    expect(findFigure(figures)).toMatchObject({ value: 3 / 6, opportunities: 6 });
    expect(findValue(figures, { seat: '2' })).toBe(1 / 2);
    expect(findValue(figures, { name: 'Sam' })).toBe(1 / 2);
    expect(findValue(figures, { name: 'Sam', team: 'villagers' })).toBe(1 / 2);
    expect(findValue(figures, { seat: '1', team: 'werewolves' })).toBe(0);
  });

  it('leave out imported matches and those that did not end', () => {
    expect(
      computeFigures(
        'seat_win_rate',
        createWonMatch({ imported: 'arena' }),
        createWonMatch({ winner: null, end_reason: null }),
      ),
    ).toEqual([]);
    expect(computeFigures('position_win_rate', createWonMatch({ imported: 'arena' }))).toEqual([]);
  });
});

describe('wins by speaking position', () => {
  it('are told by place, without those who had no turn, and apart by who decides the order', () => {
    const figures = computeFigures(
      'position_win_rate',
      createWonMatch(),
      createWonMatch({ rules: '{"debateOrder":"round-robin"}' }),
    );
    for (const order of ['bidding', 'round-robin']) {
      expect(findFigure(figures, { order })).toMatchObject({ value: 2 / 3, opportunities: 3 });
      expect(findValue(figures, { order, position: '2' })).toBe(0);
      expect(['first', 'between', 'last'].map((place) => findValue(figures, { order, place }))).toEqual([1, 0, 1]);
    }
    expect(findFigure(figures)).toBeUndefined();
  });

  it('are those of a Sheriff who leads the round', () => {
    const rounds = [day(1, null, { sheriff: 'Sam', sheriff_team: 'villagers' })];
    const led = { ...createWonMatch({ rules: '{"debateOrder":"round-robin"}' }), rounds };
    expect(findValue(computeFigures('position_win_rate', led), { order: 'sheriff' })).toBe(2 / 3);
  });
});

// Calls and missing answers of models, counted by hand from two matches.

const unknownIn = { tokens_in: null, tokens_cached: null, tokens_in_with_cached: null };

const one = tables({
  match: match({ wall_ms: 3000 }),
  calls: [
    call('vote', { calls: 4, questions: 3, asked_again: 1, retries: 6, fallbacks: 1, cost: 2, ms: 8000 }),
    call('vote', { ...ofWolf, cost: null, calls_with_unknown_cost: 1, ...unknownIn }),
    call('peer_analysis', { calls: 5, questions: 4, asked_again: 1, refusals: 1, missing: 2 }),
  ],
});
const other = tables({ match: match({ wall_ms: 5000 }), calls: [call('vote')] });
const imported = tables();

const getValue = (name: string, cell = {}) => findValue(computeFigures(name, one, other, imported), cell);

describe('reliability', () => {
  it('is told of calls, of questions, and of those that can be replaced or stay missing', () => {
    expect(getValue('asked_again_rate')).toBe(2 / 11);
    expect(getValue('retries_per_call')).toBe(6 / 11);
    expect(getValue('fallback_rate')).toBe(1 / 5);
    expect(getValue('missing_analysis_rate')).toBe(2 / 4);
    expect(getValue('refusal_rate')).toBe(1 / 9);
  });

  it('is told by model and action', () => {
    expect(getValue('fallback_rate', { model: 'openai:one', action: 'vote' })).toBe(1 / 4);
    expect(getValue('fallback_rate', { action: 'peer_analysis' })).toBeNull();
    expect(getValue('missing_analysis_rate', { model: 'openai:two' })).toBeNull();
  });
});

describe('what a match takes', () => {
  it('is a mean over the matches in which the model or the side was called', () => {
    expect(findFigure(computeFigures('calls_per_match', one, other, imported))).toMatchObject({
      value: 11 / 2,
      matches: 2,
    });
    expect(getValue('calls_per_match', { model: 'openai:two' })).toBe(1);
    expect(getValue('calls_per_match', { team: 'villagers' })).toBe(10 / 2);
    expect(getValue('calls_per_match', { model: 'openai:one', action: 'peer_analysis' })).toBe(5);
  });

  it('adds up what is known, says how much is not, and has no figure where nothing is', () => {
    expect(getValue('cost_per_match')).toBe(3 / 2);
    expect(getValue('cost_per_match', { model: 'openai:two' })).toBeUndefined();
    expect(getValue('cost_unknown_rate', { model: 'openai:two' })).toBe(1);
    expect(getValue('cost_unknown_rate')).toBe(1 / 11);
    expect(getValue('tokens_in_per_match')).toBe(300 / 2);
    expect(getValue('tokens_out_per_match')).toBe(40 / 2);
    expect(getValue('tokens_unknown_rate')).toBe(0);
  });

  it('tells tokens from the cache and of reasoning over calls whose provider tells', () => {
    expect(getValue('tokens_cached_rate')).toBe(150 / 300);
    expect(getValue('tokens_reasoning_rate')).toBe(20 / 40);
    const mixed = call('vote', {
      ...{ calls: 2, tokens_in: 400, tokens_cached: 50, tokens_in_with_cached: 100 },
      ...{ tokens_out: 90, tokens_reasoning: 30, tokens_out_with_reasoning: 40 },
    });
    expect(findValue(computeFigures('tokens_cached_rate', tables({ calls: [mixed] })))).toBe(1 / 2);
    expect(findValue(computeFigures('tokens_reasoning_rate', tables({ calls: [mixed] })))).toBe(3 / 4);
  });

  it('has times of single calls, of all calls, and of the match', () => {
    expect(getValue('seconds_per_call')).toBe(11 / 11);
    expect(getValue('call_seconds_per_match', { model: 'openai:one' })).toBe(10 / 2);
    expect(getValue('seconds_per_match')).toBe(4);
  });

  it('has no interval where all matches agree, since nothing bounds it from above', () => {
    const alike = findFigure(computeFigures('seconds_per_match', ...Array.from({ length: 12 }, () => other)))!;
    expect(alike).toMatchObject({ value: 5, low: null, high: null, reason: 'no variation' });
  });

  it('has no interval below 0', () => {
    const spread = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 90_000].map((ms) => tables({ match: match({ wall_ms: ms }) }));
    expect(findFigure(computeFigures('seconds_per_match', ...spread))!.low).toBe(0);
  });
});
