// Compares measurements with planted rates, ratings with planted strengths, and extracted claims with labels: `npm run
// validate`.
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { getDisk } from '../models/machine/machine.ts';
import { Option } from 'commander';
import { type CommandIO, createCommand, readCount, runScript } from '../scripts/command/command-line.ts';
import {
  addClaimsOptions,
  type ClaimsFlags,
  checkClaimsOptions,
  validateByLabels,
} from '../scripts/validate/claims-options.ts';
import { nameCommand } from '../state/command-name.ts';
import { UsageError } from '../state/usage-error.ts';
import { isFailed, isPlantedRateMissed, evaluateFindings, evaluatePools } from './validate/measurement-validation.ts';
import {
  type CellFindings,
  type ValidationSize,
  type GridCell,
  quickSize,
  wholeSize,
  cellWorkerUrl,
} from './validate/validate-cell.ts';
import { isPowerMissed, measureDeliveredPower, plannedPilots, powerRepetitions } from './validate/planned-power.ts';
import {
  equalAnswersSizes,
  listBrokenAnswers,
  measureEqualAnswers,
  playEqualModels,
} from './validate/equal-answers.ts';
import { listBrokenNulls, listBrokenParts } from './validate/part-comparisons.ts';
import {
  listBrokenShares,
  measureShares,
  renderShareValidation,
  shareCells,
  shareRepetitions,
} from './validate/share-validation.ts';
import { CellCache } from './validate/validation-cache.ts';
import { renderFalseFindings, renderValidation } from './validate/validation-markdown.ts';

const about =
  'Plays matches of bots whose rates of lies and detections were planted, and tests whether intervals and comparisons keep their error rates. With --ratings it plays simulated tournaments. With --claims it compares extracted claims with labeled statements. See docs/evidence/validity.md and docs/evidence/accuracy.md.';

/** Parts of a validation besides the cells of its grid. */
const otherParts = ['answers', 'power'] as const;

interface Typed extends ClaimsFlags {
  only?: string[];
  quick?: boolean;
  claims?: boolean;
  ratings?: boolean;
  forks?: boolean;
  falseFindings?: boolean;
  shares?: boolean;
  repetitions?: number;
  cuts?: string[];
}

