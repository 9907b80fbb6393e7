// Baselines that were made before: one file for each board with its rules, in a cache that may be deleted at any time.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { Baseline, type Effort } from '../../deception/baseline/baseline.ts';
import type { Ground } from '../../deception/simulation/random-matches.ts';

/** Where they are kept unless told otherwise, as the XDG base directories have it. */
export function usualFolder(environment: NodeJS.ProcessEnv): string {
  const cache = environment['XDG_CACHE_HOME'];
  const holder = cache !== undefined && path.isAbsolute(cache) ? cache : path.join(homedir(), '.cache');
  return path.join(holder, 'wolfgraph', 'baselines');
}

const BaselineFile = z.strictObject({ made_with: z.string(), ground: z.unknown(), baseline: Baseline });

const fileOf = (folder: string, hash: string) => path.join(folder, `${hash}.json`);

/** Null where there is none, or it is damaged, or was made with other code, games or seed: it is to be made anew. */
export function readBaseline(folder: string, hash: string, effort: Effort): Baseline | null {
  try {
    const read: unknown = JSON.parse(readFileSync(fileOf(folder, hash), 'utf8'));
    const { made_with: madeWith, baseline } = BaselineFile.parse(read);
    const isSame = madeWith === codeHash() && baseline.games === effort.games && baseline.seed === effort.seed;
    return isSame ? baseline : null;
  } catch {
    return null;
  }
}

/** Either the whole file or none of it is there. Throws where it cannot be written. */
export function keepBaseline(folder: string, hash: string, ground: Ground, baseline: Baseline): void {
  const file = fileOf(folder, hash);
  const draft = `${file}.${process.pid}.unfinished`;
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(draft, `${JSON.stringify({ made_with: codeHash(), ground, baseline })}\n`);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

let known: string | undefined;

/** Of the rules of the game and of all that measures: where these change, so may what chance gives. */
function codeHash(): string {
  known ??= ['state', 'deception']
    .flatMap((floor) => sourcesIn(path.join(import.meta.dirname, '../..', floor)))
    .reduce((hash, file) => hash.update(readFileSync(file)), createHash('sha256'))
    .digest('hex');
  return known;
}

const sourcesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => path.join(folder, name));
