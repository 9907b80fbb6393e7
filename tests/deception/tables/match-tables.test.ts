// The rows of a match and of its calls, and all rows checked against their schemas.
import { describe, expect, it } from '@jest/globals';
import { findMoment } from '../../../deception/experience/situation.ts';
import {
  buildTables,
  getColumns,
  groupRowsByTable,
  tableNames,
  tableSchemas,
} from '../../../deception/tables/match-tables.ts';
import { isEventOfType } from '../../../state/events.ts';
import { isTextInTables } from '../../../state/file-name.ts';
import type { AnswerLine } from '../../../state/record.ts';
import { eight } from '../../game.ts';
import { called, ended, matchOf, oneDay, said } from '../match-builder.ts';
import { told, playToldDay } from './told-day.ts';
import { buildGoldenTables, goldenNames, readGoldenRecord } from '../../golden-records.ts';

describe('the row of a match', () => {
  it('says under which conditions it was played and with how many answers', () => {
    expect(told.match).toMatchObject({
      ...{ match_id: 'm1', board: 'by-hand', seed: 1, seats: 8, bots: 1, rounds: 1, statements: 5, extractor: 'rules' },
      ...{ calls: 11, tokens_in: 1100, tokens_out: 110, cost: 2.75 },
    });
    expect(JSON.parse(told.match.rules)).toMatchObject({ beliefs: 'each-round' });
  });

  it('counts every question that was never answered, whether something stood for the answer or not', () => {
    expect(told.match).toMatchObject({ questions: 7, unanswered: 3, refusals: 2, fallback_share: 3 / 7 });
    expect(buildTables(matchOf(oneDay())).match).toMatchObject({ questions: 0, unanswered: 0, fallback_share: null });
  });

  it('names the model of a side only where there is one', () => {
    expect(told.match).toMatchObject({ werewolves_model: 'openai:one', villagers_model: null });
  });

  it('says who won and why, of a match that ended', () => {
    expect(told.match).toMatchObject({ winner: null, end_reason: null });
    expect(buildTables(matchOf(oneDay())).match).toMatchObject({ winner: 'villagers', end_reason: 'no Werewolf left' });
    expect(buildTables(matchOf([ended(3, null)])).match).toMatchObject({ winner: null, end_reason: 'round limit' });
  });

  it('has the same deal where the same players sat in the same seats with the same roles', () => {
    const dealOf = (...of: Parameters<typeof playToldDay>) => buildTables(playToldDay(...of)).match.deal;
    expect(dealOf({ seed: 5, id: 'm2' })).toBe(told.match.deal);
    expect(told.match.deal).toBe(
      Object.entries(eight)
        .map(([name, role]) => `${name}=${role}`)
        .join(', '),
    );
    const { Ginger, ...others } = eight;
    expect(dealOf({ seats: { ...others, Ginger } })).not.toBe(told.match.deal);
  });
});

describe('the tables', () => {
  it.each(goldenNames)('of %s have the shapes they are said to have', (name) => {
    const tables = buildGoldenTables(name);
    const rows = groupRowsByTable(tables);
    for (const table of tableNames) {
      expect(rows[table].map((row) => tableSchemas[table].parse(row))).toEqual(rows[table]);
      const columns = getColumns(table).map((column) => column.name);
      expect(rows[table].map((row) => Object.keys(row))).toEqual(rows[table].map(() => columns));
    }
    expect(tables.statements.length).toBeGreaterThan(0);
  });
});

/** Columns by which rows of tables are joined. */
const keys = ['match_id', 'statement', 'claim', 'deal', 'variant', 'speaker', 'player', 'observer', 'voter', 'model'];

describe('a key in the files of tables', () => {
  it.each(goldenNames)('is read as text by every program: %s', (name) => {
    const rows = Object.values(groupRowsByTable(buildGoldenTables(name))).flat();
    const cells = rows.flatMap((row) => keys.flatMap((key) => row[key] ?? [])).map(String);
    expect(new Set(cells.filter((cell) => !isTextInTables(cell)))).toEqual(new Set());
    expect(cells.length).toBeGreaterThan(100);
  });

  it('keeps the tenth statement of a round apart from the first', () => {
    const events = Array.from({ length: 10 }, (_, index) => said(`1.${index + 1}`, 'Dan'));
    const { statements } = groupRowsByTable(buildTables(matchOf(events)));
    const ids = statements.map(({ statement }) => statement as string);
    expect([ids[0], ids[9]]).toEqual(['s1.1', 's1.10']);
    expect(new Set(ids.map(Number))).toEqual(new Set([NaN]));
  });
});