export async function runValidation(argv: readonly string[], io: CommandIO): Promise<void> {
  const program = createCommand('validate', about, io)
    .option('--quick', 'few cells and repetitions: a minute instead of half an hour')
    .option(
      '--out <path>',
      'folder for validation.md and validation.json (also keeps finished cells, so that a stopped run can be resumed); with --ratings, folder for rating-validation.md and .json; with --claims, file for the errors that `report --errors` reads; without --out nothing is written',
    )
    .option(
      '--false-findings',
      'only count the differences that `compare` and the table of answers report although nothing differs: fifteen minutes on one core',
    )
    .addOption(
      new Option('--only <parts...>', 'validate only these parts: cells of the grid, `answers` or `power`').choices([
        ...wholeSize.cells.map(({ name }) => name),
        ...otherParts,
      ]),
    )
    .option(
      '--ratings',
      'instead play simulated tournaments, and test whether ratings and stopping rules keep their error rates',
    )
    .option(
      '--forks',
      'instead simulate studies of forks, and test whether their intervals contain the planted effects',
    )
    .option(
      '--shares',
      'instead draw samples with planted shares, and test whether intervals of shares over few deals contain them',
    )
    .option(
      '--repetitions <number>',
      'number of samples of each size (default: 4000, with --quick 100); with --ratings or --forks number of simulated tournaments or studies of each kind (default: 2000, with --quick 100), with --shares of samples per cell (default: 2000, with --quick 100)',
      readCount,
    )
    .option(
      '--cuts <folders...>',
      'instead count the statements of published games (sessions of Werewolf Arena, games of Kaggle’s Game Arena) that the rule for invented dialogue cuts',
    )
    .option('--claims', 'instead measure how accurately the rules or a judge extract claims');
  addClaimsOptions(program)
    .addHelpText(
      'after',
      `
Examples:
  ${nameCommand('validate')} --quick
  ${nameCommand('validate')} --ratings --repetitions 400 --out checked
  ${nameCommand('validate')} --claims --split development
  ${nameCommand('validate')} --claims --judge openai:gpt-4o --corpus voices,table --out judge-errors.json
  ${nameCommand('report')} runs --judge openai:gpt-4o --errors judge-errors.json

Exit codes: 0 error rates are kept (or claims were measured), 1 they are not, 2 wrong usage; with a
judge also 3 provider failure, 4 budget reached; 129, 130 and 143 stopped by a signal.`,
    )
    .parse(argv, { from: 'user' });
  const typed = program.opts<Typed>();
  const {
    quick: isQuick = false,
    out,
    cuts,
    repetitions,
    claims: isOfClaims = false,
    ratings: isOfRatings = false,
    forks: isOfForks = false,
    falseFindings: isOfFindings = false,
    shares: isOfShares = false,
    only,
  } = typed;
  if (only !== undefined && (isOfClaims || isOfRatings || isOfForks || isOfFindings || isOfShares))
    throw new UsageError(
      '--only selects parts of the grid of planted rates. Remove --only, or the option that selects another validation.',
    );
  if (cuts) {
    const others = [
      'quick',
      'only',
      'out',
      'claims',
      'ratings',
      'forks',
      'repetitions',
      'falseFindings',
      'shares',
    ].filter((name) => program.getOptionValue(name) !== undefined);
    if (others.length > 0) throw new UsageError(`--cuts stands alone. Leave out --${others.join(', --')}.`);
    checkClaimsOptions(program);
    const { measureCuts, renderCuts } = await import('./validate/invented-cuts.ts');
    io.stdout.write(renderCuts(measureCuts(cuts)));
    return;
  }
  if (repetitions !== undefined && (isOfClaims || isOfFindings))
    throw new UsageError(`--${isOfClaims ? 'claims' : 'false-findings'} has a fixed size. Remove --repetitions.`);
  if (isOfForks && (isOfClaims || isOfRatings))
    throw new UsageError(`--forks and --${isOfClaims ? 'claims' : 'ratings'} are two validations. Run one at a time.`);
  if (isOfFindings && (isOfClaims || isOfRatings || isOfForks))
    throw new UsageError('--false-findings is a validation of its own. Run one at a time.');
  if (isOfShares && (isOfClaims || isOfRatings || isOfForks || isOfFindings))
    throw new UsageError('--shares is a validation of its own. Run one at a time.');
  if (isOfClaims && isOfRatings) throw new UsageError('--claims and --ratings are two validations. Run one at a time.');
  if (!isOfClaims) checkClaimsOptions(program);
  if (isOfClaims && isQuick)
    throw new UsageError('--quick is not for --claims, which needs only seconds. Leave out --quick.');
  if (isOfClaims) return validateByLabels(typed, io);
  if (isOfRatings) {
    const { ratingRepetitions } = await import('./validate/rating-validation.ts');
    const { validateRatings } = await import('./validate/validate-ratings.ts');
    return validateRatings(repetitions ?? ratingRepetitions[isQuick ? 'quick' : 'whole'], out, io);
  }
  if (isOfShares) return validateShares(repetitions ?? shareRepetitions[isQuick ? 'quick' : 'whole'], out, io);
  if (isOfForks) return validateForks(repetitions ?? (isQuick ? 100 : 2000), out, io);
  return isOfFindings
    ? validateFalseFindings(isQuick ? 'quick' : 'whole', out, io)
    : validatePlanted({ isQuick, only, out, repetitions }, io);
}

