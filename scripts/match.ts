// Plays one match: `npm run match`.
import { randomInt } from 'node:crypto';
import type { PlayOptions } from '../graph/play-match.ts';
import { readCommand, type MatchCommand } from './match-flags.ts';
import { runScript, Stopped } from './exit.ts';

/** Large enough never to repeat by chance, small enough to be typed. */
const seeds = 1_000_000;

/** The first signal stops the match and leaves it resumable, the second kills. */
function stopOnSignals(): AbortController {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      const stopped = new Stopped(name);
      if (controller.signal.aborted) process.exit(stopped.code);
      controller.abort(stopped);
    });
  }
  return controller;
}

async function play({ plan, out, reveal = false, json = false, quiet = false, ...limits }: MatchCommand) {
  // Loaded only now, so that --help and wrong usage are answered at once.
  const { playMatch } = await import('../graph/play-match.ts');
  const { openOperatorLog } = await import('./operator-log.ts');
  const { openProgress } = await import('./progress.ts');
  const { farewell, tellStory } = await import('./story-console.ts');
  const isShown = !json && !quiet;
  const log = openOperatorLog({ story: isShown, warnings: !quiet });
  const progress = openProgress(isShown && process.stderr.isTTY);
  const story = tellStory(log, progress, {
    reveal,
    isColored: isShown && process.stdout.isTTY && !process.env['NO_COLOR'],
  });
  const options: PlayOptions = { ...story, ...limits, out, signal: stopOnSignals().signal };
  let id: string | undefined;
  try {
    const result = await playMatch({
      ...plan,
      ...options,
      onStart: (start) => {
        id = start.manifest.id;
        story.onStart?.(start);
      },
    });
    progress.stop();
    log.tell(farewell(result));
    if (json)
      process.stdout.write(`${JSON.stringify({ id: result.id, folder: result.folder, summary: result.summary })}\n`);
  } catch (error) {
    progress.stop();
    if (id !== undefined && error instanceof Error)
      error.message += `\nWhat was answered is recorded. To go on: npm run match -- --id ${id}${out === 'runs' ? '' : ` --out ${out}`}`;
    throw error;
  } finally {
    await log.close();
  }
}

await runScript(() => play(readCommand(process.argv.slice(2), randomInt(seeds))));