// The rows of calls, and the columns about calls in the rows of the match and of players.

const findCalls = (player: string, action: string) =>
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
    expect(findCalls('Dan', 'peer_analysis')).toMatchObject({
      calls: 3,
      questions: 1,
      asked_again: 2,
      missing: 1,
      fallbacks: 0,
    });
    expect(findCalls('Leah', 'debate')).toMatchObject({
      calls: 2,
      questions: 1,
      asked_again: 1,
      missing: 0,
      fallbacks: 0,
    });
    expect(findCalls('Will', 'vote')).toMatchObject({ refusals: 1, missing: 0, is_bot: true });
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

  it('count what stood in prompts of earlier matches, by decision, of those alone who could remember', () => {
    const record = readGoldenRecord('wolf-bots-experience');
    const { manifest, events } = record;
    const { experience } = manifest.setup;
    const [forgetful, ...others] = experience!.seats;
    const seats = { ...manifest.setup, experience: { ...experience!, seats: others } };
    const told = events.filter(isEventOfType('remembered'));
    for (const { player, action, questions, remembered, without_memory: empty } of buildTables({
      ...record,
      manifest: { ...manifest, setup: seats },
    }).calls) {
      const moment = findMoment(action);
      const given = told.filter((event) => event.by === player && event.moment === moment);
      if (moment === null || !others.includes(player)) expect([remembered, empty]).toEqual([null, null]);
      else {
        expect(remembered! >= questions - empty!).toBe(true);
        expect(empty! > 0).toBe(given.some(({ entries }) => entries.length === 0));
        if (action === 'vote')
          expect(remembered).toBe(given.reduce((entries, event) => entries + event.entries.length, 0));
      }
    }
    expect(told.some(({ by }) => by === forgetful)).toBe(true);
    expect(told.some(({ entries }) => entries.length > 0)).toBe(true);
  });

  it('keep the tokens of the calls that tell how many came from the cache and how many were of reasoning', () => {
    const took = (step: number, tokens: NonNullable<AnswerLine['tokens']>) => called('Dan', 'bid', { step, tokens });
    const mixed = [
      took(0, { in: 100, out: 10, cached: 50, reasoning: null }),
      took(1, { in: 300, out: 30, cached: null, reasoning: 20 }),
      took(2, { in: 500, out: 50, cached: 0, reasoning: null }),
    ];
    expect(buildTables(matchOf(oneDay(), mixed)).calls).toMatchObject([
      {
        ...{ tokens_in: 900, tokens_cached: 50, tokens_in_with_cached: 600 },
        ...{ tokens_out: 90, tokens_reasoning: 20, tokens_out_with_reasoning: 30 },
      },
    ]);
    const [untold] = buildTables(matchOf(oneDay(), [called('Dan', 'bid', { tokens: null })])).calls;
    expect(untold).toMatchObject({ tokens_in_with_cached: null, tokens_out_with_reasoning: null });
  });

  it('are none where nobody was asked, and then the match took no time that is known', () => {
    const { calls, match } = buildTables(matchOf(oneDay()));
    expect(calls).toEqual([]);
    expect(match.wall_ms).toBeNull();
    expect(told.match.wall_ms).toBeGreaterThan(0);
  });
});

describe('where a record comes from', () => {
  it('is the format of which it was imported, or nothing', () => {
    const record = playToldDay();
    const manifest = { ...record.manifest, imported: { format: 'arena', source: 'session' } };
    expect(buildTables({ ...record, manifest }).match.imported).toBe('arena');
    expect(told.match.imported).toBeNull();
  });
});

describe('a speaking position', () => {
  it('is the place among those who had the turn in the first debate, by their first one', () => {
    const positions = Object.fromEntries(told.players.map((row) => [row.player, row.speaking_position]));
    expect(positions).toMatchObject({ Leah: 1, Sam: 2, Dan: 3, Ginger: null, Bert: null });
  });
});
