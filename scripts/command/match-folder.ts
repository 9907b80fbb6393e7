// Finds the folders of matches named on the command line.
import path from 'node:path';
import { getDisk } from '../../models/machine/machine.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { readDocument } from '../../models/record/read-document.ts';
import { pluralize, sanitizeText } from '../../report/format.ts';
import { formatCommand } from '../../state/command-name.ts';
import { recordFiles } from '../../state/record.ts';
import { parseJson, quoteActingName } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import { type CommandIO, defaultOut } from './command-line.ts';

/** Maximum number of matches or folders that a message names. */
const mostNamed = 20;

/**
 * Returns the folder of a match. `named`: the folder, its manifest, or just the id of a match below `runs`. If there is
 * no such match, throws a UsageError that names nearby matches.
 *
 * @example resolveMatchFolder('runs/first/manifest.json') // 'runs/first'
 * @example resolveMatchFolder('first') // 'runs/first'
 */
export function resolveMatchFolder(named: string): string {
  const folder = stripManifest(named);
  if (isMatch(folder) || hasLostManifest(folder)) return folder; // the reader reports what is missing
  const played = isThere(folder) || folder !== path.basename(folder) ? [] : findPlayed(folder);
  const [only] = played;
  if (only !== undefined && played.length === 1) return only;
  if (only !== undefined)
    throw new UsageError(`${folder} is the id of several matches: ${nameSome(played)}. Name the folder of one.`);
  throw new UsageError(
    `${folder} is not the folder of a match: it ${isThere(folder) ? `holds no ${recordFiles.manifest}` : 'does not exist'}.${describeNear(folder)}`,
  );
}

/** Finds matches with this id below the default folder. */
const findPlayed = (id: string) =>
  isThere(defaultOut) ? findBelow(defaultOut).filter((folder) => path.basename(folder) === id) : [];

/**
 * Lists the matches in the folder. If there are none, lists folders with matches: those in the folder, or else those
 * beside it (if its parent does not exist either, those in the nearest folder above) or in the default folder. Empty if
 * nothing is found.
 */
export function describeNear(folder: string): string {
  for (const parent of new Set([folder, findParent(folder), defaultOut])) {
    const matches = listMatches(parent);
    if (matches.length > 0) return ` Matches in ${parent}: ${nameSome(matches)}.`;
    const studies = findHolders(parent);
    if (studies.length > 0) return ` Folders in ${parent} that hold matches: ${nameSome(studies)}.`;
  }
  return '';
}

/** Returns the nearest existing folder above. */
function findParent(folder: string): string {
  const parent = path.dirname(folder);
  return isThere(parent) || parent === folder ? parent : findParent(parent);
}

/** Maximum number of folders searched for matches, because the folder may be as large as a disk. */
const mostSearched = 5000;

/**
 * Lists the names of the folders in a folder that contain matches at any depth, sorted. Searches the folders
 * alternately, so that a large folder does not use up the search before the others are reached.
 */
function findHolders(parent: string): string[] {
  const walks = new Map((listFolders(parent) ?? []).map(({ name }) => [name, walkFolders(path.join(parent, name))]));
  const holders: string[] = [];
  for (let searched = 0; walks.size > 0 && searched < mostSearched; searched += walks.size)
    for (const [name, walk] of walks) {
      const { done, value: folder } = walk.next();
      const isHolder = done !== true && isMatch(folder);
      if (isHolder) holders.push(name);
      if (isHolder || done === true) walks.delete(name);
    }
  return holders.sort();
}

/** Yields the folder and the folders below it, the nearest first. Does not follow links below it. */
function* walkFolders(top: string): Generator<string, void> {
  const folders = [top];
  for (const folder of folders) {
    yield folder;
    const below = (listFolders(folder) ?? []).filter(({ isLink }) => !isLink);
    folders.push(...below.map(({ name }) => path.join(folder, name)));
  }
}

const nameSome = (names: readonly string[]) =>
  `${names.slice(0, mostNamed).map(sanitizeText).join(', ')}${names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''}`;

/** Returns whether the file exists. Ignores other errors, which the code that reads the file reports. */
function isThere(file: string): boolean {
  try {
    return getDisk().exists(file);
  } catch {
    return false;
  }
}

