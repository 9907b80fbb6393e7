// Compares ratings with planted strengths, one thread per core: `npm run validate -- --ratings`.
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import pLimit from 'p-limit';
import {
  isRatingPromiseBroken,
  evaluateRatings,
  measureRatings,
  ratingCells,
  type RatingCellPlan,
  type RatingFinding,
  type RatingTrial,
} from './rating-validation.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { isPromiseBroken, measurePromise, namePromiseCell, promiseCells } from './promised-precision.ts';
import { renderPromises, renderRatingValidation } from './validation-markdown.ts';
import type { CommandIO } from '../../scripts/command/command-line.ts';

/** One less than a multiple of 40, so that the 2.5% quantiles are single resamples. */
const RESAMPLES = 79;

/**
 * Simulates `repetitions` tournaments of each kind. Prints the page, and writes it with `rating-validation.json` to
 * `out`. Throws an Error if a promise is broken.
 */
export async function validateRatings(repetitions: number, out: string | undefined, io: CommandIO): Promise<void> {
  const trial: RatingTrial = { repetitions, resamples: RESAMPLES, seed: 1 };
  const limit = pLimit(availableParallelism());
  const found = await Promise.all(
    ratingCells.map((cell) =>
      limit(async () => {
        const finding = await measureInThread(cell, trial);
        io.stderr.write(`“${cell.name}” is done\n`);
        return finding;
      }),
    ),
  );
  const judged = evaluateRatings(found);
  const promises = promiseCells.map(measurePromise);
  const page = `${renderRatingValidation(judged, trial)}\n${renderPromises(promises)}`;
  io.stdout.write(page);
  if (out !== undefined) {
    getDisk().makeFolder(out);
    getDisk().write(path.join(out, 'rating-validation.md'), page);
    getDisk().write(
      path.join(out, 'rating-validation.json'),
      `${JSON.stringify({ trial, findings: judged, promises }, null, 2)}\n`,
    );
  }
  const unkept = promises.filter(isPromiseBroken).map(({ cell }) => namePromiseCell(cell));
  if (unkept.length > 0)
    throw new Error(`The precision that dry runs predict differs from the precision reached: ${unkept.join('; ')}.`);
  const broken = judged.filter(isRatingPromiseBroken);
  if (broken.length > 0)
    throw new Error(
      `${broken.length} of ${judged.length} cells are not as promised: ${broken.map(({ cell }) => cell.name).join('; ')}.`,
    );
}

function measureInThread(cell: RatingCellPlan, trial: RatingTrial): Promise<RatingFinding> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: { cell, trial } });
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}

// Runs as a thread: validates one cell.
if (!isMainThread && parentPort) {
  const { cell, trial } = workerData as { cell: RatingCellPlan; trial: RatingTrial };
  parentPort.postMessage(measureRatings(cell, trial));
}