/** Simulates studies of forks. Throws an Error if intervals cover the truth less often than promised. */
async function validateForks(
  repetitions: number,
  out: string | undefined,
  { stdout, stderr }: CommandIO,
): Promise<void> {
  const { isForkPromiseBroken, listForkTrials, measureForkStudies, renderForkValidation } =
    await import('./validate/fork-validation.ts');
  const trials = listForkTrials(repetitions);
  const findings: Awaited<ReturnType<typeof measureForkStudies>> = [];
  let studies = 0;
  const onStudy = () => {
    if (++studies % 100 === 0) stderr.write(`${studies} of ${trials.length * repetitions} studies simulated\n`);
  };
  for (const trial of trials) findings.push(...(await measureForkStudies(trial, onStudy)));
  const page = renderForkValidation(findings, trials);
  stdout.write(page);
  if (out !== undefined) {
    getDisk().makeFolder(out);
    getDisk().write(path.join(out, 'fork-validation.md'), page);
    getDisk().write(path.join(out, 'fork-validation.json'), `${JSON.stringify(findings, null, 2)}\n`);
  }
  const broken = findings.filter(isForkPromiseBroken).map(({ p, outcome }) => `${outcome}, p = ${p}`);
  if (broken.length > 0) throw new Error(`Intervals do not cover as promised: ${broken.join('; ')}.`);
}

/** Draws samples with planted shares. Throws an Error if intervals contain the shares less often than promised. */
function validateShares(repetitions: number, out: string | undefined, { stdout, stderr }: CommandIO): void {
  const trial = { repetitions, resamples: 199, seed: 1 };
  const findings = shareCells.map((cell, place) => {
    if (place % 20 === 0) stderr.write(`${place} of ${shareCells.length} cells are done\n`);
    return measureShares(cell, trial);
  });
  const page = renderShareValidation(findings, trial);
  stdout.write(page);
  if (out !== undefined) {
    getDisk().makeFolder(out);
    getDisk().write(path.join(out, 'share-validation.md'), page);
    getDisk().write(path.join(out, 'share-validation.json'), `${JSON.stringify({ trial, findings }, null, 2)}\n`);
  }
  const broken = listBrokenShares(findings).map(({ cell }) => JSON.stringify(cell));
  if (broken.length > 0) throw new Error(`Intervals of shares do not cover as promised: ${broken.join('; ')}.`);
}

interface PlantedRun {
  isQuick: boolean;
  only: string[] | undefined;
  out: string | undefined;
  repetitions: number | undefined;
}

async function validatePlanted({ isQuick, only, out, repetitions: typed }: PlantedRun, io: CommandIO): Promise<void> {
  const whole = isQuick ? quickSize : wholeSize;
  const isWanted = (part: string) => only === undefined || only.includes(part);
  const cellsWanted = whole.cells.filter(({ name }) => isWanted(name));
  const effort = { ...whole, repetitions: typed ?? whole.repetitions, cells: cellsWanted };
  const cells = await validateAll(effort, out, io);
  const pools = evaluatePools(cells.flatMap((cell) => cell.pools));
  const findings = evaluateFindings(cells.flatMap((cell) => cell.samples));
  const comparisons = cells.flatMap((cell) => cell.comparisons);
  const repetitions = isQuick ? powerRepetitions.quick : powerRepetitions.whole;
  const power = (isWanted('power') ? plannedPilots : []).map((pilot) =>
    measureDeliveredPower({ pilot, repetitions, seed: 1 }),
  );
  const parts = cells.flatMap((cell) => cell.parts);
  const size = equalAnswersSizes[isQuick ? 'quick' : 'whole'];
  const answers = isWanted('answers')
    ? measureEqualAnswers(await playEqualModels(size.deals, effort.seed), size, effort.seed)
    : [];
  const page = renderValidation({ pools, findings, comparisons, parts, answers, power }, { ...effort, answers: size });
  io.stdout.write(page);
  if (out !== undefined) {
    getDisk().makeFolder(out);
    getDisk().write(path.join(out, 'validation.md'), page);
    const found = { effort, pools, findings, comparisons, parts, answers, power };
    getDisk().write(path.join(out, 'validation.json'), `${JSON.stringify(found, null, 2)}\n`);
  }
  const failed = [
    ...pools.filter(isPlantedRateMissed).map(({ cell, metric }) => `${metric} is not what was planted (${cell})`),
    ...findings.filter(isFailed).map(({ cell, metric, kind, size }) => `${metric}, ${kind}, ${size} deals (${cell})`),
    ...power.filter(isPowerMissed).map(({ pilot }) => `power of plans from pilots of ${pilot} deals`),
    ...listBrokenNulls(comparisons).map(({ design, family }) => `comparisons, ${design}, ${family}`),
    ...listBrokenParts(parts).map(({ cell, family }) => `comparisons, ${family} (${cell})`),
    ...listBrokenAnswers(answers).map(({ question }) => `answers of equal models, ${question}`),
  ];
  if (failed.length > 0)
    throw new Error(
      `${failed.length} of ${pools.length + findings.length + comparisons.length + parts.length + answers.length + power.length} findings are not as promised: ${failed.join('; ')}.`,
    );
}

