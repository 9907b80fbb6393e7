// Schemas of a match's record on disk: its manifest and its recorded answers.
import { z } from 'zod';
import { AnswerMark } from './events.ts';
import { RememberedEntry } from './experience-setup.ts';
import { ForkOf } from './fork.ts';
import { Setup } from './game.ts';

/**
 * Version of the record's format. Raised when older readers can no longer understand new records; see
 * record-migrations.ts.
 */
export const schemaVersion = 4;

/**
 * Version of the rules by which raw answers are parsed and questions asked again. A record stores its version, so that
 * its answers are always parsed in the same way.
 */
export const latestReading = 2;
export type Reading = 1 | typeof latestReading;

/** File names in a match's folder. */
export const recordFiles = {
  manifest: 'manifest.json',
  answers: 'answers.ndjson',
  events: 'events.ndjson',
  prompts: 'prompts.ndjson.gz',
  summary: 'deception_summary.json',
  log: 'log.ndjson',
  lock: 'lock.json',
  import: 'import.json',
  importedCalls: 'imported_calls.ndjson',
} as const;

/** USD per million tokens. `cached`: for input read from a cache; `written`: for input written to a cache. */
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
    .describe('4; raised when older versions cannot read newer records ([Versions](#versions))'),
  id: z.string().describe('name of the match and its folder'),
  reading: z
    .literal(latestReading)
    .optional()
    .describe(
      '2: version of the rules by which answers are read ([Versions](#versions)); absent in matches begun before schema 4',
    ),
  setup: z
    .strictObject({
      ...Setup.shape,
      honesty_sentence: z.string().nullable().describe("sentence about lying in everybody's rules; null if none"),
      models: z.record(z.string(), z.string()).describe('name → [identity](#identity) of the model'),
      bots: z.array(z.string()).describe('names of players played by bots'),
    })
    .describe('everything that decides the match; must be the same on resume'),
  made_by: z
    .strictObject({
      wolfgraph: z.string().describe('version of Wolfgraph'),
      node: z.string().describe('version of Node.js'),
      packages: z.record(z.string(), z.string()).describe('package → version'),
      commit: z.string().nullable().describe('git commit of Wolfgraph, from a checkout or a package; null if unknown'),
      templates_sha256: z.string().describe('hash of the wording of all prompts, computed from the words that ran'),
      questions_sha256: z
        .record(z.string(), z.string())
        .optional()
        .describe(
          'question → first digits of the hash of its prompts, for every question that a match of this set-up can ask, and `history` for the lines of what players have seen; older records have fewer or none, imported ones none',
        ),
      dirty: z
        .literal(true)
        .optional()
        .describe('true if the checkout of `commit` had uncommitted changes; else absent'),
      model_strings: z
        .record(z.string(), z.string())
        .optional()
        .describe(
          'identity → full model string as given, with address, key variable, timeout, limits and price; only for models given with any of these',
        ),
      addresses: z
        .record(z.string(), z.string())
        .optional()
        .describe(
          "identity → address of its server when the match began, for models not served at their provider's own address; absent if all players are bots, and in older records",
        ),
      prices: z
        .record(z.string(), Price.nullable())
        .describe(
          'identity → USD per million tokens: `in`, `out`, `cached` (input from the cache) and `written` (input written to it) if known; null if unknown',
        ),
      created_at: z.string().describe('when the match began'),
    })
    .describe('software used; resuming with other software prints a warning'),
  salt: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe(
      'random secret from which the `salt` of every line follows ([people](#matches-with-people)); only of matches in which people play',
    ),
  judge: z
    .string()
    .optional()
    .describe('model string of the judge whose claims `report` uses for the match; only if one was given'),
  plan_sha256: z
    .string()
    .optional()
    .describe('hash of the [plan](plan.md#the-hash) that existed before the first call; only if one was given'),
  tournament: z
    .strictObject({
      name: z.string().describe('name of the tournament'),
      sha256: z.string().optional().describe('hash of its plan; absent in older records'),
      block: z.number().int().min(1).describe('number of the balanced part of the schedule, from 1'),
      deal: z.number().int().min(1).describe('number of the deal, from 1'),
      pairing: z.string().describe("the entrants that meet, as in the folder's name"),
      condition: z
        .string()
        .nullable()
        .describe('rules that differ between conditions; null if there is only one condition'),
      entrants: z.record(z.string(), z.string()).describe('name of the player → name of the entrant, or `baseline`'),
    })
    .optional()
    .describe('place in a [tournament](tournaments.md); only if played in one'),
  experience_block: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      'number of the block in a set whose pools [grow](experience.md#growing-pools), from 1; only of such sets',
    ),
  experience_grown_from: z
    .string()
    .optional()
    .describe('in such sets: SHA-256 of the initial pool; absent without one'),
  experience_seats: z
    .array(z.string())
    .optional()
    .describe(
      'who was asked to [remember](experience.md#play-with-a-pool): names of players, roles, sides, models or entrants, as given; absent if everybody was',
    ),
  fork_of: ForkOf.optional().describe(
    'from which match, statement and arm a [fork](../guides/what-a-lie-does.md) was made; absent in all other matches',
  ),
  redacted: z
    .strictObject({
      people: z.array(z.string()).min(1).describe('the people whose words were removed, as model strings'),
    })
    .optional()
    .describe('only if the words of people were [removed](../guides/human-players.md#remove-a-persons-words)'),
  imported: z
    .strictObject({
      format: z.string().describe('format that it was imported from'),
      source: z.string().describe('name of the folder or file that it was imported from'),
    })
    .optional()
    .describe('only if [imported](import.md) from another program'),
});
export type Manifest = z.infer<typeof Manifest>;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const ChainEnd = z.strictObject({ lines: z.number().int().min(0), chain: sha256 });

