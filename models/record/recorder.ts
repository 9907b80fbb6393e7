// The recorder writes the folder of a match as it is played, so that no answer that was paid for is lost, and reads it.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { GameEvent } from '../../state/events.ts';
import {
  checkManifest,
  isEarlierVersion,
  migrateAnswer,
  migrateEvent,
  recordMigrations,
} from '../../state/record-migrations.ts';
import { AnswerLine, type CallKey, formatCallKey, Manifest, recordFiles } from '../../state/record.ts';
import { quoteForShell } from '../../state/text.ts';
import type { PromptMessage } from '../model.ts';
import { takeLock } from './lock.ts';
import {
  checkNoLink,
  createWriteError,
  isForeignLink,
  openNdjson,
  readNdjson,
  RecordError,
  truncateTornLine,
} from './ndjson.ts';
import { openPromptLog } from './prompt-log.ts';

/** Keeps a match while it is played; the model client's answer store. Writing throws RecordError where the disk fails. */
export interface Recorder {
  manifest: Manifest;
  /** All answers so far, in the order in which they came. */
  answers: readonly AnswerLine[];
  /** All events so far, in the order of the record. */
  events: readonly GameEvent[];
  /** Recorded answers that have not been asked for. */
  unasked(): AnswerLine[];
  /** An answer that was in the record when it was opened; no question is asked twice in a match. */
  get(key: CallKey): AnswerLine | undefined;
  put(line: AnswerLine): void;
  logPrompt(key: CallKey, messages: readonly PromptMessage[]): void;
  /** Appends events. */
  happened(events: readonly GameEvent[]): void;
  /** Writes the prompts, and the further files of a finished match: file name → contents. */
  finish(files: Readonly<Record<string, string>>): Promise<void>;
  close(): void;
}

