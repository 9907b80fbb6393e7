// What a model is, by its name alone: a vendor before it, as routers write it, and a variant after it change nothing.

/**
 * The name without vendor, tuning and variant.
 *
 * @example getBareName('openai/gpt-5.6:free'); // 'gpt-5.6'
 */
export const getBareName = (model: string) =>
  model
    .replace(/^ft:/, '')
    .replace(/^.*\//, '')
    .replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|openai|google|meta|mistral|deepseek)\./, '') // Bedrock's
    .replace(/:.*$/s, '')
    .toLowerCase();

/**
 * Whether a model is one of OpenAI's that reason: these refuse any temperature but their own, and count their reasoning
 * among the tokens of an answer.
 *
 * @example isReasoningModel('openai/gpt-5.6'); // true
 */
export function isReasoningModel(model: string): boolean {
  const name = getBareName(model);
  return /^(?:o\d|gpt-(?:[5-9]|\d\d))/.test(name) && !name.includes('-chat');
}

/**
 * The version of a Claude model as a number; null for another model, or where the name has none.
 *
 * @example getClaudeVersion('claude-haiku-4-5-20251001'); // 4.5
 */
export function getClaudeVersion(model: string): number | null {
  const version = /^claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2}))?(?![\d])/.exec(getBareName(model));
  return version ? Number(`${version[1]}.${version[2] ?? 0}`) : null;
}

/** The beginning of a bare name → providers whose own models have such names. */
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

/** The providers that a model named without one may be meant of. */
export const listMakers = (model: string): string[] =>
  makers.flatMap(([pattern, ...names]) => (pattern.test(getBareName(model)) ? names : []));
