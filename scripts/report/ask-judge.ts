// Has a judge draw the claims of the matches that are to be reported, as far as it has not done so before.
import { wordsOf, type CommandIO } from '../command/exit.ts';
import { hasTerminal, countCalls } from '../console/progress.ts';
import { judgeRecords } from '../judge-records.ts';
import { findMatches } from './find-matches.ts';

/** `maxCost`: USD. Throws as `judgeRecords` does; what was answered by then is kept. */
export async function askJudge(
  folders: readonly string[],
  judge: string,
  maxCost: number | undefined,
  io: CommandIO,
): Promise<void> {
  const progress = countCalls(hasTerminal(io));
  try {
    await judgeRecords([...new Set(findMatches(folders))], judge, {
      maxCost,
      env: io.env,
      signal: io.listenToSignals(),
      onWarning: (message) => io.stderr.write(`${wordsOf(message)}\n`),
      onCalls: (more) => progress.add(more),
      onAnswer: (line, isRecorded) => void (isRecorded || progress.answer(line)),
    });
  } finally {
    progress.stop();
  }
}
