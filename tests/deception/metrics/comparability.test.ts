// Figures that depend on extracted claims, and so cannot be compared between models without a judge. The mark of every
// metric must match the columns that it reads.
import { describe, expect, it } from '@jest/globals';
import { findIncomparableReason } from '../../../deception/metrics/comparability.ts';
import { metrics } from '../../../deception/metrics/index.ts';
import { buildTables, type MatchTables } from '../../../deception/tables/match-tables.ts';
import type { ClaimRow } from '../../../deception/tables/claim-rows.ts';
import { everything } from './everything.ts';
import { claim } from './row-builder.ts';
import { buildGoldenTables, readGoldenRecord } from '../../golden-records.ts';

// Columns that depend on extracted claims.

type Readable = 'statements' | 'analyses';

/** Columns that depend on claims: the judge's claims if there is a judge, otherwise those of the rules. */
const countedColumns: Readonly<Record<Readable, readonly string[]>> = {
  statements: [
    'claims',
    'is_judge_missing',
    'is_lie',
    'is_withheld',
    'lies',
    'opportunities',
    'rules_denied',
    'verdict',
    'verdict_judge',
    'verifiable_claims',
  ],
  analyses: ['could_know', 'is_lie'],
};

/** Columns that depend on the rules' claims even if there is a judge. */
const ruleColumns: Readonly<Record<Readable, readonly string[]>> = { statements: ['verdict_rules'], analyses: [] };

/** Rows with every kind of claim and judgment. */
const goldens = ['wolf-bots-renamed', 'wolf-bots-questions', 'plus-9-bots'];

describe('columns', () => {
  it('that change with what is drawn are those that the test of metrics looks for', () => {
    const changing = { statements: new Set<string>(), analyses: new Set<string>() };
    for (const name of goldens) {
      const record = readGoldenRecord(name);
      const byRules = buildGoldenTables(name);
      for (const drawn of [[], null]) {
        const other = buildTables(record, { judge: { name: 'openai:judge', extract: () => drawn } });
        for (const table of ['statements', 'analyses'] as const)
          byRules[table].forEach((row, at) => {
            const changed = other[table][at] as unknown as Record<string, unknown>;
            for (const [column, value] of Object.entries(row))
              if (changed[column] !== value) changing[table].add(column);
          });
        for (const table of ['players', 'rounds', 'ballots', 'bids', 'deeds', 'beliefs', 'calls'] as const)
          expect(other[table]).toEqual(byRules[table]);
      }
    }
    expect([...changing.analyses].sort()).toEqual(countedColumns.analyses);
    expect([...changing.statements, 'verdict_judge'].sort()).toEqual(countedColumns.statements);
  });
});

/** Returns the tables, and a log of the reads from them: tables of claims, and columns of statements and analyses. */
function traceReads(tables: MatchTables) {
  const read = new Set<string>();
  const trace = <Row extends object>(table: string, rows: readonly Row[]) =>
    rows.map(
      (row) =>
        new Proxy(row, {
          get: (target, column, self) => {
            read.add(`${table}.${String(column)}`);
            return Reflect.get(target, column, self) as unknown;
          },
        }),
    );
  const traced: MatchTables = {
    ...tables,
    statements: trace('statements', tables.statements),
    analyses: trace('analyses', tables.analyses),
    get claims(): readonly ClaimRow[] {
      read.add('claims');
      return tables.claims;
    },
  };
  return { traced, read };
}

const listNames = (columns: typeof countedColumns) =>
  Object.entries(columns).flatMap(([table, names]) => names.map((name) => `${table}.${name}`));

describe.each(metrics.map((metric) => [metric.name, metric] as const))('%s', (_, { count, readsClaims }) => {
  const { traced, read } = traceReads(everything);
  count(traced);
  const isReading = (columns: typeof countedColumns) => listNames(columns).some((name) => read.has(name));

  it('is marked as made of claims where it reads them, and only there', () => {
    const isOfRules = isReading(ruleColumns);
    const isOfClaims = isReading(countedColumns) || read.has('claims');
    expect(readsClaims).toBe(isOfRules ? 'rules' : isOfClaims ? 'counted' : undefined);
  });

  it('has no part of what the rules draw beside a judge, unless it is marked so', () => {
    if (readsClaims === 'rules') return;
    const beside = (['accusation', 'promise', 'own_role', 'check'] as const).map((type) =>
      claim({ type, extractor: 'rules', verdict: type === 'promise' ? 'kept' : 'true', is_true: true }),
    );
    expect(count({ ...everything, claims: [...everything.claims, ...beside] })).toEqual(count(everything));
  });
});

describe('a figure', () => {
  it.each([
    ['counted', ['rules'], 'claims drawn by rules'],
    ['counted', ['openai:judge'], null],
    ['counted', ['openai:judge', 'rules'], 'claims drawn by several'],
    ['counted', ['openai:judge', 'openai:other'], 'claims drawn by several'],
    ['rules', ['openai:judge'], 'claims of the rules beside a judge'],
    [undefined, ['rules'], null],
  ] as const)('made of %s claims drawn by %j: %s', (readsClaims, extractors, reason) => {
    expect(findIncomparableReason(readsClaims ? { readsClaims } : {}, extractors)).toBe(reason);
  });
});
