// Finds the folders of matches that are named on the command line.
import path from 'node:path';
import { getDisk } from '../../models/machine/machine.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { pluralize, sanitizeText } from '../../report/format.ts';
import { formatCommand } from '../../state/command-name.ts';
import { recordFiles } from '../../state/record.ts';
import { parseJson, quoteActingName } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import { type CommandIO, defaultOut } from './command-line.ts';

/** How many matches or folders a message names. */
const mostNamed = 20;

/**
 * The folder of a match: named itself, by its manifest, or by the id alone of a match below `runs`, where commands put matches
 * unless told. Throws a UsageError that names matches nearby where it is none.
 *
 * @example resolveMatchFolder('runs/first/manifest.json') // 'runs/first'
 * @example resolveMatchFolder('first') // 'runs/first'
 */
export function resolveMatchFolder(named: string): string {
  const folder = stripManifest(named);
  if (isMatch(folder) || hasLostManifest(folder)) return folder; // reading it tells what it lacks
  const played = isThere(folder) || folder !== path.basename(folder) ? [] : findPlayed(folder);
  const [only] = played;
  if (only !== undefined && played.length === 1) return only;
  if (only !== undefined)
    throw new UsageError(`${folder} is the id of several matches: ${nameSome(played)}. Name the folder of one.`);
  throw new UsageError(
    `${folder} is not the folder of a match: it ${isThere(folder) ? `holds no ${recordFiles.manifest}` : 'does not exist'}.${describeNear(folder)}`,
  );
}

/** Matches of this id below the folder where they are put unless told. */
const findPlayed = (id: string) =>
  isThere(defaultOut) ? findBelow(defaultOut).filter((folder) => path.basename(folder) === id) : [];

/** Matches in the folder, or else folders there that hold some, or else the same beside it; empty where there are none. */
function describeNear(folder: string): string {
  for (const parent of new Set([folder, path.dirname(folder)])) {
    const matches = listMatches(parent);
    if (matches.length > 0) return ` Matches in ${parent}: ${nameSome(matches)}.`;
    const studies = (listFolders(parent) ?? [])
      .map(({ name }) => name)
      .filter((name) => holdsMatches(path.join(parent, name)));
    if (studies.length > 0) return ` Folders in ${parent} that hold matches: ${nameSome(studies.sort())}.`;
  }
  return '';
}

/** Looks two levels deep and no further: anything may lie beside what a user named. */
const holdsMatches = (folder: string) =>
  listMatches(folder).length > 0 ||
  (listFolders(folder) ?? []).some(({ name, isLink }) => !isLink && listMatches(path.join(folder, name)).length > 0);

const nameSome = (names: readonly string[]) =>
  `${names.slice(0, mostNamed).map(sanitizeText).join(', ')}${names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''}`;

/** What cannot be looked at is told by those who read it. */
function isThere(file: string): boolean {
  try {
    return getDisk().exists(file);
  } catch {
    return false;
  }
}

/** A manifest stands for its folder. */
export const stripManifest = (named: string) =>
  path.basename(named) === recordFiles.manifest ? path.dirname(named) : named;

export const isMatch = (folder: string) => isThere(path.join(folder, recordFiles.manifest));

/** Whether a record was there and has lost its manifest, without which nobody knows who played what. */
const hasLostManifest = (folder: string) =>
  !isMatch(folder) && [recordFiles.events, recordFiles.answers].some((name) => isThere(path.join(folder, name)));

/** By name. */
function listMatches(parent: string): string[] {
  try {
    return getDisk()
      .list(parent)
      .map(({ name }) => name)
      .filter((name) => isMatch(path.join(parent, name)))
      .sort();
  } catch {
    return []; // no folder
  }
}

/** Whether a folder from elsewhere leads out of itself there: a link that the user named is the user's. */
export function isBehindLink(folder: string, named: readonly string[]): boolean {
  const roots = new Set(named.map((one) => path.resolve(stripManifest(one))));
  for (let one = path.resolve(folder); !roots.has(one) && one !== path.dirname(one); one = path.dirname(one))
    if (getDisk().isForeignLink(one)) return true;
  return false;
}

