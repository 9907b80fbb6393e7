// What all measurements share: their scale, a folder for records, and the timed matches, which are played once.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withModelServer } from './model-server.ts';
import { localModel, playApart } from './play-apart.ts';
import type { Played } from './player.ts';
import { plansOf, type Scale, type Variant } from './scale.ts';

export interface TimedMatches {
  variant: Variant;
  /** All in one process, one after another. */
  played: Played;
}

export interface Workbench {
  scale: Scale;
  /** Makes a new folder for records. */
  folder: (name: string) => string;
  /** Matches of all variants against a local server with latency. */
  timedMatches: () => Promise<TimedMatches[]>;
  /** Says what is being measured. */
  tell: (line: string) => void;
  /** Removes all records. */
  clear: () => void;
}

export function openWorkbench(scale: Scale, tell: (line: string) => void): Workbench {
  const root = mkdtempSync(path.join(tmpdir(), 'wolfgraph-bench-'));
  let timed: Promise<TimedMatches[]> | undefined;
  const folder = (name: string) => {
    const made = path.join(root, name);
    mkdirSync(made);
    return made;
  };
  return {
    scale,
    folder,
    timedMatches: () => (timed ??= playTimed(scale, folder, tell)),
    tell,
    clear: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** One variant after another, so that none waits for the processor. */
const playTimed = (
  { variants, latencyMs, timed }: Scale,
  folder: Workbench['folder'],
  tell: Workbench['tell'],
): Promise<TimedMatches[]> =>
  withModelServer(latencyMs, async ({ baseUrl }) => {
    const all: TimedMatches[] = [];
    for (const variant of variants) {
      tell(`matches of ${variant.name} at ${latencyMs} ms latency, ${timed} one after another`);
      const matches = plansOf(variant, localModel(baseUrl), timed);
      const out = folder(`timed ${variant.name}`);
      all.push({ variant, played: await playApart({ matches, inFlight: 1, concurrency: 32, out }) });
    }
    return all;
  });
