// Chat models given as objects: what the project reads from them, what can be given with them, and models of another
// copy of LangChain.
import { afterEach, describe, expect, it } from '@jest/globals';
import { ChatAnthropic } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ChatOllama } from '@langchain/ollama';
import { ChatOpenAI } from '@langchain/openai';
import { prepareMatch } from '../../graph/prepare-match.ts';
import { createCustomModel } from '../../models/custom-model.ts';
import { UsageError } from '../../state/usage-error.ts';
import { type ModelReply, openModelServer, type ProtocolName } from '../model-server.ts';
import { askThroughClient, prompt } from './ask-provider.ts';

let close: () => Promise<void> | void = () => undefined;
afterEach(() => close());

async function openServer(protocol: ProtocolName, ...replies: ModelReply[]) {
  const server = await openModelServer(protocol, (_request, index) => replies[Math.min(index, replies.length - 1)]!);
  close = server.close;
  return server;
}

const text = '{"reasoning": "I wait.", "bid": 2}';

describe('a chat model given as an object', () => {
  it('tells its price, context and time as far as it has them', () => {
    const gpt = createCustomModel(new ChatOpenAI({ model: 'gpt-4o', apiKey: 'k', timeout: 30_000 }));
    expect(gpt).toMatchObject({ spec: 'custom:openai', isBot: false, timeoutMs: 30_000, price: { in: 2.5, out: 10 } });
    expect(gpt.context).toEqual({ tokens: 128_000, prompt: 128_000 - 4096 });
    const claude = createCustomModel(new ChatAnthropic({ model: 'claude-haiku-4-5', apiKey: 'k' }));
    expect(claude).toMatchObject({ price: { in: 1, out: 5 }, timeoutMs: 120_000, context: { tokens: 200_000 } });
    const local = createCustomModel(new ChatOllama({ model: 'llama3.1', numCtx: 8192 }));
    expect(local).toMatchObject({ price: null, context: { tokens: 8192 } });
  });

  it('has no known price at another address', () => {
    const configuration = { baseURL: 'http://127.0.0.1:1/v1' };
    expect(createCustomModel(new ChatOpenAI({ model: 'gpt-4o', apiKey: 'k', configuration })).price).toBeNull();
  });

  it('takes what is given beside it', () => {
    const chat = new ChatOpenAI({ model: 'gpt-4o', apiKey: 'k' });
    const given = { price: { in: 1, out: 2 }, contextTokens: 9000, maxTokens: 1000, timeout: 5, name: 'mine' };
    const model = createCustomModel({ chat, ...given, schemaOptions: null });
    expect(model).toMatchObject({ spec: 'custom:mine', price: { in: 1, out: 2 }, timeoutMs: 5000 });
    expect(model.context).toEqual({ tokens: 9000, prompt: 8000 });
    expect(model).not.toHaveProperty('schemaOptions');
  });

  it.each([
    [{ timeout: 0 }, 'timeout'],
    [{ name: 'a b' }, 'name'],
    [{ prize: 3 }, 'prize'],
    [{ chat: {} }, 'must be a chat model of LangChain'],
  ])('is refused with %j', (more, words) => {
    const chat = new ChatOpenAI({ model: 'gpt-4o', apiKey: 'k' });
    expect(() => createCustomModel({ chat, ...more } as never)).toThrow(UsageError);
    expect(() => createCustomModel({ chat, ...more } as never)).toThrow(words);
  });

  const atServer = {
    anthropic: (address: string) =>
      new ChatAnthropic({ model: 'claude-haiku-4-5', apiKey: 'k', anthropicApiUrl: address, maxRetries: 0 }),
    ollama: (address: string) => new ChatOllama({ model: 'llama3.1', baseUrl: address, maxRetries: 0 }),
    chat: (address: string) =>
      new ChatOpenAI({ model: 'gpt-4o', apiKey: 'k', configuration: { baseURL: `${address}/v1` }, maxRetries: 0 }),
  };

  it.each(Object.entries(atServer))('is asked with a schema, by the protocol %s', async (protocol, create) => {
    const server = await openServer(protocol as ProtocolName, { text });
    const { result } = await askThroughClient(createCustomModel(create(server.address)));
    expect(result).toEqual({ value: { reasoning: 'I wait.', bid: 2 } });
    const { hasSchema, body } = server.requests[0]!;
    expect(hasSchema || body['tools'] !== undefined).toBe(true);
  });

  it('of OpenAI loses no answer that breaks off', async () => {
    const server = await openServer('chat', { text: '{"bid": ', isCut: true }, { text });
    const { result, lines } = await askThroughClient(createCustomModel(atServer.chat(server.address)));
    expect(result.value).toMatchObject({ bid: 2 });
    expect(lines.map(({ raw, retries }) => ({ raw, retries }))).toEqual([
      { raw: '{"bid": ', retries: 0 },
      { raw: text, retries: 0 },
    ]);
  });
});

describe('a chat model of another copy of LangChain', () => {
  /** A class that shares nothing with the project's copy of LangChain. */
  const createStranger = () => {
    const seen: unknown[] = [];
    const invoke = (messages: readonly unknown[]) => {
      seen.push(...messages);
      const message = { content: text, additional_kwargs: {}, response_metadata: {} };
      return Promise.resolve(message);
    };
    return { chat: { _llmType: () => 'stranger', invoke } as unknown as BaseChatModel, seen };
  };

  it('is given plain messages, which every copy reads', async () => {
    const { chat, seen } = createStranger();
    const { result } = await askThroughClient(createCustomModel(chat));
    expect(result.value).toMatchObject({ bid: 2 });
    expect(seen).toEqual([
      { role: 'system', content: prompt.system },
      { role: 'user', content: prompt.user },
    ]);
  });

  it.each([
    ['alone', (chat: BaseChatModel) => chat, 120_000],
    ['with its time', (chat: BaseChatModel) => ({ chat, timeout: 9 }), 9000],
    ['with a persona', (chat: BaseChatModel) => ({ model: { chat, timeout: 9 }, persona: 'Speaks little.' }), 9000],
  ])('takes a seat %s', async (_how, choose, timeoutMs) => {
    const { chat } = createStranger();
    const { seats } = await prepareMatch({ seats: { Ginger: choose(chat) } }, {}, 0);
    expect(seats['Ginger']!.talk).toMatchObject({ spec: 'custom:stranger', timeoutMs });
  });
});
