// All tables of one match, made from its record, a judge's claims and annotations: the row of the match, and the list
// of tables. All figures are counted from these tables, and the columns of exported files follow from the schemas of
// the tables.
import { z } from 'zod';
import { EndReason, isEventOfType } from '../../state/events.ts';
import { Team } from '../../state/teams.ts';
import { listDealtPlayers, plainVariant } from '../../state/variants.ts';
import type { Extractor } from '../claims/claim.ts';
import type { JudgeAgreement } from '../claims/majority-claims.ts';
import { extractMatchClaims } from '../claims/match-claims.ts';
import { createSeatFinder, listSeats, type MatchRecord, type Seat } from '../record/match-record.ts';
import { summarizeCalls } from '../record/call-figures.ts';
import { listStatements } from '../record/statements.ts';
import { computeRatio, mean } from '../statistics/sums.ts';
import { describeExperience } from '../experience/describe-experience.ts';
import { AnalysisRow, BeliefRow, buildAnalysisRows, buildBeliefRows } from './analysis-rows.ts';
import { buildCodingRows, type Coding, CodingRow } from './coding-rows.ts';
import { buildCallRows, CallRow } from './call-rows.ts';
import { countColumn, largeCountColumn, matchColumn, shareColumn, textColumn } from './columns.ts';
import { buildGameTables, gameSchemas, type GameTables } from './game-rows.ts';
import { buildClaimRows, ClaimRow } from './claim-rows.ts';
import { buildSilenceRows, SilenceRow } from './silence-rows.ts';
import {
  type Annotation,
  buildStatementRows,
  StatementRow,
  createAttemptFinder,
  type MeasuredMatch,
} from './statement-rows.ts';

export const MatchRow = z.strictObject({
  ...matchColumn,
  board: textColumn.describe('as in `manifest.json`'),
  seed: z.number().int().describe('as in `manifest.json`'),
  deal: textColumn.describe(
    'names and roles in seat order, `Ginger=Seer, …`; for a variant, those of the deal that it varies',
  ),
  variant: textColumn.describe('[variant](compare.md#variants) of the deal, or `plain`'),
  replicate: z.number().int().describe('number of the [replicate](compare.md#replicates) of the deal, from 1'),
  analysis: textColumn.describe('the rules of these names'),
  scores: textColumn.describe('the rules of these names'),
  honesty: textColumn.describe('the rules of these names'),
  coaching: textColumn.describe('the rules of these names'),
  rules: textColumn.describe('all rules, as JSON'),
  experience: textColumn
    .nullable()
    .describe(
      'what players [remembered](experience.md) of earlier matches: arm, first digits of the pool (if it grows, of the initial pool), settings, who remembered, retriever and wording; missing if nobody remembered',
    ),
  experience_block: countColumn
    .nullable()
    .describe('block of a set whose pools [grow](experience.md#growing-pools), from 1; missing in all others'),
  villagers_model: textColumn.nullable().describe('model string of the side; missing if it had several'),
  werewolves_model: textColumn.nullable().describe('model string of the side; missing if it had several'),
  seats: countColumn.describe('number of players'),
  bots: countColumn.describe('seats played by bots'),
  winner: Team.nullable().describe('winning side; missing without a winner'),
  end_reason: EndReason.nullable().describe('why the match ended; missing if it did not'),
  rounds: countColumn.describe('last round'),
  statements: countColumn.describe('public statements'),
  calls: countColumn.describe('model calls'),
  questions: countColumn.describe('first attempts among them'),
  unanswered: countColumn.describe('questions without a usable answer, refusals included'),
  refusals: countColumn.describe('answers that were refusals'),
  fallback_share: shareColumn.nullable().describe('`unanswered` / `questions`; missing without questions'),
  tokens_in: largeCountColumn.nullable().describe('what is known of tokens and cost (USD); missing if nothing is'),
  tokens_out: largeCountColumn.nullable().describe('what is known of tokens and cost (USD); missing if nothing is'),
  cost: z.number().min(0).nullable().describe('what is known of tokens and cost (USD); missing if nothing is'),
  wall_ms: largeCountColumn.nullable().describe('milliseconds with at least one call under way; missing without calls'),
  imported: textColumn.nullable().describe('format it was imported from; missing if played here'),
  wolfgraph: textColumn.describe('version of Wolfgraph'),
  templates_sha256: textColumn.describe('hash of the wording of all prompts'),
  plan_sha256: textColumn
    .nullable()
    .describe('hash of the [plan](plan.md) that it was played under; missing if it was played without'),
  extractor: textColumn.describe(
    "whose claims decide `verdict` and `is_lie` in all tables: `rules`, or a judge's model string",
  ),
});
export type MatchRow = z.infer<typeof MatchRow>;

