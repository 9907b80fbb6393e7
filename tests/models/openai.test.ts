// OpenAI and compatible servers, tested with a real local HTTP server: options and answers.
import { afterEach, describe, expect, it } from '@jest/globals';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { parseChatResponse } from '../../models/chat-response.ts';
import { openModel } from '../../models/providers/index.ts';
import { UsageError } from '../../state/usage-error.ts';
import { failure, openOpenaiServer, type OpenAIServer, type Scripted } from '../openai-server.ts';

const key = 'sk-a-key-that-must-not-be-seen';
const env = { OPENAI_API_KEY: key };
const schema = {
  type: 'object',
  properties: { target: { type: 'string', enum: ['Ginger', 'Paul'] } },
  required: ['target'],
  additionalProperties: false,
};
const prompt = [new SystemMessage('You are Ada.'), new HumanMessage('Whom do you choose?')];

const broken = { id: '1', type: 'function', function: { name: 'vote', arguments: '{' } };

let servers: OpenAIServer[] = [];

async function start(scripted: Scripted) {
  const server = await openOpenaiServer([scripted]);
  servers.push(server);
  return server;
}

/** Asks a model one question at a server that follows the script, with a schema. */
async function ask(scripted: Scripted, { model = 'gpt-4o', options = '', temperature = null as number | null } = {}) {
  const server = await start(scripted);
  const player = await openModel(`openai:${model}?baseUrl=${server.baseUrl}${options}`, { temperature, env });
  const reply = parseChatResponse(await player.chat.invoke(prompt, player.schemaOptions!('vote', schema)));
  return { reply, request: server.requests[0]!, player, requests: server.requests };
}

