// Reads traces of TextArena's SecretMafia as the MindGames challenge publishes them: one record per player, with
// everything that this player saw and answered. Each answer belongs to the phase in which its player had to act. Ties
// are resolved by what the moderator announced.
import { z } from 'zod';
import { RecordError } from '../../models/record/ndjson.ts';
import { hashText } from '../../state/hash-text.ts';
import { findRecordedRole, getRole, roles } from '../../state/roles/index.ts';
import { Team } from '../../state/teams.ts';
import { parseJson } from '../../state/text.ts';
import type { GameSource } from './game-format.ts';

/** Accepts an object, or a text with the object's JSON, as tables store it. */
const storedObject = <Value extends z.ZodType>(value: Value) =>
  z.preprocess(
    (given) => (typeof given === 'string' ? parseJson(given) : given),
    z.record(z.string(), value, 'not an object'),
  );

const PlayerRecord = z.object({
  game_id: z.union([z.string(), z.number().int()]),
  player_id: z.number().int().min(0).max(14),
  env_name: z.string().regex(/SecretMafia/),
  model_name: z.string().min(1),
  opponent_names: storedObject(z.string()).optional(),
  observations: storedObject(z.object({ observation: z.string(), action: z.string() })),
  rewards: storedObject(z.number()),
});
type PlayerRecord = z.infer<typeof PlayerRecord>;

/** An answer of a player, in the order of the game. */
export interface TracedAnswer {
  seat: number;
  text: string;
  /** Seconds since 1970. */
  at: number;
  /** ISO 8601, UTC. */
  time: string;
  /** Whether the moderator rejected the answer and asked again. */
  isIllegal: boolean;
}

/** A game: its players, all answers, and the moderator's announcements. */
export interface TracedGame {
  file: string;
  id: string;
  /** Players in the order of their numbers. */
  players: readonly { role: string; model: string }[];
  answers: readonly TracedAnswer[];
  /**
   * Numbers of the players who were killed at night. `exiled`: numbers of the players who were voted out. Both are in
   * the order of the announcements.
   */
  killed: readonly number[];
  exiled: readonly number[];
  /** Number of statements by each player per day. */
  passes: number;
  winner: Team;
}

/** Texts that occur in every file of traces, even in a damaged file. */
const marks = ['"game_id"', '"player_id"', '"observations"', 'SecretMafia'];

/** Returns whether a text holds traces. */
export const isSecretMafia = (text: string): boolean => marks.every((mark) => text.includes(mark));

/**
 * Splits a file of records, JSON Lines or one list, into its games. Throws a RecordError that names the file and the place
 * if a record is damaged.
 *
 * @example [...splitTraces(readGameSource('traces.jsonl'))].map(({ file }) => file) // ['traces.jsonl, game 12', …]
 */
export function splitTraces({ file, text, value }: GameSource): GameSource[] {
  const records = Array.isArray(value) ? value : readLines(file, text);
  const games = Map.groupBy(records, (record, place) => {
    const read = z.looseObject({ game_id: PlayerRecord.shape.game_id }).safeParse(record);
    if (!read.success) throw new RecordError(`${file}, record ${place + 1} is damaged: it has no game_id.`);
    return String(read.data.game_id);
  });
  return [...games].map(([id, some]) => ({
    file: games.size === 1 ? file : `${file}, game ${id}`,
    ...{ text: '', sha256: hashText(JSON.stringify(some)), value: some },
  }));
}

function readLines(file: string, text: string): unknown[] {
  return text.split('\n').flatMap((line, place) => {
    if (line.trim() === '') return [];
    const value = parseJson(line);
    if (value === undefined)
      throw new RecordError(`${file}, line ${place + 1} is damaged: it is not JSON. Restore it from a copy.`);
    return [value];
  });
}

/**
 * Reads the records of one game. A player who was removed before the first turn may have no record. Throws a
 * RecordError that names the file and the fault if a record is damaged, or if the game has no winner.
 *
 * @example readTrace(source).winner // 'villagers'
 */
export function readTrace({ file, value }: Pick<GameSource, 'file' | 'value'>): TracedGame {
  const read = z.array(PlayerRecord).min(1).safeParse(value);
  if (!read.success)
    throw new RecordError(`${file} does not have the format of SecretMafia's records:\n${z.prettifyError(read.error)}`);
  const records = read.data;
  const { rewards, game_id: id } = records.reduce((one) => one);
  const seats = Object.keys(rewards).map((_, seat) => seat);
  if (seats.some((seat) => rewards[seat] === undefined))
    throw new RecordError(
      `${file} has rewards for the players ${Object.keys(rewards).join(', ')}; expected players numbered from 0 without a gap.`,
    );
  const told = seats.map((seat) => readTurns(file, seat, records));
  const moderated = told
    .flat()
    .toSorted((one, other) => one.at - other.at)
    .flatMap(({ observation }) => listModerated(observation));
  const disqualified = moderated.find(isDisqualified);
  if (disqualified !== undefined)
    throw new RecordError(
      `${file}: the moderator removed Player ${findNumber(disqualified) ?? '?'} for illegal moves. No rule here removes a player so, and such games are not imported.`,
    );
  const players = told.map(([opening], seat) => ({
    ...{ role: findRole(file, seat, opening?.observation), model: findModel(file, seat, records) },
  }));
  return {
    ...{ file, id: String(id), players },
    answers: told
      .flatMap((turns, seat) =>
        turns.map(({ at, time, action }, place) => ({
          ...{ seat, text: action, at, time },
          isIllegal: isRejected(turns[place + 1]?.observation ?? '', seat),
        })),
      )
      .sort((one, other) => one.at - other.at),
    killed: listAnnounced(moderated, /\bkilled\b/i),
    exiled: listAnnounced(moderated, /\bvote\b/i),
    passes: Number(/\b([1-9])\s+rounds?\b/.exec(moderated.join('\n'))?.[1] ?? 3),
    winner: findWinner(file, rewards, players),
  };
}

