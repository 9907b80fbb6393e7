// Tries mutants in copies of the project. Each suite first runs once, to find the places that it reaches. Then each
// mutant is run against the suites that reach it, nearest first, until one fails.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Mutant } from './choose-mutants.ts';
import { replacePlace, writeProbes } from './mutable-places.ts';
import { readSessionActivity, SpentTime } from './spent-time.ts';

/** A copy of the project. Only one process at a time runs tests in it. */
export interface ProjectCopy {
  root: string;
  /** Folder for tests' temporary files. */
  temporary: string;
}

/** The result of running suites. */
export interface SuiteRun {
  outcome: 'passed' | 'failed' | 'hung' | 'crashed';
  /** The suite that did not pass, and its first failed test. The test is null if it was not reported. */
  suite: string | null;
  test: string | null;
  /** Seconds that the run would have taken on an idle machine. */
  seconds: number;
}

/** Copies the files that git tracks or would add. The copy is in memory if the system has such a folder. */
export function prepareCopy(root: string): ProjectCopy {
  const memory = '/dev/shm';
  const whole = mkdtempSync(path.join(existsSync(memory) ? memory : tmpdir(), 'wolfgraph-mutants-'));
  const copy = { root: path.join(whole, 'project'), temporary: path.join(whole, 'temporary') };
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of listed.toString().split('\0'))
    if (file !== '' && existsSync(path.join(root, file)))
      cpSync(path.join(root, file), path.join(copy.root, file), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy.root, 'node_modules'));
  return copy;
}

/** Removes a copy and everything its tests have left. */
export const dropCopy = ({ root }: ProjectCopy): void => rmSync(path.dirname(root), { recursive: true, force: true });

interface RunOptions {
  /** Suite → its seconds without a mutant, estimated as in `SuiteRun`. */
  durations: ReadonlyMap<string, number>;
  /**
   * Seconds that a suite may always use, in addition to ten times its duration without a mutant. A suite that takes
   * longer counts as hung.
   */
  leastSeconds?: number;
  env?: Readonly<Record<string, string>>;
}

/** Seconds without any activity after which a run counts as hung: no test waits that long for anything. */
const mostIdle = 90;

/**
 * Runs suites in order in one process until one fails. Throws if a suite does not exist, or if no suite could start.
 */
export async function runSuites(
  copy: ProjectCopy,
  suites: readonly string[],
  { durations, leastSeconds = 60, env = {} }: RunOptions,
): Promise<SuiteRun> {
  const lost = suites.find((suite) => !existsSync(path.join(copy.root, suite)));
  if (lost !== undefined) throw new RangeError(`There is no test suite ${lost}.`);
  rmSync(copy.temporary, { recursive: true, force: true });
  mkdirSync(copy.temporary);
  const here = path.join(copy.root, path.relative(path.join(import.meta.dirname, '../..'), import.meta.dirname));
  const jest = spawn(
    process.execPath,
    [
      ...['--max-semi-space-size=64', '--max-old-space-size=3000', '--disable-warning=ExperimentalWarning'],
      ...[
        'node_modules/jest/bin/jest.js',
        '--runInBand',
        '--ci',
        '--bail',
        '--silent',
        '--forceExit', // a suite may leave something open that keeps the process alive
        '--testPathIgnorePatterns=/node_modules/',
      ],
      ...[`--testSequencer=${here}/jest-order.mjs`, `--reporters=${here}/jest-progress.mjs`],
      ...['--runTestsByPath', ...suites],
    ],
    {
      cwd: copy.root,
      detached: true, // so that everything its tests started ends with it
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env, TMPDIR: copy.temporary, MUTANT_SUITES: suites.join('\n') },
    },
  );
  const spent = new SpentTime();
  let run: SuiteRun = { outcome: 'crashed', suite: null, test: null, seconds: 0 };
  let errors = '';
  let ended = 0;
  let limit = 120;
  let isLate = false;
  let readAt = performance.now();
  const read = () => {
    const now = performance.now();
    spent.add(readSessionActivity(jest.pid), (now - readAt) / 1000);
    readAt = now;
  };
  const timer = setInterval(() => {
    read();
    isLate = spent.total > limit || spent.idle > mostIdle;
    if (isLate) stop(jest);
  }, 250);
  jest.stderr!.on('data', (text) => (errors = (errors + String(text)).slice(-2000)));
  const lines = createInterface({ input: jest.stdio[3] as Readable });
  lines.on('line', (text) => {
    const line = JSON.parse(text) as { began?: string; ended?: string; isFailed?: boolean; test?: string | null };
    const suite = path.relative(copy.root, (line.began ?? line.ended)!);
    if (line.began !== undefined) limit = spent.total + leastSeconds + 10 * (durations.get(suite) ?? 60);
    if (line.ended !== undefined) ended += 1;
    if (run.outcome !== 'failed')
      run = { ...run, suite, ...(line.isFailed === true && { outcome: 'failed', test: line.test ?? null }) };
  });
  const code = await new Promise<number | null>((resolve) => jest.on('close', resolve));
  clearInterval(timer);
  stop(jest);
  if (run.suite === null) throw new Error(`Jest ran nothing of ${suites.join(', ')}:\n${errors}`);
  const seconds = spent.total;
  if (run.outcome === 'failed') return { ...run, seconds };
  if (isLate) return { ...run, outcome: 'hung', seconds };
  return code === 0 && ended === suites.length
    ? { outcome: 'passed', suite: null, test: null, seconds }
    : { ...run, seconds };
}

