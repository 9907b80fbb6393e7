// The options of model strings that all providers of language models take, and what providers read from them and from
// the environment.
import { z } from 'zod';
import { identifyModel, nameStructured, normalizeAddress } from '../state/model-identity.ts';
import type { Price } from '../state/record.ts';
import { UsageError } from '../state/usage-error.ts';
import type { GivenLimits } from './call-limiter.ts';
import { ExtraBody } from './extra-body.ts';
import { type Environment, type ModelSpec, type PlayerModel, isAtOwnServer, structuredForms } from './model.ts';

/** A number in a model string. Empty is not zero: `temperature=` is refused. */
export const NumericOption = z.string().regex(/\S/, 'must be a number').pipe(z.coerce.number<string>());

const BaseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((url) => isWithout(url, 'username', 'password'), {
    error: 'must hold no user name or password: put the key in an environment variable and name it with apiKeyEnv',
  })
  .refine((url) => isWithout(url, 'search', 'hash'), { error: 'must end before any "?" or "#"' });

/** True also for what is no address: zod goes on after that has failed, and one error is enough. */
const isWithout = (url: string, ...parts: ('username' | 'password' | 'search' | 'hash')[]) =>
  !URL.canParse(url) || parts.every((part) => new URL(url)[part] === '');

const shape = {
  temperature: NumericOption.pipe(z.number().min(0).max(2)).optional(),
  topP: NumericOption.pipe(z.number().gt(0).max(1)).optional(),
  /** Tokens of an answer, with the model's own reasoning where the provider counts it in. */
  maxTokens: NumericOption.pipe(z.number().int().min(1)).optional(),
  /** Seconds that an attempt may take. */
  timeout: NumericOption.pipe(z.number().gt(0).max(3600)).default(120),
  seed: NumericOption.pipe(z.int32()).optional(),
  reasoningEffort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).optional(),
  /** Tokens of prompt and answer together. */
  contextTokens: NumericOption.pipe(z.number().int().min(1)),
  baseUrl: BaseUrl.optional(),
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable, never the key itself')
    .optional(),
  /** Which of OpenAI's two interfaces: chat completions or responses. */
  api: z.enum(['chat', 'responses']).optional(),
  /** How an answer of a shape is asked for. */
  structured: z.enum(structuredForms).optional(),
  /** What the body of each request holds besides, as JSON. */
  extraBody: ExtraBody.optional(),
  /** USD per million tokens. */
  priceIn: NumericOption.pipe(z.number().min(0)).optional(),
  priceOut: NumericOption.pipe(z.number().min(0)).optional(),
  /** Calls a minute. */
  rpm: NumericOption.pipe(z.number().gt(0)).optional(),
  /** Tokens a minute, of prompts and answers together. */
  tpm: NumericOption.pipe(z.number().gt(0)).optional(),
  /** Calls under way at the same time. */
  concurrency: NumericOption.pipe(z.number().int().min(1)).optional(),
};

/**
 * The schema of a provider's options, which are read from strings. An unknown option is refused with the known ones.
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

/** The options of a provider that cannot be given all of them. `contextTokens`: the default. */
export const createModelOptions = (
  without: readonly (keyof typeof shape)[] = [],
  { contextTokens = 128_000 }: { contextTokens?: number } = {},
) =>
  createOptionsSchema(
    omitOptions({ ...shape, contextTokens: shape.contextTokens.default(contextTokens) }, without),
  ).refine(({ priceIn, priceOut }) => (priceIn === undefined) === (priceOut === undefined), {
    error: 'priceIn and priceOut are given together or not at all',
  });

/** The type claims all options: those left out are optional, and never there. */
const omitOptions = <Shape extends object>(all: Shape, without: readonly string[]) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !without.includes(name))) as Shape;

export const ModelOptions = createModelOptions();
export type ModelOptions = z.infer<typeof ModelOptions>;