/** Returns the folder of a manifest. */
export const stripManifest = (named: string) =>
  path.basename(named) === recordFiles.manifest ? path.dirname(named) : named;

export const isMatch = (folder: string) => isThere(path.join(folder, recordFiles.manifest));

/** Whether a record has lost its manifest. Nobody can then know the players and models of the record. */
const hasLostManifest = (folder: string) =>
  !isMatch(folder) && [recordFiles.events, recordFiles.answers].some((name) => isThere(path.join(folder, name)));

/** Lists the names of the matches in a folder. */
function listMatches(parent: string): string[] {
  try {
    return getDisk()
      .list(parent)
      .map(({ name }) => name)
      .filter((name) => isMatch(path.join(parent, name)))
      .sort();
  } catch {
    return []; // not a folder
  }
}

/** Whether the path from a named folder to this folder passes through a link. A link that the user typed is trusted. */
export function isBehindLink(folder: string, named: readonly string[]): boolean {
  const roots = new Set(named.map((one) => path.resolve(stripManifest(one))));
  for (let one = path.resolve(folder); !roots.has(one) && one !== path.dirname(one); one = path.dirname(one))
    if (getDisk().isForeignLink(one)) return true;
  return false;
}

/** Throws a RecordError for a match behind a link, because nothing may be written beside such a match. */
export function checkNotBehindLink(folder: string, named: readonly string[]): void {
  if (isBehindLink(folder, named)) throw new RecordError(explainLink(folder));
}

/** Explains why nothing is written beside a match that is behind a link, and what to do. */
export const explainLink = (folder: string) =>
  `${quoteActingName(folder)} is reached through a symbolic link, and nothing is written through links. Name the folder itself.`;

/**
 * Maximum depth of matches below a named folder. Studies contain folders of pairings, and a folder may contain several
 * studies.
 */
export const deepestMatches = 12;

/**
 * Maximum depth below a named folder at which links are followed. Deeper links might form circles, or lead to the whole
 * disk.
 */
const deepestLinks = 2;

/**
 * Finds the folders of matches among `folders` and below, sorted. A folder named twice is listed twice. Folders without
 * a manifest and unreadable folders are included, so that they can be reported. Forks are excluded, because they were
 * selected and deliberately changed. Redacted matches are also excluded (see `tellForksLeftOut`). `known`: what earlier
 * steps of the command found. Throws a UsageError for a folder that does not exist or contains no match.
 */
export function findMatches(folders: readonly string[], known = new KnownRecords()): string[] {
  const records = findRecords(folders, known);
  const unredacted = records.filter((folder) => !known.mark(folder).isRedacted);
  if (unredacted.length === 0 && records.length > 0)
    throw new UsageError(
      `${folders.join(', ')} contains only redacted matches (${records.length}), whose words were removed. ${formatCommand('verify')} checks what is left.`,
    );
  const matches = unredacted.filter((folder) => !known.mark(folder).isFork);
  if (matches.length === 0 && records.length > 0)
    throw new UsageError(
      `${folders.join(', ')} contains only forks (${unredacted.length}), and no match played from its beginning. ${formatCommand('fork')} reports forks, ${formatCommand('verify')} checks them.`,
    );
  return matches;
}

/**
 * Prints on standard error which records `findMatches` leaves out: the number of forks in one line, and each redacted
 * match by name. Prints nothing if no record is left out.
 *
 * @example tellForksLeftOut(['runs'], io) // 'Left out: 24 forks, which only wolfgraph fork reports.'
 */
export function tellForksLeftOut(
  folders: readonly string[],
  { stderr }: Pick<CommandIO, 'stderr'>,
  known = new KnownRecords(),
): void {
  const found = folders.map(stripManifest).filter(isThere);
  const all = [...new Set(found.flatMap((folder) => known.listBelow(path.normalize(folder))))];
  const redacted = all.filter((folder) => known.mark(folder).isRedacted);
  if (redacted.length > 0)
    stderr.write(
      `Left out: ${pluralize(redacted.length, 'redacted match', 'redacted matches')}: ${nameSome(redacted.sort())}.\n`,
    );
  const forks = all.map((folder) => known.mark(folder)).filter((one) => one.isFork && !one.isRedacted).length;
  if (forks > 0) stderr.write(`Left out: ${pluralize(forks, 'fork')}, which only ${formatCommand('fork')} reports.\n`);
}

