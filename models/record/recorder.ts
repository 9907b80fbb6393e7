// The recorder writes the folder of a match as it is played, so that no answer that was paid for is lost, and reads it.
// One file, since reading and writing are two sides of the same lines, chains and seal.
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
  readTextOrExplain,
} from './ndjson.ts';
import { openPromptLog } from './prompt-log.ts';
import { createRecordChains, createSeal, findBrokenSeals, readSeal, sealSummary } from './seal.ts';

/** Keeps a match while it is played; the model client's answer store. Writing throws RecordError where the disk fails. */
export interface Recorder {
  manifest: Manifest;
  /** All answers so far, in the order in which they came; of those of this run the provider's reasoning is on the disk alone. */
  answers: readonly AnswerLine[];
  /** All events so far, in the order of the record. */
  events: readonly GameEvent[];
  /** Recorded answers that have not been asked for. */
  unasked(): AnswerLine[];
  /** An answer that was in the record when it was opened; no question is asked twice in a match. */
  get(key: CallKey): AnswerLine | undefined;
  put(line: AnswerLine): void;
  /** That of the match, whichever version it goes on with: its answers stay comparable. */
  getReading(): Reading;
  logPrompt(key: CallKey, messages: readonly PromptMessage[]): void;
  /** Appends events. */
  happened(events: readonly GameEvent[]): void;
  /** Writes the prompts and the summary of a finished match, sealed. */
  finish(summary: object): Promise<void>;
  /** In a hurry, as after a signal, it does not wait until the disk has everything: the system has it. */
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
        `${file}, line ${places?.[index]!.number ?? index + 1} is damaged: ${formatCallKey(line)} stands in it twice. Restore the file from a copy.`,
      );
    byKey.set(formatCallKey(line), line);
  }
  return byKey;
}

/**
 * Keeps a match in memory alone, e.g. to replay `recorded` answers. Throws RecordError, which names `source`, for an
 * answer that is there twice.
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
 * Opens the folder of a match to play it or to go on with it. A record of an earlier version is given today's version
 * with the first new answer. Throws RecordError, and changes nothing, where the folder holds a record that is damaged, of
 * a later version or of another set-up, or that another process is playing, and UsageError where nothing gives the address
 * of a model any more.
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
    const start = createRecordChains(kept.id);
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
    disk.syncFolder(folder); // or a power cut could take files whose lines are on the disk
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
        for (const file of [answers, events]) file.sync(); // before the seal says what they are
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

/** Nothing that is computed needs it, and it can be the longest part of an answer. */
const dropReasoning = ({ provider_reasoning: reasoning, ...line }: AnswerLine): AnswerLine =>
  reasoning === undefined ? line : { ...line, provider_reasoning: '' };

const describeStrays = (file: string, lines: readonly number[]) =>
  `${file}: left out ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}, which a process wrote after another had taken the match over.`;

/** Warns once the answers of a match take half of what they may. Throws RecordError at the limit. */
function watchSize(file: string, warn: (message: string) => void): (bytes: number) => void {
  const format = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;
  let size = getDisk().find(file)?.size ?? 0;
  let isTold = false;
  const check = (bytes: number) => {
    size += bytes;
    const says = `${file} takes ${format(size)}`;
    if (size >= recordLimits.answers)
      throw new RecordError(
        `${says}, and the answers of a match may take ${format(recordLimits.answers)}: it cannot be gone on with. Its models answer at too great length: give them fewer tokens (?maxTokens=… in the model string), or a board with fewer questions.`,
      );
    if (isTold || size < recordLimits.answers / 2) return;
    isTold = true;
    warn(`${says} of the ${format(recordLimits.answers)} that the answers of a match may take, at which it stops.`);
  };
  check(0);
  return check;
}

