// Finds everything in a study that contains the words of a person: records, and files and folders made from records.
import path from 'node:path';
import { PoolEntry, getEntryId } from '../../deception/experience/pool-entry.ts';
import { studyFileName } from '../../deception/design/study-plan.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { UnusableFile } from '../../models/machine/disk.ts';
import { unpackGzip } from '../../models/machine/unpack.ts';
import { findRedactionFaults } from '../../models/record/redact-record.ts';
import { readManifest } from '../../models/record/recorder.ts';
import { dropPersonOptions, isPersonSpec } from '../../state/model-identity.ts';
import { type Manifest, recordFiles } from '../../state/record.ts';
import { compareText } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import { findRecords } from '../command/match-folder.ts';
import { PersonWords, readLinesIfSound } from './person-words.ts';

/** A record to redact, with the reason. */
export interface RecordTrace {
  folder: string;
  why: string;
  /** Whether the record is redacted already. */
  isDone: boolean;
}

/** A file to remove, or a folder without records to remove, with the reason. */
export interface FileTrace {
  path: string;
  why: string;
}

export interface Traces {
  /** Name of the person in records, e.g. `human:alice`. */
  person: string;
  records: RecordTrace[];
  files: FileTrace[];
  /** Files that cannot be searched. */
  unread: string[];
}

interface KnownRecord {
  folder: string;
  manifest: Manifest;
}

/** Size limit in bytes of a searched file, both packed and unpacked. */
const mostSearched = 2 ** 28;

/**
 * Finds the records and files of a study that hold words of a person. `person`: the name with or without `human:`.
 * Throws a UsageError for a person that no record names, and a RecordError for a record whose manifest cannot be read.
 *
 * @example findTraces('runs/session', 'p01').records.map(({ folder }) => folder)
 */
export function findTraces(study: string, person: string): Traces {
  const spec = isPersonSpec(person) ? person : `human:${person}`;
  const known = [...new Set(findRecords([study]))].map((folder): KnownRecord => {
    return { folder, manifest: readManifest(path.join(folder, recordFiles.manifest)) };
  });
  checkPerson(known, spec, study);
  const words = new PersonWords();
  const why = new Map<KnownRecord, string>();
  for (const one of known) {
    const seats = listSeats(one.manifest, spec);
    if (seats.length > 0) words.addRecord(one.folder, seats);
    if (seats.length > 0) why.set(one, `${spec} played in it`);
    else if (one.manifest.redacted?.people.includes(spec)) why.set(one, 'redacted for the same person before');
  }
  const root = new StudyFiles(study, new Set(known.map(({ folder }) => path.resolve(folder))));
  // A person's words spread from a match to its forks and pools, and from a pool to the matches that use it. The loop
  // ends when it finds no further record.
  for (let before = -1; before !== why.size;) {
    before = why.size;
    const matches = new Set([...why.keys()].map(({ manifest }) => manifest.id));
    const entries = root.listEntries(matches);
    for (const one of known.filter((record) => !why.has(record))) {
      const found = findReason(one, { matches, entries, words });
      if (found !== null) why.set(one, found);
    }
  }
  const matches = [...why.keys()].map(({ manifest }) => manifest.id);
  return {
    person: spec,
    records: [...why].map(([one, reason]) => ({
      ...{ folder: one.folder, why: reason },
      isDone: isRedactedFor(one, spec),
    })),
    ...root.search({ names: [...matches, spec], words }),
  };
}

const listSeats = ({ setup }: Manifest, spec: string): string[] =>
  Object.entries(setup.models).flatMap(([player, model]) => (isOfPerson(model, spec) ? [player] : []));

/**
 * Whether a model string names the person. The string may also contain options, such as the time limit for an answer.
 */
const isOfPerson = (model: string, spec: string) => model === spec || model.startsWith(`${spec}?`);

function checkPerson(known: readonly KnownRecord[], spec: string, study: string): void {
  const specs = known.flatMap(({ manifest }) => Object.values(manifest.setup.models).filter(isPersonSpec));
  if (specs.some((one) => isOfPerson(one, spec))) return;
  const names = [...new Set(specs.map((one) => dropPersonOptions(one).slice('human:'.length)))].sort(compareText);
  throw new UsageError(
    `No match in ${study} was played by ${spec}. ${names.length === 0 ? 'No person played in any of them.' : `People who played: ${names.join(', ')}.`}`,
  );
}

const isRedactedFor = ({ folder, manifest }: KnownRecord, spec: string) =>
  manifest.redacted?.people.includes(spec) === true && findRedactionFaults(folder).length === 0;

/** Returns why a record in which the person did not play may contain the person's words. Null if it does not. */
function findReason(
  { folder, manifest }: KnownRecord,
  { matches, entries, words }: { matches: ReadonlySet<string>; entries: ReadonlySet<string>; words: PersonWords },
): string | null {
  if (manifest.fork_of && matches.has(manifest.fork_of.match)) return `fork of ${manifest.fork_of.match}`;
  for (const line of readLinesIfSound(path.join(folder, recordFiles.answers))) {
    const { remembered } = line as { remembered?: unknown };
    for (const entry of Array.isArray(remembered) ? (remembered as { id?: unknown; text?: unknown }[]) : [])
      if ((typeof entry.id === 'string' && entries.has(entry.id)) || words.isIn(String(entry.text)))
        return 'its players remembered a match with words of that person';
  }
  return null;
}

