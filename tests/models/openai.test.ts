// OpenAI and compatible servers, against a real local HTTP server: options, answers, and how requests go out.
import { execFile } from 'node:child_process';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { parseChatResponse } from '../../models/chat-response.ts';
import { fetchOverHttp } from '../../models/providers/http.ts';
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

/** Puts one question to a model at a server that follows the script, with a schema. */
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
        await askAt(server); // opened anew
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
        'NONE_KEY is not set: openai:tiny needs it. For a server that checks no key, set it to any word.',
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

// How requests go out, against real local HTTP servers.

let httpServers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  httpServers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers with what it was sent. */
const echo: RequestListener = (request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const { method, url, headers } = request;
    response.writeHead(200, { 'content-type': 'application/json', 'x-limit': ['9', '10'] });
    response.end(JSON.stringify({ method, url, key: headers.authorization ?? null, body }));
  });
};

const question = { method: 'POST', headers: { authorization: 'Bearer k' }, body: '{"who":"Ōlga"}' };

describe('requests over HTTP', () => {
  afterEach(() => {
    for (const server of httpServers) server.close().closeAllConnections();
    httpServers = [];
  });

  describe('a request', () => {
    it('brings method, headers and body, and the answer its status, headers and body', async () => {
      const answer = await fetchOverHttp(`${await serve(echo)}/v1/chat`, question);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-limit')).toBe('9, 10');
      expect(await answer.json()).toEqual({ method: 'POST', url: '/v1/chat', key: 'Bearer k', body: '{"who":"Ōlga"}' });
    });

    it.each([204, 304])('is answered without a body where the status is %i', async (status) => {
      const url = await serve((_request, response) => response.writeHead(status).end());
      const answer = await fetchOverHttp(url, question);
      expect(answer).toMatchObject({ status, body: null });
      expect(await answer.text()).toBe('');
    });

    it('goes where the server sends it on the same host, and to no other: neither key nor prompt leaves it', async () => {
      let met = 0;
      const other = await serve((request, response) => {
        met += 1;
        echo(request, response);
      });
      const first = await serve((request, response) =>
        request.url === '/there'
          ? echo(request, response)
          : response.writeHead(307, { location: request.url === '/far' ? `${other}/v1` : '/there' }).end(),
      );
      expect(await (await fetchOverHttp(`${first}/near`, question)).json()).toMatchObject({
        url: '/there',
        key: 'Bearer k',
        body: question.body,
      });
      const far = await fetchOverHttp(`${first}/far`, question);
      expect([far.status, met]).toEqual([307, 0]);
      expect(await far.json()).toEqual({
        error: {
          message: `The server redirects to ${other}/v1, and the prompt was not sent there. If that is right, name it as baseUrl.`,
        },
      });
    });

    it('that is sent in a circle comes to an end', async () => {
      let met = 0;
      const url = await serve((_request, response) => {
        met += 1;
        response.writeHead(308, { location: '/' }).end();
      });
      expect((await fetchOverHttp(url, question)).status).toBe(308);
      expect(met).toBe(6);
    });

    it('that is sent elsewhere is told as a failure for good, with the address', async () => {
      const redirect = { status: 307, headers: { location: 'https://elsewhere.example/v1/chat' }, body: {} };
      await expect(ask(redirect)).rejects.toMatchObject({
        status: 307,
        message: expect.stringContaining('redirects to https://elsewhere.example/v1/chat, and the prompt was not sent'),
      });
      await servers.pop()?.close();
    });

    it('waits for a slow answer, and for the rest of a slow body', async () => {
      const pause = () => new Promise((resume) => setTimeout(resume, 1200)); // the shortest timeouts of undici take a second
      const url = await serve((request, response) => {
        const begin = () => response.writeHead(200).write('{');
        const end = () => response.end('}');
        if (request.url === '/begins') begin();
        void pause().then(() => {
          if (request.url === '/waits') begin();
          end();
        });
      });
      const answers = await Promise.all(['/begins', '/waits'].map((at) => fetchOverHttp(`${url}${at}`, question)));
      expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['{}', '{}']);
    });

    it('fails with what happened to the connection', async () => {
      const gone = await serve(echo);
      httpServers.pop()!.close();
      await expect(fetchOverHttp(gone, question)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      const cut = await serve((_request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"who');
        setImmediate(() => response.destroy());
      });
      await expect(fetchOverHttp(cut, question)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    });

    it('fails where the answer never ends, before it fills the memory', async () => {
      const url = await serve((_request, response) => {
        const piece = Buffer.alloc(2 ** 20, 'x');
        const more = () => {
          while (!response.destroyed && response.write(piece));
        };
        response.on('drain', more);
        more();
      });
      await expect(fetchOverHttp(url, question)).rejects.toMatchObject({ code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' });
    });

    it('asks for no compression, and says so where the answer is compressed all the same', async () => {
      let asked: unknown;
      const url = await serve((request, response) => {
        asked = request.headers['accept-encoding'];
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}'));
      });
      await expect(fetchOverHttp(url, question)).rejects.toThrow(
        /answers in the coding "gzip", which was not asked for\.$/,
      );
      expect(asked).toBe('identity');
    });

    it('ends when it is aborted, also in the middle of the answer', async () => {
      const stop = new AbortController();
      const url = await serve((_request, response) => {
        response.writeHead(200).write('{"who');
        setImmediate(() => stop.abort(new Error('enough')));
      });
      await expect(fetchOverHttp(url, { ...question, signal: stop.signal })).rejects.toThrow(/enough|aborted/);
    });

    it('goes by way of a proxy where Node is told to heed the environment', async () => {
      const home = await serve(echo);
      const asked: string[] = [];
      const proxy = await serve((request, response) => {
        asked.push(request.url!);
        echo(request, response);
      });
      httpServers.at(-1)!.on('connect', ({ url }: { url: string }, socket: Duplex) => {
        asked.push(url);
        const there = connect(Number(new URL(home).port), '127.0.0.1');
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        there.pipe(socket).pipe(there);
      });
      const program = `import { fetchOverHttp } from ${JSON.stringify(path.resolve('models/providers/http.ts'))};
      const answer = await fetchOverHttp('http://models.example/v1', { method: 'POST', body: '{}' });
      process.stdout.write((await answer.json()).body, () => process.exit());`;
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
        env: { PATH: process.env['PATH'], NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy },
      });
      expect(stdout).toBe('{}');
      expect(asked).toEqual([expect.stringContaining('models.example')]);
    });
  });
});
