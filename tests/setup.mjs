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

/** Returns a function like `declare` (`it` or `it.skip`) that adds a time limit to its test. */
const limited = (declare) =>
  Object.assign((name, test) => declare(name, limitTime(test)), {
    each:
      (...table) =>
      (name, test) =>
        declare.each(...table)(name, limitTime(test)),
  });

// The runner sets Jest's globals only after this file has been run.
globalThis.wolfgraphTests = {
  get it() {
    const { it } = globalThis;
    return Object.assign(limited(it), { skip: limited(it.skip), only: limited(it.only) });
  },
};
const exported = `
  export const { describe, expect, beforeAll, afterAll, beforeEach, afterEach, jest } = globalThis;
  export const { it } = wolfgraphTests;
  export { it as test };`;
const globals = `data:text/javascript,${encodeURIComponent(exported)}`;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context),
});
