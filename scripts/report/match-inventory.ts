// Lists the matches to be measured, each once and sorted by id, and everything that is read from their folders.
import { formatJudges, type JudgePlan } from '../../deception/claims/majority-claims.ts';
import path from 'node:path';
import { isDeepStrictEqual, types } from 'node:util';
import type { MatchRecord } from '../../deception/record/match-record.ts';
import {
  type AnsweringServers,
  listAnsweringServers,
  listRefusals,
  type RefusalCount,
} from '../../deception/record/call-figures.ts';
import type { BoardAndRules } from '../../deception/play/random-matches.ts';
import { rulesExtractor } from '../../deception/metrics/comparability.ts';
import type { LeftOut } from '../../deception/summary/report-schema.ts';
import { buildTables, type TableSources, type MatchTables } from '../../deception/tables/match-tables.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { isForeignLink, RecordError } from '../../models/record/ndjson.ts';
import { readDocument } from '../../models/record/read-document.ts';
import { readManifest, readRecord, type StoredRecord } from '../../models/record/recorder.ts';
import { listPlays } from '../../models/record/same-play.ts';
import { sanitizeText } from '../../report/format.ts';
import { getModelLabel, identifyModel } from '../../state/model-identity.ts';
import { isReadableJudge } from '../command/judge-options.ts';
import { findPromptsFault } from '../../models/record/stored-prompts.ts';
import { isLaterVersion } from '../../state/record-migrations.ts';
import { type Manifest, recordFiles } from '../../state/record.ts';
import { parseJson, quoteActingName } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import { findMatches } from '../command/match-folder.ts';
import { formatResumeCommand } from '../command/resume-command.ts';
import { KnownManifests } from './known-manifests.ts';
import { type KnownPrices, listKnownPrices, computeKnownCosts } from './known-prices.ts';
import { listKeptRefusals } from './kept-refusals.ts';
import type { MeasurementCache } from './measurement-cache.ts';

/** A match to be measured, with all folders that hold it. The first folder with a sound record is measured. */
export interface FoundMatch {
  /** Unique id: the match's own id, or another id if two plays of the same match exist; see `listPlays`. */
  id: string;
  /** Name of the board. */
  board: string;
  /** Hash of the parts of board and rules that influence the chance baseline. */
  ground: string;
  folders: readonly string[];
}

export interface MatchInventory {
  /** Matches sorted by id. */
  matches: readonly FoundMatch[];
  leftOut: readonly LeftOut[];
  /** Hash → board and rules. */
  grounds: ReadonlyMap<string, BoardAndRules>;
  /** Hash of board and rules → board and rules as the first match names them, for people. */
  groundNames: ReadonlyMap<string, string>;
  /** Whether the matches differ in variants, or in how they were measured. */
  isDesigned: boolean;
  /** Whether any match names a judge. The match's page then shows that judge's claims first. */
  isJudged: boolean;
  /** Prices of models that had no price when some of the matches began. */
  prices: KnownPrices;
  /** Names of the matches' tournaments; null stands for matches without a tournament. */
  tournaments: ReadonlySet<string | null>;
}

/** Judges named by recorded matches. A record is data: its judge is reported but never called. */
export interface NamedJudges {
  /**
   * The judge that all matches name, written as in the first match. Undefined if the matches name no judge or several.
   */
  judge: string | undefined;
  /**
   * Describes the different judges that the matches name. Null if all matches name the same judge, or if no match names
   * one.
   */
  differing: string | null;
}

/**
 * Finds the judge that all matches in these folders name although the rules extract the claims. Undefined if the
 * matches name no common judge, or if `judge` is given.
 *
 * @example findUnusedJudge(undefined, ['runs/study']) // 'openai:gpt-4o'
 */
export function findUnusedJudge(
  judge: JudgePlan | undefined,
  folders: readonly string[],
  known = new KnownManifests(),
): string | undefined {
  if (judge !== undefined) return undefined;
  const { judge: named } = findNamedJudges([...new Set(findMatches(folders, known))], known);
  return named === undefined || !isReadableJudge(named) ? undefined : identifyModel(named);
}

