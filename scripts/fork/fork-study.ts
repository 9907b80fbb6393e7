// The settings of a study of forks, stored in its folder so that resuming continues the same study.
import path from 'node:path';
import { z } from 'zod';
import { getDisk } from '../../models/machine/machine.ts';
import { writeWhole } from '../../models/record/recorder.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { forkArms, type ForkOf, nameForkArm } from '../../state/fork.ts';
import { parseJson } from '../../state/text.ts';
import { describeInOneLine, describeNearName, UsageError } from '../../state/usage-error.ts';

/** An arm, with its text if the arm needs one. */
export type ArmChoice = Pick<ForkOf, 'arm' | 'text'>;

const Arm = z.strictObject({ arm: z.enum(forkArms), text: z.string().optional() });

export const ForkStudy = z.strictObject({
  version: z.literal(1),
  /** Folders of the matches, as they were typed. */
  study: z.array(z.string()).min(1),
  where: z.string(),
  arms: z.array(Arm).min(1),
  until: z.enum(['vote', 'end']),
  /** Seed of the draw of statements. */
  seed: z.number().int(),
  /** Wanted number of statements; null for all. */
  sample: z.number().int().min(1).nullable(),
  /** Extractor of claims; null for the rules. */
  judge: z.string().nullable(),
  neutral: z.string(),
  /** Number of statements to rank by their effect and replay afresh. */
  rank: z.number().int().min(0),
  statements: z.array(z.strictObject({ match: z.string(), folder: z.string(), statement: z.string() })),
});
export type ForkStudy = z.infer<typeof ForkStudy>;

/** Default neutral statement: about as long as a short statement, and about no player. */
export const defaultNeutral = 'I have nothing to add at this point; let us first hear what the others think.';

const studyFile = 'fork.json';

/** Returns the folder within a study that holds the forks' folders. */
export const getForksFolder = (out: string): string => path.join(out, 'forks');

/**
 * Parses the arms of `--arms`, separated by commas. `keep` comes first, named or not. Throws a UsageError for an
 * unknown arm and for one named twice.
 *
 * @example parseArms('neutral,say:"I am the Seer."', 'Let us wait.').map(({ arm }) => arm) // ['keep', 'neutral', 'say']
 */
export function parseArms(text: string, neutral: string): ArmChoice[] {
  const parts = text.match(/say:"[^"]*"|[^,]+/g) ?? [];
  const arms = parts.map((part) => readArm(part.trim(), neutral));
  const all = [{ arm: 'keep' as const }, ...arms.filter(({ arm }) => arm !== 'keep')];
  const names = all.map(nameForkArm);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) throw new UsageError(`--arms names ${twice} twice. Remove one.`);
  if (all.length === 1)
    throw new UsageError(
      `--arms names only "keep", and there is no other arm to compare it with. Add one, e.g. neutral.`,
    );
  return all;
}

function readArm(part: string, neutral: string): ArmChoice {
  const [, quoted, plain] = /^say:(?:"([^"]*)"|(.*))$/s.exec(part) ?? [];
  const said = (quoted ?? plain)?.trim();
  if (said === '')
    throw new UsageError('--arms: say:"…" has no words. For a turn without a statement, name the arm silence.');
  if (said !== undefined) return { arm: 'say', text: said };
  const arm = forkArms.find((one) => one === part);
  if (arm === undefined || arm === 'say')
    throw new UsageError(
      `Unknown arm "${part}". ${describeNearName(part, forkArms)}Arms: ${forkArms.map((one) => (one === 'say' ? 'say:"WORDS"' : one)).join(', ')}.`,
    );
  return arm === 'neutral' ? { arm, text: neutral } : { arm };
}

/** Reads the study in a folder; null if there is none. Throws a RecordError for a damaged file. */
export function readForkStudy(out: string): ForkStudy | null {
  const file = path.join(out, studyFile);
  if (!getDisk().exists(file)) return null;
  const read = ForkStudy.safeParse(parseJson(getDisk().readText(file)));
  if (read.success) return read.data;
  throw new RecordError(
    `${file} is not a valid study of forks: ${describeInOneLine(read.error)}. Restore it from a copy, or choose another --out.`,
  );
}

export function writeForkStudy(out: string, study: ForkStudy): void {
  getDisk().makeFolder(getForksFolder(out));
  writeWhole(path.join(out, studyFile), `${JSON.stringify(ForkStudy.parse(study), null, 2)}\n`); // in the order of the schema
}

/** Typed settings of a study. When resuming, they may be left out or repeated, but not changed. */
export type TypedStudy = {
  [Key in Exclude<keyof ForkStudy, 'version' | 'statements'>]?: ForkStudy[Key] | undefined;
};

const flags: Readonly<Record<keyof TypedStudy, string>> = {
  study: 'the folders',
  where: '--where',
  arms: '--arms',
  until: '--until',
  seed: '--seed',
  sample: '--sample',
  judge: '--judge',
  neutral: '--neutral',
  rank: '--rank',
};

/** Settings that may be increased later, which adds forks. */
const growing: readonly (keyof TypedStudy)[] = ['sample', 'rank'];

/**
 * Throws a UsageError for typed settings that differ from the study's. The sample and the number of ranked statements
 * may grow.
 */
export function checkSameStudy(out: string, kept: ForkStudy, typed: TypedStudy): void {
  for (const [key, flag] of Object.entries(flags) as [keyof TypedStudy, string][]) {
    const [was, now] = [kept[key], typed[key]];
    if (now === undefined || JSON.stringify(was) === JSON.stringify(now)) continue;
    if (growing.includes(key) && was !== null && (now === null || Number(now) >= Number(was))) continue;
    throw new UsageError(
      `${path.join(out, studyFile)} was begun ${was === null ? `without ${flag}` : `with ${flag} ${JSON.stringify(was)}`}, which cannot change to ${JSON.stringify(now)}. Leave out the option to resume, or choose another --out.`,
    );
  }
}
