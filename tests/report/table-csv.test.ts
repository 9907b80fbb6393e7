// The tidy tables as CSV: cells that neither break a row nor start a formula.
import { describe, expect, it } from '@jest/globals';
import { columnsOf, rowsByTable, tableNames, type TableName } from '../../deception/tables/columns.ts';
import { tablesOf } from '../../deception/tables/tables-of.ts';
import type { GameEvent } from '../../state/event.ts';
import { csvHead, csvRows, tableCsv } from '../../report/table-csv.ts';
import { readTable } from '../csv.ts';
import { matchOf, oneDay, owned, said, voted } from '../deception/match-builder.ts';

const csvOf = (table: TableName, events: readonly GameEvent[], changes: Parameters<typeof matchOf>[2] = {}) =>
  tableCsv(table, rowsByTable(tablesOf(matchOf(events, [], changes)))[table]);

describe('a table as CSV', () => {
  it.each(tableNames)('has its columns in order, also where there are no rows: %s', (table) => {
    expect(tableCsv(table, [])).toBe(
      `${columnsOf(table)
        .map(({ name }) => name)
        .join()}\n`,
    );
  });

  it('has a line a row', () => {
    const rows = readTable(csvOf('statements', oneDay()));
    expect(rows.map(({ statement, speaker }) => [statement, speaker])).toEqual([
      ['1.1', 'Ginger'],
      ['1.2', 'Dan'],
      ['1.Ginger', 'Ginger'],
      ['1.Dan', 'Dan'],
    ]);
  });

  it('grows match by match', () => {
    const rows = [1, 2, 3].map((seed) => rowsByTable(tablesOf(matchOf(oneDay(), [], { id: `m${seed}` }))).analyses);
    const grown = csvHead('analyses') + rows.map((some) => csvRows('analyses', some)).join('');
    expect(grown).toBe(tableCsv('analyses', rows.flat()));
    expect(csvRows('analyses', [])).toBe('');
  });

  it('says true, false and nothing at all', () => {
    const rows = readTable(csvOf('statements', oneDay()));
    expect(rows[0]).toMatchObject({ self_deceptive: 'true', flagged_by_majority: 'false', mean_p_werewolf: '0.25' });
    expect(rows[3]).toMatchObject({ self_deceptive: '', self_type: '', self_confidence: '', verdict: '' });
  });

  it('leaves a negative number a number', () => {
    expect(readTable(csvOf('matches', oneDay(), { seed: -7 }))[0]).toMatchObject({ seed: '-7' });
  });

  it('quotes what would break a row', () => {
    const text = 'I said "no", twice.';
    expect(csvOf('statements', [said('1.1', 'Dan', { text })])).toContain(',"I said ""no"", twice.",');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('starts no formula with %j', (text) => {
    const explained = voted(1, 'Dan', 'Will', { explanation: text });
    const csv = csvOf('statements', [said('1.1', 'Dan', { text }), explained]);
    expect(csv.match(/,"?'[=+\-@\t\r]/g)).toHaveLength(2);
    expect(csv).not.toMatch(/,"?[=+\-@\t\r]/);
  });

  it.each([
    'Yes;=1+1',
    'Yes; =1+1;',
    'Yes;;@SUM(A1);',
    'Yes, well;\t-1;',
    'Yes;"=1+1;"',
    'Yes;" +1;"',
    'Yes;=HYPERLINK("a", "b");',
    'Yes;＝1+1',
  ])('starts no formula where a semicolon parts cells with %j', (text) => {
    const csv = csvOf('statements', [said('1.1', 'Dan', { text }), said('1.2', 'Will', { text: ';' })]);
    for (const cell of csv.split(/[;\n]/)) expect(cell).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/);
  });

  it('leaves other semicolons as they are', () => {
    const csv = csvOf('statements', [said('1.1', 'Dan', { text: 'Yes; no = no ;-)' })]);
    expect(csv).toContain(',Yes; no = no ;-),');
  });

  it('starts no formula with private reasoning either', () => {
    const events = [said('1.1', 'Dan'), owned('1.1', 'Dan', 'none', { reasoning: '=HYPERLINK(1)' })];
    expect(csvOf('analyses', events)).toContain(",'=HYPERLINK(1)\n");
  });
});
