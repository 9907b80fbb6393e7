// Distance between a test suite and a file of the product. For a mistake in the file, the nearest suite is tried first.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Lists the suites of `npm test`, except the house rules, which check texts rather than behavior. */
export const listSuites = (root: string): string[] =>
  globSync('tests/**/*.test.ts', { cwd: root, exclude: ['tests/long/**'] })
    .filter((file) => file !== 'tests/house.test.ts')
    .sort();

/** Returns file → files that import it. */
export function readImporters(root: string): Map<string, string[]> {
  const files = globSync('{*/**/*.ts,*.ts}', { cwd: root, exclude: ['node_modules/**'] });
  const importers = new Map<string, string[]>();
  for (const file of files)
    for (const { fileName } of ts.preProcessFile(readFileSync(path.join(root, file), 'utf8'), true, true)
      .importedFiles) {
      if (!fileName.startsWith('.')) continue;
      const imported = path.posix.join(path.posix.dirname(file), fileName);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  return importers;
}

/**
 * Counts the imports between a file and each suite that imports it, directly or indirectly; 0 for the suite that
 * mirrors the file. A suite that is not listed may still reach the file through a process.
 */
export function measureDistances(importers: ReadonlyMap<string, readonly string[]>, file: string): Map<string, number> {
  const distances = new Map([[file, 0]]);
  for (const [near, distance] of distances)
    for (const next of importers.get(near) ?? []) if (!distances.has(next)) distances.set(next, distance + 1);
  const mirror = `tests/${file.replace(/\.ts$/, '.test.ts')}`;
  return distances.has(mirror) ? distances.set(mirror, 0) : distances;
}
