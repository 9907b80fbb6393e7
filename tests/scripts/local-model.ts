// A local server in place of a language model, for matches between real processes. It answers legally, or not at all.
import { createLegalAnswer } from '../scripted-model.ts';
import { openOpenaiServer, type OpenAIServer, type Received, type Scripted } from '../openai-server.ts';
import { readQuestion } from '../question.ts';
import type { Surroundings } from './process.ts';

/** Key that must not appear in any file or output. */
export const key = 'sk-local-0123456789abcdef';

/** Gives the same answer to the same question. Questions after a match, such as reflections, get an empty answer. */
export const legally = ({ body }: Received): Scripted => {
  const isOfPlayer = body.messages.some(({ content }) => /^Answer: kind "/m.test(content));
  return { text: JSON.stringify(isOfPlayer ? createLegalAnswer(readQuestion(body.messages)) : {}) };
};

export const reaching = ({ baseUrl }: OpenAIServer): Surroundings => ({
  env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: baseUrl },
});

/**
 * Opens a server that answers the given number of calls and then no more. `hangs`: resolves at the first call without
 * an answer.
 */
export async function hangingServer(answered: number): Promise<OpenAIServer & { hangs: Promise<void> }> {
  const { promise: hangs, resolve } = Promise.withResolvers<void>();
  const server = await openOpenaiServer((request, index) => {
    if (index < answered) return legally(request);
    resolve();
    return { hang: true };
  });
  return { ...server, hangs };
}

/** Returns the options for a match of about thirty calls. */
export const modelMatch = (out: string, id: string, ...more: readonly string[]) => [
  ...['--out', out, '--id', id, '--seed', '3', '--rules', 'arena'],
  ...['--rule', 'debateTurns=2', '--rule', 'maxRounds=1', '--model', 'openai:local?priceIn=50000&priceOut=0'],
  ...more,
];
