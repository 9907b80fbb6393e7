// Makes small mistakes in the code, one at a time, and checks that a test fails: `npm run mutate`.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { markdownTable } from 'markdown-table';
import { computeWilsonBounds } from '../deception/statistics/proportion.ts';
import { createCommand, exitCodes, readCount, readWhole, runScript } from '../scripts/command/command-line.ts';
import { UsageError } from '../state/usage-error.ts';
import {
  chooseAtRandom,
  chooseOnLines,
  createCompileCheck,
  getLayer,
  listPlacesOf,
  readChangedLines,
} from './mutate/choose-mutants.ts';
import { describeMutant, type TriedMutant, testMutants } from './mutate/mutation-run.ts';
import { findPlaces, mutations, type MutationPlace } from './mutate/mutations.ts';
import { listSuites } from './mutate/suite-distance.ts';
import { prepareCopy, dropCopy, runSuites, runWithMutant } from './mutate/try-mutants.ts';

const root = path.join(import.meta.dirname, '..');

/** Files of the package. `tools/` is left out, because only its own tests run it. */
const product = globSync('{state,prompts,deception,models,nodes,graph,report,scripts}/**/*.ts', { cwd: root }).sort();

interface Options {
  named?: true;
  base: string;
  random?: number;
  seed: number;
  in: string;
  jobs: number;
  results: string;
}

type Tell = (line: string) => void;

/** Makes each listed mistake and runs the tests listed with it. Returns the number of mistakes that no test noticed. */
async function testNamed(places: readonly MutationPlace[], tell: Tell): Promise<number> {
  const all = listSuites(root);
  const expand = (wanted: readonly string[]) => all.filter((suite) => wanted.some((begin) => suite.startsWith(begin)));
  const lost = places.flatMap(({ suites }) => suites).find((begin) => expand([begin]).length === 0);
  if (lost !== undefined) throw new RangeError(`There is no test suite ${lost}. Mend tools/mutate/mutations.ts.`);
  const copy = prepareCopy(root);
  try {
    const sound = await runSuites(copy, expand(places.flatMap(({ suites }) => suites)), { durations: new Map() });
    if (sound.outcome !== 'passed') throw new RangeError(`${sound.suite} ${sound.outcome} without a mutant.`);
    let survived = 0;
    for (const { what, file, from, to, suites } of places) {
      const start = readFileSync(path.join(root, file), 'utf8').indexOf(from);
      const mutant = { file, start, end: start + from.length, to };
      const { outcome } = await runWithMutant(copy, mutant, expand(suites), { durations: new Map() });
      if (outcome === 'passed') survived += 1;
      tell(`${outcome === 'passed' ? 'SURVIVED' : 'noticed '} ${what} (${file})`);
    }
    tell(`\n${places.length - survived} of ${places.length} mistakes are noticed.`);
    return survived;
  } finally {
    dropCopy(copy);
  }
}

const percent = (share: number) => `${(100 * share).toFixed(0)}%`;

/** Formats the share of noticed mutants in each layer, with its interval. */
function tabulate(tried: readonly TriedMutant[]): string {
  const rows = [...Map.groupBy(tried, ({ mutant }) => getLayer(mutant.file))].map(([layer, own]) => {
    const noticed = own.filter(({ run }) => run.outcome !== 'passed').length;
    const [low, high] = computeWilsonBounds(noticed, own.length)!;
    return [layer, own.length, noticed, `${percent(noticed / own.length)} [${percent(low)}, ${percent(high)}]`];
  });
  return markdownTable([['layer', 'n', 'noticed', 'share'], ...rows.map((row) => row.map(String))]);
}

/** Chooses mutants by the options. */
function chooseMutants({ base, random, seed, in: within }: Options) {
  const checkCompiling = createCompileCheck(root);
  const places = listPlacesOf(
    root,
    product.filter((file) => file.startsWith(within)),
  );
  if (random !== undefined) return chooseAtRandom(places, { count: random, seed, checkCompiling });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  const diff = git('diff', '--unified=0', '--no-color', '--no-ext-diff', git('merge-base', 'HEAD', base).trim());
  return chooseOnLines(places, readChangedLines(diff), checkCompiling);
}

const about =
  'Makes one mistake at a time in a copy of the product and runs the tests that reach it, nearest first, until one fails. ' +
  'By default on the lines that this branch changes.';

await runScript(async (argv, io) => {
  const program = createCommand('mutate', about, io)
    .argument('[words...]', 'only listed mistakes whose description holds these words')
    .option('--named', 'all mistakes of the list in tools/mutate/mutations.ts')
    .option('--base <branch>', 'what this branch is compared with', 'main')
    .option('--random <count>', 'so many places drawn from the whole product', readCount)
    .option('--seed <number>', 'the seed of the draw', readWhole, 1)
    .option('--in <path>', 'only files whose paths begin like this', '')
    .option('--jobs <count>', 'how many processes run tests at once', readCount, 1)
    .option(
      '--results <file>',
      'a file that keeps every outcome: the same command resumes, and tries survivors again where tests have changed',
      path.join(tmpdir(), 'wolfgraph-mutants.ndjson'),
    )
    .parse(argv, { from: 'user' });
  const options = program.opts<Options>();
  const words = program.args.join(' ');
  const tell: Tell = (line) => io.stdout.write(`${line}\n`);
  if (options.named || words !== '') {
    const wanted = mutations.filter(({ what }) => what.includes(words));
    if (wanted.length === 0) throw new UsageError(`No mutation's description contains "${words}".`);
    return (await testNamed(findPlaces(wanted), tell)) > 0 ? exitCodes.other : exitCodes.done;
  }
  const mutants = chooseMutants(options);
  if (mutants.length === 0) {
    tell(`No line that can be mutated differs from ${options.base}.`);
    return exitCodes.done;
  }
  tell(`${mutants.length} mutants.`);
  const tried = await testMutants(mutants, { ...options, root, tell });
  const survivors = tried.filter(({ run }) => run.outcome === 'passed');
  tell(`\n${tabulate(tried)}\n`);
  for (const { mutant } of survivors) tell(`SURVIVED ${describeMutant(mutant)}`);
  return survivors.length > 0 ? exitCodes.other : exitCodes.done;
});
