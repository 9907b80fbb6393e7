// The recorder: writes the folder of a match while it is played, so that no paid answer is lost, and reads it. Writing
// and reading are in one file, because they share the format of lines, chains and seal.
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { formatCommand } from '../../state/command-name.ts';
import { GameEvent } from '../../state/events.ts';
import { findModelAddress, getModelLabel, identifyModel, normalizeAddress } from '../../state/model-identity.ts';
import {
  checkManifest,
  isEarlierVersion,
  migrateAnswer,
  migrateEvent,
  mustBeSealed,
  recordMigrations,
} from '../../state/record-migrations.ts';
import {
  AnswerLine,
  type CallKey,
  formatCallKey,
  Manifest,
  recordFiles,
  type Reading,
  recordLimits,
  type Seal,
} from '../../state/record.ts';
import { hasActingCharacters, parseJson, quoteActingName, quoteForShell } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import { getDisk } from '../machine/machine.ts';
import type { PromptMessage } from '../model.ts';
import type { Chain } from './chain.ts';
import { isLocked, type Lock, takeLock } from './lock.ts';
import {
  checkNoLink,
  createWriteError,
  findInLines,
  isForeignLink,
  openNdjson,
  readChained,
  RecordError,
  truncateTornLine,
} from './ndjson.ts';
import { readDocument } from './read-document.ts';
import { openPromptLog } from './prompt-log.ts';
import { createRecordChains, createSeal, findBrokenSeals, readSeal, sealSummary } from './seal.ts';

/** Stores a match during play, as the model client's answer store. Writing throws RecordError if the disk fails. */
export interface Recorder {
  manifest: Manifest;
  /** All answers so far, in order of arrival. For answers of this run, the provider's reasoning is only on the disk. */
  answers: readonly AnswerLine[];
  /** All events so far, in the order of the record. */
  events: readonly GameEvent[];
  /** Returns the recorded answers whose questions have not been asked. */
  unasked(): AnswerLine[];
  /** Returns an answer that was in the record at opening. Newer answers are never needed again. */
  get(key: CallKey): AnswerLine | undefined;
  put(line: AnswerLine): void;
  /**
   * Returns the match's version of the parsing rules. It does not change when a later version resumes the match, so
   * that its answers stay comparable.
   */
  getReading(): Reading;
  logPrompt(key: CallKey, messages: readonly PromptMessage[]): void;
  /** Appends events. */
  happened(events: readonly GameEvent[]): void;
  /** Writes the prompts and the sealed summary of a finished match. */
  finish(summary: object): Promise<void>;
  /** Closes the files. If `isHurried`, as after a signal, does not wait until everything is on the disk. */
  close(isHurried?: boolean): void;
}

function indexAnswers(
  lines: readonly AnswerLine[],
  file: string,
  places?: readonly { number: number }[],
): Map<string, AnswerLine> {
  const byKey = new Map<string, AnswerLine>();
  for (const [index, line] of lines.entries()) {
    if (byKey.has(formatCallKey(line)))
      throw new RecordError(
        `${file}, line ${places?.[index]!.number ?? index + 1} is damaged: it contains ${formatCallKey(line)} twice. Restore the file from a copy.`,
      );
    byKey.set(formatCallKey(line), line);
  }
  return byKey;
}

/**
 * Creates a recorder that keeps a match only in memory, e.g. to replay `recorded` answers. Throws RecordError, which
 * names `source`, if an answer occurs twice.
 */
export function createMemoryRecorder(
  manifest: Manifest,
  recorded: readonly AnswerLine[] = [],
  source: string = recordFiles.answers,
): Recorder {
  const answers = [...recorded];
  const byKey = indexAnswers(recorded, source);
  const asked = new Set<AnswerLine>();
  const events: GameEvent[] = [];
  return {
    manifest,
    answers,
    events,
    unasked: () => recorded.filter((line) => !asked.has(line)),
    get: (key) => {
      const line = byKey.get(formatCallKey(key));
      if (line) asked.add(line);
      return line;
    },
    put: (line) => void answers.push(line),
    getReading: () => manifest.reading ?? 1,
    logPrompt: () => undefined,
    happened: (more) => void events.push(...more),
    finish: () => Promise.resolve(),
    close: () => undefined,
  };
}