/**
 * Finds the judges named by these matches. Two names mean the same judge if they differ only in address or key. Skips
 * unreadable manifests.
 *
 * @example findNamedJudges(findMatches(['runs'])).judge // 'openai:gpt-4o'
 */
export function findNamedJudges(folders: readonly string[], known = new KnownManifests()): NamedJudges {
  if (!folders.some((folder) => canNameJudge(folder, known))) return { judge: undefined, differing: null };
  const named = Map.groupBy(
    folders.flatMap((folder) => {
      const { facts, error } = known.read(folder);
      if (facts !== null) return [facts.judge];
      explainUnusable(folder, error); // rethrows errors that are not the record's fault
      return [];
    }),
    (judge) => judge && identifyModel(judge),
  );
  if (named.size < 2) return { judge: [...named.values()][0]?.[0], differing: null };
  const told = [...named].map(([judge, { length }]) => `${sanitizeText(judge ?? 'none')} (in ${length})`).sort();
  return { judge: undefined, differing: told.join(', ') };
}

/**
 * Whether the manifest may name a judge. A quick text search avoids parsing thousands of manifests without a judge,
 * which would take seconds.
 */
function canNameJudge(folder: string, known: KnownManifests): boolean {
  try {
    return isForeignLink(locateManifest(folder)) || known.mark(folder).mayNameJudge;
  } catch {
    return false; // `findNamedJudges` reports unreadable manifests
  }
}

/**
 * Reads only the manifests in these folders. If one name stands for two models, figures would merge the two models. The
 * matches of the less frequent model are therefore left out.
 */
export function takeInventory(folders: readonly string[], known = new KnownManifests()): MatchInventory {
  const leftOut: LeftOut[] = [];
  const readable = [...folders].sort().flatMap((folder) => {
    const { facts, error } = known.read(folder);
    if (facts !== null) return [{ folder, ...facts }];
    leftOut.push(explainUnusable(folder, error));
    return [];
  });
  const meant = findMeantModels(readable);
  const found = readable.filter(({ folder, models }) => {
    const clash = explainClash(folder, models, meant);
    if (clash !== null) leftOut.push(clash);
    return clash === null;
  });
  const used = new Set(found.map(({ ground }) => ground));
  const matches = [...Map.groupBy(found, ({ id }) => id)].flatMap(([id, all]): FoundMatch[] => {
    const [first, ...others] = listOwnFirst(all) as [(typeof all)[number], ...typeof all];
    const equal = others.filter(({ folder }) => isSameSetup(first.folder, folder));
    for (const { folder } of others.filter((one) => !equal.includes(one)))
      leftOut.push(explainOtherSetup(folder, id, first.folder));
    const { board, ground } = first;
    return listPlays(id, [first, ...equal]).map((play) => ({
      ...{ id: play.name, board, ground },
      folders: play.folders.map(({ folder }) => folder),
    }));
  });
  return {
    matches: matches.sort((one, other) => (one.id < other.id ? -1 : 1)),
    leftOut,
    grounds: new Map([...known.grounds].filter(([ground]) => used.has(ground))),
    groundNames: known.groundNames,
    isDesigned: new Set(found.map(({ design }) => design)).size > 1,
    isJudged: found.some(({ judge }) => judge !== undefined),
    prices: listKnownPrices(readable.map(({ priced }) => priced)),
    tournaments: new Set(found.map(({ tournament }) => tournament ?? null)),
  };
}

/** Explains that a record in `folder` has the same id as another match, whose folder is `first`. */
export const explainOtherSetup = (folder: string, id: string, first: string): LeftOut => ({
  folder,
  reason: 'same id',
  message: `Its id ${id} is also that of ${first}, a match with another set-up. Report them separately.`,
});

/**
 * Sorts folders. Folders named like their match's id come first, so that a record cannot displace a match by copying
 * its id.
 *
 * @example listOwnFirst([{ folder: 'runs/copy', id: 'a' }, { folder: 'runs/a', id: 'a' }])[0].folder // 'runs/a'
 */
