// Runs in each process of tests before its suites: gives them what `@jest/globals` exports, with a limit of time.
import { statfsSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

// Threads load the product too, and find the cache only by this variable.
process.env['NODE_COMPILE_CACHE'] ??= path.join(tmpdir(), 'node-compile-cache');
enableCompileCache();
// Records are synced to disk at every answer, which in memory costs nothing.
const memory = '/dev/shm';
try {
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize > 2 ** 32) process.env['TMPDIR'] ??= memory;
} catch {
  // no such place
}
process.on('disconnect', () => process.exit()); // whatever a suite has left open

/** While mutants are tried one failure says all: what follows it in its suite is not run. */
const isOneEnough = process.env['MUTANT_SUITES'] !== undefined;
/** Ends a test that hangs, in milliseconds; `tools/mutate` has a limit of its own, which a busy machine does not move. */
const limit = isOneEnough ? 2 ** 31 - 1 : 600_000;
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

/** As `declare`, `it` or `it.skip`, with the test it is given limited. */
const limited = (declare) =>
  Object.assign((name, test) => declare(name, limitTime(test)), {
    each:
      (...table) =>
      (name, test) =>
        declare.each(...table)(name, limitTime(test)),
  });

// The runner puts Jest's functions on the global object only when this file is done.
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
