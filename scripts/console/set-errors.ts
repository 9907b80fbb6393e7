// The errors of many matches, each told once with the matches that it stopped.
import type { MatchEnd } from '../../graph/play-matches.ts';
import { exitCodeOf, exitCodes, wordsOf } from '../command/exit.ts';
import { afterStart } from '../command/stopped-match.ts';

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
const common: readonly number[] = order.slice(0, 3);

/** Whether an error is not the match's own: an interruption, or a cap that is reached. */
export const stopsAll = (error: unknown) => common.includes(exitCodeOf(error));

/** A message as it would be of any other match. */
export const withoutMatch = (message: string, { id, folder }: Pick<MatchEnd, 'id' | 'folder'>) =>
  message.replaceAll(folder ?? id, '').replaceAll(id, '');

export class SetErrors {
  readonly #groups = new Map<string, Group>();

  /** Whether it is the first of its kind. */
  add({ id, folder, error }: Failed): boolean {
    const code = exitCodeOf(afterStart(error));
    const message = wordsOf(afterStart(error));
    const key = common.includes(code) ? String(code) : withoutMatch(message, { id, folder });
    const { ids = [], count = 0 } = this.#groups.get(key) ?? {};
    // The last message stands: that of a reached cap says what was spent in the end.
    this.#groups.set(key, { code, message, ids: ids.length < namedIds ? [...ids, id] : ids, count: count + 1 });
    return count === 0;
  }

  /** The exit code of the whole; null where nothing failed. */
  code(): number | null {
    const codes = [...this.#groups.values()].map(({ code }) => code);
    return order.find((code) => codes.includes(code)) ?? codes[0] ?? null;
  }

  /** A line or more for each error. */
  lines(): string[] {
    return [...this.#groups.values()].map(({ code, message, ids, count }) => {
      if (common.includes(code)) return message;
      const more = count > ids.length ? ` and ${count - ids.length} more` : '';
      return count === 1 ? `${ids[0]}: ${message}` : `${count} matches (${ids.join(', ')}${more}): ${message}`;
    });
  }
}
