// The record of a match on disk: the shapes of its manifest and of a recorded answer.
import { z } from 'zod';
import { AnswerMark } from './events.ts';
import { RememberedEntry } from './experience-setup.ts';
import { Setup } from './game.ts';

/** Raised when an older reader could no longer understand new records; see record-migrations.ts. */
export const schemaVersion = 4;

/** The rules by which raw answers are read and asked for again. Records keep theirs, so that they read as they did. */
export const latestReading = 2;
export type Reading = 1 | typeof latestReading;

/** Files of a match's folder. */
export const recordFiles = {
  manifest: 'manifest.json',
  answers: 'answers.ndjson',
  events: 'events.ndjson',
  prompts: 'prompts.ndjson.gz',
  summary: 'deception_summary.json',
  log: 'log.ndjson',
  lock: 'lock.json',
  import: 'import.json',
} as const;

/** USD per million tokens. `cached`: of input that is read from a cache; `written`: of input that is written into one. */
export const Price = z.strictObject({
  in: z.number().min(0),
  out: z.number().min(0),
  cached: z.number().min(0).optional(),
  written: z.number().min(0).optional(),
});
export type Price = z.infer<typeof Price>;

export const Manifest = z.strictObject({
  schema_version: z
    .literal(schemaVersion)
    .describe('4; raised when older versions could not read newer records ([Versions](#versions))'),
  id: z.string().describe('name of the match and its folder'),
  reading: z
    .literal(latestReading)
    .optional()
    .describe('2: by which rules answers are read ([Versions](#versions)); absent in matches begun before schema 4'),
  setup: z
    .strictObject({
      ...Setup.shape,
      honesty_sentence: z.string().nullable().describe("sentence about lying in everybody's rules; null if none"),
      models: z.record(z.string(), z.string()).describe('name → [identity](#identity) of the model'),
      bots: z.array(z.string()).describe('names of players played by bots'),
    })
    .describe('all that decides the match; must be the same on resume'),
  made_by: z
    .strictObject({
      wolfgraph: z.string().describe('version of Wolfgraph'),
      node: z.string().describe('version of Node.js'),
      packages: z.record(z.string(), z.string()).describe('package → version'),
      commit: z
        .string()
        .nullable()
        .describe('git commit of Wolfgraph, be it a checkout or packed; null where neither is known'),
      templates_sha256: z.string().describe('hash of the wording of all prompts'),
      questions_sha256: z
        .record(z.string(), z.string())
        .optional()
        .describe(
          'action → first digits of the hash of its prompts on a first day and night of this set-up, made of the words that ran; absent in older records and imported ones',
        ),
      dirty: z
        .literal(true)
        .optional()
        .describe('true if the checkout of `commit` had uncommitted changes; else absent'),
      model_strings: z
        .record(z.string(), z.string())
        .optional()
        .describe(
          'identity → model string in full, as it was named, with address, key variable, time-out, limits and price; only of models that were named with such',
        ),
      addresses: z
        .record(z.string(), z.string())
        .optional()
        .describe(
          "identity → address of its server when the match began, of models that were not asked at their provider's own; absent where all are bots, and in older records",
        ),
      prices: z
        .record(z.string(), Price.nullable())
        .describe(
          'identity → USD per million tokens: `in`, `out`, `cached` (input from the cache) and `written` (input into it) if known; null if unknown',
        ),
      created_at: z.string().describe('when the match began'),
    })
    .describe('software used; a difference on resume is a warning'),
  judge: z
    .string()
    .optional()
    .describe('model string of the judge by whose claims `report` measures the match; only if one was named'),
  plan_sha256: z
    .string()
    .optional()
    .describe('hash of the [plan](plan.md#the-hash) that was there before the first call; only if one was named'),
  tournament: z
    .strictObject({
      name: z.string().describe('name of the tournament'),
      sha256: z.string().optional().describe('hash of its plan; absent in older records'),
      block: z.number().int().min(1).describe('balanced part of the schedule, from 1'),
      deal: z.number().int().min(1).describe('number of the deal, from 1'),
      pairing: z.string().describe('who meets whom, as in the name of the folder'),
      condition: z
        .string()
        .nullable()
        .describe('rules that differ between conditions; null where there is one condition'),
      entrants: z.record(z.string(), z.string()).describe('name of the player → name of the entrant, or `baseline`'),
    })
    .optional()
    .describe('place in a [tournament](tournaments.md); only if played in one'),
  experience_block: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('block of a set whose pools [grow](experience.md#learning), from 1; only of such sets'),
  experience_grown_from: z
    .string()
    .optional()
    .describe('of such sets: SHA-256 of the pool that they were given to begin with; absent without one'),
  experience_seats: z
    .array(z.string())
    .optional()
    .describe(
      'who was to [remember](experience.md#in-play), as it was asked for: names of players, roles, sides, models or entrants; absent where it was everybody',
    ),
  imported: z
    .strictObject({
      format: z.string().describe('format it was read from'),
      source: z.string().describe('name of the folder or file it was read from'),
    })
    .optional()
    .describe('only if [imported](import.md) from another program'),
});
export type Manifest = z.infer<typeof Manifest>;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const ChainEnd = z.strictObject({ lines: z.number().int().min(0), chain: sha256 });