/** The tables of one match. */
export interface MatchTables extends GameTables {
  match: MatchRow;
  /** Statements in the order in which they were made. */
  statements: readonly StatementRow[];
  /** Missing statements, in the order in which they were asked for. */
  silences: readonly SilenceRow[];
  /** Claims by all extractors. */
  claims: readonly ClaimRow[];
  analyses: readonly AnalysisRow[];
  beliefs: readonly BeliefRow[];
  /** Codes that coders found in statements; empty unless they were asked. */
  codings: readonly CodingRow[];
  calls: readonly CallRow[];
}

/** File name → schema of its rows. */
export const tableSchemas = {
  matches: MatchRow,
  statements: StatementRow,
  silences: SilenceRow,
  claims: ClaimRow,
  analyses: AnalysisRow,
  beliefs: BeliefRow,
  codings: CodingRow,
  calls: CallRow,
  ...gameSchemas,
} as const;

/** Builds the row of a match: its conditions, its end, and the use of calls. `extractor`: `rules` or a judge. */
export function buildMatchRow(record: MatchRecord, extractor: string): MatchRow {
  const { manifest, events, answers } = record;
  const { board, rules, seed } = manifest.setup;
  const seats = listSeats(manifest);
  const dealt = listDealtPlayers(manifest.setup);
  const ended = events.find(isEventOfType('ended'));
  const { total, wall_ms: wallMs } = summarizeCalls(record);
  const questions = answers.filter(({ attempt }) => attempt === 1).length;
  const unanswered = answers.filter(({ mark }) => mark !== undefined).length;
  return {
    match_id: manifest.id,
    board: board.name,
    seed,
    deal: dealt.map(({ name, role }) => `${name}=${role}`).join(', '),
    variant: manifest.setup.variant ?? plainVariant,
    replicate: manifest.setup.replicate ?? 1,
    analysis: rules.analysis,
    scores: rules.scores,
    honesty: rules.honesty,
    coaching: rules.coaching,
    rules: JSON.stringify(rules),
    experience: describeExperience(manifest),
    experience_block: manifest.experience_block ?? null,
    villagers_model: findSideModel(seats, 'villagers'),
    werewolves_model: findSideModel(seats, 'werewolves'),
    seats: seats.length,
    bots: seats.filter(({ isBot }) => isBot).length,
    winner: ended?.winner ?? null,
    end_reason: ended?.reason ?? null,
    rounds: Math.max(0, ...events.map(({ round }) => round)),
    statements: listStatements(events).length,
    calls: total.calls,
    questions,
    unanswered,
    refusals: total.refusals,
    fallback_share: computeRatio(unanswered, questions),
    tokens_in: total.tokens.in,
    tokens_out: total.tokens.out,
    cost: total.cost,
    wall_ms: total.calls === 0 ? null : wallMs,
    imported: manifest.imported?.format ?? null,
    wolfgraph: manifest.made_by.wolfgraph,
    templates_sha256: manifest.made_by.templates_sha256,
    plan_sha256: manifest.plan_sha256 ?? null,
    extractor,
  };
}

function findSideModel(seats: readonly Seat[], side: Team): string | null {
  const models = new Set(seats.filter(({ team }) => team === side).map(({ model }) => model));
  return models.size === 1 ? [...models][0]! : null;
}

