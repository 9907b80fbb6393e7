// Whether the tests notice mistakes, one at a time: `npm run mutate`.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { UsageError } from '../state/usage-error.ts';
import { createCommand, exitCodes, runScript } from '../scripts/command/command-line.ts';
import { findPlaces, mutations, type MutationPlace } from './mutate/mutations.ts';

const root = path.join(import.meta.dirname, '..');

interface Outcome {
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: readonly { name: string; status: string }[];
}

/** Runs the suites with the mutant, or as they are. */
function runSuites(suites: readonly string[], mutant?: MutationPlace): Outcome {
  const jest = ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  const { stdout, stderr } = spawnSync(process.execPath, [...jest, '--json', '--silent', ...suites], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e9,
    env: {
      ...process.env,
      MUTANT: JSON.stringify(mutant ? { ...mutant, file: path.join(root, mutant.file) } : {}),
    },
  });
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
    if (run.length === 0) throw new RangeError(`There is no test suite ${suite}. Mend tools/mutate/mutations.ts.`);
    const failed = run.find(({ status }) => status !== 'passed');
    if (failed) throw new RangeError(`${path.relative(root, failed.name)} fails without a mutant.`);
  }
}

/** Whether a test fails with the mutant. Throws for one with which nothing can be run. */
function isKilled(place: MutationPlace): boolean {
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
