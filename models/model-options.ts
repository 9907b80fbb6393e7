// Options of model strings that all providers of language models share, and functions by which providers read these
// options and the environment.
import { z } from 'zod';
import { identifyModel, nameStructured, normalizeAddress } from '../state/model-identity.ts';
import type { Price } from '../state/record.ts';
import { UsageError } from '../state/usage-error.ts';
import type { GivenLimits } from './call-limiter.ts';
import { ExtraBody } from './extra-body.ts';
import { type Environment, type ModelSpec, type PlayerModel, isAtOwnServer, structuredForms } from './model.ts';

/** A number in a model string. An empty value is not zero: `temperature=` is rejected. */
export const NumericOption = z.string().regex(/\S/, 'must be a number').pipe(z.coerce.number<string>());

const BaseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((url) => isWithout(url, 'username', 'password'), {
    error:
      'must not contain a user name or password: put the key in an environment variable and name the variable with apiKeyEnv',
  })
  .refine((url) => isWithout(url, 'search', 'hash'), { error: 'must end before any "?" or "#"' });

/**
 * Returns whether the address has none of these parts. Also true for an invalid address, because zod continues after
 * that error, and one error is enough.
 */
const isWithout = (url: string, ...parts: ('username' | 'password' | 'search' | 'hash')[]) =>
  !URL.canParse(url) || parts.every((part) => new URL(url)[part] === '');

/** Meaning of the options `priceIn` and `priceOut`, for messages. */
const priceMeaning = 'USD per million tokens, both or neither; 0 is a price';

const shape = {
  temperature: NumericOption.pipe(z.number().min(0).max(2)).optional().describe('0…2'),
  topP: NumericOption.pipe(z.number().gt(0).max(1)).optional().describe('above 0, up to 1'),
  maxTokens: NumericOption.pipe(z.number().int().min(1))
    .optional()
    .describe('maximum tokens of an answer, including the model’s own reasoning if the provider counts it'),
  timeout: NumericOption.pipe(z.number().gt(0).max(3600))
    .default(120)
    .describe('seconds per attempt, above 0, up to 3600 (`vertexai`: 300); default 120'),
  seed: NumericOption.pipe(z.int32()).optional().describe('whole number of 32 bits'),
  reasoningEffort: z
    .enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
    .optional()
    .describe(
      '`none`, `minimal`, `low`, `medium`, `high`, `xhigh` or `max`. Claude from 4.6: adaptive thinking with that effort, `low` to `max`, or `none`; 3.7 to 4.5: 1024, 2048, 8192 or 16384 tokens for `minimal` to `high`, within `maxTokens`, or beside 4,096 for the answer. Gemini 2.5: 0, 512, 1024, 8192 or 24576 tokens for `none` to `high`; from 3: `minimal` to `high`',
    ),
  contextTokens: NumericOption.pipe(z.number().int().min(1)).describe(
    '[tokens of prompt and answer together](#context-window); default 128000 (`ollama`: 16384)',
  ),
  baseUrl: BaseUrl.optional().describe('address of the server, without name, password or query'),
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable, never the key itself')
    .optional()
    .describe('name of the variable with the key'),
  api: z.enum(['chat', 'responses']).optional().describe('interface of [OpenAI](#openai): `chat` or `responses`'),
  structured: z
    .enum(structuredForms)
    .optional()
    .describe('`family`, `schema` or `json`: [form of structured output](#structured)'),
  extraBody: ExtraBody.optional().describe(
    'JSON object added to the body of each request ([models file](#models-file))',
  ),
  priceIn: NumericOption.pipe(z.number().min(0)).optional().describe(priceMeaning),
  priceOut: NumericOption.pipe(z.number().min(0)).optional().describe(priceMeaning),
  rpm: NumericOption.pipe(z.number().gt(0)).optional().describe('[calls per minute](#rate-limits)'),
  tpm: NumericOption.pipe(z.number().gt(0)).optional().describe('tokens per minute, of prompts and answers together'),
  concurrency: NumericOption.pipe(z.number().int().min(1)).optional().describe('calls running at the same time'),
};

/**
 * Creates the schema of a provider's options, which are parsed from strings. An unknown option is rejected with a list
 * of the known ones.
 *
 * @example const BotOptions = createOptionsSchema({ lie: number.pipe(z.number().min(0).max(1)).default(0.6) });
 */
