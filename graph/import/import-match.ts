// Imports games recorded by other programs: converts their files to matches, which can be read and measured, but not
// played.
import path from 'node:path';
import type { Board } from '../../state/boards.ts';
import type { Setup } from '../../state/game.ts';
import type { Rules } from '../../state/rules/common-rules.ts';
import type { RuleValue } from '../../state/rules/rule.ts';
import { resolveBoardRules } from '../../state/rulebook.ts';
import { findArenaSessions, readArena, type ArenaSession } from './arena-format.ts';
import { replaySession } from './arena-replay.ts';
import { type GameFormat, type GameSource, readGameSource } from './game-format.ts';
import { aiwolf } from './import-aiwolf.ts';
import { secretMafia } from './import-secret-mafia.ts';
import { kaggleEpisode, kaggleTimeline } from './import-timeline.ts';
import {
  createImportedMatch,
  createImportedSetup,
  type DamagedGame,
  type ImportedFolder,
  type ImportedMatch,
  highestLimits,
  readOrNameFault,
} from './imported-match.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { hasActingCharacters, quoteActingName } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import { getDisk } from '../../models/machine/machine.ts';

/** All formats in which a game is one file, in the order in which they are tried. */
export const fileFormats: readonly GameFormat[] = [kaggleEpisode, kaggleTimeline, aiwolf, secretMafia];

/** Names of the format of sessions, which are folders. */
const arenaNames: readonly string[] = ['arena', 'dsgbench'];

/** All names that `--format` accepts. */
export const formatNames: readonly string[] = [
  ...new Set([...arenaNames, ...fileFormats.flatMap(({ name, aliases }) => [name, ...aliases])]),
];

const isNamed = ({ name, aliases }: GameFormat, format: string | null) =>
  format === null || name === format || aliases.includes(format);

/**
 * Result for one path: a game, a game that cannot be imported, or a file without a game. `isSession`: whether the path
 * is an unfinished session.
 */
export type FoundGame = { game: ImportedMatch } | DamagedGame | { leftOut: string; isSession: boolean };

/**
 * Reads the games in these files and folders one by one, so that only one game is in memory. The format of a file is
 * recognized by its contents. `format`: one of `formatNames`. If given, games of other formats are errors. `now`:
 * milliseconds since
 * 1970. A game counts as damaged if it cannot be read, has another shape, has players who cannot be seated, or has the
 * name of an earlier game. Throws a UsageError if a path contains no game and, at the end, if no game can be imported.
 *
 * @example for (const found of readGames(null, ['sessions'], Date.now())) if ('game' in found) show(found.game.manifest);
 */
export function* readGames(format: string | null, paths: readonly string[], now: number): Generator<FoundGame> {
  const ids = new Set<string>();
  const errors: DamagedGame['error'][] = [];
  for (const found of readPaths(format, paths, now)) {
    const checked = 'game' in found ? refuseKnownName(found.game, ids) : found;
    if ('error' in checked) errors.push(checked.error);
    yield checked;
  }
  const [first, ...others] = errors;
  if (ids.size === 0 && first)
    throw others.length === 0 ? first : new RecordError(errors.map(({ message }) => message).join('\n'));
  if (ids.size === 0)
    throw new UsageError(`${paths.join(', ')}: no game was played to its end, and only finished games are imported.`);
}

/**
 * Returns the game, or its fault if an earlier game has the same name. `ids`: names of the earlier games; the game's
 * name is added.
 */
function refuseKnownName(game: ImportedMatch, ids: Set<string>): { game: ImportedMatch } | DamagedGame {
  const { id } = game.manifest;
  if (ids.has(id))
    return {
      name: game.report.source,
      error: new UsageError(
        `Two of the matches would be named ${id}, and the first is imported. Rename this one, or import it into another --out.`,
      ),
    };
  ids.add(id);
  return { game };
}

/**
 * Reads the games of files and folders like `readGames`, and returns all of them at once.
 *
 * @example writeImported(importMatches(null, ['sessions/session_20240610_084702'], Date.now()).matches, 'runs');
 */
export function importMatches(format: string | null, paths: readonly string[], now: number): ImportedFolder {
  const found = [...readGames(format, paths, now)];
  return {
    matches: found.flatMap((one) => ('game' in one ? [one.game] : [])),
    leftOut: found.flatMap((one) => ('leftOut' in one ? [one.leftOut] : [])),
    damaged: found.flatMap((one) => ('error' in one ? [one] : [])),
  };
}

function* readPaths(format: string | null, paths: readonly string[], now: number): Generator<FoundGame> {
  for (const place of paths) {
    let isEmpty = true;
    for (const found of readPath(format, place, now)) {
      isEmpty &&= 'leftOut' in found && !found.isSession;
      yield found;
    }
    if (isEmpty)
      throw new UsageError(
        `${place} contains no game of a known format. Known formats: sessions of Werewolf Arena or DSGBench (folders with game_complete.json and game_logs.json), ${fileFormats.map(({ title }) => title).join(', ')}.`,
      );
  }
}

function* readPath(format: string | null, place: string, now: number): Generator<FoundGame> {
  const kind = getDisk().find(place)?.kind;
  if (kind === undefined) throw new UsageError(`${place} does not exist.`);
  const wantsSessions = format === null || arenaNames.includes(format);
  const wanted = fileFormats.filter((one) => isNamed(one, format));
  const { whole, stopped } = kind === 'folder' && wantsSessions ? findArenaSessions(place) : { whole: [], stopped: [] };
  const files = kind === 'folder' ? listGameFiles(place, wanted, new Set([...whole, ...stopped])) : [place];
  const isSession = kind === 'folder' && format !== null && wanted.length === 0 && whole.length + stopped.length === 0;
  const sessions = [...whole, ...(isSession ? [place] : [])]; // reading it tells what it lacks
  for (const session of sessions) yield readOrNameFault(session, () => importArena(session, now));
  for (const leftOut of stopped) yield { leftOut, isSession: true };
  yield* readFiles(files, format, now);
}