describe('a model behind an OpenAI-compatible server', () => {
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.close()));
    servers = [];
  });

  describe('what is sent to an OpenAI server', () => {
    it('is the conversation, the key and the schema, strictly', async () => {
      const { request } = await ask({ text: '{}' });
      expect(request.headers.authorization).toBe(`Bearer ${key}`);
      expect(request.body).toEqual({
        model: 'gpt-4o',
        stream: false,
        messages: [
          { role: 'system', content: 'You are Ada.' },
          { role: 'user', content: 'Whom do you choose?' },
        ],
        response_format: { type: 'json_schema', json_schema: { name: 'vote', strict: true, schema } },
      });
    });

    it('is every option of the model string, in every call', async () => {
      const options = '&temperature=0.2&topP=0.9&maxTokens=50&seed=7&reasoningEffort=low';
      const { request, player, requests } = await ask({ text: '{}' }, { options });
      const sent = { temperature: 0.2, top_p: 0.9, max_tokens: 50, seed: 7, reasoning_effort: 'low' };
      expect(request.body).toMatchObject(sent);
      await player.chat.invoke(prompt);
      expect(requests[1]!.body).toMatchObject(sent);
      expect(requests[1]!.body).not.toHaveProperty('response_format');
    });

    it('is the temperature of the rules where the model string has none', async () => {
      const { request } = await ask({ text: '{}' }, { temperature: 0.5 });
      expect(request.body).toMatchObject({ temperature: 0.5 });
    });

    it('is the temperature of the model string, though it be 0, where the rules ask for another', async () => {
      const { request } = await ask({ text: '{}' }, { temperature: 0.5, options: '&temperature=0' });
      expect(request.body).toMatchObject({ temperature: 0 });
    });

    it.each(['o3', 'gpt-5-mini'])(
      'is no temperature of the rules to %s, which would refuse it, and its limit counts reasoning',
      async (model) => {
        const { request } = await ask({ text: '{}' }, { model, temperature: 0.5, options: '&maxTokens=50' });
        expect(request.body).not.toHaveProperty('temperature');
        expect(request.body).not.toHaveProperty('max_tokens');
        expect(request.body).toMatchObject({ max_completion_tokens: 50 });
      },
    );

    describe('where the server refuses a temperature', () => {
      const words = "Unsupported value: 'temperature' does not support 0 with this model.";
      const refusing = () =>
        openOpenaiServer(({ body }) =>
          body['temperature'] === undefined ? { text: '{}' } : { status: 400, body: failure(words) },
        );
      const askAt = async (server: OpenAIServer, options = '') => {
        servers.push(server);
        const text = `openai:thinker?baseUrl=${server.baseUrl}${options}`;
        const player = await openModel(text, { temperature: 0, env });
        return player.chat.invoke(prompt, player.schemaOptions!('vote', schema));
      };
      const temperatures = ({ requests }: OpenAIServer) => requests.map(({ body }) => body['temperature'] ?? null);

      it('is the same without it, and from then on none, for this model at this server alone', async () => {
        const [server, other] = [await refusing(), await openOpenaiServer([{ text: '{}' }])];
        const reply = await askAt(server);
        await askAt(server); // opens a new connection
        expect(parseChatResponse(reply)).toMatchObject({ text: '{}' });
        expect(temperatures(server)).toEqual([0, null, null]);
        expect(server.requests[1]!.body).toEqual({ ...server.requests[0]!.body, temperature: undefined });
        await askAt(other);
        expect(temperatures(other)).toEqual([0]);
      });

      it('is no more where the model string names it: that is an error', async () => {
        const server = await refusing();
        await expect(askAt(server, '&temperature=0')).rejects.toThrow(words);
        expect(temperatures(server)).toEqual([0]);
      });

      it('is no more where something else is refused', async () => {
        const server = await openOpenaiServer([{ status: 400, body: failure('Unknown parameter: seed.') }]);
        await expect(askAt(server)).rejects.toThrow('Unknown parameter');
        expect(temperatures(server)).toEqual([0]);
      });
    });

    it('is the temperature of the rules to gpt-5-chat-latest, which takes one', async () => {
      const { request } = await ask({ text: '{}' }, { model: 'gpt-5-chat-latest', temperature: 0.5 });
      expect(request.body).toMatchObject({ temperature: 0.5 });
    });

    it('names a model with slashes and colons as it was named', async () => {
      const { request } = await ask({ text: '{}' }, { model: 'meta-llama/llama-3:free' });
      expect(request.body).toMatchObject({ model: 'meta-llama/llama-3:free' });
    });
  });

  describe('an answer of an OpenAI server', () => {
    it.each([
      ['names nobody of the schema', { text: '{"target": "Zoe"}' }],
      ['is cut in the middle', { text: '{"target": "Gin', finish: 'length' }],
      ['is prose', { text: 'I would say Ginger.' }],
    ])('that %s comes back as it is, with its usage, after one request', async (_, scripted) => {
      const { reply, requests } = await ask(scripted);
      expect(reply).toMatchObject({ text: scripted.text, refusal: null, tokens: { in: 20, out: 5 } });
      expect(requests).toHaveLength(1);
    });

    it('is read with who gave it and why it ended', async () => {
      const { reply } = await ask({ text: 'Hello', finish: 'length' });
      expect(reply).toEqual({
        text: 'Hello',
        answerFrom: 'content',
        refusal: null,
        refusedBy: null,
        tokens: { in: 20, out: 5, cached: null, reasoning: null },
        modelReturned: 'gpt-4o-2026-01-01',
        systemFingerprint: 'fp_1',
        finishReason: 'length',
        upstream: null,
        providerReasoning: undefined,
        shownMs: undefined,
        isUnanswered: false,
        meant: undefined,
      });
    });

    it('is read with the upstream that a router names', async () => {
      const completion = {
        choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '{}' } }],
      };
      const { reply } = await ask({ body: JSON.stringify({ ...completion, provider: 'DeepInfra' }) });
      expect(reply.upstream).toBe('DeepInfra');
    });

    it('is counted with cached and reasoning tokens, and zero is a count', async () => {
      const usage = {
        prompt_tokens: 100,
        completion_tokens: 0,
        total_tokens: 100,
        prompt_tokens_details: { cached_tokens: 64 },
        completion_tokens_details: { reasoning_tokens: 0 },
      };
      const { reply } = await ask({ text: '', usage });
      expect(reply.tokens).toEqual({ in: 100, out: 0, cached: 64, reasoning: 0 });
    });

    it('without usage has no tokens', async () => {
      const { reply } = await ask({ text: 'Hello', usage: null });
      expect(reply.tokens).toBeNull();
    });

    it('may be a refusal, in the words of the provider', async () => {
      const { reply } = await ask({ refusal: 'I cannot help with that.' });
      expect(reply).toMatchObject({ text: '', refusal: 'I cannot help with that.' });
    });

    it('that a content filter stopped is a refusal', async () => {
      const { reply } = await ask({ text: 'I would', finish: 'content_filter' });
      expect(reply).toMatchObject({ text: 'I would', finishReason: 'content_filter' });
      expect(reply.refusal).toContain('content_filter');
    });

    it.each(['reasoning_content', 'reasoning'])('may hold the model’s own reasoning as %s', async (name) => {
      const { reply } = await ask({ text: '{}', [name]: 'Ginger was quiet.' });
      expect(reply.providerReasoning).toBe('Ginger was quiet.');
    });

    it.each([
      ['no choice', { choices: [] }],
      ['a choice without a message', { choices: [{ index: 0, finish_reason: 'stop' }] }],
      ['a message without content', { text: null }],
      ['a message with a list of no parts', { choices: [{ finish_reason: 'stop', message: { content: [] } }] }],
      ['a message that is no object', { choices: [{ finish_reason: 'stop', message: 'Ginger' }] }],
      ['no error in its choice', { choices: [{ error: {}, message: { content: '' } }] }],
    ])('with %s is an empty text, with its usage', async (_, scripted) => {
      const { reply } = await ask(scripted);
      expect(reply).toMatchObject({ text: '', refusal: null, tokens: { in: 20, out: 5 } });
    });

    it('that sends elsewhere is told as a failure for good, with the address', async () => {
      const redirect = { status: 307, headers: { location: 'https://elsewhere.example/v1/chat' }, body: {} };
      await expect(ask(redirect)).rejects.toMatchObject({
        status: 307,
        message: expect.stringContaining('redirects to https://elsewhere.example/v1/chat; the prompt was not sent'),
      });
    });

    it('with content in parts is read part by part', async () => {
      const content = [
        { type: 'thinking', thinking: [{ type: 'text', text: 'Who was quiet?' }] },
        { type: 'text', text: '{"target": ' },
        { type: 'text', text: '"Ginger"}' },
      ];
      const { reply } = await ask({ choices: [{ index: 0, finish_reason: 'stop', message: { content } }] });
      expect(reply).toMatchObject({ text: '{"target": "Ginger"}', providerReasoning: 'Who was quiet?' });
    });

    it.each([
      ['the answer already read', { content: { target: 'Ginger' } }, '{"target":"Ginger"}'],
      ['a number', { content: 42 }, '42'],
      ['a list of words', { content: ['Ginger', 7] }, '["Ginger",7]'],
      ['a part that is a word', { content: ['Paul', { type: 'text', text: 'Ginger' }] }, 'Ginger'],
      ['a part that is nothing', { content: [null, { type: 'text', text: 'Ginger' }] }, 'Ginger'],
      ['a part whose text is a list of nothing', { content: [{ type: 'text', text: [null] }] }, ''],
      ['calls of tools', { content: 'Ginger', tool_calls: [null], function_call: 7 }, 'Ginger'],
      ['a call of a tool with broken JSON', { content: 'Ginger', tool_calls: [broken] }, 'Ginger'],
    ])('with %s in its message is its words', async (_, message, text) => {
      const { reply } = await ask({ choices: [{ index: 0, finish_reason: 'stop', message }] });
      expect(reply.text).toBe(text);
    });

    it('is read where its type is not said to be JSON', async () => {
      const body = JSON.stringify({ choices: [{ message: { content: 'Ginger' } }] });
      expect((await ask({ body })).reply.text).toBe('Ginger');
    });

    it('has short names, however long the server’s are', async () => {
      const long = 'x'.repeat(1_000_000);
      const body = { model: long, system_fingerprint: long, choices: [{ finish_reason: long, message: {} }] };
      const { modelReturned, systemFingerprint, finishReason } = (await ask({ body })).reply;
      expect([modelReturned, systemFingerprint, finishReason]).toEqual(Array(3).fill('x'.repeat(200)));
    });

    it.each([1e300, 2 ** 60, -1, 1.5, '20'])('has no tokens where it says that it took %s', async (prompt_tokens) => {
      const { reply } = await ask({ text: 'Hello', usage: { prompt_tokens, completion_tokens: 5 } });
      expect(reply.tokens).toBeNull();
    });
  });
});

