// Tables of many matches on disk: they are read back unchanged, and nobody sees incomplete tables.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  buildTables,
  getColumns,
  groupRowsByTable,
  type TableRow,
  tableNames,
} from '../../../deception/tables/match-tables.ts';
import { renderTableCsv } from '../../../report/csv.ts';
import { openTables } from '../../../scripts/report/table-files.ts';
import { called, happened, matchOf, oneDay, said, sheriffDay } from '../../deception/match-builder.ts';
import { createTemporaryFolder } from '../../temporary-folder.ts';
import { readParquet, shapeOf } from './parquet.ts';

const out = createTemporaryFolder();

const believed = happened({ type: 'beliefs', audience: 'moderator', by: 'Dan', step: 2, p_werewolf: { Ginger: 0.75 } });
const wanted = happened({ type: 'bid', audience: ['Dan'], by: 'Dan', step: 0, bid: null });
const guessed = happened({ type: 'passed', audience: ['Dan'], by: 'Dan', verb: 'unmask' });
const claimed = said('1.1', 'Ginger', { text: 'I am the Seer. Will is not a Werewolf.' });
const matches = [
  buildTables(
    matchOf([claimed, ...oneDay().slice(1), believed, wanted, guessed], [called('Dan', 'debate')], {
      id: 'first',
      seed: 2 ** 40,
    }),
    {
      codings: [
        { statement: '1.1', coder: 'openai:coder', repeat: 1, attempt: 1, codes: ['formal', 'humor'] },
        { statement: '1.2', coder: 'openai:coder', repeat: 1, attempt: 3, codes: null, mark: 'refusal' },
      ],
    },
  ),
  buildTables(matchOf(sheriffDay(), [], { id: 'second', seed: -1 })),
  buildTables(matchOf([], [], { id: 'nothing said' })),
];
const all = (table: (typeof tableNames)[number]): TableRow[] =>
  matches.flatMap((match) => groupRowsByTable(match)[table]);

function written(name: string) {
  const folder = path.join(out, name);
  const tables = openTables(folder);
  for (const match of matches) tables.add(match);
  return { folder, files: tables.close() };
}

/** Converts a row to the form that Parquet returns, in which 8-byte whole numbers are bigint. */
const wide = (table: (typeof tableNames)[number], row: TableRow) =>
  Object.fromEntries(
    getColumns(table).map(({ name, type }) => {
      const cell = row[name]!;
      return [name, type === 'int64' && typeof cell === 'number' ? BigInt(cell) : cell];
    }),
  );

const types = { text: 'UTF8', boolean: 'BOOLEAN', int32: 'INT32', int64: 'INT64', double: 'DOUBLE' } as const;

describe('the tables of several matches', () => {
  const { folder, files } = written('several/matches');

  it('are two files each', () => {
    const names = tableNames.flatMap((table) => [`${table}.csv`, `${table}.parquet`]);
    expect(files).toEqual(names.map((name) => path.join(folder, name)));
    expect(readdirSync(folder)).toEqual([...names].sort());
  });

  it.each(tableNames)('are the same in CSV as of one piece: %s', (table) => {
    expect(readFileSync(path.join(folder, `${table}.csv`), 'utf8')).toBe(renderTableCsv(table, all(table)));
  });

  it.each(tableNames)('are read back from Parquet cell by cell, nulls too: %s', async (table) => {
    const rows = await readParquet(path.join(folder, `${table}.parquet`));
    expect(rows).toEqual(all(table).map((row) => wide(table, row)));
    expect(rows).not.toEqual([]);
  });

  it.each(tableNames)('have columns of their types in Parquet: %s', async (table) => {
    const { columns } = await shapeOf(path.join(folder, `${table}.parquet`));
    expect(columns).toEqual(getColumns(table).map((column) => ({ ...column, type: types[column.type] })));
  });

  it('have among them every type, with and without nulls', async () => {
    const { columns } = await shapeOf(path.join(folder, 'matches.parquet'));
    const typeOf = (name: string) => columns.find((column) => column.name === name);
    expect(typeOf('seed')).toMatchObject({ type: 'INT64', isNullable: false });
    expect(typeOf('tokens_in')).toMatchObject({ type: 'INT64', isNullable: true });
    expect(typeOf('rounds')).toMatchObject({ type: 'INT32', isNullable: false });
    expect(typeOf('cost')).toMatchObject({ type: 'DOUBLE', isNullable: true });
    expect(typeOf('winner')).toMatchObject({ type: 'UTF8', isNullable: true });
  });

  it('are of the formats that are asked for', () => {
    const tables = openTables(path.join(out, 'only'), ['parquet']);
    expect(tables.close().map((file) => path.extname(file))).toEqual(tableNames.map(() => '.parquet'));
  });
});

describe('the tables of very many matches', () => {
  it('are written in groups of rows, so that memory need not hold them', async () => {
    const folder = path.join(out, 'many');
    const tables = openTables(folder, ['parquet']);
    const { analyses } = groupRowsByTable(matches[0]!);
    const times = Math.ceil(10_000 / analyses.length) + 1;
    for (let time = 0; time < times; time++) tables.add(matches[0]!);
    tables.close();
    const { rows, groups } = await shapeOf(path.join(folder, 'analyses.parquet'));
    expect({ rows, groups }).toEqual({ rows: times * analyses.length, groups: 2 });
    const last = (await readParquet(path.join(folder, 'analyses.parquet'))).at(-1)!;
    expect(last).toEqual(analyses.at(-1));
  });
});

describe('files of tables', () => {
  it('take their names only once they are whole', () => {
    const { folder, files } = written('again');
    const before = readFileSync(files[2]!, 'utf8');
    const tables = openTables(folder);
    tables.add(matches[0]!);
    expect(readFileSync(files[2]!, 'utf8')).toBe(before);
    tables.close();
    expect(readFileSync(files[2]!, 'utf8')).toBe(
      renderTableCsv('statements', groupRowsByTable(matches[0]!).statements),
    );
  });

  it('leave nothing behind where they are given up, and the earlier ones as they are', () => {
    const { folder } = written('given up');
    const before = readdirSync(folder);
    const tables = openTables(folder);
    tables.add(matches[0]!);
    tables.discard();
    expect(readdirSync(folder)).toEqual(before);
  });

  it('cannot be opened where the folder is a file, and the error names it', () => {
    const file = path.join(out, 'file');
    writeFileSync(file, '');
    expect(() => openTables(file)).toThrow(`The folder ${file} cannot be written: `);
  });

  it('cannot be opened where one of them is in the way, and leave nothing behind', () => {
    const folder = path.join(out, 'in-the-way');
    mkdirSync(path.join(folder, 'claims.csv.new'), { recursive: true });
    expect(() => openTables(folder)).toThrow(`The folder ${folder} cannot be written: EEXIST`);
    expect(readdirSync(folder)).toEqual(['claims.csv.new']);
  });

  it('cannot take the place of a folder, and the error names the file', () => {
    const folder = path.join(out, 'taken');
    mkdirSync(path.join(folder, 'beliefs.csv'), { recursive: true });
    const tables = openTables(folder, ['csv']);
    expect(() => tables.close()).toThrow(`${path.join(folder, 'beliefs.csv')} cannot be written: `);
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
  });
});
