// Records that change while a report is made: the report is not cached.
import { cpSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readReport, reportMany } from '../../scripts/report/write-reports.ts';
import { rewrite } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { run, shortest } from '../scripts/process.ts';

const root = createTemporaryFolder();
const at = (...parts: string[]) => path.join(root, ...parts);
await run('match', ['--out', at('played'), '--id', 'one', ...shortest, '--quiet']);
const options = { seed: 1, resamples: 20, isTabled: true, baselines: null };

describe('a report of records that change while it is made', () => {
  const cache = { folder: at('changing-cache'), program: 'this', settling: 0, most: 1e9, measureEvery: 0 };

  /** A signal that never aborts. When it is first checked, a match of the set changes. */
  function changeAtFirstLook(set: string): AbortSignal {
    const { signal } = new AbortController();
    let isChanged = false;
    signal.throwIfAborted = () => {
      if (!isChanged) rewrite(at(set, 'one'), 'manifest.json', (text) => `${text}\n`);
      isChanged = true;
    };
    return signal;
  }

  it.each([
    ['reportMany', reportMany],
    ['readReport', readReport],
  ])('is not kept for those that were read: %s', async (set, make) => {
    cpSync(at('played'), at(set), { recursive: true });
    const kept = path.join(cache.folder, 'report');
    const count = () => (existsSync(kept) ? readdirSync(kept, { recursive: true }).length : 0);
    const before = count();
    const all = { ...options, folders: [at(set)], out: at(`${set}-out`), cache };
    await make({ ...all, signal: changeAtFirstLook(set) });
    expect(count()).toBe(before);
    await make(all);
    expect(count()).toBeGreaterThan(before);
  });
});
