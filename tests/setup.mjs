// Runs in each process of tests before its suites. Provides the exports of `@jest/globals`, with a time limit for
// tests.
import { statfsSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

// Threads load the product too, and only this variable tells them the compile cache.
process.env['NODE_COMPILE_CACHE'] ??= path.join(tmpdir(), 'node-compile-cache');
enableCompileCache();
// Folder in memory. Records are flushed to disk at every answer, which costs nothing there.
const memory = '/dev/shm';
try {
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize > 2 ** 32) process.env['TMPDIR'] ??= memory;
} catch {
  // There is no folder in memory.
}
process.on('disconnect', () => process.exit()); // whatever a suite has left open

/** While mutants are tried, one failure is enough, so the rest of its suite is not run. */
const isOneEnough = process.env['MUTANT_SUITES'] !== undefined;
/** Seconds that a test may take. A test against a real server of models needs more, so `TEST_SECONDS` sets another limit. */
const seconds = Number(process.env['TEST_SECONDS'] ?? 600);
/**
 * Time limit of a test in milliseconds. `tools/mutate` has its own limit, which does not depend on how busy the machine
 * is.
 */
const limit = isOneEnough ? 2 ** 31 - 1 : seconds * 1000;
let hasFailed = false;

const limitTime =
  (test) =>
  async (...args) => {
    if (isOneEnough && hasFailed) return;
    const late = Promise.withResolvers();
    const timer = setTimeout(() => late.reject(new Error(`Not done after ${limit / 1000} s.`)), limit);
    try {
      return await Promise.race([test(...args), late.promise]);
    } catch (error) {
      hasFailed = true;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

/** Whether this is `npm run test:long`, which leaves out the quick tests of suites that `npm test` runs too. */
const isLongRun = process.env['LONG_TESTS'] === '1';
delete process.env['LONG_TESTS']; // a suite may start Jest itself
const longSuites = path.join('tests', 'long') + path.sep;
const isQuickWanted = () => !isLongRun || globalThis.expect.getState().testPath.includes(longSuites);
const isLongWanted = () => isLongRun || isOneEnough; // mutants are tried with all tests of a suite

/**
 * Returns a function like `declare` (`it` or `it.skip`) that adds a time limit to its test. The function does nothing
 * where the test is not wanted.
 */
const limited = (declare, isWanted) =>
  Object.assign((name, test) => void (isWanted() && declare(name, limitTime(test))), {
    each:
      (...table) =>
      (name, test) =>
        void (isWanted() && declare.each(...table)(name, limitTime(test))),
  });
const createIt = ({ it }, isWanted) =>
  Object.assign(limited(it, isWanted), { skip: limited(it.skip, isWanted), only: limited(it.only, isWanted) });

// The runner sets Jest's globals only after this file has been run.
globalThis.wolfgraphTests = {
  get it() {
    return createIt(globalThis, isQuickWanted);
  },
  get itLong() {
    return createIt(globalThis, isLongWanted);
  },
};
const exported = `
  export const { describe, expect, beforeAll, afterAll, beforeEach, afterEach, jest } = globalThis;
  export const { it } = wolfgraphTests;
  export { it as test };`;
const globals = `data:text/javascript,${encodeURIComponent(exported)}`;

/**
 * Suites that this process has imported. The runner adds the time to a suite's address, under which the compile cache
 * would keep it anew in every run and never find it again. Only a suite that a process imports twice, as `--watch`
 * does, needs that.
 */
const imported = new Set();

function dropTime(specifier) {
  const [suite, time] = specifier.split('?');
  if (time === undefined || !suite.endsWith('.test.ts') || imported.has(suite)) return specifier;
  imported.add(suite);
  return suite;
}

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(dropTime(specifier), context),
});