/**
 * Counts how often a difference is reported between equal things. Throws an Error if this happens more often than
 * promised.
 */
async function validateFalseFindings(
  effortName: keyof typeof equalAnswersSizes,
  out: string | undefined,
  io: CommandIO,
): Promise<void> {
  const whole = { quick: quickSize, whole: wholeSize }[effortName];
  const cells = whole.cells.filter(({ measures }) => measures.includes('part comparisons'));
  const effort: ValidationSize = {
    ...whole,
    cells: cells.map((cell) => ({ ...cell, measures: ['part comparisons'] })),
  };
  const parts = (await validateAll(effort, out, io)).flatMap((cell) => cell.parts);
  const size = equalAnswersSizes[effortName];
  const answers = measureEqualAnswers(await playEqualModels(size.deals, effort.seed), size, effort.seed);
  io.stdout.write(`${renderFalseFindings({ parts, answers }, { ...effort, answers: size }).join('\n\n')}\n`);
  const failed = [
    ...listBrokenParts(parts).map(({ cell, family }) => `comparisons, ${family} (${cell})`),
    ...listBrokenAnswers(answers).map(({ question }) => `answers of equal models, ${question}`),
  ];
  if (failed.length > 0)
    throw new Error(`More differences were found between equals than promised: ${failed.join('; ')}.`);
}

/** Validates all cells, one thread per core, and returns the findings in the order of the grid. */
async function validateAll(
  effort: ValidationSize,
  out: string | undefined,
  { stderr }: CommandIO,
): Promise<CellFindings[]> {
  const limit = pLimit(availableParallelism());
  const kept = out === undefined ? null : new CellCache(path.join(out, 'cells'), effort);
  const found = effort.cells.map((cell) => kept?.read(cell) ?? null);
  const left = effort.cells.filter((_, place) => found[place] === null);
  for (const [place, { name }] of effort.cells.entries())
    if (found[place]) stderr.write(`“${name}” was done before and is not repeated\n`);
  const total = 4 * left.reduce((deals, cell) => deals + cell.deals, 0);
  let played = 0;
  const onMatch = () => {
    if (++played % 100 === 0 || played === total) stderr.write(`${played} of ${total} matches played\n`);
  };
  const validate = async (cell: GridCell) => {
    const findings = await validateInThread(cell, effort, onMatch);
    kept?.write(cell, findings);
    return findings;
  };
  return Promise.all(effort.cells.map(async (cell, place) => found[place] ?? limit(() => validate(cell))));
}

function validateInThread(cell: GridCell, effort: ValidationSize, onMatch: () => void): Promise<CellFindings> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(cellWorkerUrl, {
      workerData: { cell, effort },
    });
    thread.on('message', (message: 'match' | CellFindings) => (message === 'match' ? onMatch() : resolve(message)));
    thread.once('error', reject);
  });
}

if (import.meta.main) await runScript(runValidation);