/** Reads the games of files. Files that no format recognizes are left out. */
function* readFiles(files: readonly string[], format: string | null, now: number): Generator<FoundGame> {
  const seen = new Map<string, string>();
  for (const file of files) {
    const parts = readOrNameFault(file, () => splitFile(file, format));
    if (!('game' in parts)) yield parts;
    else if (parts.game === null) yield { leftOut: file, isSession: false };
    else yield* readParts(parts.game, seen, now);
  }
}

/** The games in a file, not read yet, and their format. */
interface FileParts {
  format: GameFormat;
  sources: Iterable<GameSource>;
}

function* readParts({ format, sources }: FileParts, seen: Map<string, string>, now: number): Generator<FoundGame> {
  for (const source of sources) {
    const { file } = source;
    const read = readOrNameFault(file, () => format.read(source, now));
    if (!('game' in read)) {
      yield read;
      continue;
    }
    const { id, match } = read.game;
    const other = seen.get(id);
    if (other === undefined) seen.set(id, file);
    yield other === undefined
      ? { game: match }
      : { name: file, error: new RecordError(`${other} and ${file} are the same game, ${id}. Remove one.`) };
  }
}

/** Returns the games of a file; null if no format recognizes it. Throws a RecordError if it is damaged as a whole. */
function splitFile(file: string, format: string | null): FileParts | null {
  const source = readGameSource(file);
  const own = fileFormats.find((one) => one.isRecognized(source));
  if (own !== undefined && isNamed(own, format)) return { format: own, sources: own.split?.(source) ?? [source] };
  if (own !== undefined)
    throw new RecordError(
      `${file} is ${own.title}, not a game of the format ${format}. Leave --format out, or write --format ${own.name}.`,
    );
  if (file.endsWith('.json') && source.value === undefined)
    throw new RecordError(`${file} is damaged: it is not JSON. Restore it from a copy.`);
  return null;
}

/** Depth below a named folder to which files of games are searched. */
const deepest = 3;

/**
 * Lists the files in a folder and its subfolders that have the ending of a format of games. Folders of sessions are
 * skipped.
 */
function listGameFiles(
  folder: string,
  formats: readonly GameFormat[],
  sessions: ReadonlySet<string>,
  level = 0,
): string[] {
  if (sessions.has(folder)) return [];
  const listed = getDisk()
    .list(folder)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const endings = formats.flatMap((one) => one.endings);
  const files = listed.filter(({ name, kind }) => kind === 'file' && endings.some((ending) => name.endsWith(ending)));
  const acting = files.find(({ name }) => hasActingCharacters(name));
  if (acting !== undefined)
    throw new UsageError(
      `${quoteActingName(acting.name)} in ${folder} has a line break or control character in its name. Rename it.`,
    );
  const folders = level === deepest ? [] : listed.filter(({ kind, isLink }) => kind === 'folder' && !isLink);
  return [
    ...files.map(({ name }) => path.join(folder, name)),
    ...folders.flatMap(({ name }) => listGameFiles(path.join(folder, name), formats, sessions, level + 1)),
  ];
}

/**
 * Reads the folder of a session of Werewolf Arena or DSGBench. `now`: milliseconds since 1970. Throws a UsageError if
 * the folder has no session, or its players cannot be seated, and a RecordError that names the file if it is damaged or
 * has another shape.
 *
 * @example writeImported([importArena('sessions/session_20240610_084702', Date.now())], 'runs');
 */
export function importArena(folder: string, now: number) {
  const { session, winner, files } = readArena(folder);
  const setup = createSetup(session);
  return createImportedMatch({
    format: 'arena',
    source: path.basename(path.resolve(folder)),
    files,
    setup,
    models: Object.fromEntries(Object.entries(session.players).map(([name, { model }]) => [name, model])),
    replay: replaySession(session, setup, winner),
    now,
  });
}

/** Creates the set-up of a session. Throws a UsageError for unknown roles and for players who cannot be seated. */
export const createSetup = (session: ArenaSession): Setup =>
  createImportedSetup(
    'arena',
    Object.entries(session.players).map(([name, { role, personality }]) => ({
      name,
      role,
      ...(personality ? { persona: personality } : {}),
    })),
    (board) => findRules(session, board),
  );

/**
 * Returns the preset `arena`, with the advice from the original prompts. In sessions without bids, as in DSGBench,
 * everybody speaks in seat order and temperatures are unknown.
 */
function findRules({ rounds }: ArenaSession, board: Board): Rules {
  const isBidFor = rounds.some(({ bids }) => bids.length > 0);
  const longest = Math.max(1, ...rounds.map(({ debate }) => debate.length));
  const most = Math.max(1, ...rounds.map(({ debate, players, exiled }) => countTurnsEach(debate, players, exiled)));
  const orderRules: Record<string, RuleValue> = isBidFor
    ? { debateTurns: Math.min(longest, 40) }
    : { debateOrder: 'round-robin', debatePasses: most, choiceTemperature: null, talkTemperature: null };
  const syntheticVotes = rounds.some(({ log }) => log.votes.length > 1);
  return resolveBoardRules(board, 'arena', { ...highestLimits, ...orderRules, syntheticVotes, coaching: 'paper' });
}

const countTurnsEach = (debate: readonly unknown[], left: readonly string[], exiled: string | null | undefined) =>
  Math.min(5, Math.ceil(debate.length / Math.max(1, left.length + (exiled ? 1 : 0))));
