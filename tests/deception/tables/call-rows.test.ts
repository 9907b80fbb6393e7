// The rows of calls, and what the row of a match and those of players say besides.
import { describe, expect, it } from '@jest/globals';
import type { AnswerLine } from '../../../state/record.ts';
import { tablesOf } from '../../../deception/tables/tables-of.ts';
import { called, matchOf, oneDay } from '../match-builder.ts';
import { told, toldDay } from './told-day.ts';

const callsOf = (player: string, action: string) =>
  told.calls.find((row) => row.player === player && row.action === action);

describe('the rows of calls', () => {
  it('are one for each action that a player was asked for, in the order of seats', () => {
    const seats = told.players.map(({ player }) => player);
    const asked = told.calls.map(({ player, action }) => [player, action]);
    expect(new Set(asked.map((key) => key.join())).size).toBe(asked.length);
    expect(asked).toEqual(asked.toSorted(([a], [b]) => seats.indexOf(a!) - seats.indexOf(b!)));
    expect(asked).toContainEqual(['Will', 'vote']);
  });

  it('tell questions from calls, and what was missing from what was replaced', () => {
    expect(callsOf('Dan', 'peer_analysis')).toMatchObject({
      calls: 3,
      questions: 1,
      asked_again: 2,
      missing: 1,
      fallbacks: 0,
    });
    expect(callsOf('Leah', 'debate')).toMatchObject({
      calls: 2,
      questions: 1,
      asked_again: 1,
      missing: 0,
      fallbacks: 0,
    });
    expect(callsOf('Will', 'vote')).toMatchObject({ refusals: 1, missing: 0, is_bot: true });
  });

  it('add up to what the row of the match says', () => {
    const total = (of: (row: (typeof told.calls)[number]) => number | null) =>
      told.calls.reduce((sum, row) => sum + (of(row) ?? 0), 0);
    const { match } = told;
    expect(total((row) => row.calls)).toBe(match.calls);
    expect(total((row) => row.questions)).toBe(match.questions);
    expect(total((row) => row.refusals)).toBe(match.refusals);
    expect(total((row) => row.tokens_in)).toBe(match.tokens_in);
    expect(total((row) => row.tokens_out)).toBe(match.tokens_out);
    expect(total((row) => row.cost)).toBeCloseTo(match.cost!, 12);
  });

  it('keep the tokens of the calls that tell how many came from the cache and how many were of reasoning', () => {
    const took = (step: number, tokens: NonNullable<AnswerLine['tokens']>) => called('Dan', 'bid', { step, tokens });
    const mixed = [
      took(0, { in: 100, out: 10, cached: 50, reasoning: null }),
      took(1, { in: 300, out: 30, cached: null, reasoning: 20 }),
      took(2, { in: 500, out: 50, cached: 0, reasoning: null }),
    ];
    expect(tablesOf(matchOf(oneDay(), mixed)).calls).toMatchObject([
      {
        ...{ tokens_in: 900, tokens_cached: 50, tokens_in_with_cached: 600 },
        ...{ tokens_out: 90, tokens_reasoning: 20, tokens_out_with_reasoning: 30 },
      },
    ]);
    const [untold] = tablesOf(matchOf(oneDay(), [called('Dan', 'bid', { tokens: null })])).calls;
    expect(untold).toMatchObject({ tokens_in_with_cached: null, tokens_out_with_reasoning: null });
  });

  it('are none where nobody was asked, and then the match took no time that is known', () => {
    const { calls, match } = tablesOf(matchOf(oneDay()));
    expect(calls).toEqual([]);
    expect(match.wall_ms).toBeNull();
    expect(told.match.wall_ms).toBeGreaterThan(0);
  });
});

describe('where a record comes from', () => {
  it('is the format of which it was imported, or nothing', () => {
    const record = toldDay();
    const manifest = { ...record.manifest, imported: { format: 'arena', source: 'session' } };
    expect(tablesOf({ ...record, manifest }).match.imported).toBe('arena');
    expect(told.match.imported).toBeNull();
  });
});

describe('a speaking position', () => {
  it('is the place among those who had the turn in the first debate, by their first one', () => {
    const positions = Object.fromEntries(told.players.map((row) => [row.player, row.speaking_position]));
    expect(positions).toMatchObject({ Leah: 1, Sam: 2, Dan: 3, Ginger: null, Bert: null });
  });
});
