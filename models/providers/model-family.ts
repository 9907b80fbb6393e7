// The family of a model, by its name alone. Ignores a vendor before the name, as routers write it, and a variant after
// it.

/**
 * Returns the name without vendor, tuning and variant.
 *
 * @example getBareName('openai/gpt-5.6:free'); // 'gpt-5.6'
 */
export const getBareName = (model: string) =>
  model
    .replace(/^ft:/, '')
    .replace(/^.*\//, '')
    .replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|openai|google|meta|mistral|deepseek)\./, '') // prefixes on Bedrock
    .replace(/:.*$/s, '')
    .toLowerCase();

/**
 * Returns whether a model is one of OpenAI's reasoning models. These accept only their own temperature, and count their
 * reasoning among the tokens of an answer.
 *
 * @example isReasoningModel('openai/gpt-5.6'); // true
 */
export function isReasoningModel(model: string): boolean {
  const name = getBareName(model);
  return /^(?:o\d|gpt-(?:[5-9]|\d\d))/.test(name) && !name.includes('-chat');
}

/**
 * Returns the version of a Claude model as a number; null for other models or names without one.
 *
 * @example getClaudeVersion('claude-haiku-4-5-20251001'); // 4.5
 */
export function getClaudeVersion(model: string): number | null {
  const version = /^claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2}))?(?![\d])/.exec(getBareName(model));
  return version ? Number(`${version[1]}.${version[2] ?? 0}`) : null;
}

/** Beginning of a bare name → providers whose own models have such names. */
const makers: readonly (readonly [RegExp, ...string[]])[] = [
  [/^(?:gpt-|chatgpt-|o\d)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^gem(?:ini|ma)-/, 'google-genai', 'vertexai'],
  [/^grok-/, 'xai'],
  [/^deepseek-/, 'deepseek'],
  [/^(?:mistral|ministral|magistral|codestral|pixtral)-/, 'mistralai'],
  [/^command-/, 'cohere'],
  [/^sonar/, 'perplexity'],
  [/^(?:llama|qwen|phi|tinyllama)/, 'ollama'],
];

/** Lists the providers that may be meant if a model is named without a provider. */
export const listMakers = (model: string): string[] =>
  makers.flatMap(([pattern, ...names]) => (pattern.test(getBareName(model)) ? names : []));
