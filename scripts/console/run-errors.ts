// The errors that stopped matches: what they mean to whoever asked for the matches, each told once with its matches.
import type { MatchEnd } from '../../graph/play-matches.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { UsageError } from '../../state/usage-error.ts';
import { exitCodeOf, exitCodes, wordsOf } from '../command/exit.ts';

type Failed = Pick<MatchEnd, 'id' | 'folder'> & { error: unknown };

interface Group {
  code: number;
  message: string;
  /** The first of them. */
  ids: string[];
  count: number;
}

/** More are counted. */
const namedIds = 5;

/** Which of several exit codes counts: the first of these. */
const order: readonly number[] = [exitCodes.interrupted, exitCodes.terminated, exitCodes.budget, exitCodes.provider];

/** What stops all matches alike, and is told once whatever figures stand in it. */
const shared: readonly number[] = order.slice(0, 3);

/** Whether an error is not the match's own: an interruption, or a cap that is reached. */
export const stopsAll = (error: unknown) => shared.includes(exitCodeOf(error));

/** A record that does not fit is not mended by going on; one that could not be written is. */
export const isResumable = (error: unknown) => !(error instanceof RecordError) || error.cause !== undefined;

/** Nobody's usage is wrong any more once a match has begun: it is a mistake of the program. */
export const asProgramError = (error: unknown) => (error instanceof UsageError ? new Error(error.stack) : error);

/** An error of the file system, told with its cure; others as they are. */
export function explainUnwritable(error: unknown, out: string): unknown {
  const isSystems = typeof error === 'object' && error !== null && 'syscall' in error && 'message' in error;
  return isSystems
    ? new Error(`The folder ${out} cannot be written: ${String(error.message)}. Name another with --out.`, {
        cause: error,
      })
    : error;
}

/** A message as it would be of any other match. */
export const withoutMatch = (message: string, { id, folder }: Pick<MatchEnd, 'id' | 'folder'>) =>
  message.replaceAll(folder ?? id, '').replaceAll(id, '');

export class RunErrors {
  readonly #groups = new Map<string, Group>();

  /** Whether it is the first of its kind. */
  add({ id, folder, error }: Failed): boolean {
    const code = exitCodeOf(asProgramError(error));
    const message = wordsOf(asProgramError(error));
    const key = shared.includes(code) ? String(code) : withoutMatch(message, { id, folder });
    const { ids = [], count = 0 } = this.#groups.get(key) ?? {};
    // The last message stands: that of a reached cap says what was spent in the end.
    this.#groups.set(key, { code, message, ids: ids.length < namedIds ? [...ids, id] : ids, count: count + 1 });
    return count === 0;
  }

  /** The exit code of the whole; null where nothing failed. */
  exitCode(): number | null {
    const codes = [...this.#groups.values()].map(({ code }) => code);
    return order.find((code) => codes.includes(code)) ?? codes[0] ?? null;
  }

  /** A line or more for each error. */
  lines(): string[] {
    return [...this.#groups.values()].map(({ code, message, ids, count }) => {
      if (shared.includes(code)) return message;
      const more = count > ids.length ? ` and ${count - ids.length} more` : '';
      return count === 1 ? `${ids[0]}: ${message}` : `${count} matches (${ids.join(', ')}${more}): ${message}`;
    });
  }
}
