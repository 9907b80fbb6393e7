// What a match took: calls, tokens, cost, faults and time.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { callsOf } from '../../deception/calls.ts';
import { summarizeMatch } from '../../deception/summary.ts';
import { wallTime } from '../../deception/wall-time.ts';
import { absent, called, matchOf } from './match-builder.ts';

describe('model calls', () => {
  it('are counted in all, by role, by model and by action', () => {
    const answers = [called('Ginger', 'bid'), called('Dan', 'bid'), called('Will', 'vote'), called('Leah', 'vote')];
    const { total, by_role, by_model, by_action } = callsOf(matchOf([], answers));
    const calls = (groups: typeof by_role) => Object.entries(groups).map(([key, one]) => [key, one.calls]);
    expect(total.calls).toBe(4);
    expect(calls(by_role)).toEqual([
      ['Seer', 1],
      ['Villager', 2],
      ['Werewolf', 1],
    ]);
    expect(calls(by_model)).toEqual([
      ['openai:one', 3],
      ['openai:two', 1],
    ]);
    expect(calls(by_action)).toEqual([
      ['bid', 2],
      ['vote', 2],
    ]);
  });

  it('add up tokens and cost', () => {
    const { total } = callsOf(matchOf([], [called('Dan', 'bid'), called('Dan', 'vote')]));
    expect(total.tokens).toEqual({ in: 200, out: 20, cached: 100, reasoning: null });
    expect(total.cost).toBe(0.5);
  });

  it('say for how many the cost or the tokens are not known, and give what is known', () => {
    const { total } = callsOf(matchOf([], [called('Dan', 'bid'), called('Dan', 'vote', { tokens: null, cost: null })]));
    expect(total).toMatchObject({
      cost: 0.25,
      calls_with_unknown_cost: 1,
      tokens: { in: 100 },
      calls_with_unknown_tokens: 1,
    });
  });

  it('have an unknown cost, not none, where no price is known', () => {
    expect(callsOf(matchOf([], [called('Dan', 'bid', { cost: null })])).total.cost).toBeNull();
    expect(callsOf(matchOf([], [called('Dan', 'bid', { cost: 0 })])).total.cost).toBe(0);
  });

  it('tell transport retries from questions asked again', () => {
    const answers = [called('Dan', 'bid', { retries: 2 }), called('Dan', 'bid', { attempt: 2 })];
    expect(callsOf(matchOf([], answers)).total).toMatchObject({ retries: 2, asked_again: 1 });
  });

  it('tell replaced answers, refusals and missing analyses apart', () => {
    const answers = [
      called('Dan', 'vote', { mark: 'fallback' }),
      called('Dan', 'peer_analysis', { mark: 'fallback' }),
      called('Leah', 'peer_analysis', { mark: 'refusal' }),
      called('Leah', 'debate', { mark: 'refusal' }),
    ];
    const events = [absent('peer_analysis', 'Dan', ['1.1']), absent('peer_analysis', 'Leah', ['1.1'], 'refusal')];
    const record = matchOf(events, answers);
    const { total, by_action, refusals } = callsOf(record);
    expect(total).toMatchObject({ fallbacks: 1, refusals: 2, missing: 2 });
    expect(by_action['peer_analysis']).toMatchObject({ fallbacks: 0, refusals: 1, missing: 2 });
    expect(refusals).toEqual([
      { role: 'Villager', model: 'openai:one', action: 'debate', count: 1 },
      { role: 'Villager', model: 'openai:one', action: 'peer_analysis', count: 1 },
    ]);
    const { players } = summarizeMatch(record);
    expect(players['Dan']).toMatchObject({ fallbacks: 1, refusals: 0 });
    expect(players['Leah']).toMatchObject({ fallbacks: 0, refusals: 2 });
  });

  it('say how many prompts were shortened', () => {
    const answers = [called('Dan', 'vote'), called('Dan', 'vote', { left_out: 7, attempt: 2 }), called('Leah', 'bid')];
    const { total, by_role, by_action } = callsOf(matchOf([], answers));
    expect(total.shortened).toBe(1);
    expect(by_role).toMatchObject({ Seer: { shortened: 1 }, Villager: { shortened: 0 } });
    expect(by_action).toMatchObject({ vote: { shortened: 1 }, bid: { shortened: 0 } });
  });

  it('come to the same whatever the order of lines in the file', () => {
    const answers = [0.1, 0.2, 0.3, 0.7].map((cost) => called('Dan', 'bid', { cost }));
    expect(callsOf(matchOf([], answers.toReversed()))).toEqual(callsOf(matchOf([], answers)));
  });

  it('by somebody who is not at the table are refused with the names of those who are', () => {
    expect(() => callsOf(matchOf([], [called('Nobody', 'bid')]))).toThrow(
      'No player "Nobody" in match "m1". At the table: Ginger, Dan, Will, Leah.',
    );
  });
});

describe('wall time', () => {
  const call = (from: number, ms: number) => ({ started_at: `2026-11-20T10:00:0${from}.000Z`, ms });

  it('is the length of the union of the intervals of calls', () => {
    expect(wallTime([call(0, 1000)])).toBe(1000);
    expect(wallTime([call(0, 2000), call(1, 2000)])).toBe(3000); // overlapping
    expect(wallTime([call(0, 5000), call(1, 1000)])).toBe(5000); // one within the other
    expect(wallTime([call(0, 1000), call(1, 1000)])).toBe(2000); // touching
  });

  it('does not count pauses, such as the one before a resume', () => {
    expect(wallTime([call(0, 1000), call(5, 1000)])).toBe(2000);
  });

  it('does not depend on the order of calls', () => {
    expect(wallTime([call(5, 1000), call(1, 2000), call(0, 2000)])).toBe(4000);
  });

  it('counts every millisecond with a call under way once', () => {
    const interval = fc.record({ from: fc.integer({ min: 0, max: 9 }), ms: fc.integer({ min: 0, max: 9 }) });
    fc.assert(
      fc.property(fc.array(interval), (intervals) => {
        const busy = new Set(intervals.flatMap(({ from, ms }) => Array.from({ length: ms }, (_, tick) => from + tick)));
        const calls = intervals.map(({ from, ms }) => ({ started_at: `2026-11-20T10:00:00.00${from}Z`, ms }));
        expect(wallTime(calls)).toBe(busy.size);
      }),
    );
  });

  it('is zero without calls', () => {
    expect(wallTime([])).toBe(0);
  });
});
