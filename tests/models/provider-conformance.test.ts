// Requirements for every registered provider, each tested with a server that speaks its protocol.
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { RunnableLambda } from '@langchain/core/runnables';
import { MODEL_PROVIDER_CONFIG } from 'langchain/chat_models/universal';
import { parseChatResponse } from '../../models/chat-response.ts';
import { openModel, providers, readModelSpec } from '../../models/providers/index.ts';
import { ProviderFailure } from '../../models/retry.ts';
import { identifyModel } from '../../state/model-identity.ts';
import type { ModelReply, ModelScript } from '../model-server.ts';
import { answer, askThroughClient, prompt } from './ask-provider.ts';
import { providerCases } from './provider-cases.ts';
import { itLong } from '../it-long.ts';

const text = JSON.stringify(answer);

const listWords = ({ name, aliases = [] }: (typeof providers)[number]) => [name, ...aliases];

describe('the register', () => {
  it('has a name for every chat model of LangChain’s', () => {
    const known = providers.flatMap(listWords);
    const langchain = Object.keys(MODEL_PROVIDER_CONFIG).map((name) => name.replaceAll('_', '-'));
    expect(langchain.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('names nobody twice', () => {
    const known = providers.flatMap(listWords);
    expect(known).toEqual([...new Set(known)]);
  });

  it('is tested here but for bots and people', () => {
    const left = providers.filter(({ name }) => name !== 'bot' && name !== 'human').map(({ name }) => name);
    expect([...new Set(providerCases.map(({ provider }) => provider))].sort()).toEqual(left.sort());
  });

  it('is documented with all its names', () => {
    const docs = readFileSync('docs/reference/providers.md', 'utf8');
    const missing = providers.flatMap(listWords).filter((name) => !docs.includes(`\`${name}:`));
    expect(missing).toEqual([]);
  });
});

for (const { provider, label = provider, protocol, start } of providerCases)
  describe(`the provider ${label}`, () => {
    /** Declares what follows from the protocol. Of servers that share OpenAI's, `npm test` tries one. */
    const itShared = protocol === 'chat' && provider !== 'openai' ? itLong : it;
    let close: () => Promise<void> | void = () => undefined;
    afterEach(() => close());

    /**
     * Opens a model at a server. The server gives these replies in turn and repeats the last one, or replies as the
     * function says.
     */
    async function open(script: ModelReply | ModelReply[] | ModelScript, { temperature = 0.5, options = '' } = {}) {
      const replies = [script].flat();
      const set = await start((request, index) => {
        const reply = replies[Math.min(index, replies.length - 1)]!;
        return typeof reply === 'function' ? reply(request, index) : reply;
      });
      close = set.close;
      const spec = `${set.spec}${options && !set.spec.includes('?') ? options.replace('&', '?') : options}`;
      return { ...set, spec, model: await openModel(spec, { temperature, env: set.env }) };
    }

    const openAndAsk = async (...given: Parameters<typeof open>) => {
      const opened = await open(...given);
      return { ...opened, ...(await askThroughClient(opened.model)) };
    };

    const ask = async (...given: Parameters<typeof open>) => {
      const { model } = await open(...given);
      const conversation = [new SystemMessage(prompt.system), new HumanMessage(prompt.user)];
      return parseChatResponse(await model.chat.invoke(conversation, model.schemaOptions?.('bid', prompt.schema)));
    };

    it('opens the model that its string names, without a call', async () => {
      const { model, spec, requests } = await open({ text });
      expect(readModelSpec(spec).provider).toBe(provider);
      expect([model.text, model.spec]).toEqual([spec, identifyModel(spec)]);
      expect(requests).toEqual([]);
    });

    it('asks the model by its name, with the rules, the task and a schema, and its answer is recorded', async () => {
      const { result, line, requests, spec, warnings } = await openAndAsk({ text });
      expect(result).toEqual({ value: answer });
      expect(line).toMatchObject({ raw: text, retries: 0, tokens: { in: 20, out: 5 } });
      const { model } = readModelSpec(spec);
      const named = protocol === 'gemini' ? model : requests[0]!.model;
      expect(line.model_returned).toBe(protocol === 'converse' ? null : named); // Bedrock reports no model
      expect(requests).toHaveLength(1);
      expect(requests[0]!).toMatchObject({ model, hasSchema: true, temperature: 0.5 });
      for (const words of ['a game of hidden roles', 'Answer: kind']) expect(requests[0]!.text).toContain(words);
      expect(warnings).toEqual([]);
    });

    itShared('answers the same where somebody listens to events of its calls, as a server does', async () => {
      const listened = RunnableLambda.from(async () => (await openAndAsk({ text })).line.raw);
      const heard: unknown[] = [];
      for await (const { data } of listened.streamEvents('', { version: 'v2' })) heard.push(data.output);
      expect(heard.at(-1)).toBe(text);
    });

    itShared('asks again after an answer that cannot be read', async () => {
      const { result, requests } = await openAndAsk([{ text: 'Two.' }, { text }]);
      expect(result).toEqual({ value: answer });
      expect(requests[1]!.text).toContain('could not be used');
    });

    it('hands on the limit of tokens', async () => {
      const { requests } = await openAndAsk({ text }, { options: '&maxTokens=700' });
      expect(requests[0]!.maxTokens).toBe(700);
    });

    itShared('tries again after each status that tells of trouble', async () => {
      const statuses = [429, 500, 503, 529];
      const trouble = statuses.map((status) => ({ status, words: 'Slow down.' }));
      const { result, line, requests } = await openAndAsk([...trouble, { text }]);
      expect(result).toEqual({ value: answer });
      expect([line.retries, requests.length]).toEqual([4, 5]);
    });

    itShared('waits as long as the server asks', async () => {
      const { waits } = await openAndAsk([{ status: 429, headers: { 'retry-after': '7' } }, { text }]);
      expect(waits).toHaveLength(1);
      expect(waits[0]).toBeGreaterThanOrEqual(7000);
    });

    itShared.each(['<html>Bad gateway</html>', '', '{}', '{"error": {"message": "Overloaded"}}'])(
      'tries again after %j with status 200',
      async (body) => {
        const { result, line } = await openAndAsk([{ body }, { text }]);
        expect(result).toEqual({ value: answer });
        expect(line.retries + line.attempt).toBe(2);
      },
    );

    it('tells a wrong key at once, in the server’s words, and shows the key in no string, trace or error', async () => {
      const { model, env, requests } = await open({ status: 401, words: 'Incorrect API key.' });
      const error: unknown = await askThroughClient(model).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ProviderFailure);
      expect(error).toMatchObject({
        kind: 'final',
        status: 401,
        message: expect.stringContaining('Incorrect API key.'),
      });
      expect(requests).toHaveLength(1);
      const raw: unknown = await model.chat.invoke('Whom?').catch((thrown: unknown) => thrown);
      const seen = [model.spec, JSON.stringify(model.chat), inspect(error, { depth: 20 })].join('\n');
      const secrets = Object.values(env).filter((value) => value?.startsWith('sk-'));
      for (const secret of secrets) expect(seen).not.toContain(secret);
      expect(raw).toBeInstanceOf(Error);
      expect(model.secrets).toEqual(secrets);
    });

    itShared('knows a prompt that is too long', async () => {
      const { model } = await open({ status: 400, words: 'prompt is too long: 9 tokens > 8 maximum' });
      await expect(askThroughClient(model)).rejects.toMatchObject({ kind: 'too-long', status: 400 });
    });

    it('goes on without a schema that is refused', async () => {
      const words = 'output_format: this model does not support a JSON schema';
      const { model, result, requests, warnings } = await openAndAsk(({ hasSchema }) =>
        hasSchema ? { status: 400, words } : { text },
      );
      expect(result).toEqual({ value: answer });
      const withSchema = model.structured === 'family' ? [true, true] : [true];
      expect(requests.map(({ hasSchema }) => hasSchema)).toEqual([...withSchema, false]);
      expect(warnings.join()).toContain('The server rejects the JSON schema of an answer');
    });

    // A server without schemas cannot refuse a schema.
    const forms = provider === 'deepseek' ? ['json'] : ['schema', 'family'];
    it.each(forms)('counts the retries before a refusal of the schema: structured=%s', async (form) => {
      const words = 'output_format: this model does not support a JSON schema';
      const script = [{ status: 503, words: 'Slow down.' }, { status: 400, words }, { text }];
      const { result, line, requests } = await openAndAsk(script, { options: `&structured=${form}` });
      expect(result).toEqual({ value: answer });
      expect([line.retries, requests.length]).toEqual([1, 3]);
    });

    if (protocol === 'chat' || protocol === 'responses' || protocol === 'anthropic') {
      itShared('goes on without a temperature of the rules that is refused', async () => {
        const words = '`temperature` is not supported with this model.';
        const { result, requests } = await openAndAsk(({ temperature }) =>
          temperature === undefined ? { text } : { status: 400, words },
        );
        expect(result).toEqual({ value: answer });
        expect(requests.map(({ temperature }) => temperature)).toEqual([0.5, undefined]);
      });

      itShared('stops where a temperature is refused that the model string names', async () => {
        const { model } = await open(
          { status: 400, words: '`temperature` is too high.' },
          { options: '&temperature=2' },
        );
        await expect(askThroughClient(model)).rejects.toThrow('`temperature` is too high.');
      });
    }

    itShared('reads an answer that was cut off, with the reason', async () => {
      const reply = await ask({ text: '{"bid": ', isCut: true });
      expect(reply).toMatchObject({ text: '{"bid": ', refusal: null, tokens: { in: 20, out: 5 } });
      expect(reply.finishReason).toMatch(/^(length|max_tokens)$/i);
    });

    itShared('reads an empty answer as empty', async () => {
      expect(await ask({ text: '' })).toMatchObject({ text: '', refusal: null, tokens: { in: 20, out: 5 } });
    });

    if (protocol !== 'ollama')
      itShared('knows a refusal', async () => {
        const { result, line } = await openAndAsk({ isRefused: true });
        expect(result.mark).toBe('refusal');
        expect(line.raw).not.toBe('');
      });

    itShared('has the model’s own reasoning where it is told', async () => {
      const reply = await ask({ text, thoughts: 'Who was quiet?' });
      expect(reply).toMatchObject({ text, providerReasoning: 'Who was quiet?' });
    });

    itShared('has no count of tokens where none is told', async () => {
      if (protocol === 'anthropic') return; // Anthropic always sends a count
      expect(await ask({ text, usage: null })).toMatchObject({ text, tokens: null });
    });

    if (protocol !== 'ollama')
      itShared('counts tokens from the cache', async () => {
        const reply = await ask({ text, usage: { in: 100, out: 5, cached: 64 } });
        expect(reply.tokens).toMatchObject({ in: 100, out: 5, cached: 64 });
      });

    if (protocol === 'anthropic')
      itShared('counts and charges tokens that are written into the cache', async () => {
        const usage = { in: 1000, out: 0, cached: 600, written: 300 };
        const { model } = await open({ text, usage });
        const price = { in: 10, out: 50, cached: 1, written: 12.5 };
        const { line } = await askThroughClient({ ...model, price });
        expect(line.tokens).toEqual({ in: 1000, out: 0, cached: 600, written: 300, reasoning: null });
        expect(line.cost).toBeCloseTo((100 * 10 + 600 * 1 + 300 * 12.5) / 1e6, 12);
      });

    itShared('ends a call under way when its time is over', async () => {
      const { model, requests } = await open({ hang: true });
      const own = new AbortController();
      const call = model.chat.invoke([new HumanMessage('Whom?')], { signal: own.signal });
      const ended = call.then(
        () => 'answered',
        () => 'ended',
      );
      while (provider !== 'vertexai' && requests.length === 0) await new Promise((next) => setTimeout(next, 5));
      own.abort();
      expect(await ended).toBe('ended');
    });

    itShared('answers a conversation that goes on', async () => {
      const { model } = await open({ text });
      const again = [
        new SystemMessage(prompt.system),
        new HumanMessage(prompt.user),
        new AIMessage('Two.'),
        new HumanMessage('That was no JSON object.'),
      ];
      expect(parseChatResponse(await model.chat.invoke(again)).text).toBe(text);
    });

    it('refuses an option that it does not know, and names those that it does', async () => {
      const { spec } = await open({ text });
      const known = Object.keys(readModelSpec(spec).opener.options.parse({}) as object);
      for (const option of known)
        expect(() => readModelSpec(withOption(spec, 'tempreature', '1'))).toThrow(
          new RegExp(`"tempreature".*\\b${option}\\b`),
        );
    });

    itShared.each(['', 'warm', '-1', 'NaN'])('takes %j for no temperature', async (value) => {
      const { spec } = await open({ text });
      expect(() => readModelSpec(withOption(spec, 'temperature', value))).toThrow('temperature');
    });
  });

const withOption = (spec: string, name: string, value: string) =>
  `${spec}${spec.includes('?') ? '&' : '?'}${name}=${value}`;