/** Results that were added to a record after the match. */
export interface TableSources {
  /** The judge whose claims decide the verdicts, instead of the rules' claims. */
  judge?:
    | {
        name: string;
        extract: Extractor;
        agreementOf?: (statement: string) => JudgeAgreement;
        /** Part of the judge's answers that is lost, in words; null if nothing is lost. */
        fault?: string | null;
        /** Number of claims in the judge's answers that were not accepted. Default: 0. */
        dropped?: number;
        /** Answers that the judge has not given yet, in words; null if none are missing. */
        gap?: string | null;
      }
    | undefined;
  annotations?: readonly Annotation[] | undefined;
  codings?: readonly Coding[] | undefined;
  /** Whether presupposed claims count like asserted ones. */
  presupposed?: boolean | undefined;
}

/**
 * Builds all tables of a match. Throws a UsageError for a record that cannot have happened under its rules.
 * @example
 * const { statements, claims } = buildTables(record);
 * const lies = claims.filter(({ verdict }) => verdict === 'lie');
 */
export function buildTables(
  record: MatchRecord,
  { judge, annotations = [], codings = [], presupposed }: TableSources = {},
): MatchTables {
  const rules = extractMatchClaims(record, undefined, { presupposed });
  const judged = judge ? extractMatchClaims(record, judge.extract, { presupposed }) : null;
  const byId = new Map((judged ?? rules).statements.map((one) => [one.id, one]));
  const match: MeasuredMatch = {
    record,
    seatOf: createSeatFinder(record.manifest),
    attemptOf: createAttemptFinder(record.answers),
    statements: listStatements(record.events),
    rules,
    judged,
    judge: judge?.name ?? null,
    agreementOf: judge?.agreementOf,
    annotations,
    judgedOf: (id) => byId.get(id)!,
  };
  return {
    match: buildMatchRow(record, judge?.name ?? 'rules'),
    statements: buildStatementRows(match),
    silences: buildSilenceRows(record),
    claims: buildClaimRows(match),
    analyses: buildAnalysisRows(match),
    beliefs: buildBeliefRows(record),
    codings: buildCodingRows(match, codings),
    calls: buildCallRows(record),
    ...buildGameTables(record, rules),
  };
}

// Restriction of a match's tables to answers that were usable at the first attempt.

/**
 * Removes statements and analyses that took more than one attempt, and analyses of removed statements. Returns the
 * match itself if none took more than one attempt. Answers missing after several attempts are removed too, so that only
 * refusals stay missing. Rows with an unknown attempt stay, such as rows of imported matches. Beliefs stay too, because
 * their attempts are not recorded.
 */
export function keepFirstAnswers(match: MatchTables): MatchTables {
  const { statements, silences, claims, analyses, codings, ...others } = match;
  const refused = silences.filter(({ missing }) => missing === 'refusal');
  if ([...statements, ...analyses, ...codings].every(isFirstAttempt) && refused.length === silences.length)
    return match;
  const made = statements.filter(isFirstAttempt);
  const kept = new Set(made.map(({ statement }) => statement));
  const isOfKept = ({ statement }: { statement: string }) => kept.has(statement);
  const judged = analyses.filter(isFirstAttempt).filter(isOfKept);
  const inMatch = Map.groupBy(
    judged.filter(({ source }) => source === 'match'),
    ({ statement }) => statement,
  );
  return {
    ...others,
    silences: refused,
    statements: made.map((row) => ({ ...row, ...recountOpinions(inMatch.get(row.statement) ?? []) })),
    claims: claims.filter(isOfKept),
    analyses: judged,
    codings: codings.filter(isFirstAttempt).filter(isOfKept),
  };
}

const isFirstAttempt = ({ attempt }: { attempt: number | null }) => attempt === null || attempt === 1;