// Opening OpenAI models and those of compatible servers: keys, addresses, prices.

const environment = { OPENAI_API_KEY: 'sk-a-key-that-must-not-be-seen' };

const openedServers: OpenAIServer[] = [];

describe('opening an OpenAI model', () => {
  afterEach(() => Promise.all(openedServers.splice(0).map((server) => server.close())));

  describe('opening an OpenAI model', () => {
    const open = (text: string, given: Record<string, string> = environment) =>
      openModel(text, { temperature: null, env: given });

    it('names the variable of a missing key', async () => {
      await expect(open('openai:gpt-4o', {})).rejects.toThrow(
        new UsageError('OPENAI_API_KEY is not set: openai:gpt-4o needs it.'),
      );
      await expect(open('openai:gpt-4o?apiKeyEnv=MY_KEY')).rejects.toThrow(
        new UsageError('MY_KEY is not set: openai:gpt-4o needs it.'),
      );
    });

    it('says what to do where a local server checks no key', async () => {
      await expect(open('openai:tiny?baseUrl=http://127.0.0.1:1/v1&apiKeyEnv=NONE_KEY', {})).rejects.toThrow(
        'NONE_KEY is not set: openai:tiny needs it. For a server that checks no key, set it to any value.',
      );
    });

    it('takes the server of OPENAI_BASE_URL unless the model string names one', async () => {
      const other = await openOpenaiServer([{ text: 'from the environment' }]);
      const server = await openOpenaiServer([{ text: 'from the model string' }]);
      openedServers.push(other, server);
      const given = { ...environment, OPENAI_BASE_URL: other.baseUrl };
      const byEnvironment = await open('openai:a', given);
      const byString = await open(`openai:a?baseUrl=${server.baseUrl}`, given);
      expect(parseChatResponse(await byEnvironment.chat.invoke('Whom?')).text).toBe('from the environment');
      expect(parseChatResponse(await byString.chat.invoke('Whom?')).text).toBe('from the model string');
    });

    it('refuses an OPENAI_BASE_URL that is none', async () => {
      await expect(open('openai:a', { ...environment, OPENAI_BASE_URL: 'localhost' })).rejects.toThrow(
        new UsageError('OPENAI_BASE_URL must be an http or https address.'),
      );
    });

    it('knows the price of a model at OpenAI, and of no model at another server', async () => {
      expect((await open('openai:gpt-4o')).price).toEqual({ in: 2.5, out: 10, cached: 1.25 });
      expect((await open('openai:gpt-4o?baseUrl=http://127.0.0.1:1/v1')).price).toBeNull();
      expect(
        (await open('openai:gpt-4o', { ...environment, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })).price,
      ).toBeNull();
      expect((await open('openai:tiny?baseUrl=http://127.0.0.1:1/v1&priceIn=0&priceOut=0')).price).toEqual({
        in: 0,
        out: 0,
      });
    });
  });
});