/** Names and words to search for in files. */
interface Wanted {
  /** Ids of the person's matches, and the name of the person. */
  names: readonly string[];
  words: PersonWords;
}

/**
 * Files of a study outside its records. The files of a folder without records count as one unit, because they were made
 * together.
 */
class StudyFiles {
  readonly #study: string;
  readonly #records: ReadonlySet<string>;
  /** Path of a unit → files in the unit. */
  readonly #units = new Map<string, string[]>();

  constructor(study: string, records: ReadonlySet<string>) {
    this.#study = study;
    this.#records = records;
    if (!records.has(path.resolve(study))) this.#gather(study);
  }

  #gather(folder: string): void {
    for (const { name, kind, isLink } of getDisk().list(folder)) {
      const place = path.join(folder, name);
      if (this.#records.has(path.resolve(place))) continue;
      if (kind !== 'folder' || isLink) this.#units.set(place, [place]);
      else if (this.#hasRecords(place)) this.#gather(place);
      else this.#units.set(place, listFiles(place));
    }
  }

  #hasRecords(folder: string): boolean {
    const start = path.resolve(folder) + path.sep;
    return [...this.#records].some((record) => record.startsWith(start));
  }

  /** Returns the ids of all entries in pools that were made from these matches. */
  listEntries(matches: ReadonlySet<string>): Set<string> {
    const lines = [...this.#units.values()]
      .flat()
      .filter((file) => file.endsWith('.ndjson'))
      .flatMap(readLinesIfSound);
    return new Set(
      lines.flatMap((line) => {
        const { success, data } = PoolEntry.safeParse(line);
        return success && matches.has(data.match) ? [getEntryId(data)] : [];
      }),
    );
  }

  /** Whether a file only lists who plays and contains nothing that was said. */
  #isPlan(file: string): boolean {
    const isStudyFile = path.resolve(file) === path.resolve(this.#study, studyFileName);
    return isStudyFile || /\.ya?ml$/.test(file);
  }

  search(wanted: Wanted): Pick<Traces, 'files' | 'unread'> {
    const files: FileTrace[] = [];
    const unread: string[] = [];
    for (const [unit, own] of this.#units) {
      let why: string | null = null;
      const closed: string[] = [];
      for (const file of own) {
        const text = readWhateverText(file);
        if (text === null) closed.push(file);
        else why ??= findInText(text, this.#isPlan(file) ? { words: wanted.words, names: [] } : wanted);
      }
      if (why === null) unread.push(...closed);
      else files.push({ path: unit, why: own.length === 1 && own[0] === unit ? why : `a file in it ${why}` });
    }
    return { files, unread };
  }
}

function listFiles(folder: string): string[] {
  return getDisk()
    .list(folder)
    .flatMap(({ name, kind, isLink }) =>
      kind === 'folder' && !isLink ? listFiles(path.join(folder, name)) : [path.join(folder, name)],
    );
}

/** Returns the text of a file, unpacked if necessary. Null if the file is a link, is not text or cannot be read. */
function readWhateverText(file: string): string | null {
  try {
    if (getDisk().isForeignLink(file)) return null;
    const bytes = getDisk().read(file, mostSearched);
    const text = bytes[0] === 0x1f && bytes[1] === 0x8b ? unpackGzip(bytes, mostSearched) : bytes;
    return text.includes(0) ? null : text.toString('utf8');
  } catch (error) {
    if (error instanceof UnusableFile || error instanceof RangeError) return null;
    if (typeof (error as NodeJS.ErrnoException).code === 'string') return null;
    throw error;
  }
}

/** Returns the first wanted name or word that a text contains; null if it contains none. */
function findInText(text: string, { names, words }: Wanted): string | null {
  if (words.isIn(text)) return 'repeats their words';
  const name = names.find((one) => isNamed(text, one));
  return name === undefined ? null : `names ${name}`;
}

/**
 * Whether a text contains a name as a whole word and not as part of a longer name. The id of a match may be an ordinary
 * word, e.g. `session`. Such a word counts as the id only where programs write ids: in a table cell, a quoted text or a
 * part of a path.
 */
function isNamed(text: string, name: string): boolean {
  const isWord = /^\p{L}+$/u.test(name);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(at + name.length, at + name.length + 2)];
    if (isWord ? beginning.test(before) && ending.test(after) : !/[\w-]$/.test(before) && !/^[\w-]/.test(after))
      return true;
  }
  return false;
}

/** Characters before and after an id in JSON, CSV, HTML, Markdown tables, code and paths. */
const beginning = /(?:^|[\n",;/\\>`\t]|\| )$/;
const ending = /^(?:$|[\r\n",;/\\<`\t]| \||\.\w)/;
