// Whether the tests notice mistakes, one at a time: `npm run mutate`.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../state/usage-error.ts';
import { createCommand, exitCodes, runScript } from './command/command-line.ts';
import { mutations, type Mutation } from './mutate/mutations.ts';

const root = path.join(import.meta.dirname, '..');
const sources = globSync('{state,prompts,deception,models,nodes,graph,report}/**/*.ts', { cwd: root });

/** A mutation with the file that it is in, and its words as they are wrapped there. */
interface Place extends Mutation {
  file: string;
}

/** Throws a RangeError that names every mutation whose words stand in no file or in several. */
function findPlaces(wanted: readonly Mutation[]): Place[] {
  const texts = sources.map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
  const found = wanted.map((mutation) => {
    const words = new RegExp(mutation.from.split(/\s+/).map(escapePattern).join('\\s+'), 'g');
    const places = texts.flatMap(({ file, text }) =>
      [...text.matchAll(words)].map(([from]) => ({ ...mutation, file, from })),
    );
    return { mutation, places };
  });
  const faults = found.filter(({ places }) => places.length !== 1);
  if (faults.length === 0) return found.flatMap(({ places }) => places);
  const lines = faults.map(({ mutation: { what, from }, places }) => {
    const where = places.length === 0 ? 'no file' : places.map(({ file }) => file).join(', ');
    return `  "${what}": ${JSON.stringify(from)} stands in ${where}`;
  });
  throw new RangeError(
    ['The words of a place must stand once in the product. Mend scripts/mutate/mutations.ts:', ...lines].join('\n'),
  );
}

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

interface Outcome {
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: readonly { name: string; status: string }[];
}

/** Runs the suites with the mutant, or as they are. */
function runSuites(suites: readonly string[], mutant?: Place): Outcome {
  const jest = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js'];
  const transform = JSON.stringify({ '^.+\\.ts$': '<rootDir>/tests/mutate-types.mjs' });
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...jest, '--json', '--silent', '--transform', transform, ...suites],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1e9,
      env: {
        ...process.env,
        MUTANT: JSON.stringify(mutant ? { ...mutant, file: path.join(root, mutant.file) } : {}),
      },
    },
  );
  try {
    return JSON.parse(stdout) as Outcome;
  } catch {
    throw new Error(`Jest gave no result for ${suites.join(', ')}:\n${stderr}`);
  }
}

/** Throws where a suite fails already, or is not there: then no mutant could be told from the product. */
function expectSound(suites: readonly string[]) {
  const { testResults } = runSuites(suites);
  for (const suite of suites) {
    const run = testResults.filter(({ name }) => path.relative(root, name).startsWith(suite));
    if (run.length === 0) throw new RangeError(`There is no test suite ${suite}. Mend scripts/mutate/mutations.ts.`);
    const failed = run.find(({ status }) => status !== 'passed');
    if (failed) throw new RangeError(`${path.relative(root, failed.name)} fails without a mutant.`);
  }
}

/** Whether a test fails with the mutant. Throws for one with which nothing can be run. */
function isKilled(place: Place): boolean {
  const { numFailedTests, numRuntimeErrorTestSuites } = runSuites(place.suites, place);
  if (numFailedTests === 0 && numRuntimeErrorTestSuites > 0)
    throw new RangeError(`"${place.what}": the suites cannot be run with ${JSON.stringify(place.to)}.`);
  return numFailedTests > 0;
}

const about = 'Makes one mistake at a time in the product as the tests read it, and counts those that no test notices.';

await runScript((argv, io) => {
  const program = createCommand('mutate', about, io)
    .argument('[words...]', 'only mistakes whose description holds these words')
    .parse(argv, { from: 'user' });
  const words = program.args.join(' ');
  const places = findPlaces(mutations.filter(({ what }) => what.includes(words)));
  if (places.length === 0) throw new UsageError(`No mistake is described by "${words}".`); // Jest would run everything
  expectSound([...new Set(places.flatMap(({ suites }) => suites))]);
  let killed = 0;
  for (const place of places) {
    const isNoticed = isKilled(place);
    if (isNoticed) killed += 1;
    io.stdout.write(`${isNoticed ? 'noticed ' : 'SURVIVED'} ${place.what} (${place.file})\n`);
  }
  io.stdout.write(`\n${killed} of ${places.length} mistakes are noticed.\n`);
  return killed < places.length ? exitCodes.other : exitCodes.done;
});