export const listOwnFirst = <Folder extends { folder: string; id: string }>(folders: readonly Folder[]): Folder[] =>
  [true, false].flatMap((isOwn) => folders.filter(({ folder, id }) => (path.basename(folder) === id) === isOwn));

interface NamedModels {
  folder: string;
  /** Models of the match, without duplicates. */
  models: readonly string[];
}

/** The model that a label stands for, and the first folder with this model. */
interface MeantModel {
  model: string;
  folder: string;
}

/**
 * Finds, for each label, the model that most matches call by this label. If several models are equally frequent,
 * chooses the model in the first folder.
 */
function findMeantModels(matches: readonly NamedModels[]): ReadonlyMap<string, MeantModel> {
  const counted = new Map<string, MeantModel & { matches: number }>();
  for (const { folder, models } of matches)
    for (const model of models) {
      const count = counted.get(model) ?? { model, folder, matches: 0 };
      counted.set(model, { ...count, matches: count.matches + 1 });
    }
  const meant = new Map<string, MeantModel & { matches: number }>();
  for (const one of counted.values()) {
    const label = getModelLabel(one.model);
    if (one.matches > (meant.get(label)?.matches ?? 0)) meant.set(label, one);
  }
  return meant;
}

/** Explains which names in a match stand for another model than in earlier matches. Null if there are no such names. */
function explainClash(
  folder: string,
  models: readonly string[],
  meant: ReadonlyMap<string, MeantModel>,
): LeftOut | null {
  for (const model of models) {
    const label = getModelLabel(model);
    const other = meant.get(label);
    if (other === undefined || other.model === model) continue;
    const message = `${label} stands for ${model} here, but for ${other.model} in ${other.folder}: one table would merge them. Report them separately.`;
    return { folder: quoteActingName(folder), reason: 'same model name', message: sanitizeText(message) };
  }
  return null;
}

const locateManifest = (folder: string) => path.join(folder, recordFiles.manifest);

export const isSameSetup = (one: string, other: string) =>
  isDeepStrictEqual(readManifest(locateManifest(one)).setup, readManifest(locateManifest(other)).setup);

/** Reads a finished record. Throws a RecordError for a record that cannot be read, or whose match is unfinished. */
export function readFinishedRecord(folder: string): StoredRecord {
  const record = readRecord(folder);
  if (record.isFinished) return record;
  const again = formatResumeCommand(record.manifest.id, path.dirname(folder));
  throw new RecordError(`The match is not finished. Play it to its end first: ${again}`);
}

/** Formats a record left out as a line for people. */
export const describeLeftOut = ({ folder, message }: LeftOut): string =>
  sanitizeText(`Left out: ${folder}: ${message}`);

/** Explains why a record is left out. Rethrows errors that are not the record's fault. */
export function explainUnusable(folder: string, error: unknown): LeftOut {
  if (!types.isNativeError(error)) throw error; // the system's errors are from another realm in a thread or a test
  const isOfRecord = error instanceof RecordError || error instanceof UsageError || 'code' in error;
  const reason = error instanceof NotJudged ? 'not judged' : isOfLaterVersion(folder) ? 'other version' : 'damaged';
  const message = isOfRecord ? error.message : `It cannot be measured: ${error.message}`;
  return { folder: quoteActingName(folder), reason, message: sanitizeText(message) };
}

function isOfLaterVersion(folder: string): boolean {
  try {
    return isLaterVersion(parseJson(readDocument(locateManifest(folder))));
  } catch {
    return false; // damaged in another way
  }
}

export interface UsableMatch {
  folder: string;
  manifest: Manifest;
  /** Whether the whole record matches its seal. Records of schema 1 have no seal. */
  isSealed: boolean;
  /**
   * Describes in one sentence, without the folder, how the match's prompts differ from the sealed prompts. Null if they
   * are equal.
   */
  promptsFault: string | null;
  /** Describes the part of the judge's answers that is lost, and names its file; null if nothing is lost. */
  judgeFault: string | null;
  /** Number of claims in the judge's answers that were not accepted; 0 without a judge. */
  judgeDropped: number;
  /** Describes the answers that the judge has not given yet; null if none are missing. */
  judgeGap: string | null;
  /** Servers that answered for each model. */
  servers: readonly AnsweringServers[];
  refusals: readonly RefusalCount[];
  tables: MatchTables;
}

