// Files about a study in its folder: its plan, and what each running command reports about its servers. Both are read
// as untrusted data: sizes are limited, contents are checked, and nothing in them is executed.
import path from 'node:path';
import { z } from 'zod';
import type { StudyServer } from '../../deception/design/study-progress.ts';
import { StudyPlan, studyFileName } from '../../deception/design/study-plan.ts';
import { tournamentFileName } from '../../deception/tournament-plan/tournament-record.ts';
import { getDisk, getMachine } from '../../models/machine/machine.ts';
import { parseJson } from '../../state/text.ts';

/** Size limits in bytes: of a study's plan, and of a running command's file. */
const [largestPlan, largestSign] = [4 * 2 ** 20, 256 * 1024];

/** Milliseconds without a sign of life after which a command counts as gone. */
export const signPatience = 30_000;

/** A running command's report about itself. */
export const SignOfLife = z.strictObject({
  told_at: z.iso.datetime(),
  /**
   * Process of the command, in the form that a match's lock uses. If the system allows process checks, a killed process
   * is recognized at once.
   */
  process: z.strictObject({
    pid: z.number().int(),
    started: z.string().nullable(),
    host: z.string(),
    namespace: z.string().nullable(),
    boot: z.string().nullable(),
  }),
  servers: z
    .array(
      z.strictObject({
        server: z.string().max(500),
        under_way: z.number(),
        waiting: z.number(),
        per_minute: z.number().nullable(),
        held_ms: z.number(),
      }),
    )
    .max(1000),
});
export type SignOfLife = z.infer<typeof SignOfLife>;

/**
 * Pattern of files that are signs of life. These files are hidden, and each command removes its own file when it ends.
 */
const signFile = /^\.running-[\w-]{1,64}\.json$/;

/** Maximum number of running commands per study whose files are read. */
const mostSigns = 200;

/** Names of files that mark a folder as a study's folder. */
export const studyFiles: readonly string[] = [studyFileName, tournamentFileName];

/** Reads the plan of a study; null if there is none, or if it is invalid. */
export function readStudyPlan(folder: string): StudyPlan | null {
  return readChecked(path.join(folder, studyFileName), StudyPlan, largestPlan);
}

/** Returns the number of planned matches of a tournament from an earlier version, which wrote no plan file. */
export function readPlannedMatches(folder: string): number | null {
  const Planned = z.looseObject({ matches: z.number().int().min(0) });
  return readChecked(path.join(folder, tournamentFileName), Planned, largestPlan)?.matches ?? null;
}

/** Lists the paths of the signs of life in a folder. */
export function listSignFiles(folder: string): string[] {
  try {
    return getDisk()
      .list(folder)
      .filter(({ name, kind, isLink }) => kind === 'file' && !isLink && signFile.test(name))
      .slice(0, mostSigns)
      .map(({ name }) => path.join(folder, name));
  } catch {
    return []; // gone meanwhile, or unreadable
  }
}

/** Reads the sign of life of a command. Returns null if the command has ended or the sign is too old. */
export function readSign(file: string, now: number): SignOfLife | null {
  const sign = readChecked(file, SignOfLife, largestSign);
  if (sign === null || Math.abs(now - Date.parse(sign.told_at)) >= signPatience) return null;
  return getMachine().processes.isAlive(sign.process) === false ? null : sign;
}

/**
 * Reads the servers of all commands that play the study now. `isPlayed`: whether any command plays the study. `now`:
 * milliseconds since 1970.
 */
export function readSigns(folder: string, now: number): { isPlayed: boolean; servers: StudyServer[] } {
  const fresh = listSignFiles(folder).flatMap((file) => readSign(file, now) ?? []);
  const servers = fresh.flatMap((sign) =>
    sign.servers.map(
      ({ server, under_way: underWay, waiting, per_minute: perMinute, held_ms: heldMs }): StudyServer => ({
        ...{ server, underWay, waiting, perMinute, heldMs },
      }),
    ),
  );
  return { isPlayed: fresh.length > 0, servers: joinServers(servers) };
}

/** Merges entries of the same server, and adds up their calls over all commands. */
const joinServers = (servers: readonly StudyServer[]): StudyServer[] =>
  [...Map.groupBy(servers, ({ server }) => server)].map(([server, same]) => {
    const paces = same.flatMap(({ perMinute }) => perMinute ?? []);
    return {
      server,
      underWay: same.reduce((total, one) => total + one.underWay, 0),
      waiting: same.reduce((total, one) => total + one.waiting, 0),
      perMinute: paces.length === 0 ? null : paces.reduce((total, one) => total + one, 0),
      heldMs: Math.max(...same.map(({ heldMs }) => heldMs)),
    };
  });

function readChecked<Contents>(file: string, schema: z.ZodType<Contents>, most: number): Contents | null {
  try {
    const disk = getDisk();
    if (disk.isForeignLink(file) || disk.find(file)?.kind !== 'file') return null;
    const read = schema.safeParse(parseJson(disk.readText(file, most)));
    return read.success ? read.data : null;
  } catch {
    return null; // gone meanwhile, too large, or not JSON
  }
}