/** Ends a process and everything it started. */
function stop({ pid }: ChildProcess) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All processes have already ended.
  }
}

type PlacedMutant = Pick<Mutant, 'file' | 'start' | 'end' | 'to'>;

/**
 * Runs suites with one mutant in the copy, and then removes the mutant. If a suite fails or crashes, it is run again.
 * The suite has noticed the mutant if it fails again at the same test, or if it passes without the mutant. Otherwise
 * the machine caused the failure, and the next suites are tried.
 */
export async function runWithMutant(
  copy: ProjectCopy,
  mutant: PlacedMutant,
  suites: readonly string[],
  options: RunOptions,
): Promise<SuiteRun> {
  let seconds = 0;
  for (let left = suites; left.length > 0;) {
    const run = await runPlaced(copy, mutant, left, options);
    seconds += run.seconds;
    if (run.suite === null || (await isNoticed(copy, mutant, { ...run, suite: run.suite }, options)))
      return { ...run, seconds };
    left = left.slice(left.indexOf(run.suite) + 1);
  }
  return { outcome: 'passed', suite: null, test: null, seconds };
}

async function isNoticed(
  copy: ProjectCopy,
  mutant: PlacedMutant,
  { outcome, suite, test }: SuiteRun & { suite: string },
  options: RunOptions,
) {
  if (outcome === 'hung') return true;
  const again = await runPlaced(copy, mutant, [suite], options);
  if (again.outcome === 'passed') return false;
  if (outcome === 'failed' && test !== null && again.test === test) return true;
  return (await runSuites(copy, [suite], options)).outcome === 'passed';
}

async function runPlaced(copy: ProjectCopy, mutant: PlacedMutant, suites: readonly string[], options: RunOptions) {
  const file = path.join(copy.root, mutant.file);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, replacePlace(text, mutant, mutant.to));
  try {
    return await runSuites(copy, suites, options);
  } finally {
    writeFileSync(file, text);
  }
}

/** Probes that report when places are reached, and functions to insert and remove them. */
export interface Probes {
  readonly insert: () => void;
  readonly remove: () => void;
}

/** Inserts a probe at every mutant's place. */
export function placeProbes(copy: ProjectCopy, mutants: readonly Mutant[]): Probes {
  const numbered = mutants.map((mutant, id) => ({ ...mutant, id }));
  const texts = [...Map.groupBy(numbered, ({ file }) => file)].map(([name, places]) => {
    const file = path.join(copy.root, name);
    const text = readFileSync(file, 'utf8');
    return { file, text, probed: writeProbes(text, places) };
  });
  const insert = () => texts.forEach(({ file, probed }) => writeFileSync(file, probed));
  insert();
  return { insert, remove: () => texts.forEach(({ file, text }) => writeFileSync(file, text)) };
}

/** Runs a suite with probes. Returns the numbers of the places that the suite reaches, in any process. */
export async function findReachedPlaces(
  copy: ProjectCopy,
  suite: string,
): Promise<{ run: SuiteRun; reached: number[] }> {
  const reachedFile = path.join(path.dirname(copy.root), 'reached');
  rmSync(reachedFile, { force: true });
  const preload = `--import=${path.join(import.meta.dirname, 'reach.mjs')}`;
  const env = { MUTANT_REACHED: reachedFile, NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} ${preload}` };
  const run = await runSuites(copy, [suite], { durations: new Map(), env });
  const text = existsSync(reachedFile) ? readFileSync(reachedFile, 'utf8') : '';
  return { run, reached: [...new Set(text.split('\n').filter(Boolean).map(Number))] };
}
