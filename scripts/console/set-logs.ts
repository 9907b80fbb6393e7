// The log of each of many matches, in its own folder; warnings are told on the console besides, each once.
import type { MatchListener } from '../../graph/play-match.ts';
import type { MatchEnd } from '../../graph/play-matches.ts';
import { counted } from '../../report/numbers.ts';
import { wordsOf } from '../command/exit.ts';
import { withoutMatch } from './set-errors.ts';
import { openOperatorLog, type OperatorLog } from './operator-log.ts';
import { openProgress } from './progress.ts';
import type { SetTally } from './set-tally.ts';
import { tellStory } from './story-console.ts';

const noProgress = openProgress(false);
const shown = { reveal: false, isColored: false, isSeedDrawn: false };

/** `main` is the console's. */
export function openSetLogs(main: OperatorLog, tally: SetTally) {
  const open = new Map<string, OperatorLog>();
  const warned = new Set<string>();
  let repeated = 0;
  const warn = (message: string, match: { id: string; folder: string | null }) => {
    const same = withoutMatch(message, match);
    if (warned.has(same)) repeated += 1;
    else main.warn(`${match.id}: ${message}`);
    warned.add(same);
  };
  const close = async (id: string, note: string, error: unknown) => {
    const log = open.get(id);
    open.delete(id);
    if (error !== undefined) log?.note(note, { error: wordsOf(error) });
    await log?.close();
  };
  return {
    /** Listens to a match that is played now. */
    begin: (match: { id: string; folder: string | null }): MatchListener => {
      const { id } = match;
      const onLost = (words: string) => main.warn(`${id}: ${words}`); // each, for its log cannot say so
      const log = openOperatorLog({ story: false, warnings: false, onLost });
      const story = tellStory(log, noProgress, shown);
      open.set(id, log);
      tally.begin(id);
      return {
        ...story,
        onCalls: (underWay) => tally.calls(id, underWay),
        onAnswer: (line, isRecorded) => {
          story.onAnswer?.(line, isRecorded);
          tally.answer(id, line, isRecorded);
        },
        onWarning: (message) => {
          story.onWarning?.(message);
          warn(message, match);
        },
      };
    },
    /** Resolves when everything is written. */
    end: async (end: MatchEnd) => {
      tally.end(end);
      await close(end.id, 'stopped', 'error' in end ? end.error : undefined);
    },
    /** The same for a match that begins again when its provider answers. */
    hold: async ({ id, error }: { id: string; error: unknown }) => {
      tally.hold(id);
      await close(id, 'waiting', error);
    },
    /** What was not told of warnings; null where all were. */
    repeatedText: () =>
      repeated === 0
        ? null
        : `${counted(repeated, 'warning')} of other matches said the same; their log.ndjson has them.`,
  };
}