/** Tokens kept free for an answer without `maxTokens`; no question asks for half as many. */
const longestAnswer = 4096;

/** A context window, in tokens: a prompt may take all but `maxTokens`, else all but a quarter, at most 4,096. */
export const getContextLimits = ({
  contextTokens,
  maxTokens,
}: Pick<ModelOptions, 'contextTokens' | 'maxTokens'>): PlayerModel['context'] & object => ({
  tokens: contextTokens,
  prompt: Math.max(0, contextTokens - (maxTokens ?? Math.min(longestAnswer, Math.floor(contextTokens / 4)))),
});

/** What the server allows, as far as the model string says; the rest is learned. */
const getGivenLimits = ({ rpm, tpm, concurrency }: ModelOptions): GivenLimits => ({ rpm, tpm, concurrency });

/** The price given in the model string, in USD per million tokens; null where none is given. */
const getGivenPrice = ({ priceIn, priceOut }: ModelOptions): Price | null =>
  priceIn === undefined || priceOut === undefined ? null : { in: priceIn, out: priceOut };

/**
 * The key in the first of these environment variables that is set. Throws a UsageError that names them where none is,
 * with the `cure` if there is one, and where one holds what cannot be a key.
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
    throw new UsageError(`${name} is no key: it holds a space, a line break or another character that no key has.`);
  return key;
}

/** The variable of these from which `readApiKey` takes the key: the first that is set, else the first. */
export const findKeyVariable = (env: Environment, names: readonly string[]): string | null =>
  names.find((name) => env[name]?.trim()) ?? names[0] ?? null;

/** The address in the environment variable `name`, if it is set. Throws a UsageError where that is no address. */
export function readBaseUrl(env: Environment, name: string): string | undefined {
  const url = env[name]?.trim();
  if (!url) return undefined;
  const read = BaseUrl.safeParse(url);
  if (!read.success) throw new UsageError(`${name} ${read.error.issues[0]!.message}.`);
  return url;
}

/** An object without its undefined entries: packages treat an undefined option otherwise than an absent one. */
export const dropUndefined = <T extends object>(options: T) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };

/** The provider's own server, or the one that the model string names. */
const nameServer = ({ provider }: ModelSpec, { baseUrl }: ModelOptions): PlayerModel['server'] & object =>
  baseUrl === undefined ? { name: provider, address: null } : { name: new URL(baseUrl).host, address: baseUrl };

/** Vendors that limit each model by itself, at their own servers. All others are taken to limit all models of a key together. */
const vendorsLimitingModels: readonly string[] = [
  ...['anthropic', 'azure-openai', 'bedrock', 'google-genai', 'groq', 'openai', 'vertexai'],
];

/** The model of a model string for a seat, from what its provider has made of it. */
export const createLanguageModel = (
  spec: ModelSpec,
  options: ModelOptions,
  made: Pick<PlayerModel, 'chat' | 'secrets'> &
    Partial<Pick<PlayerModel, 'schemaOptions' | 'hasJsonAlone' | 'server' | 'cache'>> & {
      listed: Price | null;
      /** Call options for JSON without a schema; absent where the provider has no such mode. */
      jsonOptions?: () => Record<string, unknown>;
    },
): PlayerModel => {
  // Before models could be asked in several forms, all were asked by schema, or for JSON where their vendor takes no schema.
  const former = made.hasJsonAlone ? 'json' : 'schema';
  const structured = options.structured ?? (made.cache?.isSchemaFirst ? 'family' : former);
  if (made.hasJsonAlone && structured !== 'json')
    throw new UsageError(
      `${spec.text}: the server takes no schema, so structured=${structured} cannot be had. Leave it out.`,
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

/** The value of an option as it stands in a model string: readable in an address, and whole where options are read. */
export const escapeOption = (value: string) => encodeURIComponent(value).replaceAll('%3A', ':').replaceAll('%2F', '/');