function indexAnswers(lines: readonly AnswerLine[], file: string): Map<string, AnswerLine> {
  const byKey = new Map<string, AnswerLine>();
  for (const [number, line] of lines.entries()) {
    if (byKey.has(formatCallKey(line)))
      throw new RecordError(
        `${file}, line ${number + 1} is damaged: ${formatCallKey(line)} stands in it twice. Restore the file from a copy.`,
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
    logPrompt: () => undefined,
    happened: (more) => void events.push(...more),
    finish: () => Promise.resolve(),
    close: () => undefined,
  };
}

/**
 * Opens the folder of a match to play it or to go on with it. A record of an earlier version is given today's version
 * with the first new answer. Throws RecordError, and changes nothing, where the folder holds a record that is damaged, of
 * a later version or of another set-up, or that another process is playing.
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
  mkdirSync(folder, { recursive: true });
  const release = takeLock(getFile('lock'));
  try {
    if (!existsSync(getFile('manifest')) && existsSync(getFile('answers')))
      throw new RecordError(
        `${getFile('manifest')} is missing beside ${recordFiles.answers}. Restore it from a copy, or choose another --id.`,
      );
    const { kept, isEarlier } = agreeOnManifest(getFile('manifest'), manifest, warn, migrations);
    const contents = readNdjson(getFile('answers'), AnswerLine, (line) => migrateAnswer(line, migrations));
    const memory = createMemoryRecorder(kept, contents.rows, getFile('answers'));
    if (contents.tornBytes > 0) {
      truncateTornLine(getFile('answers'), contents, statSync(getFile('answers')).size);
      warn(`${getFile('answers')}: the last line was cut off in the middle; it is dropped and its call made again.`);
    }
    const answers = openNdjson(getFile('answers'), 'append');
    const events = openEvents(getFile('events'));
    const prompts = openPromptLog();
    return {
      ...memory,
      put: (line) => {
        if (isEarlier && memory.answers.length === contents.rows.length) writeManifest(getFile('manifest'), kept);
        answers.append([line]);
        memory.put(line);
        events.settle();
      },
      logPrompt: prompts.add,
      happened: (more) => {
        events.append(more);
        memory.happened(more);
      },
      finish: async (files) => {
        events.settle();
        writeWhole(getFile('prompts'), await prompts.finish());
        for (const [name, contents] of Object.entries(files)) writeWhole(path.join(folder, name), contents);
      },
      close: () => doAll(answers.close, events.close, release),
    };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * The file of events. A match that is resumed is played again from its beginning, so its events are written to a draft
 * that replaces the old file only once the match has gone further than its record (`settle`).
 */
function openEvents(file: string) {
  const isResumed = existsSync(file);
  const draft = isResumed ? `${file}.new` : file;
  const events = openNdjson(draft, 'anew');
  let isSettled = !isResumed;
  return {
    append: events.append,
    settle: () => {
      if (!isSettled) renameSync(draft, file);
      isSettled = true;
    },
    close: () => doAll(events.close, () => isSettled || rmSync(draft)),
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
): { kept: Manifest; isEarlier: boolean } {
  if (!existsSync(file)) {
    writeManifest(file, manifest);
    return { kept: manifest, isEarlier: false };
  }
  const { kept, isEarlier } = readStoredManifest(file, migrations);
  const differences = listDifferingKeys(kept.setup, manifest.setup);
  if (differences.length > 0)
    throw new RecordError(
      `${file} is of another set-up: it differs in ${differences.join(', ')}. Choose another --id, or leave out what differs to go on with this match.`,
    );
  const changedPlan = describeChangedPlan(file, kept, manifest);
  if (changedPlan !== null) throw new RecordError(changedPlan);
  const changed = listDifferingKeys(kept.made_by, manifest.made_by).filter((key) => key !== 'created_at');
  if (changed.length > 0) warn(`This match was begun with other versions: ${changed.join(', ')} differ from ${file}.`);
  if (manifest.judge !== undefined && manifest.judge !== kept.judge)
    warn(
      `${file} names ${kept.judge === undefined ? 'no judge' : `the judge ${kept.judge}`}, and stays as it is. For ${manifest.judge}: npm run report -- FOLDER --judge ${quoteForShell(manifest.judge)}`,
    );
  return { kept, isEarlier };
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

const writeManifest = (file: string, manifest: Manifest) => writeWhole(file, `${JSON.stringify(manifest, null, 2)}\n`);

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

function readStoredManifest(file: string, migrations: typeof recordMigrations): { kept: Manifest; isEarlier: boolean } {
  checkNoLink(file);
  if (!existsSync(file)) {
    const rest = [recordFiles.events, recordFiles.answers].find((name) =>
      existsSync(path.join(path.dirname(file), name)),
    );
    const cure = rest === undefined ? ': this is no folder of a match.' : ` beside ${rest}. Restore it from a copy.`;
    throw new RecordError(`${file} is missing${cure}`);
  }
  let stored: unknown;
  try {
    stored = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new RecordError(`${file} is damaged: it is not JSON. Restore it from a copy, or move the folder away.`);
  }
  const kept = checkManifest(stored, migrations);
  if (typeof kept === 'string') throw new RecordError(`${file} ${kept}`);
  return { kept, isEarlier: isEarlierVersion(stored) };
}

/**
 * Reads a record in today's form, whatever version wrote it. `isFinished`: whether the match was played to its end.
 * Throws RecordError for a record of a later version and for a damaged one, also for a finished match without answers:
 * which of them failed would not be known.
 *
 * @example const { manifest, events, isFinished } = readRecord('runs/classic-8-1-0f3a');
 */
export function readRecord(folder: string, migrations = recordMigrations) {
  const getFile = (name: keyof typeof recordFiles) => path.join(folder, recordFiles[name]);
  const manifest = readManifest(getFile('manifest'), migrations);
  const answers = readNdjson(getFile('answers'), AnswerLine, (line) => migrateAnswer(line, migrations)).rows;
  indexAnswers(answers, getFile('answers'));
  const events = readNdjson(getFile('events'), GameEvent, (line) => migrateEvent(line, migrations)).rows;
  const isFinished = events.at(-1)?.type === 'ended';
  if (isFinished && answers.length === 0 && !manifest.imported)
    throw new RecordError(
      `${getFile('answers')} is ${existsSync(getFile('answers')) ? 'empty' : 'missing'}, though the match was played to its end. Restore it from a copy, or move the folder away.`,
    );
  return { manifest, answers, events, isFinished };
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

/** Writes a file atomically: after a crash there is the old file or the new one. */
function writeWhole(file: string, contents: string | Buffer) {
  const draft = `${file}.new`;
  try {
    if (isForeignLink(draft)) rmSync(draft);
    writeFileSync(draft, contents, { flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true }); // half a file would only fill the disk
    throw createWriteError(file, error);
  }
}

/** Throws RecordError for an imported match: another program asked the models, so it can be read but not played. */
export function checkPlayable({ id, imported }: Pick<Manifest, 'id' | 'imported'>): void {
  if (!imported) return;
  throw new RecordError(
    `Match ${id} was imported (${imported.format}, ${imported.source}): another program played it and asked the models in its own words, so it can be neither played on nor replayed. npm run show and npm run report read it.`,
  );
}