/** Returns whether the folder holds a fork: see docs/guides/what-a-lie-does.md. */
export const isFork = (folder: string): boolean => markRecord(folder).isFork;

/** Returns whether people's words were removed from the record in the folder: see docs/guides/human-players.md. */
export const isRedacted = (folder: string): boolean => markRecord(folder).isRedacted;

/** How a record may be used, by the keys of its manifest. All are false for a manifest that cannot be read. */
interface RecordMarks {
  isFork: boolean;
  isRedacted: boolean;
  /** Whether the manifest has the word of the key that names a judge. */
  mayNameJudge: boolean;
}

function markRecord(folder: string): RecordMarks {
  try {
    const text = readDocument(path.join(folder, recordFiles.manifest));
    let manifest: unknown;
    const hasKey = (key: string): boolean => {
      if (!text.includes(`"${key}"`)) return false; // a quick text search avoids parsing thousands of manifests
      manifest ??= parseJson(text);
      return typeof manifest === 'object' && manifest !== null && key in manifest;
    };
    return { isFork: hasKey('fork_of'), isRedacted: hasKey('redacted'), mayNameJudge: text.includes('"judge"') };
  } catch {
    return { isFork: false, isRedacted: false, mayNameJudge: false }; // the code that reads the record reports the error
  }
}

/**
 * Records that one command has found below folders. Its steps pass this object on, so that each folder is searched and
 * each manifest is looked into only once. A step that may last long, such as asking a judge, is followed by a new
 * object, because records may have been added meanwhile.
 *
 * @example
 * const known = new KnownRecords();
 * tellForksLeftOut(['runs'], io, known);
 * const matches = findMatches(['runs'], known); // reads nothing again
 */
export class KnownRecords {
  readonly #below = new Map<string, readonly string[]>();
  readonly #marks = new Map<string, RecordMarks>();

  /** Lists the folders of records below a folder, in the order in which they were found. */
  listBelow(folder: string): readonly string[] {
    const found = this.#below.get(folder) ?? findBelow(folder);
    this.#below.set(folder, found);
    return found;
  }

  /** Returns how the record in a folder may be used. */
  mark(folder: string): RecordMarks {
    const place = path.resolve(folder);
    const marks = this.#marks.get(place) ?? markRecord(folder);
    this.#marks.set(place, marks);
    return marks;
  }
}

/** Finds records like `findMatches`, including forks. */
export function findRecords(folders: readonly string[], known = new KnownRecords()): string[] {
  return folders
    .flatMap((named) => {
      const folder = path.normalize(stripManifest(named));
      if (!isThere(folder)) resolveMatchFolder(named);
      const found = known.listBelow(folder);
      if (found.length === 0)
        throw new UsageError(
          `${named} contains no match: there is no manifest.json in it or in folders below it.${describeNear(path.dirname(folder))}`,
        );
      return found;
    })
    .sort();
}

/** Returns whether there are matches in the folder or below it. */
export const hasMatches = (folder: string): boolean => isThere(folder) && findBelow(folder).length > 0;

/**
 * Lists the folders of matches below a folder. `level`: depth of the folder below the named folder; `most`: maximum
 * depth.
 */
function findBelow(folder: string, level = 0, most = deepestMatches): string[] {
  if (isMatch(folder)) return [folder];
  const found = hasLostManifest(folder) ? [folder] : [];
  const below = listFolders(folder);
  if (below === null) return [folder];
  if (level === most) return found;
  return [
    ...found,
    ...below.flatMap(({ name, isLink }) =>
      isLink && level >= deepestLinks
        ? []
        : findBelow(path.join(folder, name), level + 1, isLink ? deepestLinks : most),
    ),
  ];
}

/** Lists the folders in a folder; null if it is unreadable or a broken link. */
function listFolders(folder: string): { name: string; isLink: boolean }[] | null {
  try {
    return getDisk()
      .list(folder)
      .filter(({ name, kind, isLink }) => (kind === 'folder' || isLink) && !name.startsWith('.')); // drafts are hidden
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? [] : null; // `folder` is a file, or a link to a file
  }
}