/** Recounts the columns of a statement that count analyses. `analyses`: the remaining analyses. */
function recountOpinions(analyses: readonly AnalysisRow[]): Partial<StatementRow> {
  const own = analyses.find(({ perspective }) => perspective === 'self');
  const peers = analyses.filter(({ perspective }) => perspective === 'peer');
  const given = peers.filter(({ missing }) => missing === null);
  const flags = given.filter(({ deceptive }) => deceptive === true).length;
  return {
    ...(own === undefined || own.missing !== null ? noSelfReport : {}),
    is_self_missing: own !== undefined && own.missing !== null,
    peer_analyses: given.length,
    peer_missing: peers.length - given.length,
    peer_flags: given.length === 0 ? null : flags,
    flagged_by_majority: given.length === 0 ? null : flags * 2 > given.length,
    mean_suspicion: mean(given.flatMap(({ suspicion }) => suspicion ?? [])),
    mean_p_werewolf: mean(given.flatMap(({ p_werewolf: belief }) => belief ?? [])),
  };
}

const noSelfReport = {
  self_deceptive: null,
  self_stated_falsehood: null,
  self_type: null,
  self_confidence: null,
  self_reasoning: null,
};

// Tables in the form in which files hold them: rows of cells, and columns whose types follow from the schema of a row.

/** Types of columns. `int32` and `int64` are whole numbers; `double` is any number. */
export type ColumnType = 'text' | 'boolean' | 'int32' | 'int64' | 'double';

export interface TableColumn {
  name: string;
  type: ColumnType;
  isNullable: boolean;
}

export type TableName = keyof typeof tableSchemas;
export const tableNames = Object.keys(tableSchemas) as readonly TableName[];

/** A row of any table; a missing value is null. */
export type TableRow = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Groups a match's rows by the table's file. Statement ids begin with a letter in these rows, because programs that
 * read CSV would take the id `1.10` for the number 1.1, which is another statement.
 *
 * @example groupRowsByTable(tables).statements[0].statement; // 's1.1', and tables.statements[0].statement is '1.1'
 */
export const groupRowsByTable = ({
  match,
  ...others
}: MatchTables): Readonly<Record<TableName, readonly TableRow[]>> => ({
  matches: [match],
  ...others,
  statements: others.statements.map(prefixStatement),
  silences: others.silences.map(prefixStatement),
  claims: others.claims.map((row) => ({ ...prefixStatement(row), claim: `s${row.claim}` })),
  analyses: others.analyses.map(prefixStatement),
  codings: others.codings.map(prefixStatement),
});

const prefixStatement = <Row extends { statement: string }>(row: Row): Row => ({
  ...row,
  statement: `s${row.statement}`,
});

/**
 * Returns the columns of a table in the order of its file.
 * @example
 * getColumns('matches')[0]; // { name: 'match_id', type: 'text', isNullable: false }
 */
export const getColumns = (table: TableName): readonly TableColumn[] => columns.get(table)!;

/** The part of a JSON schema that decides a column's type. */
interface JsonSchemaShape {
  type?: string | string[] | undefined;
  anyOf?: JsonSchemaShape[] | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
}

const columns: ReadonlyMap<TableName, readonly TableColumn[]> = new Map(
  tableNames.map((table) => {
    const { properties } = z.toJSONSchema(tableSchemas[table]) as { properties: Record<string, JsonSchemaShape> };
    return [table, Object.entries(properties).map(([name, shape]) => createColumn(name, shape))];
  }),
);

function createColumn(name: string, shape: JsonSchemaShape): TableColumn {
  const alternatives = (shape.anyOf ?? [shape]).flatMap((one) =>
    [one.type ?? []].flat().map((type) => ({ ...one, type })),
  );
  const [value, ...others] = alternatives.filter(({ type }) => type !== 'null');
  const types: Readonly<Record<string, ColumnType>> = {
    string: 'text',
    boolean: 'boolean',
    number: 'double',
    integer: (value?.maximum ?? Infinity) < 2 ** 31 && (value?.minimum ?? -Infinity) >= -(2 ** 31) ? 'int32' : 'int64',
  };
  const type = types[value?.type ?? ''];
  if (type === undefined || others.length > 0)
    throw new TypeError(`Column "${name}" has a type other than text, boolean and number: ${JSON.stringify(shape)}.`);
  return { name, type, isNullable: alternatives.some((one) => one.type === 'null') };
}
