// Schemas of the rows read from the database. Anybody with write access could have put anything into them. So every row
// is parsed, its texts become one line of visible characters, and an unreadable row affects only itself.
import { z } from 'zod';
import { flattenToOneLine, parseJson, truncateBytes } from '../../state/text.ts';
import { describeIssue } from '../../state/usage-error.ts';

/** Signals a row of the database that cannot be read. */
export class UnreadableRow extends Error {
  override name = 'UnreadableRow';
}

/** Longest text shown, in bytes. */
const longestWords = 2000;

const Words = z.string().transform((text) => flattenToOneLine(truncateBytes(text, longestWords)));

/** Upper bound of sums of money, calls or tokens; larger numbers are not exact. */
const highest = Number.MAX_SAFE_INTEGER;

const Amount = z.number().min(0).max(highest);
const Count = z.number().int().min(0).max(highest);

/** PostgreSQL's integers end at 2^31; the limit leaves room for later attempts. */
const Attempt = z.number().int().min(0).max(1e9);

const SafeName = /^[A-Za-z0-9._-]{1,80}$/;

/** Returns whether a tournament of this name can have a queue. */
export const isQueueName = (name: string): boolean => SafeName.test(name);

export const stopKinds = ['budget', 'decided', 'provider'] as const;
const StopKind = z.enum(stopKinds);
export type StopKind = z.infer<typeof StopKind>;

export const TournamentRow = z.object({
  name: z.string(),
  /** The tournament's plan as JSON, with models by identity. */
  plan: z.string(),
  plan_sha256: z.string(),
  /** JSON of the versions of everything that shapes matches. All workers must have the same versions. */
  made_with: z.string(),
  /** USD; null: no cap. */
  cap: Amount.nullable(),
});

/** A queued tournament. */
export type QueuedTournament = Omit<z.infer<typeof TournamentRow>, 'cap'>;

/** State of a tournament, which every worker reads repeatedly. */
export const ControlRow = z.object({
  plan_sha256: z.string(),
  /** USD; null: no cap. */
  cap: Amount.nullable(),
  spent: Amount,
  stop_kind: StopKind.nullable(),
  stop_words: Words.nullable(),
  /**
   * Seconds for which the provider has been down. `tried_for`: seconds since the last attempt to call it. Both are null
   * if the provider is up.
   */
  down_for: z.number().nullable().catch(null),
  tried_for: z.number().nullable().catch(null),
  tries: Count.catch(0),
  down_words: Words.nullable(),
  is_reached: z.boolean(),
  /** Matches that are neither finished nor failed. */
  left: Count,
});
export type TournamentControl = z.infer<typeof ControlRow>;

/** A tournament in a list. */
export const ListedRow = z.object({ name: z.string(), stop_kind: z.string().nullable(), stop_words: Words.nullable() });

/** Answer to the question whether certain rows exist. */
export const PresenceRow = z.object({ is_there: z.boolean() });
export const PlaceRow = z.object({ key: z.string(), attempt: Attempt, place: Count });

export const FencedRow = z.object({ key: z.string(), attempt: z.number() });

export const SpentRow = z.object({ spent: Amount });

/** Number of workers that died with a match. */
export const DeathsRow = z.object({ deaths: Count.catch(0) });

export const LineRow = z.object({ line: z.string() });

export const StateRow = z.object({ state: z.string() });

/** A finished match. `version` changes whenever its record changes. */
export const FinishedRow = z.object({ key: z.string(), version: z.string() });
export type FinishedMatch = z.infer<typeof FinishedRow>;

export const RecordRow = z.object({ record: z.instanceof(Uint8Array).nullable() });

export const FailedRow = z.object({
  key: z.string(),
  name: Words.nullable().transform((name) => name ?? 'Error'),
  words: Words.nullable().transform((words) => words || 'The database does not say why.'),
});

export const ReservationRow = z.object({
  is_granted: z.boolean(),
  cap: Amount.nullable(),
  spent: Amount,
  mine: z.array(FencedRow).nullable(),
});

export const TotalsRow = z.object({
  matches: Count,
  finished: Count,
  playing: Count,
  failed: Count,
  waiting: Count,
  calls: Count,
  tokens: Count,
  /** USD. */
  cost: Amount,
  /** Number of calls of unknown cost. */
  unpriced: Count,
  /** Number of matches with unreadable figures, which are not in the sums. */
  unreadable: Count,
  /**
   * Number of matches that ended in the last ten minutes. `recent_for`: seconds since the first of them ended; null if
   * none ended.
   */
  recent: Count,
  recent_for: z.number().nullable().catch(null),
});
export type QueueTotals = z.infer<typeof TotalsRow>;

const Pace = z.record(z.string(), z.object({ calls: Count, tokens: Count }));

export const WorkerRow = z.object({
  matches: Count.catch(0),
  /** Number of running calls. */
  calls: Count.catch(0),
  /** Usage of the last minute by provider, without bots. A worker with an invalid row still counts as alive. */
  pace: z.string().transform(parseJson).pipe(Pace).catch({}),
});
export type LiveWorker = z.infer<typeof WorkerRow>;

export const HeldRow = z.object({ held: Count });

/** A wait that a server has asked for, in milliseconds, and the model that must wait. */
export const HoldRow = z.object({ model: z.string(), wait: z.number() });

/**
 * Times in milliseconds: the current time, and the times from which the limits on calls and on tokens allow the calls
 * to begin.
 */
export const TurnsRow = z.object({ now: z.number(), calls_from: z.number(), tokens_from: z.number() });

/** Content of a job in the queue: a match, and the number of attempts at it before the job. */
export const QueuedJob = z.object({ key: z.string(), attempts: Attempt });
export type QueuedJob = z.infer<typeof QueuedJob>;

const describeFault = (what: string, error: z.ZodError) => {
  const { path, message } = error.issues[0]!;
  return `${what} in the database cannot be read: ${flattenToOneLine(`${path.join('.')} ${message}`)}.`;
};

/**
 * Returns the rows. Throws UnreadableRow for the first row that does not fit. `what`: name of the row in the message.
 */
export const parseRows = <Row>(schema: z.ZodType<Row>, rows: readonly unknown[], what: string): Row[] =>
  rows.map((row) => {
    const read = schema.safeParse(row, { error: describeIssue });
    if (!read.success) throw new UnreadableRow(describeFault(what, read.error));
    return read.data;
  });

/** Returns the rows that fit, and leaves out the others. */
export const parseSoundRows = <Row>(schema: z.ZodType<Row>, rows: readonly unknown[]): Row[] =>
  rows.flatMap((row) => schema.safeParse(row).data ?? []);
