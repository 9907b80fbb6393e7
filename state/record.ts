// The record of a match on disk: the shapes of its manifest and of a recorded answer.
import { z } from 'zod';
import { Mark } from './event.ts';
import { Setup } from './setup.ts';

/** Raised when a reader of older records could no longer understand new ones; see record-migrations.ts. */
export const schemaVersion = 1;

/** Files of a match's folder. */
export const recordFiles = {
  manifest: 'manifest.json',
  answers: 'answers.ndjson',
  events: 'events.ndjson',
  prompts: 'prompts.ndjson.gz',
  summary: 'deception_summary.json',
  log: 'log.ndjson',
  lock: 'lock.json',
} as const;

/** USD per million tokens. `cached` is what a cached input token costs. */
export const Price = z.strictObject({
  in: z.number().min(0),
  out: z.number().min(0),
  cached: z.number().min(0).optional(),
});
export type Price = z.infer<typeof Price>;

export const Manifest = z.strictObject({
  schema_version: z.literal(schemaVersion),
  id: z.string(),
  /** All that decides the match; must be equal on resume. */
  setup: z.strictObject({
    ...Setup.shape,
    honesty_sentence: z.string().nullable(),
    /** Name → model string. */
    models: z.record(z.string(), z.string()),
    /** Names of players in whose seats no language model sits. */
    bots: z.array(z.string()),
  }),
  /** What the match was made with; a difference on resume is a warning. */
  made_by: z.strictObject({
    wolfgraph: z.string(),
    node: z.string(),
    packages: z.record(z.string(), z.string()),
    commit: z.string().nullable(),
    templates_sha256: z.string(),
    /** Model string → price; null where it is not known. */
    prices: z.record(z.string(), Price.nullable()),
    created_at: z.string(),
  }),
  /** Another program recorded the game: whose format it was read from, and the name of the folder. */
  imported: z.strictObject({ format: z.string(), source: z.string() }).optional(),
});
export type Manifest = z.infer<typeof Manifest>;

const tokens = z.number().int().min(0);

/** One model call. (round, step, action, player, attempt) is its unique key. */
export const AnswerLine = z.strictObject({
  round: z.number().int(),
  step: z.number().int(),
  action: z.string(),
  player: z.string(),
  /** From 1. */
  attempt: z.number().int().min(1),
  prompt_sha256: z.string(),
  /** Pieces of speech that the prompt had no room for, see `leftOut` in speech.ts; absent where there were none. */
  left_out: z.number().int().min(1).optional(),
  /** The text as the model gave it. */
  raw: z.string(),
  /** What was read from it; null where nothing could be. */
  answer: z.unknown(),
  /** The text ended in the middle of a string, which was read as far as it went. */
  cut: z.literal(true).optional(),
  /** Why nothing could be read, as the model was told; the server's words where it refused the prompt for its length. */
  error: z.string().optional(),
  /** The prompt was over its budget at its shortest, and the server refused it: there is no answer, and none to come. */
  too_long: z.literal(true).optional(),
  /** `refusal`: the model refused; `fallback`: no attempt is left and a replacement stands for it. */
  mark: Mark.optional(),
  /** The model string of the seat. */
  model: z.string(),
  /** The model as the provider named it. */
  model_returned: z.string().nullable(),
  system_fingerprint: z.string().nullable(),
  finish_reason: z.string().nullable(),
  /** Transport retries before this answer. */
  retries: z.number().int().min(0),
  /** Null where the provider did not say. */
  tokens: z
    .strictObject({ in: tokens, out: tokens, cached: tokens.nullable(), reasoning: tokens.nullable() })
    .nullable(),
  /** USD; null where the price or the tokens are not known. */
  cost: z.number().min(0).nullable(),
  /** ISO 8601, UTC. */
  started_at: z.string(),
  /** Milliseconds from the first attempt at transport to the answer. */
  ms: z.number().min(0),
  /** The provider's own reasoning, where it tells. */
  provider_reasoning: z.string().optional(),
  /** A bot's own account of what it said. */
  meant: z.unknown().optional(),
});
export type AnswerLine = z.infer<typeof AnswerLine>;

export type CallKey = Pick<AnswerLine, 'round' | 'step' | 'action' | 'player' | 'attempt'>;

/** The key as it stands in messages, e.g. "round 2, step 3, peer_analysis by Ginger, attempt 1". */
export const callName = ({ round, step, action, player, attempt }: CallKey) =>
  `round ${round}, step ${step}, ${action} by ${player}, attempt ${attempt}`;