/** What a finished record was when it was sealed; it stands in its summary. */
export const Seal = z.strictObject({
  manifest: sha256.describe('SHA-256 of the manifest, as JSON without white space'),
  answers: ChainEnd.describe('`lines`, and the hash `chain` over them'),
  events: ChainEnd.describe('`lines`, and the hash `chain` over them'),
  files: z.record(z.string(), sha256).describe('other files of the record: name → SHA-256'),
  summary: sha256.describe('SHA-256 of this summary without `seal`, as JSON without white space'),
});
export type Seal = z.infer<typeof Seal>;

/**
 * The most that is kept: of an answer and of the provider's reasoning, in characters; of all answers of a match, in bytes.
 */
export const recordLimits = { raw: 2_000_000, reasoning: 50_000, answers: 256 * 1024 * 1024 } as const;

const tokens = z.number().int().min(0);

/** One model call. (round, step, action, player, attempt) is its unique key. */
export const AnswerLine = z.strictObject({
  round: z.number().int().describe('the round, from 1'),
  step: z.number().int().describe('see [words](#words-used-throughout)'),
  action: z.string().describe('see [words](#words-used-throughout)'),
  player: z.string().describe('who was asked'),
  attempt: z.number().int().min(1).describe('from 1; later attempts show the model its answer and the error'),
  prompt_sha256: z.string().describe('SHA-256 of the messages as JSON'),
  left_out: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('pieces of speech [left out](#what-a-prompt-leaves-out) of the prompt; absent if none'),
  shapes: z
    .literal('schema')
    .optional()
    .describe(
      '`schema` if the shapes of the answers stood in the schema of the family and not in the prompt; absent if the prompt told them',
    ),
  raw: z
    .string()
    .describe("the model's text or refusal, unchanged; only the server's key, if repeated, becomes `[redacted]`"),
  full_length: z
    .strictObject({ raw: z.number().int().optional(), provider_reasoning: z.number().int().optional() })
    .optional()
    .describe(
      'characters that `raw` or `provider_reasoning` had before it was cut ([limits](reliability.md#limits)); absent if neither was',
    ),
  answer: z.unknown().describe('what was read from it; null if nothing'),
  cut: z.literal(true).optional().describe('true if the text ended inside a string, which was read as far as it went'),
  error: z
    .string()
    .optional()
    .describe(
      "why it could not be read, in the words shown to the model, or the server's words if the prompt was too long; else absent",
    ),
  too_long: z
    .literal(true)
    .optional()
    .describe(
      'true if the server refused as too long a prompt that could not be [shortened](#what-a-prompt-leaves-out) further; `raw` is empty, nothing is asked again',
    ),
  mark: AnswerMark.optional().describe(
    '`refusal`, or `fallback` if the last attempt failed or `too_long`; else absent',
  ),
  refusal: z
    .strictObject({ vendor: z.string(), category: z.string() })
    .optional()
    .describe(
      'of a refusal by the server: its `vendor` and `category` ([refusals](providers.md#refusals)); absent if the model refused in its own words, and in older records',
    ),
  moved_thoughts: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('fields that others hear, from which private thoughts were moved into `reasoning`; absent if none'),
  cut_dialogue: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'field → lines that the model invented for others, cut from its end; their claims belong to nobody; absent if none',
    ),
  model: z.string().describe("the [identity](#identity) of the seat's model"),
  schema: z
    .boolean()
    .optional()
    .describe('whether the JSON schema of the answer was sent; absent for bots and in older records'),
  structured: z
    .enum(['family', 'schema', 'json'])
    .optional()
    .describe(
      'how the model was asked ([structured](providers.md#structured)): with one schema for a family of questions, with that of the question, or without one; absent for bots and in older records',
    ),
  sent_as: z
    .array(z.enum(['system-in-user', 'one-user-turn']))
    .min(1)
    .optional()
    .describe(
      'how messages were sent where the server refused them as they are: `system-in-user`, the rules at the head of the first user message; `one-user-turn`, task, answer and error in one user message. `prompt_sha256` and the prompts are unchanged; absent if sent as they are',
    ),
  answer_from: z
    .enum(['content', 'tool', 'reasoning'])
    .optional()
    .describe(
      '`content`, `tool` (arguments of a tool call) or `reasoning` (the model answered in its reasoning field); absent for bots, refusals and in older records',
    ),
  upstream: z
    .string()
    .optional()
    .describe('who served the answer behind a router such as OpenRouter; absent if not told'),
  address: z.string().optional().describe("the server's address; absent if it is the provider's own, and for bots"),
  model_returned: z.string().nullable().describe('model as the provider named it, or null'),
  system_fingerprint: z.string().nullable().describe('as the provider gave it, or null'),
  finish_reason: z.string().nullable().describe('as the provider gave it, or null'),
  retries: z.number().int().min(0).describe('times the call was sent again (rate limit, server error, timeout)'),
  tokens: z
    .strictObject({
      in: tokens,
      out: tokens,
      cached: tokens.nullable(),
      written: tokens.optional(),
      reasoning: tokens.nullable(),
    })
    .nullable()
    .describe(
      '`in`, `out`; `cached` (part of `in`), `reasoning` (part of `out`); null if not told. `written` (part of `in`): written into a cache, if so',
    ),
  cost: z.number().min(0).nullable().describe('USD; null if price or tokens are unknown'),
  started_at: z.string().describe('ISO 8601, UTC'),
  ms: z.number().min(0).describe('milliseconds from first sending to the answer, waits between retries included'),
  provider_reasoning: z.string().optional().describe("the model's own reasoning, if the provider tells it"),
  remembered: z
    .array(RememberedEntry)
    .optional()
    .describe(
      'what stood in the prompt of [earlier matches](experience.md), each `id` and `text`; first attempts only, absent where nothing did',
    ),
  meant: z.unknown().optional().describe("a bot's account of what it meant, shown to no player"),
});
export type AnswerLine = z.infer<typeof AnswerLine>;

export type CallKey = Pick<AnswerLine, 'round' | 'step' | 'action' | 'player' | 'attempt'>;

/** The key as it stands in messages, e.g. "round 2, step 3, peer_analysis by Ginger, attempt 1". */
export const formatCallKey = ({ round, step, action, player, attempt }: CallKey) =>
  `round ${round}, step ${step}, ${action} by ${player}, attempt ${attempt}`;