/**
 * The file of events. A match that is resumed is played again from its beginning, so its events are written to a draft
 * that replaces the old file only once the match has gone further than its record (`settle`).
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
      ), // it may be the next one's
  };
}

/**
 * The manifest on disk, or `manifest`, which is written, where there is none. Throws RecordError where the set-ups
 * differ; warns where the versions do.
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
  const differences = listDifferingKeys(kept.setup, manifest.setup);
  if (differences.length > 0)
    throw new RecordError(
      `${file} is of another set-up: it differs in ${differences.join(', ')}. Choose another --id, or leave out what differs to go on with this match.`,
    );
  const changedPlan = describeChangedPlan(file, kept, manifest);
  if (changedPlan !== null) throw new RecordError(changedPlan);
  const lostAddress = describeLostAddress(file, kept, manifest);
  if (lostAddress !== null) throw new UsageError(lostAddress);
  const changed = listDifferingKeys(kept.made_by, manifest.made_by).filter(
    (key) => !['created_at', 'model_strings', 'addresses', 'prices'].includes(key),
  );
  if (changed.length > 0) warn(`This match was begun with other versions: ${changed.join(', ')} differ from ${file}.`);
  warnOfMoves(kept, manifest, file, warn);
  if (manifest.judge !== undefined && !isSameJudge(manifest.judge, kept.judge))
    warn(
      `${file} names ${kept.judge === undefined ? 'no judge' : `the judge ${kept.judge}`}, and stays as it is. For ${manifest.judge}: ${formatCommand('report', 'FOLDER', '--judge', manifest.judge)}`,
    );
  return { kept, stored, isEarlier };
}

/** Whether two names of a judge differ at most in how it is reached. */
export const isSameJudge = (one: string, other: string | undefined): boolean =>
  other !== undefined && identifyModel(one) === identifyModel(other);

/** Warns of each model that is asked at another address than the match was begun at: another model may answer there. */
function warnOfMoves(kept: Manifest, manifest: Manifest, file: string, warn: (message: string) => void): void {
  for (const { model, before, after } of listMovedModels(kept, manifest, file))
    warn(
      `${getModelLabel(model)} was asked at ${before} when this match was begun, and is asked at ${after} now. If another model answers there, the match mixes two: choose another --id.`,
    );
}

/** The models of `kept`, the manifest in `file`, that `now` asks at another address. */
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
 * The addresses at which the models of a manifest, the one in `file`, were asked, of those that were asked elsewhere than at
 * their provider's: identity → address. They are told and compared, and never called.
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
 * Why a match cannot go on: one of its models was asked at an address of its own, and nothing gives an address now, so that
 * its vendor would be asked in its place. Null where it can. `now`: the manifest as planned.
 */
export function describeLostAddress(file: string, kept: Manifest, now: Manifest): string | null {
  const { model_strings: texts = {} } = now.made_by;
  const lost = listMovedModels(kept, now, file).find(
    ({ model, after }) => after === ownServer && findModelAddress(texts[model] ?? model) === undefined,
  );
  return lost === undefined
    ? null
    : `${file}: ${getModelLabel(lost.model)} was asked at ${lost.before} when this match was begun, and nothing gives its address now: another server would be asked. Give the address with the model, e.g. ${quoteForShell(`${lost.model}${lost.model.includes('?') ? '&' : '?'}baseUrl=${lost.before}`)} if that server is yours, or in a models file (--models FILE).`;
}

/** Where a model was asked; of an older record, which says only what was typed, by its first answer. Null where nobody knows. */
function findAddressBefore({ made_by: madeBy }: Manifest, model: string, file: string): string | null {
  const { addresses, model_strings: texts = {} } = madeBy;
  if (addresses !== undefined) return addresses[model] ?? ownServer;
  const named = findModelAddress(texts[model] ?? model);
  if (named !== undefined) return named;
  const answers = path.join(path.dirname(file), recordFiles.answers);
  const first = readFirstAnswer(answers, model);
  return first === null ? null : (first.address ?? ownServer);
}

/** The first answer of a model; null where there is none that can be read: what is wrong is said where the record is read. */
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
 * Why a match cannot go on under the analysis plan that is `wanted` now, and what to do; null where it is the one that it was
 * begun under.
 */
export function describeChangedPlan(
  file: string,
  { plan_sha256: kept }: Pick<Manifest, 'plan_sha256'>,
  { plan_sha256: wanted }: Pick<Manifest, 'plan_sha256'>,
): string | null {
  if (kept === wanted) return null;
  if (kept === undefined)
    return `${file}: this match was begun without a plan, and a plan counts only if it is there before the first call. Leave out --plan to go on, or choose another --out for matches under it.`;
  if (wanted === undefined)
    return `${file}: this match was begun under a plan (SHA-256 ${kept}). Name its file with --plan to go on, or choose another --out.`;
  return `${file}: this match was begun under another plan, SHA-256 ${kept}, and the one named now has ${wanted}. A plan cannot be changed once matches are begun: restore its file, or choose another --out.`;
}

