// Failures on the way to a provider: retries, waiting times, messages. They are tested in one file because one function
// handles all of these for one call.
import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { SimpleChatModel } from '@langchain/core/language_models/chat_models';
import { END, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { z } from 'zod';
import { parseChatResponse } from '../../models/chat-response.ts';
import { openModel } from '../../models/providers/index.ts';
import { readProviderError } from '../../models/provider-error.ts';
import { callWithRetries, limitRetryWait, ProviderFailure, type Retry } from '../../models/retry.ts';
import { type Clock, systemClock } from '../../models/machine/clock.ts';
import { failure, openOpenaiServer, type OpenAIServer, type Scripted } from '../openai-server.ts';
import { testClock } from '../test-clock.ts';
import { untrustedCertificate } from '../untrusted-certificate.ts';

let server: OpenAIServer | undefined;

/** Starts a server at the address of the previous one. */
async function start(...script: Parameters<typeof openOpenaiServer>) {
  await server?.close();
  server = await openOpenaiServer(...script);
  return server;
}

interface Sent {
  timeoutMs?: number;
  maxRetries?: number;
  clock?: Clock;
  signal?: AbortSignal;
  onRetry?: (retry: Retry) => void;
  redact?: ((text: string) => string) | undefined;
  name?: string;
}

/** Makes one call to a real OpenAI model whose server follows the script. */
async function send(script: readonly Scripted[], { timeoutMs = 5000, ...options }: Sent = {}) {
  const { baseUrl } = await start(script);
  return sendTo(baseUrl, { timeoutMs, ...options });
}

async function sendTo(
  baseUrl: string,
  { timeoutMs = 5000, clock = testClock(), redact = (text) => text, ...options }: Sent = {},
) {
  const model = await openModel(`openai:gpt-4o?baseUrl=${baseUrl}`, {
    temperature: null,
    env: { OPENAI_API_KEY: 'k' },
  });
  return callWithRetries((signal) => model.chat.invoke('Whom?', { signal }), {
    timeoutMs,
    clock,
    redact,
    signal: new AbortController().signal,
    ...options,
  });
}

const catchFailure = async (delivery: Promise<unknown>) =>
  delivery.then(
    () => {
      throw new Error('It was delivered.');
    },
    (error: unknown) => error as ProviderFailure,
  );

const ok: Scripted = { text: 'Ginger' };
const limited: Scripted = { status: 429, body: failure('Slow down.', 'rate_limit_exceeded') };
const down: Scripted = { status: 503, body: failure('Down for repair.') };

describe('delivering a call', () => {
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  describe('a call that meets trouble on its way', () => {
    it.each([
      ['408', { status: 408, body: failure('Too slow.') }],
      ['409', { status: 409, body: failure('Locked.') }],
      ['500', { status: 500, body: failure('Oops.') }],
      ['503 and a page of HTML', { status: 503, body: '<html>Bad gateway</html>' }],
      ['599', { status: 599, body: failure('?') }],
      ['a connection closed without an answer', { drop: 'before' as const }],
      ['a connection closed in the middle of the answer', { drop: 'within' as const, text: 'x'.repeat(100) }],
    ])('is made again after %s', async (_, trouble: Scripted) => {
      const clock = testClock();
      const { result, retries } = await send([trouble, trouble, ok], { clock });
      expect(parseChatResponse(result).text).toBe('Ginger');
      expect(retries).toBe(2);
      expect(server!.requests).toHaveLength(3);
      expect(clock.waits).toEqual([312.5, 625]);
    });

    it('is made again where an attempt takes too long, each with a timeout of its own', async () => {
      const clock = testClock();
      const seen: string[] = [];
      const { baseUrl, requests } = await start((_, index) => {
        if (index === 2) return ok;
        clock.expire();
        return { hang: true };
      });
      const { result, retries } = await sendTo(baseUrl, { clock, onRetry: ({ words }) => seen.push(words) });
      expect(parseChatResponse(result).text).toBe('Ginger');
      expect(retries).toBe(2);
      expect(requests).toHaveLength(3);
      expect(clock.timeouts).toEqual([5000, 5000, 5000]);
      expect(clock.waits).toEqual([312.5, 625]);
      expect(seen).toEqual(['No answer within 5 s.', 'No answer within 5 s.']);
    });

    it('is made again once where nobody listens on this machine, and asks whether the server is running', async () => {
      const { baseUrl, close } = await start([ok]);
      await close();
      const clock = testClock();
      const error = await catchFailure(sendTo(baseUrl, { clock }));
      expect(error).toMatchObject({ kind: 'unavailable', status: null, tries: 2 });
      expect(error.message).toBe(
        `connect ECONNREFUSED ${new URL(baseUrl).host} (tried 2 times). Is the server running?`,
      );
      expect(clock.waits).toHaveLength(1);
    });

    it('is made again as often as a rate limit refuses it, which is no outage, and first after half a second', async () => {
      const clock = testClock(0.5);
      const { retries } = await send([...Array<Scripted>(12).fill(limited), ok], { clock });
      expect(retries).toBe(12);
      expect(clock.waits.slice(0, 3)).toEqual([500, 750, 1125]);
      expect(Math.max(...clock.waits)).toBeLessThanOrEqual(60_000);
    });

    it('is given up where a rate limit refuses it for six hours', async () => {
      const clock = testClock();
      const refused = Object.assign(new Error('Slow down.'), { status: 429 }); // about 360 refusals, made here without a server
      const error = await catchFailure(
        callWithRetries(() => Promise.reject(refused), {
          ...{ clock, timeoutMs: 5000, redact: (text: string) => text, signal: new AbortController().signal },
        }),
      );
      expect(error).toMatchObject({ kind: 'limited', status: 429 });
      expect(clock.elapsed()).toBeGreaterThan(limitRetryWait);
      expect(clock.elapsed()).toBeLessThan(limitRetryWait + 120_000);
    });

    it('is given up after eight more attempts, with the last words of the provider', async () => {
      const clock = testClock();
      const error = await catchFailure(
        send(
          [
            { status: 500, body: failure('Oops.') },
            { ...down, status: 500 },
          ],
          { clock },
        ),
      );
      expect(error).toBeInstanceOf(ProviderFailure);
      expect(error).toMatchObject({
        kind: 'unavailable',
        status: 500,
        tries: 9,
        message: 'Down for repair. (tried 9 times)',
      });
      expect(server!.requests).toHaveLength(9);
      expect(clock.waits).toEqual([0.25, 0.5, 1, 2, 4, 8, 16, 32].map((s) => s * 1250));
    });
  });

  describe('the wait before another attempt', () => {
    const measureWaits = async (trouble: Scripted, clock = testClock(), attempts = 1) => {
      await send([...Array<Scripted>(attempts).fill(trouble), ok], { clock, maxRetries: 20 });
      return clock.waits;
    };

    it('doubles from one second and never exceeds a minute', async () => {
      expect(await measureWaits(down, testClock(1), 10)).toEqual([
        ...[0.25, 0.5, 1, 2, 4, 8, 16, 32].map((s) => s * 1250),
        ...[60_000, 60_000],
      ]);
    });

    it('is from three to five quarters of that', async () => {
      expect(await measureWaits(down, testClock(0), 3)).toEqual([187.5, 375, 750]);
      expect(await measureWaits(down, testClock(0.5), 3)).toEqual([250, 500, 1000]);
    });

    it.each([
      ['seconds', { 'retry-after': '7' }, 7000],
      ['a part of a second', { 'retry-after': '0.25' }, 250],
      ['milliseconds, which go before seconds', { 'retry-after-ms': '300', 'retry-after': '1' }, 300],
      ['more than a minute', { 'retry-after': '120' }, 120_000],
    ])('is what the server asks for in %s', async (_, headers, wait) => {
      expect(await measureWaits({ ...down, headers }, testClock(0))).toEqual([wait]);
      expect(await measureWaits({ ...limited, headers }, testClock(0))).toEqual([wait]);
    });

    it('is told from our own clock where the server does not tell its time', () => {
      const headers = { 'retry-after': 'Thu, 01 Jan 2026 12:00:09 GMT' };
      const error = Object.assign(new Error('Down.'), { status: 503, headers });
      expect(readProviderError(error, Date.parse('2026-01-01T12:00:00Z')).retryAfterMs).toBe(9000);
    });

    it.each([
      ['right', 'Thu, 01 Jan 2026 12:00:00 GMT', 'Thu, 01 Jan 2026 12:00:09 GMT'],
      ['hours fast', 'Thu, 01 Jan 2026 17:00:00 GMT', 'Thu, 01 Jan 2026 17:00:09 GMT'],
      ['hours slow', 'Thu, 01 Jan 2026 07:00:00 GMT', 'Thu, 01 Jan 2026 07:00:09 GMT'],
    ])('is told from the clock of a server that is %s', async (_, date, after) => {
      const headers = { date, 'retry-after': after };
      expect(await measureWaits({ ...down, headers }, testClock(0))).toEqual([9000]);
      expect(await measureWaits({ ...limited, headers }, testClock(0))).toEqual([9000]);
    });

    it('is a little longer than the server asks for, by chance, so that not all come back at once', async () => {
      const headers = { 'retry-after': '10' };
      expect(await measureWaits({ ...down, headers }, testClock(1))).toEqual([11_000]);
      expect(await measureWaits({ ...limited, headers }, testClock(1))).toEqual([10_500]);
    });

    it.each([
      ['nothing', '0'],
      ['a date gone by', 'Thu, 01 Jan 2026 11:59:00 GMT'],
      ['nonsense', 'soon'],
      ['a number that is none', '1e400'],
    ])('is our own where the server asks for %s', async (_, after) => {
      expect(await measureWaits({ ...down, headers: { 'retry-after': after } })).toEqual([312.5]);
    });

    it.each([
      ['two minutes', down, '3599', {}, '(asks to wait 3599 s; --max-wait allows 120 s)'],
      ['it may', down, '8', { maxWaitMs: 7500 }, '(asks to wait 8 s; --max-wait allows 7.5 s)'],
      ['there is time', down, '1e300', {}, '(asks to wait 999999 s; --max-wait allows 120 s)'],
      ['six hours, for its rate limit', limited, '86400', {}, '(asks to wait 86400 s; --max-wait allows 21600 s)'],
      ['it may, for its rate limit', limited, '8', { maxWaitMs: 7500 }, '(asks to wait 8 s; --max-wait allows 7.5 s)'],
    ])('is not begun where the server asks for more than %s', async (_, trouble, after, limit, message) => {
      const clock = testClock();
      const error = await catchFailure(send([{ ...trouble, headers: { 'retry-after': after } }], { clock, ...limit }));
      const kind = trouble === limited ? 'limited' : 'unavailable';
      expect(error).toMatchObject({ kind, message: expect.stringContaining(message), tries: 1 });
      expect(clock.waits).toEqual([]);
    });

    it('is told with its number and the words of the provider', async () => {
      const told: Retry[] = [];
      await send([down, limited, ok], { onRetry: (retry) => told.push(retry) });
      expect(told).toEqual([
        { retry: 1, waitMs: 312.5, askedMs: undefined, words: 'Down for repair.', sort: 'status 503' },
        { retry: 2, waitMs: 0, askedMs: undefined, words: 'Slow down.', sort: 'status 429' },
      ]);
    });
  });

  describe('the words of a provider', () => {
    const readMessage = async (message: string, redact?: (text: string) => string) =>
      (await catchFailure(send([{ status: 403, body: failure(message) }], { redact }))).message;

    it('are one line that can be seen, whatever was in them', async () => {
      expect(await readMessage('No.\r\n\u001b[2K12:00 The villagers won.\u202e')).toBe(
        'No. [2K12:00 The villagers won.',
      );
    });

    it('are cut where the server answers with a whole page', async () => {
      const error = await catchFailure(
        send([{ status: 404, body: `<html>${'<p>Gone!</p>\n'.repeat(30_000)}</html>` }]),
      );
      expect(error.message).toMatch(/^<html><p>Gone!<\/p> <p>Gone.* …$/);
      expect(error.message.length).toBeLessThanOrEqual(302);
    });

    it('are understood to their end all the same', async () => {
      const error = await catchFailure(
        send([{ status: 400, body: failure(`${'x'.repeat(500)} Your credit balance is too low.`) }]),
      );
      expect(error.kind).toBe('final');
    });

    it('are freed of keys before they are cut, so that no half of one is left', async () => {
      const redact = (text: string) => text.replaceAll('my-secret-key', '[redacted]');
      expect(await readMessage(`${'x'.repeat(295)} my-secret-key`, redact)).toBe(`${'x'.repeat(295)} [red …`);
      const { baseUrl } = await start([{ body: `${'x'.repeat(190)} my-secret-key` }]);
      expect((await catchFailure(sendTo(baseUrl, { redact }))).message).toContain('[redacted]');
    });

    it('stand after the name of the model where there is one', async () => {
      const error = await catchFailure(send([{ status: 401, body: failure('Wrong key.') }], { name: 'openai:gpt-4o' }));
      expect(error.message).toBe('openai:gpt-4o: Wrong key.');
    });
  });

  describe('a call that would fail again', () => {
    it.each([
      ['a wrong key', 401, failure('Incorrect API key provided: sk-a***z.', 'invalid_api_key')],
      ['no credit', 402, failure('Insufficient credits.')],
      ['no permission', 403, failure('Country not supported.')],
      ['an unknown model', 404, failure('The model `gpt-9` does not exist.', 'model_not_found')],
      ['a used-up quota', 429, failure('You exceeded your current quota.', 'insufficient_quota')],
    ])('is made once with %s, and fails with the words of the provider', async (_, status, body) => {
      const clock = testClock();
      const error = await catchFailure(send([{ status, body }], { clock }));
      expect(error).toBeInstanceOf(ProviderFailure);
      expect(error).toMatchObject({ kind: 'final', status, tries: 1, message: body.error.message });
      expect(server!.requests).toHaveLength(1);
      expect(clock.waits).toEqual([]);
    });

    it('is made once where the certificate of the server cannot be trusted, and says what to do', async () => {
      const secure = createServer(untrustedCertificate, (_request, response) => response.end('{}'));
      await once(secure.listen(0, '127.0.0.1'), 'listening');
      const clock = testClock();
      const { port } = secure.address() as AddressInfo;
      const error = await catchFailure(sendTo(`https://127.0.0.1:${port}/v1`, { clock }));
      secure.close();
      expect(error).toMatchObject({ kind: 'final', status: null, tries: 1 });
      expect(error.message).toMatch(
        /^self-signed certificate.* \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .*NODE_EXTRA_CA_CERTS/,
      );
      expect(clock.waits).toEqual([]);
    });

    it.each([
      ['final', 'CERT_HAS_EXPIRED'],
      ['final', 'ERR_TLS_CERT_ALTNAME_INVALID'],
      ['final', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
      ['final', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
      ['passing', 'ECONNRESET'],
      ['passing', 'UND_ERR_SOCKET'],
    ])('is told as %s by the code %s, however deep the cause', (kind, code) => {
      const cause = Object.assign(new Error('Deep.'), { code });
      const error = new Error('Connection error.', { cause: new TypeError('fetch failed', { cause }) });
      expect(readProviderError(error, 0)).toMatchObject({ kind, status: null });
    });

    it.each([
      ['OpenAI', 400, failure('Too many tokens.', 'context_length_exceeded')],
      ['llama-server', 400, failure('request (9 tokens) exceeds the available context size.')],
      ['vLLM', 400, failure("This model's maximum context length is 8 tokens. However, you requested 9 tokens.")],
      ['Gemini', 400, failure('The input token count (9) exceeds the maximum number of tokens allowed (8).')],
      ['Claude', 400, failure('prompt is too long: 9 tokens > 8 maximum')],
      ['a server that says nothing of tokens', 413, failure('Payload too large.')],
    ])('is made once where its prompt is too long, in the words of %s', async (_, status, body) => {
      const error = await catchFailure(send([{ status, body }]));
      expect(error).toMatchObject({ kind: 'too-long', status, tries: 1, message: body.error.message });
      expect(server!.requests).toHaveLength(1);
    });

    it.each([400, 422])(
      'is made once where the request is refused with %d, so that it can be changed',
      async (status) => {
        const error = await catchFailure(send([{ status, body: failure('Invalid schema for response_format.') }]));
        expect(error).toMatchObject({ kind: 'bad-request', status, message: 'Invalid schema for response_format.' });
        expect(server!.requests).toHaveLength(1);
      },
    );

    it.each([
      ['an error as a text', { error: 'No models loaded.' }, 'No models loaded.'],
      ['no body', '', 'The server answered with status 404 and no message.'],
    ])('is understood with %s', async (_, body, message) => {
      expect(await catchFailure(send([{ status: 404, body }]))).toMatchObject({ kind: 'final', message });
    });

    it.each([
      ['a page of HTML', '<html>Maintenance</html>', /^Not a valid answer of a chat completion server: .*Maintenance/],
      ['nothing', '', /^Not a valid answer of a chat completion server: nothing$/],
      ['a list', [], /^Not a valid answer of a chat completion server: \[\]$/],
      ['choices that are none', { choices: null }, /^Not a valid answer of a chat completion server: \{"choices":null/],
      ['an error', { error: { message: 'Model is loading.' } }, /^Model is loading\.$/],
      ['an error in words', { error: 'Model is loading.' }, /^Model is loading\.$/],
      ['an error of its choice', { choices: [{ error: { message: 'Cut.' } }] }, /^Cut\.$/],
      ['JSON nested too deep', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, /nested too deeply$/],
    ])('is made again where status 200 brings %s: it may pass', async (_, body, words) => {
      const retried: string[] = [];
      const { retries } = await send([{ body }, ok], { onRetry: ({ words }) => retried.push(words) });
      expect(retries).toBe(1);
      expect(retried).toEqual([expect.stringMatching(words)]);
    });

    it('is made again where status 200 hides a passing error, as OpenRouter sends it', async () => {
      const { retries } = await send([{ body: { error: { message: 'Upstream is busy.', code: 502 } } }, ok]);
      expect(retries).toBe(1);
    });

    it.each([
      ['final', 401, { error: { message: 'No.', code: 'invalid_api_key' } }],
      ['final', 404, { error: { message: 'No.', code: 'model_not_found' } }],
      ['final', 429, { error: { message: 'No.', code: 'insufficient_quota' } }],
      ['too-long', 400, { error: { message: 'No.', code: 'context_length_exceeded' } }],
      ['bad-request', 400, { object: 'error', message: 'No.', code: 400 }],
      ['final', 403, { choices: [], error: { message: 'No.', code: 403 } }],
    ])('is made once where status 200 hides what is %s, with %i', async (kind, status, body) => {
      expect(await catchFailure(send([{ body }]))).toMatchObject({ kind, status, tries: 1, message: 'No.' });
    });

    it.each([401, '401'])('is made once where status 200 hides a final error, of code %j', async (code) => {
      const error = await catchFailure(send([{ body: { error: { message: 'No such key.', code } } }]));
      expect(error).toMatchObject({ kind: 'final', status: 401, tries: 1, message: 'No such key.' });
    });

    it('fails as it is where the error is a mistake of a program', async () => {
      const mistake = new TypeError('undefined is not a function');
      const delivery = callWithRetries(() => Promise.reject(mistake), {
        timeoutMs: 1000,
        signal: new AbortController().signal,
        clock: testClock(),
      });
      await expect(delivery).rejects.toBe(mistake);
    });
  });
});

// Aborted calls end immediately, whatever LangGraph does to the signals of its nodes.

let abortServer: OpenAIServer | undefined;

/** Makes one call to a real OpenAI model whose server follows the script, and returns the number of requests. */
async function sendAborted(
  script: Parameters<typeof openOpenaiServer>[0],
  {
    signal,
    clock = testClock(),
    ...options
  }: { signal: AbortSignal; clock?: typeof systemClock; onRetry?: (retry: Retry) => void },
) {
  abortServer = await openOpenaiServer(script);
  const spec = `openai:gpt-4o?baseUrl=${abortServer.baseUrl}`;
  const { chat } = await openModel(spec, { temperature: null, env: { OPENAI_API_KEY: 'k' } });
  return callWithRetries((own) => chat.invoke('Whom?', { signal: own }), {
    timeoutMs: 5000,
    signal,
    clock,
    ...options,
  });
}

/** Answers when the test says so; after that it obeys its signal. */
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

  /** Resolves when this many calls are under way. */
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

describe('aborting a call', () => {
  afterEach(async () => {
    await abortServer?.close();
    abortServer = undefined;
  });

  describe('an abort', () => {
    const reason = new Error('Stopped by the user.');

    it('stops a call under way at once, with its reason', async () => {
      const stop = new AbortController();
      const hang = () => {
        stop.abort(reason);
        return { hang: true };
      };
      await expect(sendAborted(hang, { signal: stop.signal })).rejects.toBe(reason);
      expect(abortServer!.requests).toHaveLength(1);
    });

    it('that came before makes no call', async () => {
      await expect(sendAborted([{ text: 'Ginger' }], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      expect(abortServer!.requests).toHaveLength(0);
    });

    it('stops a model that does not heed its signal', async () => {
      const stop = new AbortController();
      const delivery = callWithRetries(() => new Promise(() => undefined), {
        timeoutMs: 5000,
        signal: stop.signal,
        clock: testClock(),
      });
      stop.abort(reason);
      await expect(delivery).rejects.toBe(reason);
    });

    it('stops a wait', async () => {
      const stop = new AbortController();
      const delivery = sendAborted([{ status: 429, headers: { 'retry-after': '100' } }], {
        clock: systemClock,
        signal: stop.signal,
        onRetry: () => stop.abort(reason),
      });
      await expect(delivery).rejects.toBe(reason);
      expect(abortServer!.requests).toHaveLength(1);
    });

    it('of a sibling in the graph stops only calls without a signal of their own', async () => {
      const model = new SlowModel();
      const settled = Promise.withResolvers<PromiseSettledResult<unknown>[]>();
      const graph = new StateGraph(new StateSchema({ round: z.number().default(0) }))
        .addNode('asks', async () => {
          const delivered = callWithRetries((signal) => model.invoke('Whom?', { signal }), {
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
      expect(protectedCall).toMatchObject({
        status: 'fulfilled',
        value: { result: { content: 'Ginger' }, retries: 0 },
      });
      expect(plainCall).toMatchObject({ status: 'rejected' });
    });
  });
});

// A finished call leaves no listener on its signal. The signal lives longer, and a listener would keep the call in
// memory.

/** Makes an attempt that ends as `end` does, and returns its signal. */
async function takeSignal(end: () => Promise<string>): Promise<AbortSignal> {
  const given: AbortSignal[] = [];
  const attempt = (signal: AbortSignal) => {
    given.push(signal);
    return end();
  };
  const { signal } = new AbortController();
  await callWithRetries(attempt, { timeoutMs: 5000, maxRetries: 0, signal, clock: testClock() }).catch(() => undefined);
  return given[0]!;
}

describe('an attempt that is over', () => {
  it.each([
    ['answered', () => Promise.resolve('Ginger')],
    ['failed', () => Promise.reject(Object.assign(new Error('down'), { status: 503 }))],
  ])('is not listened for any more once it has %s', async (_, end) => {
    expect(getEventListeners(await takeSignal(end), 'abort')).toEqual([]);
  });
});
