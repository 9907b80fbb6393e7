// The interface of formats of recorded games: how a format is recognized by its contents, and how its games are read.
// Each format has one reader with this interface, so that one test suite covers all formats.
import { getDisk } from '../../models/machine/machine.ts';
import { readOrExplain } from '../../models/record/ndjson.ts';
import { hashText } from '../../state/hash-text.ts';
import { parseJson } from '../../state/text.ts';
import type { ImportedMatch } from './imported-match.ts';

/** Size limit in bytes, before and after decompression. Published games have a few megabytes. */
export const importLimit = 64 * 1024 * 1024;

/** A file that may hold a game. */
export interface GameSource {
  file: string;
  text: string;
  /** SHA-256 of the text. */
  sha256: string;
  /** The text parsed as JSON; undefined if it is not JSON. */
  value: unknown;
}

/** A format whose games are files. A file contains one game or, if the format has `split`, several games. */
export interface GameFormat {
  /** Name in `import.json` and of `--format`. */
  name: string;
  /** Source of the games, for messages. */
  title: string;
  /** Other names of the format that `--format` accepts. */
  aliases: readonly string[];
  /** Endings of the format's files, with the dot. */
  endings: readonly string[];
  /**
   * Returns whether a file has this format, judged by the contents. A damaged game may be recognized by its beginning.
   */
  isRecognized(source: GameSource): boolean;
  /**
   * Splits a file that contains several games. The `file` of each part also names its game, e.g. `games.jsonl, game
   * 12`. Throws a RecordError if the file is damaged. Absent if a file is one game.
   */
  split?(source: GameSource): Iterable<GameSource>;
  /**
   * Reads the game. `now`: milliseconds since 1970. Throws a RecordError that names the file and the place if the game is
   * damaged or was not played to its end, and a UsageError if its players cannot be seated.
   */
  read(source: GameSource, now: number): { id: string; match: ImportedMatch };
}

/**
 * Reads a file that may hold a game. Throws a RecordError if it cannot be read or is too large.
 *
 * @example readGameSource('games/74000001.json').value
 */
export function readGameSource(file: string): GameSource {
  const text = readOrExplain(file, () => getDisk().readText(file, importLimit));
  return { file, text, sha256: hashText(text), value: /^\s*[[{]/.test(text) ? parseJson(text) : undefined };
}

/** Returns whether a value is an object with all of these keys. */
export const hasKeys = <Key extends string>(value: unknown, ...keys: Key[]): value is Record<Key, unknown> =>
  typeof value === 'object' && value !== null && keys.every((key) => Object.hasOwn(value, key));
