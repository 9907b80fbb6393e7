// Reads the two files in which Werewolf Arena and DSGBench store a session, i.e. a game with its log.
import path from 'node:path';
import { z } from 'zod';
import { decodeText } from '../../models/machine/decode-text.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { unpackGzip } from '../../models/machine/unpack.ts';
import { readOrExplain, RecordError } from '../../models/record/ndjson.ts';
import { Team } from '../../state/teams.ts';
import { UsageError } from '../../state/usage-error.ts';
import { hashText } from '../../state/hash-text.ts';
import { parseJson } from '../../state/text.ts';
import { importLimit } from './game-format.ts';

/** A question to a model: the prompt, and the parsed answer (null if it could not be parsed). */
const ArenaLog = z.object({ prompt: z.string().default(''), result: z.record(z.string(), z.unknown()).nullable() });
export type ArenaLog = z.infer<typeof ArenaLog>;

const ofPlayer = z.tuple([z.string(), ArenaLog]);
const name = z.string().nullish();

/**
 * One round of game_complete.json: the events of the round. `players`: players who are left after the round, in seat
 * order.
 */
const Round = z.object({
  players: z.array(z.string()),
  eliminated: name,
  protected: name,
  unmasked: name,
  exiled: name,
  debate: z.array(z.tuple([z.string(), z.string()])),
  /** Voter → target. One entry after each statement, or a single entry after the last. */
  votes: z.array(z.record(z.string(), z.string())),
  /** Bidder → bid. One entry before each statement, or none if nobody bids. */
  bids: z.array(z.record(z.string(), z.number().int().min(0))).default([]),
});

/** One round of game_logs.json: the questions and answers. */
const RoundLog = z.object({
  eliminate: ArenaLog.nullish(),
  protect: ArenaLog.nullish(),
  investigate: ArenaLog.nullish(),
  bid: z.array(z.array(ofPlayer)).default([]),
  debate: z.array(ofPlayer),
  /** One entry for each entry of `votes` in game_complete.json. */
  votes: z.array(z.array(z.object({ player: z.string(), voted_for: z.string().nullable(), log: ArenaLog }))),
  summaries: z.array(ofPlayer),
});

const Complete = z.object({
  players: z.record(z.string(), z.object({ role: z.string(), model: z.string(), personality: z.string().nullish() })),
  rounds: z.array(Round).min(1),
  winner: z.string(),
});

const Logs = z.array(RoundLog);

/** A game with its log. */
export interface ArenaSession {
  /** Player → role, model and personality, in seat order. */
  players: z.infer<typeof Complete>['players'];
  rounds: readonly (z.infer<typeof Round> & { log: z.infer<typeof RoundLog> })[];
}

/** Returns the first name in the rounds that is not a player of the session; undefined if there is none. */
function findStranger({ players, rounds }: ArenaSession): string | undefined {
  const named = rounds.flatMap(({ log, ...round }) => [
    ...round.players,
    ...[round.eliminated, round.protected, round.unmasked, round.exiled].flatMap((player) => player ?? []),
    ...round.debate.map(([by]) => by),
    ...[...round.votes, ...round.bids].flatMap((by) => Object.keys(by)),
    ...log.votes.flat().flatMap(({ player, voted_for: target }) => [player, ...(target === null ? [] : [target])]),
    ...log.summaries.map(([by]) => by),
  ]);
  return named.find((player) => !Object.hasOwn(players, player));
}

/** Returns the text under a key of an answer; empty if there is none. */
export function readText(log: ArenaLog | null | undefined, key: string): string {
  const value = log?.result?.[key];
  return typeof value === 'string' ? value : '';
}

/** Returns the player who was asked, from the prompt's text, e.g. "You are Ginger the Villager". */
export const findAskedPlayer = (log: ArenaLog | null | undefined): string | undefined =>
  /\bYou are (\S+) the\b/.exec(log?.prompt ?? '')?.[1];

/** Returns the names that a prompt offered as choices; null if it offered none. */
export const findOfferedChoices = ({ prompt }: ArenaLog): string[] | null =>
  /Choose from: ([^\n]+)/
    .exec(prompt)?.[1]!
    .split(',')
    .map((choice) => choice.trim()) ?? null;

const names = { complete: 'game_complete.json', logs: 'game_logs.json', partial: 'game_partial.json' } as const;

/** Depth below a named folder to which sessions are searched. */
const deepest = 3;

/**
 * Finds the folders of sessions in a folder and its subfolders. `whole`: finished sessions. `stopped`: sessions that
 * have a game_partial.json instead of a complete game.
 *
 * @example findArenaSessions('sessions').whole // ['sessions/session_20240610_084702', …]
 */
