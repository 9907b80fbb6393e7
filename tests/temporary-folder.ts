// A folder for the records of tests. It is removed after the tests of a file.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from '@jest/globals';

export function createTemporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'wolfgraph-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
