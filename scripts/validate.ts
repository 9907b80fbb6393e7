// Holds the measurements against rates that were planted: `npm run validate`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { isFailed, isMissed, judgeFindings, judgePools } from '../deception/validation/validation.ts';
import { renderValidation } from '../report/validation-page.ts';
import { type CommandIO, createCommand, runScript } from './command/command-line.ts';
import { type CellFindings, type Effort, type GridCell, quickEffort, wholeEffort } from './validate/validate-cell.ts';

const about =
  'Plays matches of bots whose rates of lies and detections were planted, and tests whether intervals and comparisons hold what they promise. See docs/validity.md.';

export async function runValidate(argv: readonly string[], io: CommandIO): Promise<void> {
  const program = createCommand('validate', about, io)
    .option('--quick', 'one cell and few repetitions: a minute instead of half an hour')
    .option('--out <folder>', 'where validation.md and validation.json go; without it they are printed only')
    .parse(argv, { from: 'user' });
  const { quick: isQuick, out } = program.opts<{ quick?: boolean; out?: string }>();
  const effort = isQuick ? quickEffort : wholeEffort;
  const cells = await validateAll(effort, io);
  const pools = judgePools(cells.flatMap((cell) => cell.pools));
  const findings = judgeFindings(cells.flatMap((cell) => cell.samples));
  const page = renderValidation(pools, findings, effort);
  io.stdout.write(page);
  if (out !== undefined) {
    mkdirSync(out, { recursive: true });
    writeFileSync(path.join(out, 'validation.md'), page);
    writeFileSync(path.join(out, 'validation.json'), `${JSON.stringify({ effort, pools, findings }, null, 2)}\n`);
  }
  const failed = [
    ...pools.filter(isMissed).map(({ cell, metric }) => `${metric} is not what was planted (${cell})`),
    ...findings.filter(isFailed).map(({ cell, metric, size }) => `${metric} with ${size} matches (${cell})`),
  ];
  if (failed.length > 0)
    throw new Error(
      `${failed.length} of ${pools.length + findings.length} findings are not as promised: ${failed.join('; ')}.`,
    );
}

/** What was found in all cells in the order of the grid, a thread for each core. */
async function validateAll(effort: Effort, { stderr }: CommandIO): Promise<CellFindings[]> {
  const limit = pLimit(availableParallelism());
  const total = effort.cells.length * effort.deals * 2;
  let played = 0;
  const onMatch = () => {
    if (++played % 100 === 0 || played === total) stderr.write(`${played} of ${total} matches played\n`);
  };
  return Promise.all(effort.cells.map((cell) => limit(() => inThread(cell, effort, onMatch))));
}

function inThread(cell: GridCell, effort: Effort, onMatch: () => void): Promise<CellFindings> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./validate/validate-cell.ts', import.meta.url), {
      workerData: { cell, effort },
    });
    thread.on('message', (message: 'match' | CellFindings) => (message === 'match' ? onMatch() : resolve(message)));
    thread.once('error', reject);
  });
}

if (import.meta.main) await runScript(runValidate);