export const createOptionsSchema = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown option ${issue.keys.map((key) => `"${key}"`).join(', ')}; known options: ${Object.keys(shape).join(', ')}`
        : undefined,
  });

/** Creates the schema of a provider that lacks some options. `contextTokens`: the default. */
export const createModelOptions = (
  without: readonly (keyof typeof shape)[] = [],
  { contextTokens = 128_000 }: { contextTokens?: number } = {},
) =>
  createOptionsSchema(
    omitOptions({ ...shape, contextTokens: shape.contextTokens.default(contextTokens) }, without),
  ).refine(({ priceIn, priceOut }) => (priceIn === undefined) === (priceOut === undefined), {
    error: 'give priceIn and priceOut together or not at all',
  });

/** Omits options. The type still lists the omitted options, because they are optional and simply never present. */
const omitOptions = <Shape extends object>(all: Shape, without: readonly string[]) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !without.includes(name))) as Shape;

export const ModelOptions = createModelOptions();
export type ModelOptions = z.infer<typeof ModelOptions>;

/** Tokens reserved for an answer if `maxTokens` is not given. No question needs half as many. */
const longestAnswer = 4096;

/**
 * Returns the limits of a context window in tokens. A prompt may use the whole window except `maxTokens`. If
 * `maxTokens` is not given, a quarter of the window, at most 4,096 tokens, is reserved for the answer.
 */
export const getContextLimits = ({
  contextTokens,
  maxTokens,
}: Pick<ModelOptions, 'contextTokens' | 'maxTokens'>): PlayerModel['context'] & object => ({
  tokens: contextTokens,
  prompt: Math.max(0, contextTokens - (maxTokens ?? Math.min(longestAnswer, Math.floor(contextTokens / 4)))),
});

/** Returns the server's limits that the model string gives. Other limits are learned. */
const getGivenLimits = ({ rpm, tpm, concurrency }: ModelOptions): GivenLimits => ({ rpm, tpm, concurrency });

/** Returns the price given in the model string, in USD per million tokens; null if none is given. */
const getGivenPrice = ({ priceIn, priceOut }: ModelOptions): Price | null =>
  priceIn === undefined || priceOut === undefined ? null : { in: priceIn, out: priceOut };

/**
 * Returns the key in the first of these environment variables that is set. Throws a UsageError if none is set; the
 * message names them and, if given, the `cure`. Also throws if the value cannot be a key.
 */
export function readApiKey(
  env: Environment,
  names: readonly string[],
  { provider, model }: ModelSpec,
  cure = '',
): string {
  const name = names.find((each) => env[each]?.trim()) ?? names.join(' or ');
  const key = env[name]?.trim();
  if (!key) throw new UsageError(`${name} is not set: ${provider}:${model} needs it.${cure}`);
  if (!/^[!-~]+$/.test(key))
    throw new UsageError(`${name} is not a key: it contains a space, a line break or another invalid character.`);
  return key;
}

/**
 * Returns the variable from which `readApiKey` takes the key: the first variable that is set or, if none is set, the
 * first of the list.
 */
export const findKeyVariable = (env: Environment, names: readonly string[]): string | null =>
  names.find((name) => env[name]?.trim()) ?? names[0] ?? null;

/**
 * Returns the address in the environment variable `name`, if it is set. Throws a UsageError if it is not an address.
 */
export function readBaseUrl(env: Environment, name: string): string | undefined {
  const url = env[name]?.trim();
  if (!url) return undefined;
  const read = BaseUrl.safeParse(url);
  if (!read.success) throw new UsageError(`${name} ${read.error.issues[0]!.message}.`);
  return url;
}

/** Removes undefined entries: packages treat an undefined option differently from an absent one. */
export const dropUndefined = <T extends object>(options: T) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };

/** Names the server: the provider's own, or the one in the model string. */
const nameServer = ({ provider }: ModelSpec, { baseUrl }: ModelOptions): PlayerModel['server'] & object =>
  baseUrl === undefined ? { name: provider, address: null } : { name: new URL(baseUrl).host, address: baseUrl };

/**
 * Vendors whose own servers limit each model separately. All others are assumed to limit all models of a key together.
 */
const vendorsLimitingModels: readonly string[] = [
  ...['anthropic', 'azure-openai', 'bedrock', 'google-genai', 'groq', 'openai', 'vertexai'],
];

/** Creates a model for a seat from a parsed model string and the parts that its provider made. */
export const createLanguageModel = (
  spec: ModelSpec,
  options: ModelOptions,
  made: Pick<PlayerModel, 'chat' | 'secrets'> &
    Partial<Pick<PlayerModel, 'schemaOptions' | 'hasJsonAlone' | 'server' | 'cache'>> & {
      listed: Price | null;
      /** Call options for JSON without a schema; absent if the provider has no such mode. */
      jsonOptions?: () => Record<string, unknown>;
    },
): PlayerModel => {
  // Earlier versions had no option for the form: every model used a schema, or plain JSON if its vendor supports no
  // schema.
  const former = made.hasJsonAlone ? 'json' : 'schema';
  const structured = options.structured ?? (made.cache?.isSchemaFirst ? 'family' : former);
  if (made.hasJsonAlone && structured !== 'json')
    throw new UsageError(
      `${spec.text}: the server supports no schema, so structured=${structured} is impossible. Leave it out.`,
    );
  const text = nameStructured(spec.text, options.structured === undefined || structured === former ? null : structured);
  const identity = identifyModel(text);
  const server = made.server ?? nameServer(spec, options);
  return {
    spec: identity,
    text,
    chat: made.chat,
    isBot: false,
    server,
    pace:
      isAtOwnServer({ spec: identity, server }) && vendorsLimitingModels.includes(spec.provider)
        ? `${spec.provider}:${spec.model}`
        : normalizeAddress(server.address ?? server.name),
    limits: getGivenLimits(options),
    structured,
    ...dropUndefined(
      structured === 'json' && !made.hasJsonAlone
        ? { schemaOptions: made.jsonOptions, hasJsonAlone: made.jsonOptions && true, cache: made.cache }
        : { schemaOptions: made.schemaOptions, hasJsonAlone: made.hasJsonAlone, cache: made.cache },
    ),
    context: getContextLimits(options),
    price: getGivenPrice(options) ?? made.listed,
    timeoutMs: options.timeout * 1000,
    secrets: made.secrets,
  };
};

/**
 * Escapes the value of an option for a model string. Addresses stay readable, and the option parser restores the value
 * exactly.
 */
export const escapeOption = (value: string) => encodeURIComponent(value).replaceAll('%3A', ':').replaceAll('%2F', '/');
