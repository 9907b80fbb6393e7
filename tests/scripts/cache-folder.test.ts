// Folders of caches, also on systems without a home directory.
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findCacheFolder } from '../../scripts/command/cache-folder.ts';

const find = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform = 'linux') => {
  const told: string[] = [];
  const stderr = { write: (text: string) => told.push(text) };
  return { folder: findCacheFolder('reports', { env, stderr }, platform), told };
};

describe('the folder of a cache', () => {
  it.each([
    ['/var/cache/wolfgraph/reports', { XDG_CACHE_HOME: '/var/cache', HOME: '/usr/share' }, 'linux'],
    ['/usr/share/.cache/wolfgraph/reports', { XDG_CACHE_HOME: 'relative', HOME: '/usr/share' }, 'linux'],
    ['/usr/share/Library/Caches/wolfgraph/reports', { HOME: '/usr/share' }, 'darwin'],
    ['/local/wolfgraph/reports', { LOCALAPPDATA: '/local', HOME: '/usr/share' }, 'win32'],
  ] as const)('is %s', (folder, env, platform) => {
    expect(find(env, platform)).toEqual({ folder: path.join(folder), told: [] });
  });

  it('never lies in the working directory, also where HOME is empty', () => {
    for (const HOME of ['', '.', 'relative'])
      expect(find({ HOME }).folder).toMatch(/^(?:\/|[A-Z]:).+wolfgraph.reports$/);
  });
});