/**
 * Measures the first usable folder of a match and leaves out its other folders. Folders with cached measurements are
 * not measured again.
 */
export async function readFirstUsable(
  { id, folders }: FoundMatch,
  wanted: WantedMatches,
  cache: MeasurementCache | null,
): Promise<{ sound: UsableMatch | null; leftOut: LeftOut[] }> {
  const leftOut: LeftOut[] = [];
  for (const [at, folder] of folders.entries()) {
    try {
      const measured = await measureFolder(folder, wanted, cache);
      if (measured === null) {
        leftOut.push({ folder, reason: 'not over', message: 'The match was not played to its end.' });
        continue;
      }
      const others = folders.slice(at + 1).map((other): LeftOut => ({
        folder: other,
        reason: 'counted already',
        message:
          other === folder ? 'It was already named.' : `It is a copy of match ${id}, which is counted from ${folder}.`,
      }));
      return {
        sound: { folder, ...measured, tables: nameMatch(measured.tables, id) },
        leftOut: [...leftOut, ...others],
      };
    } catch (error) {
      leftOut.push(explainUnusable(folder, error));
    }
  }
  return { sound: null, leftOut };
}

/** Returns the tables with this id in every row. */
function nameMatch(tables: MatchTables, id: string): MatchTables {
  if (tables.match.match_id === id) return tables;
  const { match, ...rows } = tables;
  const named = Object.entries(rows as Record<string, readonly { match_id: string }[]>).map(([name, own]) => [
    name,
    own.map((row) => ({ ...row, match_id: id })),
  ]);
  return { match: { ...match, match_id: id }, ...Object.fromEntries(named) } as MatchTables;
}

/**
 * Describes in one sentence, with the folder, how a match's prompts differ from the sealed prompts. Null if they are
 * equal.
 */
export const describePromptsFault = ({ folder, promptsFault }: Pick<UsableMatch, 'folder' | 'promptsFault'>) =>
  promptsFault === null ? null : path.join(folder, promptsFault);

/** All measurements of a match's folder. The folder itself is not part of them, because it may be renamed. */
type MeasuredFolder = Omit<UsableMatch, 'folder'>;

/** Measures the match in a folder; null if it is unfinished. Throws like `readSources` and `buildTables`. */
async function measureFolder(
  folder: string,
  wanted: WantedMatches,
  cache: MeasurementCache | null,
): Promise<MeasuredFolder | null> {
  const key = cache && createMatchKey(cache, folder, wanted);
  const kept = key === null ? null : (cache!.read(key) as MeasuredFolder | null);
  if (kept) return kept;
  const { record, sources } = await readSources(folder, wanted);
  const { judge } = sources;
  if (!record.isFinished) return null;
  const { manifest, seal } = record;
  const judgeFault = judge?.fault ?? null;
  const judgeGap = judge?.gap ?? null;
  const promptsFault = findPromptsFault(folder, record)?.replace(folder + path.sep, '') ?? null;
  const measured: MeasuredFolder = {
    ...{
      manifest,
      isSealed: seal !== null && promptsFault === null,
      promptsFault,
      judgeFault,
      judgeDropped: judge?.dropped ?? 0,
      judgeGap,
      servers: listAnsweringServers(record),
      refusals: [...listRefusals(record), ...listKeptRefusals(folder, wanted.judge)],
    },
    tables: buildTables(record, sources),
  };
  const isUnchanged = key !== null && createMatchKey(cache!, folder, wanted) === key; // false if files changed during the measurement
  // A match with missing answers is not cached: damaged files can be repaired, and a judge skips what is cached.
  if (isUnchanged && judgeFault === null && judgeGap === null) cache!.keep(key, measured);
  return measured;
}

