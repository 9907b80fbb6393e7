// Selects statements of recorded matches by the columns of the tables `statements` and `claims`.
import { describeNearName, UsageError } from '../../state/usage-error.ts';
import type { ClaimRow } from '../tables/claim-rows.ts';
import { getColumns, type MatchTables, type TableColumn } from '../tables/match-tables.ts';
import type { StatementRow } from '../tables/statement-rows.ts';

/** Prefix for columns of the table `claims`. */
const claimPrefix = 'claim.';

/** One condition: a column and a value. The column must have the value or, if `isEqual` is false, must not have it. */
export interface StatementCondition {
  table: 'statements' | 'claims';
  column: string;
  isEqual: boolean;
  value: string;
}

/** Word for an empty cell in a condition. */
export const missingValue = 'missing';

/** Maximum number of values that an error lists. */
const mostNamed = 20;

const term = /^([\w.]+)(!?=)(?:"([^"]*)"|(\S*))(?:\s+|$)/;

/**
 * Parses conditions separated by spaces, all of which must hold. Values with spaces stand in quotation marks.
 *
 * Throws a UsageError for an invalid condition or an unknown column.
 *
 * @example parseConditions('verdict=lie team=werewolves claim.type=check')[2] // { table: 'claims', column: 'type', … }
 */
export function parseConditions(text: string): StatementCondition[] {
  const conditions: StatementCondition[] = [];
  for (let rest = text.trim(); rest !== '';) {
    const [whole, name = '', sign, quoted, plain] = term.exec(rest) ?? [];
    if (whole === undefined)
      throw new UsageError(
        `"${rest}" is no condition. Write COLUMN=VALUE or COLUMN!=VALUE, separated by spaces, e.g. verdict=lie team=werewolves kind=debate; a value with spaces in quotation marks.`,
      );
    const table = name.startsWith(claimPrefix) ? 'claims' : 'statements';
    const column = table === 'claims' ? name.slice(claimPrefix.length) : name;
    checkColumn(table, column);
    conditions.push({ table, column, isEqual: sign === '=', value: quoted ?? plain ?? '' });
    rest = rest.slice(whole.length);
  }
  return conditions;
}

function checkColumn(table: StatementCondition['table'], column: string): void {
  const names = getColumns(table).map(({ name }) => name);
  if (names.includes(column)) return;
  const prefix = table === 'claims' ? claimPrefix : '';
  const known = names.map((name) => prefix + name);
  throw new UsageError(
    `Unknown column "${prefix}${column}". ${describeNearName(prefix + column, known)}Columns of ${table}: ${known.join(', ')}.${table === 'statements' ? ` Columns of claims take the prefix "${claimPrefix}".` : ''}`,
  );
}

/** Value of a cell in the tables `statements` and `claims`. */
type Cell = string | number | boolean | null;

/** Formats a cell in the notation of conditions. Statement ids may be written with or without "s". */
const formatCell = (cell: Cell): string => (cell === null ? missingValue : String(cell));

const normalizeValue = ({ column, value }: StatementCondition): string =>
  column === 'statement' || column === 'claim' ? value.replace(/^s(?=\d)/, '') : value;

const holds = (row: StatementRow | ClaimRow, condition: StatementCondition): boolean => {
  const cell = row[condition.column as keyof typeof row] as Cell;
  const value = normalizeValue(condition);
  const isSame = typeof cell === 'number' ? value !== '' && cell === Number(value) : formatCell(cell) === value;
  return isSame === condition.isEqual;
};

/**
 * Selects the statements of a match that meet all conditions. All conditions on claims must hold for the same claim, by
 * the extractor behind the verdict.
 *
 * @example selectStatements(tables, parseConditions('verdict=lie kind=debate'))
 */
export function selectStatements(tables: MatchTables, conditions: readonly StatementCondition[]): StatementRow[] {
  const [ofStatements, ofClaims] = [conditions.filter(isOf('statements')), conditions.filter(isOf('claims'))];
  const claims = Map.groupBy(listOwnClaims(tables), ({ statement }) => statement);
  return tables.statements.filter(
    (row) =>
      ofStatements.every((one) => holds(row, one)) &&
      (ofClaims.length === 0 ||
        (claims.get(row.statement) ?? []).some((claim) => ofClaims.every((one) => holds(claim, one)))),
  );
}

const isOf =
  (table: StatementCondition['table']) =>
  (condition: StatementCondition): boolean =>
    condition.table === table;

/** Lists the claims of the extractor behind the verdicts. */
export const listOwnClaims = ({ claims, match }: Pick<MatchTables, 'claims' | 'match'>): ClaimRow[] =>
  claims.filter(({ extractor }) => extractor === match.extractor);

/** Collects the values seen in the columns of conditions, to detect a value that no row has. */
export class SeenValues {
  readonly #columns: readonly { condition: StatementCondition; seen: Set<string> }[];

  constructor(conditions: readonly StatementCondition[]) {
    this.#columns = conditions.map((condition) => ({ condition, seen: new Set() }));
  }

  add(tables: MatchTables): void {
    for (const { condition, seen } of this.#columns) {
      const isOfClaims = condition.table === 'claims';
      const rows: readonly (StatementRow | ClaimRow)[] = isOfClaims ? listOwnClaims(tables) : tables.statements;
      for (const row of rows) seen.add(formatCell(row[condition.column as keyof typeof row]));
    }
  }

  /**
   * Throws a UsageError for a value that no row has in its column and that the column cannot have. The message lists
   * the column's values.
   */
  check(): void {
    for (const { condition, seen: all } of this.#columns) {
      const seen = [...all].sort();
      const column = getColumns(condition.table).find(({ name }) => name === condition.column);
      if (column === undefined || seen.includes(normalizeValue(condition)) || isPossible(column, condition.value))
        continue;
      const name = `${condition.table === 'claims' ? claimPrefix : ''}${condition.column}`;
      const shown = seen.slice(0, mostNamed).join(', ');
      throw new UsageError(
        `No ${name} is "${condition.value}" in these matches. ${describeNearName(condition.value, seen)}Values there: ${shown || 'none'}${seen.length > mostNamed ? ` and ${seen.length - mostNamed} more` : ''}.`,
      );
    }
  }
}

/** Returns whether a column can hold a value that no row has. */
const isPossible = ({ type, isNullable }: TableColumn, value: string): boolean => {
  if (value === missingValue) return isNullable;
  if (type === 'boolean') return ['true', 'false'].includes(value);
  return type !== 'text' && value !== '' && Number.isFinite(Number(value));
};