/** Returns what a player was shown and what the player answered, in order. */
function readTurns(file: string, seat: number, records: readonly PlayerRecord[]) {
  const own = records.filter(({ player_id: id }) => id === seat);
  if (own.length > 1)
    throw new RecordError(
      `${file} has ${own.length} records of Player ${seat}, but a player has one. Remove the others.`,
    );
  return Object.entries(own[0]?.observations ?? {})
    .map(([key, { observation, action }]) => ({ ...readTime(file, key), observation, action }))
    .sort((one, other) => one.at - other.at);
}

/** Parses a time as databases print it, "2026-01-05 10:00:00.25+00". The fraction may have any length. */
function readTime(file: string, key: string): { at: number; time: string } {
  const parts = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d+)?(?:Z|\+00(?::?00)?)?$/.exec(key);
  const whole = Date.parse(`${parts?.[1] ?? ''}T${parts?.[2] ?? ''}Z`);
  if (Number.isNaN(whole))
    throw new RecordError(`${file} has an observation at ${JSON.stringify(key)}, which is not a time.`);
  const at = whole / 1000 + Number(parts?.[3] ?? 0);
  return { at, time: new Date(at * 1000).toISOString() };
}

/**
 * Lists the moderator's lines of an observation, which begin with [-1]. A line without a speaker continues the previous
 * line.
 */
function listModerated(observation: string): string[] {
  const parts = observation.split(/^\s*(?=\[(?:-1|\d{1,2})\])/m);
  return parts.flatMap((part) => (part.startsWith('[-1]') ? [part.slice('[-1]'.length).trim()] : []));
}

const findNumber = (text: string) => {
  const [, number] = /^\s*Player (\d{1,2})\b/i.exec(text) ?? [];
  return number === undefined ? null : Number(number);
};

/** Returns whether an observation says that the moderator rejected the player's last answer. */
const isRejected = (observation: string, seat: number) =>
  listModerated(observation).some((text) => findNumber(text) === seat && isAboutMove(text));

const isDisqualified = (text: string) => isAboutMove(text) && /\b(?:been|was) (?:eliminated|removed)\b/i.test(text);

const isAboutMove = (text: string) => /\binvalid (?:move|action)/i.test(text);

/** Lists the players whose removal was announced in these words, in the order of the announcements, each once. */
const listAnnounced = (moderated: readonly string[], how: RegExp): number[] => [
  ...new Set(
    moderated.flatMap((text) => {
      const number = findNumber(text);
      return number !== null && how.test(/.*/.exec(text)?.[0] ?? '') && !isAboutMove(text) ? [number] : [];
    }),
  ),
];

/**
 * Finds the role of a player. A player without an observation was removed in the first night before having to act. Such
 * a player has no power, because everybody with a power acts in that night.
 */
function findRole(file: string, seat: number, observation: string | undefined): string {
  const plain = [...roles.values()].find(({ special }) => !special);
  if (observation === undefined && plain !== undefined) return plain.name;
  const word = /\brole:?\s+(\w+)/i.exec(listModerated(observation ?? '').join('\n'))?.[1];
  const role = word === undefined ? undefined : findRecordedRole(word.toUpperCase());
  if (role !== undefined) return role.name;
  throw new RecordError(
    `${file}: the first observation of Player ${seat} names ${word === undefined ? 'no role' : `the unknown role ${JSON.stringify(word)}`}.`,
  );
}

function findModel(file: string, seat: number, records: readonly PlayerRecord[]): string {
  const own = records.find(({ player_id: id }) => id === seat)?.model_name;
  const model = own ?? records.flatMap(({ opponent_names: names }) => names?.[seat] ?? [])[0];
  if (model === undefined)
    throw new RecordError(`${file} has neither a record of Player ${seat} nor the name of its model.`);
  return model;
}

function findWinner(file: string, rewards: PlayerRecord['rewards'], players: TracedGame['players']): Team {
  const won = players.filter((_, seat) => (rewards[seat] ?? 0) > 0).map(({ role }) => getRole(role).team);
  const [winner] = won;
  if (winner !== undefined && won.every((team) => team === winner)) return winner;
  throw new RecordError(
    `${file}: its rewards name no side as the winner. Only games that were played to their end are imported.`,
  );
}
