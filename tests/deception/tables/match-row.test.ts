// The row of a match, and all rows against their shapes.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { columnsOf, rowsByTable, tableNames } from '../../../deception/tables/columns.ts';
import { tableSchemas } from '../../../deception/tables/rows.ts';
import { tablesOf } from '../../../deception/tables/tables-of.ts';
import { readRecord } from '../../../models/record/recorder.ts';
import { eight } from '../../game.ts';
import { ended, matchOf, oneDay } from '../match-builder.ts';
import { told, toldDay } from './told-day.ts';

const golden = path.join(import.meta.dirname, '../../golden');
const records = readdirSync(golden, { withFileTypes: true }).filter((entry) => entry.isDirectory());

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
    expect(tablesOf(matchOf(oneDay())).match).toMatchObject({ questions: 0, unanswered: 0, fallback_share: null });
  });

  it('names the model of a side only where there is one', () => {
    expect(told.match).toMatchObject({ werewolves_model: 'openai:one', villagers_model: null });
  });

  it('says who won and why, of a match that ended', () => {
    expect(told.match).toMatchObject({ winner: null, end_reason: null });
    expect(tablesOf(matchOf(oneDay())).match).toMatchObject({ winner: 'villagers', end_reason: 'no Werewolf left' });
    expect(tablesOf(matchOf([ended(3, null)])).match).toMatchObject({ winner: null, end_reason: 'round limit' });
  });

  it('has the same deal where the same players sat in the same seats with the same roles', () => {
    const dealOf = (...of: Parameters<typeof toldDay>) => tablesOf(toldDay(...of)).match.deal;
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
  it.each(records.map(({ name }) => name))('of %s have the shapes they are said to have', (name) => {
    const tables = tablesOf(readRecord(path.join(golden, name)));
    const rows = rowsByTable(tables);
    for (const table of tableNames)
      for (const row of rows[table]) {
        expect(tableSchemas[table].parse(row)).toEqual(row);
        expect(Object.keys(row)).toEqual(columnsOf(table).map((column) => column.name));
      }
    expect(tables.statements.length).toBeGreaterThan(0);
  });
});
