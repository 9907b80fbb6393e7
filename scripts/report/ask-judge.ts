// Has a judge draw the claims of the matches that are to be reported, as far as it has not done so before.
import { wordsOf } from '../command/exit.ts';
import { stopOnSignals } from '../command/stop-signals.ts';
import { hasTerminal, openProgress } from '../console/progress.ts';
import { judgeRecords } from '../judge-records.ts';
import { findMatches } from './find-matches.ts';

/** `maxCost`: USD. Throws as `judgeRecords` does; what was answered by then is kept. */
export async function askJudge(folders: readonly string[], judge: string, maxCost: number | undefined): Promise<void> {
  const progress = openProgress(hasTerminal());
  let underWay = 0;
  try {
    await judgeRecords([...new Set(findMatches(folders))], judge, {
      maxCost,
      signal: stopOnSignals(),
      onWarning: (message) => process.stderr.write(`${wordsOf(message)}\n`),
      onCalls: (more) => progress.calls((underWay += more)),
      onAnswer: (line, isRecorded) => void (isRecorded || progress.answer(line)),
    });
  } finally {
    progress.stop();
  }
}