const formatJson = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** Throws RecordError for a manifest that could not be read again. */
function writeManifest(file: string, manifest: Manifest) {
  const text = formatJson(manifest);
  const read = checkManifest(JSON.parse(text));
  if (typeof read === 'string') throw new RecordError(`${file} is not written, since it ${read}`);
  writeWhole(file, text);
}

/** The keys in which `one`, read from a file, differs from `other` as it would be written. */
export const listDifferingKeys = <Part extends object>(one: Part, other: Part) =>
  Object.keys({ ...one, ...other }).filter(
    (key) => !isDeepStrictEqual(one[key as keyof Part], copyAsJson(other)[key as keyof Part]),
  );

/** The value as it would be read from a file. */
const copyAsJson = <Value>(value: Value) => JSON.parse(JSON.stringify(value)) as Value;

/** Reads a manifest, in today's form. Throws RecordError where the file is missing, damaged or of a later version. */
export const readManifest = (file: string, migrations = recordMigrations): Manifest =>
  readStoredManifest(file, migrations).kept;

/** Throws RecordError for a folder whose name would break what is printed of it: it may come from anybody. */
function checkFolderName(folder: string): void {
  if (hasActingCharacters(folder))
    throw new RecordError(
      `${quoteActingName(folder)} is not a valid folder name: it holds a line break, a control character or a character that changes the direction of text. Rename the folder.`,
    );
}

interface StoredManifest {
  /** In today's form. */
  kept: Manifest;
  /** As it stands in the file. */
  stored: unknown;
  /** Whether an earlier version wrote it. */
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
    const cure = rest === undefined ? ': this is no folder of a match.' : ` beside ${rest}. Restore it from a copy.`;
    throw new RecordError(`${file} is missing${cure}`);
  }
  const text = readTextOrExplain(file);
  const stored = parseJson(text);
  if (stored === undefined)
    throw new RecordError(`${file} is damaged: it is not JSON. Restore it from a copy, or move the folder away.`);
  const kept = checkManifest(stored, migrations);
  if (typeof kept === 'string') throw new RecordError(`${file} ${kept}`);
  return { kept, stored, isEarlier: isEarlierVersion(stored) };
}

/** A record as it stands in its folder. */
export interface StoredRecord {
  manifest: Manifest;
  answers: AnswerLine[];
  events: GameEvent[];
  /** Whether the match was played to its end. */
  isFinished: boolean;
  /** Null where the match is under way, and for records of schema 1. */
  seal: Seal | null;
  /** The version of its schema, as it stands in its file. */
  schema: number;
}

interface ReadOptions {
  migrations?: typeof recordMigrations;
  /** Whether a finished match may lack its seal, as where its process was killed before it could write the summary. */
  canLackSeal?: boolean;
  /** Whether the prompts and other files are compared with the seal too. */
  isThorough?: boolean;
}

/**
 * Reads a record in today's form, whatever version wrote it. Throws RecordError for a record of a later version and for
 * one that is damaged: a line that is not the one that was written, a finished match without answers or, from schema 2 on,
 * without its seal, and anything that was changed after it was sealed.
 *
 * @example const { manifest, events, isFinished } = readRecord('runs/classic-8-7-1a2b3c4d');
 */
export function readRecord(folder: string, options: ReadOptions = {}): StoredRecord {
  const { record, faults } = checkRecord(folder, options);
  if (faults[0] !== undefined) throw new RecordError(`${faults[0]}.`);
  return record;
}

