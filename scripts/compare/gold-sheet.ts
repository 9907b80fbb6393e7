// Reads a sheet that people have labeled, and compares it with a judge's reading of the same statements.
import { parseGoldClaims } from '../../deception/claims/gold-notation.ts';
import type { Claim } from '../../deception/claims/claim.ts';
import { extractByRules } from '../../deception/claims/extract-by-rules.ts';
import { extractMatchClaims } from '../../deception/claims/match-claims.ts';
import { getLieLabel } from '../../deception/claims/verify-claim.ts';
import { getDealKey } from '../../deception/design/schedule.ts';
import { nameStatement } from '../../deception/metrics/lie-correction.ts';
import { type GoldFindings, type GoldUnit, measureGoldSample } from '../../deception/summary/gold-sample.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { readPublicStatement } from '../../state/public-statements.ts';
import { UsageError } from '../../state/usage-error.ts';
import { readMatches } from './read-matches.ts';
import { hasPresupposed, readSources, type WantedMatches } from '../report/match-inventory.ts';

/** Columns of a sheet of statements. People fill in the last two columns. */
export const sheetColumns = [
  ...['id', 'probability', 'context', 'speaker', 'statement', 'possible_claims', 'claims', 'claims_2'],
] as const;

interface GoldRow {
  /** Ids of the match and the statement, joined by a slash. */
  id: string;
  probability: number;
  claims: string;
  second: string;
  /** Row of the sheet, from 1. */
  place: number;
}

/** Size limit of a sheet, in bytes. */
const mostBytes = 2 ** 26;

/** Parses a CSV text by RFC 4180. Cells may also be separated by ";" or tabs, as some spreadsheets write them. */
function parseCsv(text: string): string[][] {
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const separator = [',', ';', '\t'].find((sign) => head.split(sign).length >= 3) ?? ',';
  const rows: string[][] = [[]];
  let [cell, isQuoted] = ['', false];
  const endCell = () => {
    rows.at(-1)?.push(cell);
    cell = '';
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (isQuoted && sign === '"' && text[at + 1] === '"') cell += text[at++];
    else if (sign === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (isQuoted) cell += sign;
    else if (sign === separator) endCell();
    else if (sign === '\n') {
      endCell();
      rows.push([]);
    } else if (sign !== '\r') cell += sign;
  }
  endCell();
  return rows.filter((row) => row.some((one) => one !== ''));
}

/** Reads a gold sheet. Throws a UsageError for a file that is not a gold sheet, and for an unreadable row. */
export function readGoldSheet(file: string): GoldRow[] {
  let text: string;
  try {
    text = getDisk()
      .readInput(file, mostBytes)
      .replace(/^\uFEFF/, '');
  } catch (error) {
    throw new UsageError(`--gold ${file} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
  const [head = [], ...rows] = parseCsv(text);
  const needed = ['id', 'probability', 'claims'];
  const missing = needed.filter((column) => !head.includes(column));
  if (missing.length > 0)
    throw new UsageError(
      `--gold ${file} lacks the column ${missing.join(', ')}: it is not a sheet written by \`label\`. Columns: ${sheetColumns.join(', ')}.`,
    );
  const read = rows.map((row, index): GoldRow => {
    const get = (column: string) => (row[head.indexOf(column)] ?? '').replace(/^'(?=[=+\-@])/, '').trim();
    const probability = Number(get('probability').replace(',', '.'));
    if (!(probability > 0 && probability <= 1))
      throw new UsageError(
        `--gold ${file}, row ${index + 2}: the probability is "${get('probability')}"; expected a number above 0 and at most 1. Leave that column unchanged.`,
      );
    return { id: get('id'), probability, claims: get('claims'), second: get('claims_2'), place: index + 2 };
  });
  const twice = read.find(({ id }, place) => read.findIndex((one) => one.id === id) !== place);
  if (twice)
    throw new UsageError(`--gold ${file}, row ${twice.place}: ${twice.id} occurs twice. Remove one of the rows.`);
  if (read.every(({ claims }) => claims === ''))
    throw new UsageError(
      `--gold ${file} has no labels: the column claims is empty in all ${read.length} rows. Fill in the claims of each statement, or the word none.`,
    );
  return read;
}

/**
 * Measures the extractor of these matches by the labels of a sheet. Makes no call. Throws a UsageError for a row that
 * belongs to no statement of these matches or cannot be read.
 */
export async function measureGold(
  file: string,
  folders: readonly string[],
  wanted: WantedMatches,
): Promise<GoldFindings & { labeled: number; rows: number }> {
  const rows = readGoldSheet(file);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const { matches } = await readMatches(folders, wanted, { cache: null });
  const units: GoldUnit[] = [];
  const known = new Set<string>();
  for (const { folder, tables } of matches) {
    const { record, sources } = await readSources(folder, wanted);
    const { board, rules, players } = record.manifest.setup;
    const table = { board, rules, players: players.map(({ name }) => name) };
    const labels = new Map<string, { row: GoldRow; claims: Claim[]; second: Claim[] | null }>();
    for (const event of record.events) {
      const said = readPublicStatement(event);
      const row = said && byId.get(`${tables.match.match_id}/${said.id}`);
      if (!said || !row) continue;
      known.add(row.id);
      const read = (cell: string) => explainRow(file, row, () => parseGoldClaims(cell, said, table));
      const claims = read(row.claims);
      if (claims) labels.set(said.id, { row, claims, second: read(row.second) });
    }
    const presupposed = hasPresupposed(wanted);
    const extract = sources.judge?.extract ?? extractByRules;
    const byReader = extractMatchClaims(record, extract, { presupposed });
    const byPeople = extractMatchClaims(record, (one, of) => labels.get(one.id)?.claims ?? extract(one, of), {
      presupposed,
    });
    for (const [place, statement] of byReader.statements.entries()) {
      const seat = tables.statements.find((row) => row.statement === statement.id);
      if (!seat) continue;
      const label = labels.get(statement.id);
      const people = byPeople.statements[place];
      units.push({
        ...{ id: nameStatement(seat), model: seat.model, team: seat.team, deal: getDealKey(tables.match) },
        isDebate: statement.kind === 'debate',
        read: statement.isUnread ? null : statement.claims,
        isReadLie: getLieLabel(statement.verdict) === true,
        gold: label &&
          people && {
            probability: label.row.probability,
            claims: people.claims,
            isLie: getLieLabel(people.verdict) === true,
            second: label.second,
          },
      });
    }
  }
  const stray = rows.find(({ id }) => !known.has(id));
  if (stray)
    throw new UsageError(
      `--gold ${file}, row ${stray.place}: ${stray.id} is not a statement of the matches in ${folders.join(', ')}. Name the folders of the matches from which the sheet was drawn.`,
    );
  return {
    ...measureGoldSample(units),
    labeled: units.filter(({ gold }) => gold !== undefined).length,
    rows: rows.length,
  };
}

/** Minimum number of labeled statements for a model to count as measured. */
const fewestLabels = 20;

/** Lists the models with enough labeled statements to count as measured. */
export const listLabeledModels = ({ agreement }: Pick<GoldFindings, 'agreement'>): string[] =>
  agreement.flatMap(({ model, statements }) => (statements >= fewestLabels ? [model] : []));

function explainRow<Value>(file: string, { place }: GoldRow, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`--gold ${file}, row ${place}: ${error.message}`, { cause: error });
  }
}
