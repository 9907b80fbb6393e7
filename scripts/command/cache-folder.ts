// Finds cache folders. Caches are optional: if the system names no folder, the process uses a temporary one.
import { homedir, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { getDisk } from '../../models/machine/machine.ts';
import type { CommandIO } from './command-line.ts';

type CacheIO = Pick<CommandIO, 'env' | 'stderr'>;

/**
 * Returns the program's folder among the user's caches, which may be deleted at any time. The folder is in
 * XDG_CACHE_HOME if that is set, otherwise in ~/Library/Caches (macOS), %LOCALAPPDATA% (Windows) or ~/.cache. If none
 * of these exists, e.g. for a user id without an account, this process uses a temporary folder and prints a message
 * once.
 *
 * @example findCacheFolder('baselines', io); // '/home/ann/.cache/wolfgraph/baselines'
 */
export function findCacheFolder(name: string, io: CacheIO, platform = process.platform): string {
  return path.join(findCacheRoot(io.env, platform) ?? makeTemporaryRoot(io), 'wolfgraph', name);
}

/**
 * Returns the system's folder for the user's caches; null if there is none.
 *
 * @example findCacheRoot({ XDG_CACHE_HOME: '/scratch/ann' }); // '/scratch/ann'
 */
export function findCacheRoot(env: NodeJS.ProcessEnv, platform = process.platform): string | null {
  const named = env['XDG_CACHE_HOME'];
  if (named !== undefined && path.isAbsolute(named)) return named;
  if (platform === 'win32' && env['LOCALAPPDATA']) return env['LOCALAPPDATA'];
  const home = findHome(env);
  if (home === null) return null;
  const usual: Partial<Record<NodeJS.Platform, string[]>> = {
    darwin: ['Library', 'Caches'],
    win32: ['AppData', 'Local'],
  };
  return path.join(home, ...(usual[platform] ?? ['.cache']));
}

/** Finds the home folder. HOME may be empty or wrong, and a user id may have no account. */
function findHome(env: NodeJS.ProcessEnv): string | null {
  for (const find of [() => env['HOME'] ?? homedir(), () => userInfo().homedir]) {
    try {
      const home = find();
      if (path.isAbsolute(home) && getDisk().exists(home)) return home;
    } catch {
      // Ignore the error: the next source may know the home folder.
    }
  }
  return null;
}

let temporary: string | undefined;

function makeTemporaryRoot({ stderr }: CacheIO): string {
  if (temporary !== undefined) return temporary;
  try {
    const made = getDisk().makeTemporaryFolder(path.join(tmpdir(), 'wolfgraph-cache-'));
    process.once('exit', () => getDisk().remove(made));
    temporary = made;
  } catch {
    temporary = path.join(tmpdir(), 'wolfgraph-cache-none'); // caches are optional, so an unwritable folder is allowed
  }
  stderr.write('Nothing is cached, because there is no home directory: set HOME or XDG_CACHE_HOME to a folder.\n');
  return temporary;
}
