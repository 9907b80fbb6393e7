// Holds the measurements against rates that were planted: `npm run validate`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { Command } from 'commander';
import pLimit from 'p-limit';
import { isFailed, judge, type Finding } from '../deception/validation/validation.ts';
import { validationMarkdown } from '../report/validation-markdown.ts';
import { runScript } from './command/exit.ts';
import { quick, whole, type Effort, type GridCell } from './validate/grid.ts';

await runScript(async () => {
  const program = new Command('npm run validate --')
    .description(
      'Plays matches of bots whose rates of lies and detections were planted, and tests whether intervals and comparisons hold what they promise. See docs/validity.md.',
    )
    .option('--quick', 'one cell and few repetitions: a minute instead of half an hour')
    .option('--out <folder>', 'where validation.md and validation.json go; without it they are printed only')
    .allowExcessArguments(false)
    .showHelpAfterError('(--help lists all options)')
    .exitOverride()
    .parse();
  const { quick: isQuick, out } = program.opts<{ quick?: boolean; out?: string }>();
  const effort = isQuick ? quick : whole;
  const findings = judge(await validateAll(effort));
  const page = validationMarkdown(findings, effort);
  process.stdout.write(page);
  if (out !== undefined) {
    mkdirSync(out, { recursive: true });
    writeFileSync(path.join(out, 'validation.md'), page);
    writeFileSync(path.join(out, 'validation.json'), `${JSON.stringify({ effort, findings }, null, 2)}\n`);
  }
  const failed = findings.filter(isFailed);
  if (failed.length > 0)
    throw new Error(
      `${failed.length} of ${findings.length} findings are not as promised: ${failed.map(({ cell, metric, size }) => `${metric} with ${size} matches (${cell})`).join('; ')}.`,
    );
});

/** The findings of all cells in the order of the grid, a thread for each core. */
async function validateAll(effort: Effort): Promise<Finding[]> {
  const limit = pLimit(availableParallelism());
  const total = effort.cells.length * effort.deals * 2;
  let played = 0;
  const onMatch = () => {
    if (++played % 100 === 0 || played === total) process.stderr.write(`${played} of ${total} matches played\n`);
  };
  const found = await Promise.all(effort.cells.map((cell) => limit(() => inThread(cell, effort, onMatch))));
  return found.flat();
}

function inThread(cell: GridCell, effort: Effort, onMatch: () => void): Promise<Finding[]> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./validate/thread.ts', import.meta.url), { workerData: { cell, effort } });
    thread.on('message', (message: 'match' | Finding[]) => (message === 'match' ? onMatch() : resolve(message)));
    thread.once('error', reject);
  });
}
