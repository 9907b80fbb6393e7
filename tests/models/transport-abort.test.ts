// Aborting calls: at once, and whatever LangGraph does to the signals of its nodes.
import { afterEach, describe, expect, it } from '@jest/globals';
import { SimpleChatModel } from '@langchain/core/language_models/chat_models';
import { END, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { z } from 'zod';
import { openModel } from '../../models/index.ts';
import { deliver, systemClock, type Retry } from '../../models/transport.ts';
import { openaiServer, type OpenAIServer } from '../openai-server.ts';
import { testClock } from '../test-clock.ts';

let server: OpenAIServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Delivers one call to a real OpenAI model whose server follows the script; tells how many requests were made. */
async function send(
  script: Parameters<typeof openaiServer>[0],
  {
    signal,
    clock = testClock(),
    ...options
  }: { signal: AbortSignal; clock?: typeof systemClock; onRetry?: (retry: Retry) => void },
) {
  server = await openaiServer(script);
  const spec = `openai:gpt-4o?baseUrl=${server.baseUrl}`;
  const { chat } = await openModel(spec, { temperature: null, env: { OPENAI_API_KEY: 'k' } });
  return deliver((own) => chat.invoke('Whom?', { signal: own }), { timeoutMs: 5000, signal, clock, ...options });
}

describe('an abort', () => {
  const reason = new Error('Stopped by the user.');

  it('stops a call under way at once, with its reason', async () => {
    const stop = new AbortController();
    const hang = () => {
      stop.abort(reason);
      return { hang: true };
    };
    await expect(send(hang, { signal: stop.signal })).rejects.toBe(reason);
    expect(server!.requests).toHaveLength(1);
  });

  it('that came before makes no call', async () => {
    await expect(send([{ text: 'Ginger' }], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server!.requests).toHaveLength(0);
  });

  it('stops a model that does not heed its signal', async () => {
    const stop = new AbortController();
    const delivery = deliver(() => new Promise(() => undefined), {
      timeoutMs: 5000,
      signal: stop.signal,
      clock: testClock(),
    });
    stop.abort(reason);
    await expect(delivery).rejects.toBe(reason);
  });

  it('stops a wait', async () => {
    const stop = new AbortController();
    const delivery = send([{ status: 429, headers: { 'retry-after': '3000' } }], {
      clock: systemClock,
      signal: stop.signal,
      onRetry: () => stop.abort(reason),
    });
    await expect(delivery).rejects.toBe(reason);
    expect(server!.requests).toHaveLength(1);
  });

  it('of a sibling in the graph stops only calls without a signal of their own', async () => {
    const model = new SlowModel();
    const settled = Promise.withResolvers<PromiseSettledResult<unknown>[]>();
    const graph = new StateGraph(new StateSchema({ round: z.number().default(0) }))
      .addNode('asks', async () => {
        const delivered = deliver((signal) => model.invoke('Whom?', { signal }), {
          timeoutMs: 5000,
          signal: new AbortController().signal,
          clock: testClock(),
        });
        settled.resolve(await Promise.allSettled([delivered, model.invoke('Whom?')]));
        return {};
      })
      .addNode('fails', async () => {
        await model.isAsked(2);
        throw new Error('The sibling failed.');
      })
      .addEdge(START, 'asks')
      .addEdge(START, 'fails')
      .addEdge('asks', END)
      .addEdge('fails', END)
      .compile();
    await expect(graph.invoke({})).rejects.toThrow('The sibling failed.');
    model.answer('Ginger');
    const [protectedCall, plainCall] = await settled.promise;
    expect(protectedCall).toMatchObject({ status: 'fulfilled', value: { result: { content: 'Ginger' }, retries: 0 } });
    expect(plainCall).toMatchObject({ status: 'rejected' });
  });
});

/** Answers when told to, and then heeds its signal. */
class SlowModel extends SimpleChatModel {
  readonly #answer = Promise.withResolvers<string>();
  readonly #asked: { count: number; tell: () => void }[] = [];
  #count = 0;

  constructor() {
    super({});
  }

  override _llmType() {
    return 'slow';
  }

  override async _call(_messages: unknown, { signal }: { signal?: AbortSignal }) {
    this.#count++;
    for (const { count, tell } of this.#asked) if (count <= this.#count) tell();
    const answer = await this.#answer.promise;
    signal?.throwIfAborted();
    return answer;
  }

  /** Resolves when that many calls are under way. */
  isAsked(count: number) {
    return new Promise<void>((tell) => {
      this.#asked.push({ count, tell });
      if (count <= this.#count) tell();
    });
  }

  answer(text: string) {
    this.#answer.resolve(text);
  }
}
