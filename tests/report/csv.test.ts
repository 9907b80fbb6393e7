// Rows as CSV: whatever a cell holds, they are what csv-stringify writes.
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, it } from '@jest/globals';
import { getColumns } from '../../deception/tables/match-tables.ts';
import { getCsvOptions, renderCsvRows } from '../../report/csv.ts';

const names = getColumns('claims').map(({ name }) => name);

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', ';', ',', '"', "'", ' ', 'a', '\n', '\r', '\t', '＝', '－', ')'),
  }),
);
const cell = fc.oneof(text, fc.constant(null), fc.boolean(), fc.integer(), fc.double());

it('renders any cells as csv-stringify does', () => {
  const row = fc.record(Object.fromEntries(names.map((name) => [name, cell])));
  const rows = fc.array(row, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(rows, (some) => expect(renderCsvRows('claims', some)).toBe(stringify(some, getCsvOptions('claims')))),
    { numRuns: 300 },
  );
});
