// Options of a model string that all providers of language models take, and what is read from them and the environment.
import { z } from 'zod';
import type { Price } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { Environment, ModelSpec, PlayerModel } from '../model.ts';

/** A number as it stands in a model string. Empty is not zero: `temperature=` is refused. */
export const number = z.string().regex(/\S/, 'must be a number').pipe(z.coerce.number<string>());

const BaseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((url) => isWithout(url, 'username', 'password'), {
    error: 'must hold no user name or password: put the key in an environment variable and name it with apiKeyEnv',
  })
  .refine((url) => isWithout(url, 'search', 'hash'), { error: 'must end before any "?" or "#"' });

/** Asked of addresses that may not be readable, since zod goes on after a first failure. */
const isWithout = (url: string, ...parts: ('username' | 'password' | 'search' | 'hash')[]) =>
  !URL.canParse(url) || parts.every((part) => new URL(url)[part] === '');

const shape = {
  temperature: number.pipe(z.number().min(0).max(2)).optional(),
  topP: number.pipe(z.number().gt(0).max(1)).optional(),
  /** Of an answer, the model's own reasoning included where the provider counts it so. */
  maxTokens: number.pipe(z.number().int().min(1)).optional(),
  /** Seconds an attempt may take. */
  timeout: number.pipe(z.number().gt(0).max(3600)).default(120),
  seed: number.pipe(z.int32()).optional(),
  reasoningEffort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).optional(),
  /** Tokens of prompt and answer together. */
  contextTokens: number.pipe(z.number().int().min(1)).default(128_000),
  baseUrl: BaseUrl.optional(),
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable, never the key itself')
    .optional(),
  /** USD per million tokens. */
  priceIn: number.pipe(z.number().min(0)).optional(),
  priceOut: number.pipe(z.number().min(0)).optional(),
};

/** The options of a provider, read from strings. An unknown one is refused with the known ones. */
export const createOptionsSchema = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown option ${issue.keys.map((key) => `"${key}"`).join(', ')}; known options: ${Object.keys(shape).join(', ')}`
        : undefined,
  });

export const ModelOptions = createOptionsSchema(shape).refine(
  ({ priceIn, priceOut }) => (priceIn === undefined) === (priceOut === undefined),
  {
    error: 'priceIn and priceOut are given together or not at all',
  },
);
export type ModelOptions = z.infer<typeof ModelOptions>;

/** Tokens kept free for an answer whose length nobody limits: no question asks for half as many. */
const longestAnswer = 4096;

/** What a prompt may take of the context: all but `maxTokens`, or but a quarter, at most 4,096. */
export const getContextLimits = ({ contextTokens, maxTokens }: ModelOptions): PlayerModel['context'] & object => ({
  tokens: contextTokens,
  prompt: Math.max(0, contextTokens - (maxTokens ?? Math.min(longestAnswer, Math.floor(contextTokens / 4)))),
});

/** The price that the model string gives; null where it gives none. */
export const getGivenPrice = ({ priceIn, priceOut }: ModelOptions): Price | null =>
  priceIn === undefined || priceOut === undefined ? null : { in: priceIn, out: priceOut };

/** The key in the environment variable `name`. Throws a UsageError that names it, with the `cure` if there is one, also where it cannot be sent. */
export function readApiKey(env: Environment, name: string, { provider, model }: ModelSpec, cure = ''): string {
  const key = env[name]?.trim();
  if (!key) throw new UsageError(`${name} is not set: ${provider}:${model} needs it.${cure}`);
  if (!/^[!-~]+$/.test(key))
    throw new UsageError(`${name} is no key: it holds a space, a line break or another character that no key has.`);
  return key;
}

/** The address in the environment variable `name`, if it is set. Throws a UsageError where it is none. */
export function readBaseUrl(env: Environment, name: string): string | undefined {
  const url = env[name]?.trim();
  if (!url) return undefined;
  const read = BaseUrl.safeParse(url);
  if (!read.success) throw new UsageError(`${name} ${read.error.issues[0]!.message}.`);
  return url;
}

/** The entries that are there: packages tell an absent option from one that is undefined. */
export const dropUndefined = <T extends object>(options: T) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
