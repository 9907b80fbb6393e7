// Imports games recorded by other programs: turns their folders into matches, which can be read and measured, but not
// played.
import path from 'node:path';
import type { Board } from '../../state/boards.ts';
import type { Setup } from '../../state/game.ts';
import type { Rules } from '../../state/rules/common-rules.ts';
import type { RuleValue } from '../../state/rules/rule.ts';
import { resolveBoardRules } from '../../state/rulebook.ts';
import { findArenaSessions, readArena, type ArenaSession } from './arena-format.ts';
import { replaySession } from './arena-replay.ts';
import { type GameFormat, readGameSource } from './game-format.ts';
import { aiwolf } from './import-aiwolf.ts';
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
export const fileFormats: readonly GameFormat[] = [kaggleEpisode, kaggleTimeline, aiwolf];

/** Names of the format of sessions, which are folders. */
const arenaNames: readonly string[] = ['arena', 'dsgbench'];

/** All names that `--format` accepts. */
export const formatNames: readonly string[] = [
  ...new Set([...arenaNames, ...fileFormats.flatMap(({ name, aliases }) => [name, ...aliases])]),
];

const isNamed = ({ name, aliases }: GameFormat, format: string | null) =>
  format === null || name === format || aliases.includes(format);

/**
 * Reads the games of files and folders, whose format is recognized by their contents. `format`: one of `formatNames`, if
 * only its games are expected; others are then refused by name. `now`: milliseconds since 1970. A game goes into `damaged`
 * if it is damaged, has another shape, has players who cannot be seated, or has an earlier game's name. Throws a UsageError
 * if a path holds no game, or no game can be imported.
 *
 * @example writeImported(importMatches(null, ['sessions/session_20240610_084702'], Date.now()).matches, 'runs');
 */
export function importMatches(format: string | null, paths: readonly string[], now: number): ImportedFolder {
  const read = paths.map((one) => importPath(format, one, now));
  const matches = new Map<string, ImportedMatch>();
  const damaged = read.flatMap((one) => one.damaged);
  for (const match of read.flatMap((one) => one.matches)) {
    const { id } = match.manifest;
    if (matches.has(id))
      damaged.push({
        name: match.report.source,
        error: new UsageError(
          `Two of the matches would be named ${id}, and the first is imported. Rename this one, or import it into another --out.`,
        ),
      });
    else matches.set(id, match);
  }
  const [first, ...others] = damaged;
  if (matches.size === 0 && first)
    throw others.length === 0 ? first.error : new RecordError(damaged.map(({ error }) => error.message).join('\n'));
  if (matches.size === 0)
    throw new UsageError(`${paths.join(', ')}: no game was played to its end, and only finished games are imported.`);
  return { matches: [...matches.values()], leftOut: read.flatMap(({ leftOut }) => leftOut), damaged };
}

function importPath(format: string | null, place: string, now: number): ImportedFolder {
  const kind = getDisk().find(place)?.kind;
  if (kind === undefined) throw new UsageError(`${place} does not exist.`);
  const wantsSessions = format === null || arenaNames.includes(format);
  const wanted = fileFormats.filter((one) => isNamed(one, format));
  const { whole, stopped } = kind === 'folder' && wantsSessions ? findArenaSessions(place) : { whole: [], stopped: [] };
  const files = kind === 'folder' ? listGameFiles(place, wanted, new Set([...whole, ...stopped])) : [place];
  const isSession = kind === 'folder' && format !== null && wanted.length === 0 && whole.length + stopped.length === 0;
  const sessions = [...whole, ...(isSession ? [place] : [])]; // reading it tells what it lacks
  const read = sessions.map((session) => readOrNameFault(session, () => importArena(session, now)));
  const others = importFiles(files, format, now);
  const found = {
    matches: [...read.flatMap((one) => ('game' in one ? [one.game] : [])), ...others.matches],
    leftOut: [...stopped, ...others.leftOut],
    damaged: [...read.flatMap((one) => ('game' in one ? [] : [one])), ...others.damaged],
  };
  if (found.matches.length + found.damaged.length + stopped.length === 0)
    throw new UsageError(
      `${place} holds no game. Known: sessions of Werewolf Arena or DSGBench (folders with game_complete.json and game_logs.json), ${fileFormats.map(({ title }) => title).join(', ')}.`,
    );
  return found;
}

/** Imports files. Files that no format recognizes are left out. */
function importFiles(files: readonly string[], format: string | null, now: number): ImportedFolder {
  const found = { matches: [] as ImportedMatch[], leftOut: [] as string[], damaged: [] as DamagedGame[] };
  const seen = new Map<string, string>();
  for (const file of files) {
    const read = readOrNameFault(file, () => importFile(file, format, now));
    if (!('game' in read)) found.damaged.push(read);
    else if (read.game === null) found.leftOut.push(file);
    else {
      const { id, match } = read.game;
      const other = seen.get(id);
      if (other === undefined) found.matches.push(match);
      else
        found.damaged.push({
          name: file,
          error: new RecordError(`${other} and ${file} are the same game, ${id}. Remove one.`),
        });
      seen.set(id, other ?? file);
    }
  }
  return found;
}

function importFile(file: string, format: string | null, now: number): ReturnType<GameFormat['read']> | null {
  const source = readGameSource(file);
  const own = fileFormats.find((one) => one.isRecognized(source));
  if (own !== undefined && isNamed(own, format)) return own.read(source, now);
  if (own !== undefined)
    throw new RecordError(
      `${file} is ${own.title}, and not of the format ${format}. Leave --format out, or give ${own.name}.`,
    );
  if (file.endsWith('.json') && source.value === undefined)
    throw new RecordError(`${file} is damaged: it is not JSON. Restore it from a copy.`);
  return null;
}

/** So deep below a named folder are files of games looked for. */
const deepest = 3;

/** Lists the files of a folder, and below it, that may be games by their endings; sessions are not searched. */
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
      `${quoteActingName(acting.name)} in ${folder} holds a line break or control character in its name. Rename it.`,
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
 * Returns the preset `arena`, with the advice in the original's prompts. If there are no bids, everybody spoke in seat
 * order, as in DSGBench, whose temperatures are unknown.
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
