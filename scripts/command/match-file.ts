// Everything that flags can say, in a YAML file; a match's own manifest is such a file too.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parse } from 'yaml';
import { readManifest } from '../../models/record/recorder.ts';
import { Board } from '../../state/boards.ts';
import type { Manifest } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';

const model = z.string({ error: 'must be a model such as "openai:gpt-4o"' });

/** In YAML a model alone stands for its seat. */
const seat = z.preprocess(
  (value) => (typeof value === 'string' ? { model: value } : value),
  knownOnly({ model: model.optional(), persona: z.string().max(500).optional() }),
);

export const MatchFile = knownOnly({
  /** By name, as the name of a YAML file, or in full. */
  board: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  rules: z.string().optional(),
  rule: z
    .record(
      z.string(),
      z.union([z.string(), z.number(), z.boolean(), z.null()], {
        error: 'must be a word, a number, true, false or null',
      }),
    )
    .optional(),
  seed: z.number().int().optional(),
  model: model.optional(),
  villagers: model.optional(),
  werewolves: model.optional(),
  roles: z.record(z.string(), model).optional(),
  seats: z.record(z.string(), seat).optional(),
  out: z.string().min(1).optional(),
  id: z.string().optional(),
  /** So many matches, each with the next seed. */
  matches: z.number().int().min(1).max(100_000).optional(),
  dryRun: z.boolean().optional(),
  /** USD. */
  maxCost: z.number().min(0).optional(),
  concurrency: z.number().int().min(1).max(1000).optional(),
  reveal: z.boolean().optional(),
  json: z.boolean().optional(),
  quiet: z.boolean().optional(),
});
export type MatchFile = z.infer<typeof MatchFile>;

/** A strict object that answers an unknown key with the known ones. */
function knownOnly<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown: ${issue.keys.map((key) => `"${key}"`).join(', ')}; known: ${Object.keys(shape).join(', ')}`
        : undefined,
  });
}

/**
 * Throws a UsageError that names the file and what is wrong in it, or a RecordError for a manifest that cannot be used.
 */
export function readMatchFile(file: string): { plan: MatchFile; manifest?: Manifest } {
  const value = readYaml(file);
  if (isManifest(value)) return { plan: {}, manifest: readManifest(file) };
  const plan = check(file, MatchFile, value ?? {});
  if (typeof plan.board === 'object') check(`${file}, board,`, Board, plan.board);
  return { plan };
}

/** A board in a YAML file. Throws a UsageError that names the file and what is wrong in it. */
export const readBoardFile = (file: string): Board => check(file, Board, readYaml(file));

/** Of any version, so that another one is told as such. */
const isManifest = (value: unknown) => typeof value === 'object' && value !== null && 'schema_version' in value;

function readYaml(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read: ${message.trim()}`,
      {
        cause: error,
      },
    );
  }
}

/** Throws a UsageError that names `what` and every fault in it. */
export function check<Contents>(what: string, schema: z.ZodType<Contents>, value: unknown): Contents {
  const read = schema.safeParse(value, { reportInput: true });
  if (read.success) return read.data;
  const faults = read.error.issues.map(({ path, message, input }) => {
    const shown = input === undefined || typeof input === 'object' ? '' : ` ${JSON.stringify(input)}`;
    return path.length === 0 ? `  ${message}` : `  ${path.join('.')}${shown}: ${message}`;
  });
  throw new UsageError([`${what} cannot be used:`, ...faults].join('\n'));
}
