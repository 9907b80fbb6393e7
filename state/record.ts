// The record of a match on disk: the shapes of its manifest and of a recorded answer.
import { z } from 'zod';
import { Mark } from './events.ts';
import { Setup } from './game.ts';

/** Raised when an older reader could no longer understand new records; see record-migrations.ts. */
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
  schema_version: z
    .literal(schemaVersion)
    .describe('1; raised when older readers could no longer understand the record; see [Versions](#versions)'),
  id: z.string().describe("the match's name, and its folder's"),
  setup: z
    .strictObject({
      ...Setup.shape,
      honesty_sentence: z
        .string()
        .nullable()
        .describe("the sentence about lying in everybody's rules, word for word; null where nothing is said"),
      models: z.record(z.string(), z.string()).describe('name → model string'),
      bots: z.array(z.string()).describe('names of players in whose seats no language model sits'),
    })
    .describe('all that decides the match; must be the same on resume'),
  made_by: z
    .strictObject({
      wolfgraph: z.string().describe('version of this project'),
      node: z.string().describe('version of Node.js'),
      packages: z.record(z.string(), z.string()).describe('package → version'),
      commit: z.string().nullable().describe('git commit; null outside a checkout'),
      templates_sha256: z.string().describe('hash of the wording of all prompts'),
      prices: z
        .record(z.string(), Price.nullable())
        .describe(
          'model string → USD per million tokens: `in`, `out`, and `cached` (an input token from the cache) where known; null where no price is known',
        ),
      created_at: z.string().describe('when the match was begun, ISO 8601'),
    })
    .describe('what the match was made with; a difference on resume is a warning'),
  imported: z
    .strictObject({
      format: z.string().describe('the format it was read from'),
      source: z.string().describe('the name of the folder it was read from'),
    })
    .optional()
    .describe('only where another program played the game: its record was [imported](import.md)'),
});
export type Manifest = z.infer<typeof Manifest>;

const tokens = z.number().int().min(0);

/** One model call. (round, step, action, player, attempt) is its unique key. */
export const AnswerLine = z.strictObject({
  round: z.number().int().describe('round in which it was asked, from 1'),
  step: z.number().int().describe('see [words](#words-used-throughout)'),
  action: z.string().describe('what was asked, see [words](#words-used-throughout)'),
  player: z.string().describe('who was asked'),
  attempt: z
    .number()
    .int()
    .min(1)
    .describe('from 1; further attempts show the model its answer and what was wrong with it'),
  prompt_sha256: z.string().describe('SHA-256 of the messages as JSON; the messages stand in `prompts.ndjson.gz`'),
  left_out: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      'pieces of speech that the prompt had no room for, see [below](#what-a-prompt-leaves-out); absent where it held all',
    ),
  raw: z
    .string()
    .describe(
      "the model's text as it came, or its refusal; only the key that the server was sent, should it repeat it, becomes `[redacted]`",
    ),
  answer: z.unknown().describe('what was read from it; null where nothing could be'),
  cut: z.literal(true).optional().describe('true where the text ended inside a string that was read as far as it went'),
  error: z
    .string()
    .optional()
    .describe(
      "why it could not be read, as the model was told, or the server's words where the prompt was too long; absent where it could",
    ),
  too_long: z
    .literal(true)
    .optional()
    .describe(
      'true where the server refused for its length a prompt that could not be [shortened](#what-a-prompt-leaves-out) further: `raw` is empty, nothing is asked again',
    ),
  mark: Mark.optional().describe(
    '`refusal`: the model refused; `fallback`: the last attempt failed too, or `too_long`; absent otherwise',
  ),
  model: z.string().describe('the model string of the seat'),
  model_returned: z.string().nullable().describe('the model as the provider named it; null where it did not'),
  system_fingerprint: z.string().nullable().describe('as the provider gave it, or null'),
  finish_reason: z.string().nullable().describe('as the provider gave it, or null'),
  retries: z
    .number()
    .int()
    .min(0)
    .describe('times the call was sent again before it got through (rate limits, server errors, timeouts)'),
  tokens: z
    .strictObject({ in: tokens, out: tokens, cached: tokens.nullable(), reasoning: tokens.nullable() })
    .nullable()
    .describe(
      "`in`, `out`; `cached`: those of `in` from the provider's cache; `reasoning`: those of `out` that the model thought with; null where the provider did not say",
    ),
  cost: z.number().min(0).nullable().describe('USD; null where the price or the tokens are not known'),
  started_at: z.string().describe('ISO 8601, UTC, to the millisecond'),
  ms: z
    .number()
    .min(0)
    .describe(
      'milliseconds from the first time it was sent to the answer, waiting between retries included; read as 0 where an older record has less',
    ),
  provider_reasoning: z.string().optional().describe("the model's own reasoning, where the provider tells it"),
  meant: z.unknown().optional().describe("a bot's own account of what it said, shown to no player"),
});
export type AnswerLine = z.infer<typeof AnswerLine>;

export type CallKey = Pick<AnswerLine, 'round' | 'step' | 'action' | 'player' | 'attempt'>;

/** The key as it stands in messages, e.g. "round 2, step 3, peer_analysis by Ginger, attempt 1". */
export const formatCallKey = ({ round, step, action, player, attempt }: CallKey) =>
  `round ${round}, step ${step}, ${action} by ${player}, attempt ${attempt}`;