/** Throws RecordError for a match behind a link, beside which nothing may be written. */
export function checkNotBehindLink(folder: string, named: readonly string[]): void {
  if (isBehindLink(folder, named)) throw new RecordError(explainLink(folder));
}

/** Why nothing is written beside a match behind a link, and what to do. */
export const explainLink = (folder: string) =>
  `${quoteActingName(folder)} lies behind a link, and nothing is written where links in a folder lead. Name the folder itself.`;

/** So far below a named folder are matches looked for: a study holds folders of pairings, and may lie in a folder of others. */
export const deepestMatches = 12;

/** Links are followed so far below a named folder, and no link below them: they may lead round, or to everything there is. */
const deepestLinks = 2;

/**
 * The folders of matches among `folders` and below them, each as often as it was named, sorted. Those
 * that have lost their manifest or cannot be read are among them, so that they can be told of. Forks are not: they were
 * selected, and changed on purpose. See `tellForksLeftOut`.
 *
 * Throws a UsageError for a folder that is not there or holds no match.
 */
export function findMatches(folders: readonly string[]): string[] {
  const records = findRecords(folders);
  const matches = records.filter((folder) => !isFork(folder));
  if (matches.length === 0 && records.length > 0)
    throw new UsageError(
      `${folders.join(', ')} holds forks alone, ${records.length} of them, and no match that was played from its beginning. ${formatCommand('fork')} reports forks, ${formatCommand('verify')} checks them.`,
    );
  return matches;
}

/**
 * Writes on standard error how many forks `findMatches` leaves out of these folders, in one line; nothing where there are none.
 *
 * @example tellForksLeftOut(['runs'], io) // 'Left out: 24 forks, which only wolfgraph fork reports.'
 */
export function tellForksLeftOut(folders: readonly string[], { stderr }: Pick<CommandIO, 'stderr'>): void {
  const found = folders.map(stripManifest).filter(isThere);
  const forks = new Set(found.flatMap((folder) => findBelow(path.normalize(folder))).filter(isFork)).size;
  if (forks > 0) stderr.write(`Left out: ${pluralize(forks, 'fork')}, which only ${formatCommand('fork')} reports.\n`);
}

/** Whether the folder is that of a fork: see docs/guides/what-a-lie-does.md. */
export function isFork(folder: string): boolean {
  try {
    const text = getDisk().readText(path.join(folder, recordFiles.manifest));
    if (!text.includes('"fork_of"')) return false; // spares the parsing of thousands
    const manifest: unknown = parseJson(text);
    return typeof manifest === 'object' && manifest !== null && 'fork_of' in manifest;
  } catch {
    return false; // told where the record is read
  }
}

/** As `findMatches`, forks included. */
export function findRecords(folders: readonly string[]): string[] {
  return folders
    .flatMap((named) => {
      const folder = path.normalize(stripManifest(named));
      if (!isThere(folder)) resolveMatchFolder(named);
      const found = findBelow(folder);
      if (found.length === 0)
        throw new UsageError(
          `${named} holds no match: no manifest.json in it, nor in folders below it.${describeNear(path.dirname(folder))}`,
        );
      return found;
    })
    .sort();
}

/** Whether there are matches in the folder or below it. */
export const hasMatches = (folder: string): boolean => isThere(folder) && findBelow(folder).length > 0;

/** `level`: how far below the folder that was named; `most`: how far is looked. */
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

/** Null for a folder that cannot be read, and for a link to nothing. */
function listFolders(folder: string): { name: string; isLink: boolean }[] | null {
  try {
    return getDisk()
      .list(folder)
      .filter(({ name, kind, isLink }) => (kind === 'folder' || isLink) && !name.startsWith('.')); // drafts are hidden
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? [] : null; // a file, or a link to one
  }
}