export function findArenaSessions(folder: string, level = 0): { whole: string[]; stopped: string[] } {
  const disk = getDisk();
  const holds = (name: string) => [name, `${name}.gz`].some((file) => disk.exists(path.join(folder, file)));
  if (holds(names.complete)) return { whole: [folder], stopped: [] };
  if (holds(names.partial)) return { whole: [], stopped: [folder] };
  if (level === deepest || disk.find(folder)?.kind !== 'folder') return { whole: [], stopped: [] };
  const below = disk
    .list(folder)
    .filter(({ kind, isLink }) => kind === 'folder' && !isLink)
    .map(({ name }) => name)
    .sort()
    .map((name) => findArenaSessions(path.join(folder, name), level + 1));
  return { whole: below.flatMap(({ whole }) => whole), stopped: below.flatMap(({ stopped }) => stopped) };
}

interface ArenaFiles {
  session: ArenaSession;
  winner: Team;
  /** File → SHA-256 of its unpacked contents. */
  files: Record<string, string>;
}

/**
 * Reads a session's folder. Each of its files may be compressed with gzip (`.gz`). Throws a UsageError if the folder
 * lacks a file. Throws a RecordError that names the file if it is damaged or has another shape, or if the session was
 * not played to its end.
 *
 * @example const { session, winner } = readArena('sessions/session_20240610_084702');
 */
export function readArena(folder: string): ArenaFiles {
  const [complete, logs] = [readSource(folder, names.complete), readSource(folder, names.logs)];
  const displayed = findDisplayNames(parseSource(complete));
  const { players, rounds, winner: side } = parse(complete, Complete, displayed);
  const logged = parse(logs, Logs, displayed);
  if (rounds.length !== logged.length)
    throw new RecordError(
      `${folder} is not one session: ${names.complete} has ${rounds.length} rounds and ${names.logs} ${logged.length}.`,
    );
  const session = { players, rounds: rounds.map((round, index) => ({ ...round, log: logged[index]! })) };
  const stranger = findStranger(session);
  if (stranger !== undefined)
    throw new RecordError(
      `${folder} names ${JSON.stringify(stranger)}, who is not at the table. At the table: ${Object.keys(players).join(', ')}.`,
    );
  const winner = Team.safeParse(side.toLowerCase());
  if (!winner.success)
    throw new RecordError(
      `${complete.file} has the winner ${JSON.stringify(side)}, not one of ${Team.options.join(', ')}: only games that were played to their end are imported.`,
    );
  return {
    session,
    winner: winner.data,
    files: { [names.complete]: hashText(complete.text), [names.logs]: hashText(logs.text) },
  };
}

interface Source {
  file: string;
  text: string;
}

function readSource(folder: string, name: string): Source {
  const file = path.join(folder, name);
  if (getDisk().exists(file)) return { file, text: readOrExplain(file, () => getDisk().readText(file, importLimit)) };
  const packed = `${file}.gz`;
  if (!getDisk().exists(packed))
    throw new UsageError(
      getDisk().exists(folder)
        ? `${folder} contains no ${name}. A session of Werewolf Arena or DSGBench has ${names.complete} and ${names.logs}.`
        : `${folder} does not exist.`,
    );
  const bytes = readOrExplain(packed, () => getDisk().read(packed, importLimit));
  try {
    return { file: packed, text: decodeText(unpackGzip(bytes, importLimit)) };
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new RecordError(
      isTooLarge
        ? `${packed} unpacks to more than ${importLimit / 2 ** 20} MB, the limit for imports.`
        : `${packed} is damaged: it cannot be unpacked. Restore it from a copy.`,
    );
  }
}

function parseSource({ file, text }: Source): unknown {
  const value = parseJson(text);
  if (value === undefined) throw new RecordError(`${file} is damaged: it is not JSON. Restore it from a copy.`);
  return value;
}

const WithDisplayNames = z.object({
  players: z.record(z.string(), z.object({ name_to_display: z.record(z.string(), z.string()) })),
});

/**
 * Maps ids of players to the names that prompts and texts use, for sessions that give players ids; otherwise empty.
 */
function findDisplayNames(complete: unknown): ReadonlyMap<string, string> {
  const read = WithDisplayNames.safeParse(complete);
  const [first] = read.success ? Object.values(read.data.players) : [];
  return new Map(Object.entries(first?.name_to_display ?? {}));
}

/** Replaces ids of players by names in a value, wherever an id is a whole text or a key. */
function replaceIds(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => replaceIds(one, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      names.get(key) ?? key,
      key === 'name_to_display' ? one : replaceIds(one, names),
    ]),
  );
}

function parse<Contents>(source: Source, schema: z.ZodType<Contents>, names: ReadonlyMap<string, string>): Contents {
  const { file } = source;
  const value = parseSource(source);
  const read = schema.safeParse(names.size === 0 ? value : replaceIds(value, names));
  if (!read.success)
    throw new RecordError(
      `${file} does not have the format of Werewolf Arena and DSGBench:\n${z.prettifyError(read.error)}`,
    );
  return read.data;
}
