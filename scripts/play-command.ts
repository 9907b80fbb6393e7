// Plays the match that a command asks for, tells it, and says how it ended.
import { playMatch } from '../graph/play-match.ts';
import { exitCodeOf, exitCodes, fail, messageOf } from './command/exit.ts';
import { farewell } from './console/farewell.ts';
import type { MatchCommand } from './command/match-command.ts';
import { goOnCommand } from './console/next-steps.ts';
import { openOperatorLog } from './console/operator-log.ts';
import { hasTerminal, openProgress } from './console/progress.ts';
import { stopOnSignals } from './command/stop-signals.ts';
import { afterStart, isResumable, unwritable } from './command/stopped-match.ts';
import { tellStory } from './console/story-console.ts';

/** Throws where no match could begin; sets the process's exit code where one had to stop. */
export async function playCommand({ plan, manner, isSeedDrawn }: MatchCommand): Promise<void> {
  const { reveal = false, json = false, quiet = false, out, maxCost, concurrency } = manner;
  const isShown = !json && !quiet;
  const isColored = isShown && process.stdout.isTTY && !process.env['NO_COLOR'];
  const log = openOperatorLog({ story: isShown, warnings: !quiet });
  const progress = openProgress(isShown && hasTerminal());
  const story = tellStory(log, progress, { reveal, isColored, isSeedDrawn });
  let begun: string | undefined;
  try {
    const result = await playMatch({
      ...plan,
      ...story,
      ...{ out, maxCost, concurrency },
      signal: stopOnSignals(),
      onStart: (start) => {
        begun = start.manifest.id;
        story.onStart?.(start);
      },
    });
    progress.stop();
    log.tell(farewell(result, begun !== undefined));
    if (json)
      process.stdout.write(`${JSON.stringify({ id: result.id, folder: result.folder, summary: result.summary })}\n`);
  } catch (error) {
    progress.stop();
    if (begun === undefined) throw unwritable(error, out);
    log.note('stopped', { error: messageOf(error) });
    const isCapReached = exitCodeOf(error) === exitCodes.budget;
    const again = `To go on${isCapReached ? ' with a higher --max-cost' : ''}: ${goOnCommand(begun, out, { maxCost, concurrency, isCapReached })}`;
    fail(afterStart(error), `What was answered is recorded.${isResumable(error) ? ` ${again}` : ''}`);
  } finally {
    await log.close();
  }
}