/** As `readRecord`, with all that is wrong with the record beyond what makes it unreadable, and what should be told. */
export function checkRecord(
  folder: string,
  { migrations = recordMigrations, canLackSeal = false, isThorough = false }: ReadOptions = {},
): { record: StoredRecord; faults: string[]; notes: string[] } {
  const getFile = (name: keyof typeof recordFiles) => path.join(folder, recordFiles[name]);
  const isHeld = !canLackSeal && isLocked(getFile('lock')); // before all else: who holds it may seal the record and leave meanwhile
  const { kept: manifest, stored } = readStoredManifest(getFile('manifest'), migrations);
  const { schema_version: schema } = stored as { schema_version: number };
  const start = createRecordChains(manifest.id);
  const answers = readAnswers(getFile('answers'), start.answers, migrations);
  const events = readChained(getFile('events'), start.events, GameEvent, (line) => migrateEvent(line, migrations));
  if (events.fault) throw events.fault;
  const isOver = events.rows.at(-1)?.type === 'ended';
  const sealed = readSeal(folder);
  // Its summary and seal are still being written.
  const isFinished = isOver && !(isHeld && !sealed && mustBeSealed(schema));
  const faults: string[] = [];
  const isThere = getDisk().exists(getFile('answers'));
  if (isOver && answers.rows.length === 0 && !manifest.imported)
    faults.push(
      `${getFile('answers')} is ${isThere ? 'empty' : 'missing'}, though the match was played to its end. Restore it from a copy, or move the folder away`,
    );
  if (!mustBeSealed(schema)) {
    if (answers.isLinked || events.isLinked || sealed)
      faults.push(
        `${getFile('manifest')} is of schema version 1, and what stands beside it of a later one. Restore it from a copy`,
      );
  } else if (sealed) {
    const chains = { answers: answers.chain, events: events.chain };
    const broken = findBrokenSeals(folder, sealed, { manifest: stored, chains }, isThorough);
    faults.push(...broken.map((fault) => `${fault}. Restore the record from a copy`));
  } else if (isFinished && !canLackSeal)
    faults.push(
      `${getFile('summary')} ${getDisk().exists(getFile('summary')) ? 'has no seal that can be read' : 'is missing, and with it the seal'}, though the match was played to its end. Restore it from a copy, or give the command of the match again, which writes it from the answers`,
    );
  const stranger = findStranger(manifest, answers.rows, events.rows);
  if (stranger !== null) faults.push(describeStranger(folder, stranger));
  const notes = answers.strays.length > 0 ? [describeStrays(getFile('answers'), answers.strays)] : [];
  const rows = { answers: answers.rows, events: events.rows };
  return { record: { manifest, ...rows, isFinished, seal: sealed?.seal ?? null, schema }, faults, notes };
}

/**
 * Writes the record of a match that was played elsewhere into a new folder, and seals it; `files`: further files, name →
 * contents. Throws RecordError where it cannot be written.
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
  const start = createRecordChains(manifest.id);
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

const describeStranger = (place: string, stranger: string) =>
  `${place} names ${stranger}, who is not at the table. Restore it from a copy`;

/** A name in answers or events that no player has; null where there is none. */
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

/** Writes the summary of a finished match anew, under the seal that its record has; returns its file. */
export function replaceSummary(folder: string, summary: object, seal: Seal | null): string {
  const file = path.join(folder, recordFiles.summary);
  writeWhole(file, formatJson(seal ? sealSummary(summary, seal) : summary));
  return file;
}

/** Runs every step, even if one before has failed; then throws the first error. */
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

/** Writes a file atomically: after a crash there is the old file or the new one, and the new one once it returns. */
export function writeWhole(file: string, contents: string | Buffer) {
  const disk = getDisk();
  const draft = `${file}.new`;
  try {
    if (isForeignLink(draft) || disk.find(draft)?.kind === 'other') disk.remove(draft);
    disk.write(draft, contents, true);
    disk.rename(draft, file);
    disk.syncFolder(path.dirname(file));
  } catch (error) {
    disk.remove(draft); // half a file would only fill the disk
    throw createWriteError(file, error);
  }
}

/** Throws RecordError for an imported match: another program asked the models, so it can be read but not played. */
export function checkPlayable({ id, imported }: Pick<Manifest, 'id' | 'imported'>): void {
  if (!imported) return;
  throw new RecordError(
    `Match ${id} was imported (${imported.format}, ${imported.source}): another program played it and asked the models in its own words, so it can be neither played on nor replayed. ${formatCommand('show')} and ${formatCommand('report')} read it.`,
  );
}
