// Mutants in a real run of tests: which are noticed and by which test, which survive and which hang; and the places
// that tests reach.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Mutant } from '../../tools/mutate/choose-mutants.ts';
import { listMutablePlaces } from '../../tools/mutate/mutable-places.ts';
import {
  dropCopy,
  findReachedPlaces,
  placeProbes,
  prepareCopy,
  runSuites,
  runWithMutant,
} from '../../tools/mutate/try-mutants.ts';

const root = path.join(import.meta.dirname, '../..');
const file = 'deception/statistics/proportion.ts';
const suite = 'tests/deception/statistics/intervals.test.ts';
const readText = (where: string) => readFileSync(path.join(where, file), 'utf8');
const text = readText(root);
const copy = prepareCopy(root);
afterAll(() => dropCopy(copy));

const replace = (from: string, to: string) => {
  const start = text.indexOf(from);
  expect(start).toBeGreaterThan(0);
  return { file, start, end: start + from.length, to };
};
const options = { durations: new Map([[suite, 0.1]]), leastSeconds: 6 };

describe('a mutant in a copy of the project', () => {
  it('is noticed by the first suite that fails, with its test', async () => {
    const other = 'tests/deception/statistics/sample-size.test.ts';
    const run = await runWithMutant(copy, replace('z2 / 2', 'z2 / 3'), [suite, other], options);
    expect(run).toMatchObject({ outcome: 'failed', suite });
    expect(run.test).not.toBeNull();
  });

  it('survives where nothing that tests ask for changes, and the copy is as it was', async () => {
    const run = await runWithMutant(copy, replace('a share of independent', 'a part of independent'), [suite], options);
    expect(run).toMatchObject({ outcome: 'passed', suite: null });
    expect(readText(copy.root)).toBe(text);
    expect(readText(root)).toBe(text);
  });

  it('is not noticed by a suite that fails once, as on a busy machine', async () => {
    const flaky = 'tests/flaky.test.ts';
    const lines = [
      `import { existsSync, writeFileSync } from 'node:fs';`,
      `import { expect, it } from '@jest/globals';`,
      `const marker = new URL('marker', import.meta.url);`,
      `it('holds', () => { const isSecond = existsSync(marker); writeFileSync(marker, ''); expect(isSecond).toBe(true); });`,
    ];
    writeFileSync(path.join(copy.root, flaky), lines.join('\n'));
    const run = await runWithMutant(copy, replace('z2 / 2', 'z2 / 3'), [flaky], options);
    expect(run).toMatchObject({ outcome: 'passed', suite: null, test: null });
    expect(existsSync(path.join(copy.root, 'tests/marker'))).toBe(true);
  });

  it('is noticed where it never ends', async () => {
    const run = await runWithMutant(copy, replace('checkLevel(level);', 'for (;;);'), [suite], options);
    expect(run).toMatchObject({ outcome: 'hung', suite });
  });

  it('is noticed where it ends the process', async () => {
    const run = await runWithMutant(copy, replace('checkLevel(level);', 'process.exit(0);'), [suite], options);
    expect(run).toMatchObject({ outcome: 'crashed', suite });
  });
});

describe('the places that a suite reaches', () => {
  it('are told, while it still passes', async () => {
    const far = 'tools/bench/cpu-ratio.ts';
    const mutants = [file, far].flatMap((one) =>
      listMutablePlaces(one, readFileSync(path.join(root, one), 'utf8')).map((place): Mutant => ({ ...place, to: '' })),
    );
    const probes = placeProbes(copy, mutants);
    const { run, reached } = await findReachedPlaces(copy, suite);
    probes.remove();
    expect(run.outcome).toBe('passed');
    expect(new Set(reached.map((id) => mutants[id]!.file))).toEqual(new Set([file]));
    expect(reached.map((id) => mutants[id]!.from)).toContain('z2 / 2');
    expect(readText(copy.root)).toBe(text);
  });
});

it('suites that are not there are an error, not a noticed mutant', async () => {
  await expect(runSuites(copy, ['tests/none.test.ts'], options)).rejects.toThrow(
    'There is no test suite tests/none.test.ts.',
  );
});
