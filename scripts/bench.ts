// Measures how fast and how cheaply matches are played: `npm run bench`.
import { availableParallelism, cpus } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { cacheShare } from './bench/cache-share.ts';
import { coldStart } from './bench/cold-start.ts';
import { figureTable, type Figure } from './bench/figure.ts';
import { memory } from './bench/memory.ts';
import { botMatches, cpuPerCall } from './bench/processor-time.ts';
import { recordSize } from './bench/record-size.ts';
import { full, quick } from './bench/scale.ts';
import { processorTicks, stolenShare } from './bench/stolen-time.ts';
import { wallTime } from './bench/wall-time.ts';
import { openWorkbench, type Workbench } from './bench/workbench.ts';
import { runScript } from './command/exit.ts';

/** What can be measured, by number. */
const measurements: Readonly<Record<string, { title: string; take: (bench: Workbench) => Promise<Figure[]> }>> = {
  1: { title: 'wall time and latencies', take: wallTime },
  2: { title: 'CPU and memory', take: processorAndMemory },
  3: { title: 'prompt cache and tokens', take: cacheShare },
  4: { title: 'bytes recorded and traced', take: recordSize },
  5: { title: 'cold start', take: coldStart },
};

async function processorAndMemory(bench: Workbench): Promise<Figure[]> {
  return [await cpuPerCall(bench), await botMatches(bench), ...(await memory(bench))];
}

function readNumbers(list: string): string[] {
  const numbers = list.split(',').map((number) => number.trim());
  const unknown = numbers.find((number) => !Object.hasOwn(measurements, number));
  if (unknown === undefined) return numbers;
  throw new InvalidArgumentError(`"${unknown}" is none of ${Object.keys(measurements).join(', ')}.`);
}

/** Of the processors' time; less is lost everywhere. */
const worthTelling = 0.01;

const titles = Object.entries(measurements).map(([number, { title }]) => `${number} ${title}`);

await runScript(async () => {
  const program = new Command('npm run bench --')
    .description(
      'Measures how fast and how cheaply matches are played, against servers on this machine; takes about ten minutes. Calls no provider.',
    )
    .option('--only <numbers>', `what to measure, e.g. 1,3: ${titles.join(', ')}`, readNumbers)
    .option('--quick', 'tiny matches: shows that everything runs, but the figures are of no use')
    .exitOverride()
    .parse();
  const { only = Object.keys(measurements), quick: isQuick = false } = program.opts<{
    only?: string[];
    quick?: boolean;
  }>();
  const bench = openWorkbench(isQuick ? quick : full, (line) => process.stderr.write(`Measuring: ${line}\n`));
  const figures: Figure[] = [];
  const before = processorTicks();
  try {
    for (const number of only) figures.push(...(await measurements[number]!.take(bench)));
  } finally {
    bench.clear();
  }
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.versions.node}`;
  process.stdout.write(`${figureTable(figures, !isQuick)}\n${machine}\n`);
  const stolen = stolenShare(before, processorTicks());
  if (stolen !== null && stolen >= worthTelling)
    process.stdout.write(
      `The host kept ${(stolen * 100).toFixed(0)} % of the processors' time from this machine meanwhile: what takes time took more than it needs.\n`,
    );
  if (isQuick) process.stdout.write('Taken with --quick: the figures are of no use.\n');
});
