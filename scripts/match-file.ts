// Everything that flags can say, in a YAML file; a match's own manifest is such a file too.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parse } from 'yaml';
import { Board } from '../state/boards.ts';
import type { RuleValue } from '../state/rule.ts';
import { Manifest, schemaVersion } from '../state/record.ts';

const model = z.string();
const ruleValue = z.union([z.string(), z.number(), z.boolean(), z.null()]) as z.ZodType<RuleValue>;

export const MatchFile = z.strictObject({
  board: z.union([z.string(), Board]).optional(),
  rules: z.string().optional(),
  rule: z.record(z.string(), ruleValue).optional(),
  seed: z.number().int().optional(),
  model: model.optional(),
  villagers: model.optional(),
  werewolves: model.optional(),
  roles: z.record(z.string(), model).optional(),
  seats: z
    .record(
      z.string(),
      z.union([model, z.strictObject({ model: model.optional(), persona: z.string().max(500).optional() })]),
    )
    .optional(),
  out: z.string().optional(),
  id: z.string().optional(),
  maxCost: z.number().min(0).optional(),
  concurrency: z.number().int().min(1).max(1000).optional(),
  reveal: z.boolean().optional(),
  json: z.boolean().optional(),
  quiet: z.boolean().optional(),
});
export type MatchFile = z.infer<typeof MatchFile>;

/** Throws a RangeError that names the file and what is wrong in it. */
export function readMatchFile(file: string): { plan: MatchFile; manifest?: Manifest } {
  const value = readYaml(file);
  if (isManifest(value)) return { plan: {}, manifest: check(file, Manifest, value) };
  return { plan: check(file, MatchFile, value ?? {}) };
}

/** A board in a YAML file. Throws a RangeError that names the file and what is wrong in it. */
export const readBoardFile = (file: string): Board => check(file, Board, readYaml(file));

const isManifest = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  (value as { schema_version?: unknown }).schema_version === schemaVersion;

function readYaml(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new RangeError(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function check<Contents>(file: string, schema: z.ZodType<Contents>, value: unknown): Contents {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new RangeError(`${file} cannot be used:\n${z.prettifyError(read.error)}`);
}
