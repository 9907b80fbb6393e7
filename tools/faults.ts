// Tests whether records survive faults: plays matches in a simulated world whose disk, clock, network and processes
// fail: `npm run faults`.
import { tmpdir } from 'node:os';
import path from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import fc from 'fast-check';
import { getDisk } from '../models/machine/machine.ts';
import { UsageError } from '../state/usage-error.ts';
import {
  type CommandIO,
  createCommand,
  exitCodes,
  readCount,
  readWhole,
  runScript,
} from '../scripts/command/command-line.ts';
import {
  drawFaults,
  formatFaults,
  listEveryFault,
  parseFaults,
  playUndisturbed,
  type Scenario,
  playThroughFaults,
  type Undisturbed,
} from './faults/fault-trial.ts';
import { randomDamages, findFuzzFaults, playSoundRecords } from './faults/fuzz-commands.ts';
import { type PlannedFault, stepsByFaultWay } from './faults/simulated-world.ts';

const about =
  'Plays small matches in a simulated world, where each use of disk, clock, network and processes can fail, gives the same command again, and holds what is recorded then against the undisturbed match. Calls no provider and keeps nothing.';

/** Counts of the trials so far. */
interface Count {
  trials: number;
  /** Number of steps that failed. */
  steps: number;
  /** Number of trials with an error. */
  wrong: number;
}

interface Typed {
  seeds: number;
  first: number;
  set: number;
  command?: boolean;
  every?: boolean;
  faults?: PlannedFault[];
  fuzz?: number;
}

/** Number of different matches. Trials use the matches in turn, and each match is also played without faults. */
const variety = 12;

function readPlan(text: string): PlannedFault[] {
  const plan = parseFaults(text, Object.keys(stepsByFaultWay));
  if (!plan)
    throw new InvalidArgumentError(
      `It must be like 12.kill,40.full; ways: ${Object.keys(stepsByFaultWay).join(', ')}.`,
    );
  return plan;
}

/** Counts unhandled rejections, which would otherwise go unnoticed among thousands of trials. */
function countUnheardRejections(): () => number {
  let unheard = 0;
  process.on('unhandledRejection', () => (unheard += 1));
  return () => unheard;
}

export async function runFaults(argv: readonly string[], io: CommandIO): Promise<number> {
  const program = createCommand('faults', about, io)
    .option('--seeds <n>', 'how many seeds; each draws where up to three processes after another fail', readCount, 200)
    .option('--first <seed>', 'the first of them', readWhole, 0)
    .option('--set <n>', 'sets of so many matches in place of single ones', readCount, 1)
    .option('--command', 'bots are played by the command of npm run match, in place of models by what it calls')
    .addOption(
      new Option('--every', 'of each seed, every step in turn in each way in which it can fail').conflicts('faults'),
    )
    .option('--faults <plan>', 'fail there and so, in place of what the seeds draw, e.g. 12.kill,40.full', readPlan)
    .option('--fuzz <n>', 'instead, give so many damaged records to every command that reads one', readCount)
    .addHelpText('after', '\nExit codes: 0 everything held, 1 a trial went wrong, 2 wrong usage.')
    .parse(argv, { from: 'user' });
  const { seeds, first, set: matches, command: isCommand = false, ...how } = program.opts<Typed>();
  if (how.fuzz !== undefined) return fuzzCommands(first, how.fuzz, io);
  if (first < 0) throw new UsageError(`--first ${first} must be 0 or more.`);
  const count: Count = { trials: 0, steps: 0, wrong: 0 };
  const unheard = countUnheardRejections();
  const known = new Map<number, Promise<Undisturbed>>();
  for (let seed = first; seed < first + seeds; seed++) {
    const place = (how.every ? seed : seed % variety) + 1;
    const scenario: Scenario = { seed: place, matches, isCommand };
    const undisturbed = await (known.get(place) ?? playUndisturbed(scenario));
    known.set(place, Promise.resolve(undisturbed));
    const plans = how.every
      ? listEveryFault(undisturbed).map((fault) => [fault])
      : [how.faults ?? drawFaults(undisturbed, seed)];
    for (const plan of plans) {
      const before = unheard();
      const { told, failed, faults } = await playThroughFaults(undisturbed, plan, seed);
      if (unheard() > before) faults.push('an error that nobody heard of');
      count.trials += 1;
      count.steps += failed;
      if (faults.length === 0) continue;
      count.wrong += 1;
      const kinds = [matches === 1 ? '' : `--set ${matches} `, isCommand ? '--command ' : ''].join('');
      const again = `npm run faults -- ${kinds}--first ${seed} --seeds 1 --faults ${formatFaults(plan)}`;
      io.stdout.write(
        `${[`Seed ${seed}:`, ...told, ...faults.map((fault) => `WRONG ${fault}`)].join('\n  ')}\n  ${again}\n`,
      );
    }
  }
  io.stdout.write(
    `${count.trials} trials of ${seeds} seeds, ${count.steps} injected failures: ${count.wrong === 0 ? 'everything held' : `${count.wrong} trials went wrong`}.\n`,
  );
  return count.wrong === 0 ? exitCodes.done : exitCodes.other;
}

const golden = path.join(import.meta.dirname, '../tests/golden');

/** Damages copies of records in a temporary folder, runs commands on them, and removes the folder. */
async function fuzzCommands(seed: number, runs: number, { stdout }: CommandIO): Promise<number> {
  const disk = getDisk();
  const work = disk.makeTemporaryFolder(path.join(tmpdir(), 'wolfgraph-fuzz-'));
  try {
    const goldens = disk.list(golden).map(({ name }) => path.join(golden, name));
    const sound = await playSoundRecords(work, goldens);
    let [files, wrong] = [0, 0];
    for (const [index, damaged] of fc.sample(randomDamages, { seed, numRuns: runs }).entries()) {
      files += damaged.damages.length;
      const faults = await findFuzzFaults(sound, damaged);
      if (faults.length === 0) continue;
      wrong += 1;
      const told = faults.map((fault) => `WRONG ${fault}`);
      stdout.write(`${[`Record ${index}: ${JSON.stringify(damaged)}`, ...told].join('\n  ')}\n`);
    }
    const again = wrong === 0 ? '' : ` To repeat: npm run faults -- --fuzz ${runs} --first ${seed}`;
    stdout.write(
      `${runs} damaged records, ${files} damaged files: commands gave a wrong result for ${wrong}.${again}\n`,
    );
    return wrong === 0 ? exitCodes.done : exitCodes.other;
  } finally {
    disk.remove(work);
  }
}

if (import.meta.main) await runScript(runFaults);