/** Hashes of a finished record when it was sealed. The seal is in the summary. */
export const Seal = z.strictObject({
  manifest: sha256.describe('SHA-256 of the manifest, as JSON without white space'),
  answers: ChainEnd.describe('`lines`, and the hash `chain` over them'),
  events: ChainEnd.describe('`lines`, and the hash `chain` over them'),
  files: z.record(z.string(), sha256).describe('other files of the record: name → SHA-256'),
  summary: sha256.describe('SHA-256 of this summary without `seal`, as JSON without white space'),
});
export type Seal = z.infer<typeof Seal>;

/**
 * Size limits. `raw`: an answer, in characters. `reasoning`: the provider's reasoning, in characters. `answers`: all
 * answers of a match, in bytes.
 */
export const recordLimits = { raw: 2_000_000, reasoning: 50_000, answers: 256 * 1024 * 1024 } as const;

const tokens = z.number().int().min(0);

/** One model call. (round, step, action, player, attempt) is its unique key. */
export const AnswerLine = z.strictObject({
  round: z.number().int().describe('the round, from 1'),
  step: z.number().int().describe('see [words](#terms)'),
  action: z.string().describe('see [words](#terms)'),
  player: z.string().describe('who was asked'),
  attempt: z.number().int().min(1).describe('from 1; later attempts show the model its answer and the error'),
  prompt_sha256: z.string().describe('SHA-256 of the messages as JSON'),
  left_out: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('pieces of speech [left out](#context-trimming) of the prompt; absent if none'),
  shapes: z
    .enum(['family', 'schema'])
    .optional()
    .describe(
      'how the prompt described the shapes of answers: `family` as in the schema of the family, `schema` without what that schema says; absent if as in the schema of the question',
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
  answer: z.unknown().describe('the answer parsed from `raw`; null if none'),
  cut: z
    .literal(true)
    .optional()
    .describe('true if the text ended inside a string, of which the received part was used'),
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
      'true if the server rejected the prompt as too long and it could not be [shortened](#context-trimming) further; `raw` is empty, and nothing is asked again',
    ),
  unanswered: z
    .literal(true)
    .optional()
    .describe('true if a person did not answer in time; `raw` is empty, and nothing is asked again'),
  mark: AnswerMark.optional().describe(
    '`refusal`, or `fallback` if the last attempt failed, or if `too_long` or `unanswered`; else absent',
  ),
  refusal: z
    .strictObject({ vendor: z.string(), category: z.string() })
    .optional()
    .describe(
      'for a refusal by the server: its `vendor` and `category` ([refusals](providers.md#refusals)); absent if the model refused in its own words, and in older records',
    ),
  moved_thoughts: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('public fields from which private thoughts were moved into `reasoning`; absent if none'),
  cut_dialogue: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'field → lines that the model invented for other players, cut from its end; their claims are attributed to nobody; absent if none',
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
      'form of structured output ([structured](providers.md#structured)): one schema for a family of questions, the schema of the question, or none; absent for bots and in older records',
    ),
  sent_as: z
    .array(z.enum(['system-in-user', 'one-user-turn']))
    .min(1)
    .optional()
    .describe(
      'how messages were sent if the server rejected their usual form: `system-in-user`, the rules at the head of the first user message; `one-user-turn`, task, answer and error in one user message. `prompt_sha256` and the prompts are unchanged; absent if sent as they are',
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
    .describe('provider behind a router such as OpenRouter that served the answer; absent if not reported'),
  address: z.string().optional().describe("the server's address; absent for the provider's own address, and for bots"),
  model_returned: z.string().nullable().describe('model that the provider reported, or null'),
  system_fingerprint: z.string().nullable().describe('as the provider reported it, or null'),
  finish_reason: z.string().nullable().describe('as the provider reported it, or null'),
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
      '`in`, `out`; `cached` (part of `in`), `reasoning` (part of `out`); null if not reported. `written` (part of `in`): tokens written to a cache, if any',
    ),
  cost: z.number().min(0).nullable().describe('USD; null if price or tokens are unknown'),
  started_at: z.string().describe('ISO 8601, UTC'),
  ms: z.number().min(0).describe('milliseconds from first sending to the answer, waits between retries included'),
  shown_ms: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('for people: milliseconds from when the question was shown to the answer; absent for models'),
  provider_reasoning: z.string().optional().describe("the model's own reasoning, if the provider returns it"),
  remembered: z
    .array(RememberedEntry)
    .optional()
    .describe(
      'entries of [earlier matches](experience.md) in the prompt, each with `id` and `text`; only for first attempts, absent if there were none',
    ),
  forked: z
    .enum(['copied', 'replaced'])
    .optional()
    .describe(
      'in a [fork](../guides/what-a-lie-does.md): `copied` from its origin, whose cost is not counted again, or `replaced` by the words of the arm, which no model was asked for; absent if the fork asked the question itself',
    ),
  meant: z.unknown().optional().describe("a bot's account of what it meant, shown to no player"),
});
export type AnswerLine = z.infer<typeof AnswerLine>;

export type CallKey = Pick<AnswerLine, 'round' | 'step' | 'action' | 'player' | 'attempt'>;

/** Formats the key for messages, e.g. "round 2, step 3, peer_analysis by Ginger, attempt 1". */
export const formatCallKey = ({ round, step, action, player, attempt }: CallKey) =>
  `round ${round}, step ${step}, ${action} by ${player}, attempt ${attempt}`;