/**
 * Opens the folder of a match to play or resume it. When the first new answer comes, an earlier record is migrated to
 * the current version. Throws RecordError, and changes nothing, if the folder's record is damaged, of a later version
 * or another set-up, or being played by another process. Throws UsageError if a model was called at an address that is
 * not given any more.
 *
 * @example
 * const recorder = openRecorder('runs/classic-8-1-0f3a', manifest, console.warn);
 * recorder.put(line);
 * recorder.close();
 */
export function openRecorder(
  folder: string,
  manifest: Manifest,
  warn: (message: string) => void,
  migrations = recordMigrations,
): Recorder {
  const getFile = (name: keyof typeof recordFiles) => path.join(folder, recordFiles[name]);
  const disk = getDisk();
  disk.makeFolder(folder);
  const lock = takeLock(getFile('lock'));
  try {
    if (!disk.exists(getFile('manifest')) && disk.exists(getFile('answers')))
      throw new RecordError(
        `${getFile('manifest')} is missing beside ${recordFiles.answers}. Restore it from a copy, or choose another --id.`,
      );
    const agreed = agreeOnManifest(getFile('manifest'), manifest, warn, migrations);
    const { kept } = agreed;
    let { stored, isEarlier } = agreed;
    const start = createRecordChains(kept);
    const contents = readAnswers(getFile('answers'), start.answers, migrations);
    const stranger = findStranger(kept, contents.rows, []);
    if (stranger !== null) throw new RecordError(`${describeStranger(getFile('answers'), stranger)}.`);
    const memory = createMemoryRecorder(kept, contents.rows, getFile('answers'));
    const checkRoom = watchSize(getFile('answers'), warn);
    truncateTornLine(getFile('answers'), contents, warn);
    if (contents.strays.length > 0) warn(describeStrays(getFile('answers'), contents.strays));
    lock.raise(contents.epoch + 1);
    const linking = { chain: contents.chain, epoch: lock.epoch };
    const answers = openNdjson(getFile('answers'), 'append', AnswerLine, linking);
    const events = openEvents(getFile('events'), start.events, lock);
    disk.syncFolder(folder); // otherwise a power cut could lose files whose lines are on the disk
    const prompts = openPromptLog();
    const bringUpToDate = () => {
      if (!isEarlier) return;
      writeManifest(getFile('manifest'), kept);
      [stored, isEarlier] = [copyAsJson(kept), false];
    };
    return {
      ...memory,
      put: (line) => {
        lock.check();
        bringUpToDate();
        const bytes = answers.append([line]);
        memory.put(dropReasoning(line));
        events.settle();
        checkRoom(bytes);
      },
      logPrompt: prompts.add,
      happened: (more) => {
        lock.check();
        events.append(more);
        memory.happened(more);
      },
      finish: async (summary) => {
        const asked = await prompts.finish();
        lock.check();
        bringUpToDate();
        events.settle();
        for (const file of [answers, events]) file.sync(); // before the seal describes them
        writeWhole(getFile('prompts'), asked);
        const chains = { answers: answers.getChain()!, events: events.getChain()! };
        writeWhole(getFile('summary'), formatJson(sealSummary(summary, createSeal(folder, stored, chains))));
      },
      close: (isHurried) =>
        doAll(
          () => answers.close(isHurried),
          () => events.close(isHurried),
          lock.release,
        ),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

const readAnswers = (file: string, start: Chain, migrations: typeof recordMigrations) => {
  const contents = readChained(file, start, AnswerLine, (line) => migrateAnswer(line, migrations));
  if (contents.fault) throw contents.fault;
  indexAnswers(contents.rows, file, contents.places);
  return contents;
};

/** Removes the provider's reasoning, which no computation needs and which can be the longest part of an answer. */
const dropReasoning = ({ provider_reasoning: reasoning, ...line }: AnswerLine): AnswerLine =>
  reasoning === undefined ? line : { ...line, provider_reasoning: '' };

const describeStrays = (file: string, lines: readonly number[]) =>
  `${file}: ignored ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}, which a process wrote after another had taken over the match.`;

/** Warns when the answers of a match reach half of their size limit. Throws RecordError at the limit. */
function watchSize(file: string, warn: (message: string) => void): (bytes: number) => void {
  const format = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;
  let size = getDisk().find(file)?.size ?? 0;
  let isTold = false;
  const check = (bytes: number) => {
    size += bytes;
    const says = `${file} takes ${format(size)}`;
    if (size >= recordLimits.answers)
      throw new RecordError(
        `${says}, but the answers of a match may take at most ${format(recordLimits.answers)}, so it cannot continue. Its models' answers are too long: give the models fewer tokens (?maxTokens=… in the model string), or a board with fewer questions.`,
      );
    if (isTold || size < recordLimits.answers / 2) return;
    isTold = true;
    warn(
      `${says} of the ${format(recordLimits.answers)} that the answers of a match may take; it stops at that limit.`,
    );
  };
  check(0);
  return check;
}

/**
 * Opens the file of events. A resumed match is played again from its beginning. So its events are written to a draft,
 * which replaces the old file only after the match has gone beyond its record (`settle`).
 */
function openEvents(file: string, chain: Chain, lock: Lock) {
  const disk = getDisk();
  const isResumed = disk.exists(file);
  const draft = isResumed ? `${file}.new` : file;
  if (isResumed) disk.remove(draft); // another process that has lost the match may still write to it
  const events = openNdjson(draft, 'new', GameEvent, { chain });
  let isSettled = !isResumed;
  return {
    ...events,
    settle: () => {
      if (isSettled) return;
      lock.check();
      try {
        disk.rename(draft, file);
      } catch (error) {
        throw createWriteError(file, error);
      }
      isSettled = true;
    },
    close: (isHurried?: boolean) =>
      doAll(
        () => events.close(isHurried),
        () => isSettled || !lock.isHeld() || disk.remove(draft),
      ), // the draft may belong to the next process
  };
}

/**
 * Returns the manifest on disk. If there is none, writes `manifest` and returns it. Throws RecordError if the set-ups
 * differ. Warns if the versions differ.
 */
function agreeOnManifest(
  file: string,
  manifest: Manifest,
  warn: (message: string) => void,
  migrations: typeof recordMigrations,
): StoredManifest {
  if (!getDisk().exists(file)) {
    writeManifest(file, manifest);
    return { kept: manifest, stored: copyAsJson(manifest), isEarlier: false };
  }
  const { kept, stored, isEarlier } = readStoredManifest(file, migrations);
  checkNotRedacted(path.dirname(file), kept);
  if (!isDeepStrictEqual(kept.fork_of, manifest.fork_of)) throw new RecordError(describeOtherFork(file, kept));
  const differences = listDifferingKeys(kept.setup, manifest.setup);
  if (differences.length > 0)
    throw new RecordError(
      `${file} has another set-up: it differs in ${differences.join(', ')}. Choose another --id, or leave out the options that differ to resume this match.`,
    );
  const changedPlan = describeChangedPlan(file, kept, manifest);
  if (changedPlan !== null) throw new RecordError(changedPlan);
  const lostAddress = describeLostAddress(file, kept, manifest);
  if (lostAddress !== null) throw new UsageError(lostAddress);
  const changed = listDifferingKeys(kept.made_by, manifest.made_by).filter(
    (key) => !['created_at', 'model_strings', 'addresses', 'prices'].includes(key),
  );
  if (changed.length > 0) warn(`This match was begun with other versions of: ${changed.join(', ')}. See ${file}.`);
  warnOfMoves(kept, manifest, file, warn);
  if (manifest.judge !== undefined && !isSameJudge(manifest.judge, kept.judge))
    warn(
      `${file} names ${kept.judge === undefined ? 'no judge' : `the judge ${kept.judge}`}, which is not changed. For the claims of ${manifest.judge}: ${formatCommand('report', 'FOLDER', '--judge', manifest.judge)}`,
    );
  return { kept, stored, isEarlier };
}

/** Returns whether two model strings of a judge differ at most in how the judge is reached. */
export const isSameJudge = (one: string, other: string | undefined): boolean =>
  other !== undefined && identifyModel(one) === identifyModel(other);

/**
 * Warns of each model that is called at another address than when the match began, because another model may answer
 * there.
 */
function warnOfMoves(kept: Manifest, manifest: Manifest, file: string, warn: (message: string) => void): void {
  for (const { model, before, after } of listMovedModels(kept, manifest, file))
    warn(
      `${getModelLabel(model)} was called at ${before} when this match began, and is called at ${after} now. If another model answers there, the match would mix two models: choose another --id.`,
    );
}

/** Lists the models that `now` calls at another address than `kept`, the manifest in `file`. */
export function listMovedModels(
  kept: Manifest,
  now: Manifest,
  file: string,
): { model: string; before: string; after: string }[] {
  const asked = new Set(Object.values(now.setup.models));
  const findNow = (model: string) => now.made_by.addresses?.[model] ?? ownServer;
  return [...new Set(Object.values(kept.setup.models))]
    .filter((model) => asked.has(model) && !model.startsWith('bot:'))
    .map((model) => ({ model, before: findAddressBefore(kept, model, file), after: findNow(model) }))
    .filter(({ before, after }) => before !== null && normalizeAddress(before) !== normalizeAddress(after))
    .map(({ before, ...move }) => ({ ...move, before: before! }));
}

const ownServer = 'its own server';

/**
 * Lists addresses at which the models of the manifest in `file` were called, as identity → address. A provider's own
 * address is left out. These addresses are shown and compared, never called.
 *
 * @example listRecordedAddresses(readManifest(file), file); // { 'openai:qwen': 'http://127.0.0.1:8080/v1' }
 */
export const listRecordedAddresses = (manifest: Manifest, file: string): Record<string, string> =>
  Object.fromEntries(
    [...new Set(Object.values(manifest.setup.models))]
      .filter((model) => !model.startsWith('bot:'))
      .flatMap((model) => {
        const address = findAddressBefore(manifest, model, file);
        const { [model]: text = model } = manifest.made_by.model_strings ?? {};
        const told = address === null || address === ownServer ? findModelAddress(text) : address;
        return told === undefined ? [] : [[identifyModel(model), told]];
      }),
  );

/**
 * Returns why a match cannot be resumed if a model was called at an address other than its vendor's and no address is
 * given now: the vendor would be called instead. Returns null if every address is given. `now`: the planned manifest.
 */
export function describeLostAddress(file: string, kept: Manifest, now: Manifest): string | null {
  const { model_strings: texts = {} } = now.made_by;
  const lost = listMovedModels(kept, now, file).find(
    ({ model, after }) => after === ownServer && findModelAddress(texts[model] ?? model) === undefined,
  );
  return lost === undefined
    ? null
    : `${file}: ${getModelLabel(lost.model)} was called at ${lost.before} when this match began, but no address is given now, so another server would be called. Give the address with the model, e.g. ${quoteForShell(`${lost.model}${lost.model.includes('?') ? '&' : '?'}baseUrl=${lost.before}`)} if that server is yours, or in a models file (--models FILE).`;
}

/**
 * Finds where a model was called. An older record stores only what was typed, so its first answer is used. Null if
 * unknown.
 */
function findAddressBefore({ made_by: madeBy }: Manifest, model: string, file: string): string | null {
  const { addresses, model_strings: texts = {} } = madeBy;
  if (addresses !== undefined) return addresses[model] ?? ownServer;
  const named = findModelAddress(texts[model] ?? model);
  if (named !== undefined) return named;
  const answers = path.join(path.dirname(file), recordFiles.answers);
  const first = readFirstAnswer(answers, model);
  return first === null ? null : (first.address ?? ownServer);
}

/** Reads the first answer of a model; null if none is readable. Faults are reported later, when the record is read. */
function readFirstAnswer(file: string, model: string): Pick<AnswerLine, 'address'> | null {
  try {
    return findInLines(file, (stored) => {
      const answer = migrateAnswer(stored) as Pick<AnswerLine, 'model' | 'address'>;
      return answer.model === model ? answer : null;
    });
  } catch {
    return null;
  }
}

/**
 * Returns why a match cannot be resumed under the analysis plan `wanted`, and what to do. Null if the match began under
 * this plan.
 */
export function describeChangedPlan(
  file: string,
  { plan_sha256: kept }: Pick<Manifest, 'plan_sha256'>,
  { plan_sha256: wanted }: Pick<Manifest, 'plan_sha256'>,
): string | null {
  if (kept === wanted) return null;
  if (kept === undefined)
    return `${file}: this match began without a plan, and a plan counts only if it exists before the first call. Leave out --plan to resume, or choose another --out for matches under the plan.`;
  if (wanted === undefined)
    return `${file}: this match began under a plan (SHA-256 ${kept}). Give its file with --plan to resume, or choose another --out.`;
  return `${file}: this match began under another plan (SHA-256 ${kept}; the plan given now has ${wanted}). A plan cannot be changed once matches have begun: restore its file, or choose another --out.`;
}

const describeOtherFork = (file: string, { fork_of: fork }: Manifest): string =>
  fork === undefined
    ? `${file} belongs to a match that is not a fork. Choose another --out for forks.`
    : `${file} belongs to a fork of match ${fork.match}, which only ${formatCommand('fork')} can resume. Run the command that made it again.`;

const formatJson = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** Writes a manifest. Throws RecordError if it could not be read again. */
export function writeManifest(file: string, manifest: Manifest) {
  const text = formatJson(manifest);
  const read = checkManifest(JSON.parse(text));
  if (typeof read === 'string') throw new RecordError(`${file} is not written, because it ${read}`);
  writeWhole(file, text);
}

/** Lists the keys in which `one`, read from a file, differs from `other`, as it would be written. */
export const listDifferingKeys = <Part extends object>(one: Part, other: Part) =>
  Object.keys({ ...one, ...other }).filter(
    (key) => !isDeepStrictEqual(one[key as keyof Part], copyAsJson(other)[key as keyof Part]),
  );

/** Returns the value as it would be read from a file. */
const copyAsJson = <Value>(value: Value) => JSON.parse(JSON.stringify(value)) as Value;

/** Reads a manifest in the current form. Throws RecordError if the file is missing, damaged or of a later version. */
export const readManifest = (file: string, migrations = recordMigrations): Manifest =>
  readStoredManifest(file, migrations).kept;

/** Throws RecordError for a folder whose name would corrupt printed text. Anybody may have named it. */
function checkFolderName(folder: string): void {
  if (hasActingCharacters(folder))
    throw new RecordError(
      `${quoteActingName(folder)} is not a valid folder name: it holds a line break, a control character or a character that changes the direction of text. Rename the folder.`,
    );
}

interface StoredManifest {
  /** The manifest in the current form. */
  kept: Manifest;
  /** The manifest as stored in the file. */
  stored: unknown;
  /** Whether an earlier version of the program wrote the manifest. */
  isEarlier: boolean;
}

function readStoredManifest(file: string, migrations: typeof recordMigrations): StoredManifest {
  const disk = getDisk();
  checkFolderName(path.dirname(file));
  checkNoLink(file);
  if (!disk.exists(file)) {
    const rest = [recordFiles.events, recordFiles.answers].find((name) =>
      disk.exists(path.join(path.dirname(file), name)),
    );
    const cure =
      rest === undefined ? ': this is not the folder of a match.' : ` beside ${rest}. Restore it from a copy.`;
    throw new RecordError(`${file} is missing${cure}`);
  }
  const text = readDocument(file);
  const stored = parseJson(text);
  if (stored === undefined)
    throw new RecordError(`${file} is damaged: it is not JSON. Restore it from a copy, or move the folder away.`);
  const kept = checkManifest(stored, migrations);
  if (typeof kept === 'string') throw new RecordError(`${file} ${kept}`);
  return { kept, stored, isEarlier: isEarlierVersion(stored) };
}

/** A record as stored in its folder. */
export interface StoredRecord {
  manifest: Manifest;
  answers: AnswerLine[];
  events: GameEvent[];
  /** Whether the match was played to its end. */
  isFinished: boolean;
  /** Seal of the record. Null while the match is being played, and in records of schema 1. */
  seal: Seal | null;
  /** Schema version of the record, as stored in the manifest's file. */
  schema: number;
}

interface ReadOptions {
  migrations?: typeof recordMigrations;
  /**
   * Whether a finished match may lack its seal, which happens if its process was killed before it wrote the summary.
   */
  canLackSeal?: boolean;
  /** Whether to compare the prompts and other files with the seal too. */
  isThorough?: boolean;
}

/**
 * Reads a record of any version in the current form. Throws RecordError if the record is of a later version or damaged.
 * It is damaged if a line differs from what was written, if anything was changed after sealing, or if a finished match
 * has no answers or, from schema 2 on, no seal.
 *
 * @example const { manifest, events, isFinished } = readRecord('runs/classic-8-7-1a2b3c4d');
 */
export function readRecord(folder: string, options: ReadOptions = {}): StoredRecord {
  const { record, faults } = checkRecord(folder, options);
  if (faults[0] !== undefined) throw new RecordError(`${faults[0]}.`);
  return record;
}

/** Reads a record like `readRecord`. Also returns warnings, and all faults that do not make the record unreadable. */
export function checkRecord(
  folder: string,
  { migrations = recordMigrations, canLackSeal = false, isThorough = false }: ReadOptions = {},
): { record: StoredRecord; faults: string[]; notes: string[] } {
  const getFile = (name: keyof typeof recordFiles) => path.join(folder, recordFiles[name]);
  const isHeld = !canLackSeal && isLocked(getFile('lock')); // checked before reading: the holder may seal and release the record meanwhile
  const { kept: manifest, stored } = readStoredManifest(getFile('manifest'), migrations);
  checkNotRedacted(folder, manifest);
  const { schema_version: schema } = stored as { schema_version: number };
  const start = createRecordChains(manifest);
  const answers = readAnswers(getFile('answers'), start.answers, migrations);
  const events = readChained(getFile('events'), start.events, GameEvent, (line) => migrateEvent(line, migrations));
  if (events.fault) throw events.fault;
  const isOver = events.rows.at(-1)?.type === 'ended';
  const sealed = readSeal(folder);
  // The summary and seal are still being written.
  const isFinished = isOver && !(isHeld && !sealed && mustBeSealed(schema));
  const faults: string[] = [];
  const isThere = getDisk().exists(getFile('answers'));
  if (isOver && answers.rows.length === 0 && !manifest.imported)
    faults.push(
      `${getFile('answers')} is ${isThere ? 'empty' : 'missing'}, although the match was played to its end. Restore it from a copy, or move the folder away`,
    );
  if (!mustBeSealed(schema)) {
    if (answers.isLinked || events.isLinked || sealed)
      faults.push(
        `${getFile('manifest')} has schema version 1, but the other files have a later one. Restore it from a copy`,
      );
  } else if (sealed) {
    const chains = { answers: answers.chain, events: events.chain };
    const broken = findBrokenSeals(folder, sealed, { manifest: stored, chains }, isThorough);
    faults.push(...broken.map((fault) => `${fault}. Restore the record from a copy`));
  } else if (isFinished && !canLackSeal)
    faults.push(
      `${getFile('summary')} ${getDisk().exists(getFile('summary')) ? 'has no readable seal' : 'is missing, and with it the seal'}, although the match was played to its end. Restore it from a copy, or run the match's command again, which rewrites it from the answers`,
    );
  const stranger = findStranger(manifest, answers.rows, events.rows);
  if (stranger !== null) faults.push(describeStranger(folder, stranger));
  const notes = answers.strays.length > 0 ? [describeStrays(getFile('answers'), answers.strays)] : [];
  const rows = { answers: answers.rows, events: events.rows };
  return { record: { manifest, ...rows, isFinished, seal: sealed?.seal ?? null, schema }, faults, notes };
}

/**
 * Writes the record of a match that was played elsewhere into a new folder, and seals it. `files`: further files, name
 * → contents. Throws RecordError if it cannot be written.
 */
export function writeFinishedRecord(
  folder: string,
  {
    manifest,
    answers,
    events,
  }: Pick<StoredRecord, 'manifest'> & { [Name in 'answers' | 'events']: readonly StoredRecord[Name][number][] },
  files: Readonly<Record<string, string>>,
  summary: object,
): void {
  const getFile = (name: keyof typeof recordFiles) => path.join(folder, recordFiles[name]);
  getDisk().makeFolder(folder);
  const start = createRecordChains(manifest);
  const lines = [
    openNdjson(getFile('answers'), 'new', AnswerLine, { chain: start.answers, epoch: 1 }),
    openNdjson(getFile('events'), 'new', GameEvent, { chain: start.events }),
  ] as const;
  try {
    lines[0].append(answers);
    lines[1].append(events);
  } finally {
    doAll(
      ...lines.map(
        ({ close }) =>
          () =>
            close(),
      ),
    );
  }
  for (const [name, text] of Object.entries(files)) writeWhole(path.join(folder, name), text);
  writeManifest(getFile('manifest'), manifest);
  const chains = { answers: lines[0].getChain()!, events: lines[1].getChain()! };
  writeWhole(getFile('summary'), formatJson(sealSummary(summary, createSeal(folder, copyAsJson(manifest), chains))));
}

/**
 * Writes a match that was begun elsewhere into an empty folder, with its first answers, so that it can be resumed
 * there. Throws a RecordError if it cannot be written.
 *
 * @example writeBegunRecord(draft.folder, manifest, answers);
 */
export function writeBegunRecord(folder: string, manifest: Manifest, answers: readonly AnswerLine[]): void {
  const chain = createRecordChains(manifest).answers;
  const lines = openNdjson(path.join(folder, recordFiles.answers), 'new', AnswerLine, { chain, epoch: 1 });
  try {
    lines.append(answers);
    lines.sync();
  } finally {
    lines.close();
  }
  writeManifest(path.join(folder, recordFiles.manifest), manifest);
}

const describeStranger = (place: string, stranger: string) =>
  `${place} names ${stranger}, who is not a player of the match. Restore it from a copy`;

/** Finds a name in answers or events that no player has; null if there is none. */
function findStranger(
  { setup }: Manifest,
  answers: readonly AnswerLine[],
  events: readonly GameEvent[],
): string | null {
  const names = new Set(setup.players.map(({ name }) => name));
  const isStrange = (name: unknown) => typeof name === 'string' && !names.has(name);
  const named = events.flatMap((event) => {
    const { by, player, target, about } = event as Partial<Record<'by' | 'player' | 'target' | 'about', unknown>>;
    return [by, player, target, about].filter(isStrange);
  });
  const found = [...answers.map(({ player }) => player).filter(isStrange), ...named][0];
  return found === undefined ? null : JSON.stringify(found);
}

/**
 * Rewrites the summary of a finished match. `seal`: the record's seal, in which only the summary's hash is renewed;
 * null for a record without a seal. Returns the file.
 */
export function replaceSummary(folder: string, summary: object, seal: Seal | null): string {
  const file = path.join(folder, recordFiles.summary);
  writeWhole(file, formatJson(seal ? sealSummary(summary, seal) : summary));
  return file;
}

/** Runs every step, even after a step has failed, and then throws the first error. */
function doAll(...steps: readonly (() => unknown)[]) {
  const failures = steps.flatMap((step) => {
    try {
      step();
      return [];
    } catch (error) {
      return [error as Error];
    }
  });
  if (failures[0]) throw failures[0];
}

/**
 * Writes a file atomically: after a crash, either the old file or the new one exists; after this function returns, the
 * new one does.
 */
export function writeWhole(file: string, contents: string | Buffer) {
  const disk = getDisk();
  const draft = `${file}.new`;
  try {
    if (isForeignLink(draft) || disk.find(draft)?.kind === 'other') disk.remove(draft);
    disk.write(draft, contents, true);
    disk.rename(draft, file);
    disk.syncFolder(path.dirname(file));
  } catch (error) {
    disk.remove(draft); // half a file would only waste space
    throw createWriteError(file, error);
  }
}

/**
 * Throws a RecordError for a match whose words were removed, because it can no longer be played, replayed or reported.
 */
export function checkNotRedacted(folder: string, { redacted }: Pick<Manifest, 'redacted'>): void {
  if (!redacted) return;
  throw new RecordError(
    `${folder} is redacted (${redacted.people.join(', ')}): its words were removed, so it can be neither resumed nor replayed nor reported. ${formatCommand('verify')} checks what is left.`,
  );
}

/** Throws RecordError for an imported match: another program called the models, so it can be read but not played. */
export function checkPlayable({ id, imported }: Pick<Manifest, 'id' | 'imported'>): void {
  if (!imported) return;
  throw new RecordError(
    `Match ${id} was imported (${imported.format}, ${imported.source}): another program played it and called the models with its own prompts, so it can be neither resumed nor replayed. ${formatCommand('show')} and ${formatCommand('report')} read it.`,
  );
}