/**
 * Returns the key of a folder's cached measurements; null if the state of the folder is unknown. Only sound records
 * with complete judges' answers are cached.
 */
export function createMatchKey(cache: MeasurementCache, folder: string, wanted: WantedMatches): string | null {
  const state = cache.describeFolder(folder);
  const prices = Object.entries(wanted.prices ?? {}).sort();
  const parts = [state, wanted.judge ?? null, hasPresupposed(wanted), ...(prices.length === 0 ? [] : [prices])];
  return state === null ? null : cache.createKey('match', parts);
}

/** How matches are measured: whose claims decide the verdicts, which claims count, and which prices apply. */
export interface WantedMatches {
  /** Judges whose claims decide the verdicts, from `claims.<model>.ndjson`; undefined for the rules. */
  judge?: JudgePlan | undefined;
  /** Whether presupposed claims count. Default: true for a judge's claims, false for the rules' claims. */
  presupposed?: boolean | undefined;
  /** Prices that were unknown when models were called. */
  prices?: KnownPrices | undefined;
  /**
   * Treatment of a match that the judge has not fully read: leave it out, or count its statements without an answer as
   * not read. Default: left out.
   */
  unanswered?: 'left out' | 'not read' | undefined;
  /** Whether matches of which the judge has read nothing are shown. Default: a RecordError if all are of this kind. */
  isUnreadShown?: boolean | undefined;
}

/**
 * Returns whether presupposed claims count.
 *
 * @example hasPresupposed({ judge: { models: ['openai:gpt-4o'] } }) // true
 */
export const hasPresupposed = ({ judge, presupposed = judge !== undefined }: WantedMatches): boolean => presupposed;

/** Returns the name of the extractor: of a judge, or `rules`. */
export const nameExtractor = (judge: WantedMatches['judge']) => (judge ? formatJudges(judge) : rulesExtractor);

/** Signals that a model's judgments, made after the match, are unusable or missing. */
export class NotJudged extends RecordError {}

/**
 * Reads a match's sources without any call. For an unfinished match, reads only the record, because cached judgments
 * may be about later events. Throws a RecordError for a damaged file, and NotJudged if the judge's claims are not
 * cached.
 */
export async function readSources(folder: string, { judge, presupposed, prices = {}, unanswered }: WantedMatches = {}) {
  const read = readRecord(folder);
  const record = { ...read, answers: computeKnownCosts(read.answers, prices) };
  const sources: TableSources = record.isFinished
    ? {
        annotations: await readMatchAnnotations(folder, record),
        codings: await readMatchCodings(folder, record),
        judge: judge === undefined ? undefined : await readMatchClaims(judge, folder, record, unanswered),
        presupposed: hasPresupposed({ judge, presupposed }),
      }
    : {};
  return { record, sources };
}

/**
 * Reads a match's annotations. Loads the module for annotations only if the match has some: the module can also call
 * models, so loading it is slow.
 */
async function readMatchAnnotations(folder: string, record: MatchRecord) {
  if (
    !getDisk()
      .list(folder)
      .some(({ name }) => name.startsWith('annotations.'))
  )
    return [];
  const { readAnnotations } = await import('../../graph/annotation/annotate-statements.ts');
  return readAnnotations(folder, record);
}

async function readMatchCodings(folder: string, record: MatchRecord) {
  if (
    !getDisk()
      .list(folder)
      .some(({ name }) => name.startsWith('codings.'))
  )
    return [];
  const { readCodings } = await import('../../graph/annotation/code-statements.ts');
  return readCodings(folder, record);
}

async function readMatchClaims(
  judge: JudgePlan,
  folder: string,
  record: MatchRecord,
  unanswered: WantedMatches['unanswered'],
) {
  const { createJudgedMatch, readAnsweredClaims, readJudgedClaims } =
    await import('../../graph/annotation/llm-judge.ts');
  const read = unanswered === 'not read' ? readAnsweredClaims : readJudgedClaims;
  try {
    return read(createJudgedMatch(folder, record), judge);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    throw new NotJudged(error.message, { cause: error });
  }
}
