// Tries many mutants in parallel. Writes each result to a file immediately, so that a stopped run can resume.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hashText } from '../../state/hash-text.ts';
import { hashMutant, type Mutant } from './choose-mutants.ts';
import { listSuites, measureDistances, readImporters } from './suite-distance.ts';
import {
  prepareCopy,
  findReachedPlaces,
  type ProjectCopy,
  placeProbes,
  type Probes,
  dropCopy,
  runSuites,
  runWithMutant,
  type SuiteRun,
} from './try-mutants.ts';

/** A mutant that was tried. */
export interface TriedMutant {
  mutant: Mutant;
  /** Result of the suites. `passed`: no suite noticed the mutant, or no suite reaches its place. */
  run: SuiteRun;
}

/** One line of the file of results. */
type ResultLine =
  | { kind: 'reach'; key: string; suite: string; seconds: number; reached: string[] }
  | { kind: 'mutant'; key: string; tests: string; file: string; line: number; from: string; to: string; run: SuiteRun };

interface RunSettings {
  root: string;
  /** File of results, outside the project. */
  results: string;
  /** Number of processes that run tests in parallel. */
  jobs: number;
  tell: (line: string) => void;
}

/**
 * Tries mutants. A mutant that was noticed before is not tried again; a survivor is tried again if a test has changed.
 * Suites that fail without a mutant are left out.
 */
export async function testMutants(
  mutants: readonly Mutant[],
  { root, results, jobs, tell }: RunSettings,
): Promise<TriedMutant[]> {
  mkdirSync(path.dirname(results), { recursive: true });
  const known = existsSync(results)
    ? readFileSync(results, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as ResultLine)
    : [];
  const keep = (line: ResultLine) => appendFileSync(results, `${JSON.stringify(line)}\n`);
  const copies = Array.from({ length: jobs }, () => prepareCopy(root));
  try {
    const reach = await findReach(mutants, { root, copies, known, keep, tell });
    const importers = readImporters(root);
    const durations = new Map([...reach].map(([suite, { seconds }]) => [suite, seconds]));
    const tests = hashText(
      listSuites(root)
        .map((suite) => readFileSync(path.join(root, suite), 'utf8'))
        .join(''),
    );
    const tried: TriedMutant[] = [];
    await share(copies, mutants, async (copy, mutant) => {
      const key = hashMutant(mutant);
      const before = known.findLast((line) => line.kind === 'mutant' && line.key === key);
      if (before?.kind === 'mutant' && (before.run.outcome !== 'passed' || before.tests === tests)) {
        tried.push({ mutant, run: before.run });
        return;
      }
      const distances = measureDistances(importers, mutant.file);
      const rank = (suite: string) => [distances.get(suite) ?? Infinity, durations.get(suite)!] as const;
      const suites = [...reach]
        .filter(([, { reached }]) => reached.has(key))
        .map(([suite]) => suite)
        .sort((one, other) => compare(rank(one), rank(other)));
      if (distances.has(pageProgram)) suites.push(browserSuite);
      const run: SuiteRun =
        suites.length === 0
          ? { outcome: 'passed', suite: null, test: null, seconds: 0 }
          : await runWithMutant(copy, mutant, suites, { durations });
      const { file, line, from, to } = mutant;
      keep({ kind: 'mutant', key, tests, file, line, from, to, run });
      tried.push({ mutant, run });
      const by = run.suite === null ? `(${suites.length} suites reach it)` : `${run.outcome} ${run.suite}`;
      tell(`${tried.length}/${mutants.length} ${describeMutant(mutant)}: ${by}, ${run.seconds.toFixed(0)} s`);
    });
    return mutants.map((mutant) => tried.find((one) => one.mutant === mutant)!);
  } finally {
    copies.forEach(dropCopy);
  }
}

/** The only program that runs in a browser, and the suite that runs it there. */
const pageProgram = 'report/viewer/viewer-app.ts';
const browserSuite = 'tests/long/browser.test.ts';

const compare = (one: readonly [number, number], other: readonly [number, number]) =>
  one[0] === other[0] ? one[1] - other[1] : one[0] - other[0];

const shorten = (text: string) => {
  const words = text.replace(/\s+/g, ' ');
  return words.length > 60 ? `${words.slice(0, 57)}…` : words;
};

/** Describes a mutant, e.g. "state/view.ts:12 a > 1 → a >= 1". */
export const describeMutant = ({ file, line, from, to }: Mutant): string =>
  `${file}:${line} ${shorten(from)} → ${shorten(to) || 'nothing'}`;

/** Gives each item to the next free worker. */
async function share<Worker, Item>(
  workers: readonly Worker[],
  items: Iterable<Item>,
  work: (worker: Worker, item: Item) => Promise<void>,
) {
  const queue = items[Symbol.iterator]();
  await Promise.all(
    workers.map(async (worker) => {
      for (let next = queue.next(); !next.done; next = queue.next()) await work(worker, next.value);
    }),
  );
}

interface Reach {
  seconds: number;
  /** Names of the mutants whose places the suite reaches. */
  reached: ReadonlySet<string>;
}

interface ReachSettings extends Omit<RunSettings, 'results' | 'jobs'> {
  copies: readonly ProjectCopy[];
  known: readonly ResultLine[];
  keep: (line: ResultLine) => void;
}

/**
 * Finds the places of mutants that each suite reaches. Each suite runs in a process of its own, because modules are
 * loaded once per process.
 */
async function findReach(
  mutants: readonly Mutant[],
  { root, copies, known, keep, tell }: ReachSettings,
): Promise<Map<string, Reach>> {
  const names = mutants.map(hashMutant);
  const all = names.join();
  const found = new Map<string, Reach>();
  const probes = new Map(copies.map((copy) => [copy, placeProbes(copy, mutants)]));
  await share(copies, listSuites(root), async (copy, suite) => {
    const key = hashText(`${all}${readFileSync(path.join(root, suite), 'utf8')}`);
    const before = known.findLast((line) => line.kind === 'reach' && line.key === key);
    if (before?.kind === 'reach') {
      found.set(suite, { ...before, reached: new Set(before.reached) });
      return;
    }
    const { run, reached } = await findReachedPlaces(copy, suite);
    // A suite that checks the text of files fails if the text contains probes.
    if (run.outcome !== 'passed' && !(await isSound(copy, suite, probes.get(copy)!))) {
      tell(`LEFT OUT ${suite}, which fails without a mutant.`);
      return;
    }
    const line = { kind: 'reach', key, suite, seconds: run.seconds, reached: reached.map((id) => names[id]!) } as const;
    keep(line);
    found.set(suite, { ...line, reached: new Set(line.reached) });
    tell(`${suite} reaches ${reached.length} of the places, ${run.seconds.toFixed(0)} s`);
  });
  for (const { remove } of probes.values()) remove();
  return found;
}

/** Whether a suite passes without any mutant. A suite that fails anyway cannot detect mutants. */
async function isSound(copy: ProjectCopy, suite: string, { insert, remove }: Probes): Promise<boolean> {
  remove();
  const { outcome } = await runSuites(copy, [suite], { durations: new Map() });
  insert();
  return outcome === 'passed';
}
