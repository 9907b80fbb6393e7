// What a provider's prompt cache would serve of the prompts of a match.

export const charactersPerToken = 4;

/** OpenAI's cache, and those of others are no coarser: the shortest prefix that is kept, and its steps. In tokens. */
const cached = { least: 1024, step: 128 };

export interface SentPrompt {
  action: string;
  /** The whole sequence of messages, in order. */
  messages: readonly { role: string; content: string }[];
  /** Milliseconds on any clock. */
  sentAt: number;
  answeredAt: number;
}

/** Tokens, as counted by characters. */
export interface CacheCount {
  prompts: number;
  tokens: number;
  /** Of `tokens`, those that the cache would serve. */
  cached: number;
}

/**
 * By action, the tokens of the prompts and how many of them stand in the longest prefix that a prompt shares with any
 * other that had been answered when it was sent. All players are taken to have the same model.
 */
export function cacheCounts(prompts: readonly SentPrompt[]): Map<string, CacheCount> {
  const counts = new Map<string, CacheCount>();
  const texts = new Map(prompts.map((prompt) => [prompt, textOf(prompt)]));
  for (const prompt of prompts) {
    const text = texts.get(prompt)!;
    const earlier = prompts.filter(({ answeredAt }) => answeredAt <= prompt.sentAt);
    const shared = Math.max(0, ...earlier.map((other) => sharedPrefix(text, texts.get(other)!)));
    const { prompts: before, tokens, cached } = counts.get(prompt.action) ?? { prompts: 0, tokens: 0, cached: 0 };
    counts.set(prompt.action, {
      prompts: before + 1,
      tokens: tokens + Math.ceil(text.length / charactersPerToken),
      cached: cached + servedOf(shared),
    });
  }
  return counts;
}

/** All actions together. */
export const inAll = (counts: Iterable<CacheCount>): CacheCount =>
  [...counts].reduce((sum, { prompts, tokens, cached }) => ({
    prompts: sum.prompts + prompts,
    tokens: sum.tokens + tokens,
    cached: sum.cached + cached,
  }));

/** Tokens of a shared prefix, in characters, that the cache serves. */
export function servedOf(characters: number): number {
  const tokens = Math.floor(characters / charactersPerToken);
  return tokens < cached.least ? 0 : tokens - (tokens % cached.step);
}

const textOf = ({ messages }: SentPrompt) => messages.map(({ role, content }) => `${role}\n${content}\n`).join('');

/** Characters that two texts begin with in common. */
export function sharedPrefix(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length++;
  return length;
}
