// A match as it is told on the console while it is played.
import type { MatchListener } from '../../graph/play-match.ts';
import { storyLine } from '../../report/story.ts';
import { header } from './header.ts';
import type { OperatorLog } from './operator-log.ts';
import type { Progress } from './progress.ts';
import { storyLayout } from './story-layout.ts';

interface Shown {
  reveal: boolean;
  isColored: boolean;
  isSeedDrawn: boolean;
}

/** Listens to a match and tells it to the log. */
export function tellStory(log: OperatorLog, progress: Progress, shown: Shown): MatchListener {
  let set: ReturnType<typeof storyLayout> = (_event, line) => line;
  return {
    onStart: ({ manifest, folder, recorded }) => {
      set = storyLayout(shown.isColored, manifest.setup.rules);
      if (folder !== null) log.openFile(folder);
      log.tell(header(manifest, shown));
      if (recorded > 0)
        log.tell(`\nGoing on after ${recorded} recorded answers; the story is told from its beginning.`);
    },
    onEvents: (events) => {
      for (const event of events) {
        const line = storyLine(event, shown);
        if (line !== null) log.tell(set(event, line));
      }
    },
    onCalls: (underWay) => progress.calls(underWay),
    onAnswer: (line, isRecorded) => {
      progress.answer(line);
      const { round, step, action, player, attempt, model, ms, retries, mark, error } = line;
      if (!isRecorded) log.note('answer', { round, step, action, player, attempt, model, ms, retries, mark, error });
    },
    onWarning: (message) => log.warn(message),
  };
}
