// Gemini on Vertex AI, with a client that replaces the network.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import type { PlayerModel } from '../../models/model.ts';
import { parseChatResponse } from '../../models/chat-response.ts';
import { openModel } from '../../models/providers/index.ts';
import { GeminiChat } from '../../models/providers/gemini-chat.ts';
import { callWithRetries } from '../../models/retry.ts';
import { UsageError } from '../../state/usage-error.ts';
import { testClock } from '../test-clock.ts';
import { createGeminiReply, stubVertex, type VertexScripted, type VertexStub } from '../vertex-stub.ts';

const key = 'AIza-a-key-that-must-not-be-seen';
const env = { GOOGLE_API_KEY: key };
const schema = {
  type: 'object',
  properties: {
    reasoning: { type: 'string' },
    bid: { type: 'integer', minimum: 0, maximum: 4 },
    of: {
      type: 'object',
      properties: { Zoe: { type: 'number' }, Ada: { enum: ['a', 'b'], type: 'string' } },
      required: ['Zoe', 'Ada'],
      additionalProperties: false,
    },
  },
  required: ['reasoning', 'bid', 'of'],
  additionalProperties: false,
};
const prompt = [new SystemMessage('You are Ada.'), new HumanMessage('Whom do you choose?')];

let stub: VertexStub | undefined;

async function open(text: string, scripted: VertexScripted[], temperature: number | null = null) {
  stub = stubVertex(...scripted);
  return openModel(text, { temperature, env });
}

/** Asks one question of a model that answers with `body`. */
async function ask(body: object, { model = 'gemini-2.5-pro', temperature = null as number | null } = {}) {
  const player = await open(`vertexai:${model}`, [{ body }], temperature);
  const reply = parseChatResponse(await player.chat.invoke(prompt, player.schemaOptions!('bid', schema)));
  return { reply, request: stub!.requests[0]! };
}

const ok = createGeminiReply({ text: '{"bid": 1}' });

function attempt(chat: PlayerModel['chat'], clock = testClock()) {
  const { signal } = new AbortController();
  return callWithRetries((own) => chat.invoke(prompt, { signal: own }), { timeoutMs: 1000, signal, clock });
}

describe('a model on Vertex AI', () => {
  afterEach(() => stub?.restore());

  describe('what is sent to Vertex AI', () => {
    it('is the conversation, the key and the schema in the words that Gemini knows, its properties in order', async () => {
      const { request } = await ask(ok);
      expect(request.url).toBe(
        'https://aiplatform.googleapis.com/v1/publishers/google/models/gemini-2.5-pro:generateContent',
      );
      expect(request.headers.get('x-goog-api-key')).toBe(key);
      expect(request.body.systemInstruction!.parts).toEqual([{ text: 'You are Ada.' }]);
      expect(request.body.contents).toEqual([{ role: 'user', parts: [{ text: 'Whom do you choose?' }] }]);
      expect(request.body.generationConfig).toEqual({
        responseMimeType: 'application/json',
        responseSchema: {
          type: 'object',
          properties: {
            reasoning: { type: 'string' },
            bid: { type: 'integer', minimum: 0, maximum: 4 },
            of: {
              type: 'object',
              properties: { Zoe: { type: 'number' }, Ada: { enum: ['a', 'b'], type: 'string' } },
              required: ['Zoe', 'Ada'],
              propertyOrdering: ['Zoe', 'Ada'],
            },
          },
          required: ['reasoning', 'bid', 'of'],
          propertyOrdering: ['reasoning', 'bid', 'of'],
        },
        stopSequences: [],
        thinkingConfig: { includeThoughts: true },
      });
    });

    it('is the schema with every keyword that Gemini knows, in lists too, and no other', async () => {
      const list = (items: object) => ({ type: 'array', description: 'Whom?', items, minItems: 0, maxItems: 2 });
      const one = { type: 'object', properties: { who: { type: 'string', const: 'Ada' } }, required: ['who'] };
      const player = await open('vertexai:gemini-2.5-pro', [{ body: ok }]);
      const given = { type: 'object', title: 'Bid', properties: { of: list({ ...one, additionalProperties: false }) } };
      await player.chat.invoke(prompt, player.schemaOptions!('bid', given));
      expect(stub!.requests[0]!.body.generationConfig).toMatchObject({
        responseSchema: {
          type: 'object',
          properties: {
            of: list({
              ...one,
              properties: { who: { type: 'string', enum: ['Ada'] } },
              propertyOrdering: ['who'],
            }),
          },
          propertyOrdering: ['of'],
        },
      });
    });

    it('is every option of the model string', async () => {
      const model = 'gemini-2.5-flash?temperature=0&topP=0.9&maxTokens=50&seed=7';
      const { request } = await ask(ok, { model, temperature: 0.5 });
      expect(request.body.generationConfig).toMatchObject({ temperature: 0, topP: 0.9, maxOutputTokens: 50, seed: 7 });
    });

    it('is the temperature of the rules where the model string has none', async () => {
      const { request } = await ask(ok, { temperature: 0.5 });
      expect(request.body.generationConfig).toMatchObject({ temperature: 0.5 });
    });

    it('has no turn without words, which would be refused', async () => {
      const player = await open('vertexai:gemini-2.5-pro', [{ body: ok }]);
      await player.chat.invoke([...prompt, new AIMessage(''), new HumanMessage('Answer as JSON.')]);
      expect(stub!.requests[0]!.body.contents.map(({ parts }) => parts[0]!.text)).toEqual([
        'Whom do you choose?',
        'Answer as JSON.',
      ]);
    });

    it.each([
      ['gemini-2.5-flash', { includeThoughts: true }],
      ['gemini-2.5-flash-lite', undefined],
      ['gemini-2.0-flash', undefined],
      ['gemini-3-pro-preview', { includeThoughts: true }],
      ['gemini-2.5-flash?reasoningEffort=none', { includeThoughts: false, thinkingBudget: 0 }],
      ['gemini-2.5-flash-lite?reasoningEffort=low', { includeThoughts: true, thinkingBudget: 1024 }],
      ['gemini-3-pro-preview?reasoningEffort=high', { includeThoughts: true, thinkingLevel: 'HIGH' }],
    ])('asks %s to think as it can', async (model, thinkingConfig) => {
      const { request } = await ask(ok, { model });
      expect(request.body.generationConfig['thinkingConfig']).toEqual(thinkingConfig);
    });
  });

  describe('an answer of Vertex AI', () => {
    it('is read with its thoughts, its tokens and why it ended', async () => {
      const { reply } = await ask({
        candidates: [
          {
            content: { parts: [{ text: 'Who was quiet?', thought: true }, { text: '{"bid"' }, { text: ': 1' }] },
            finishReason: 'MAX_TOKENS',
          },
        ],
        usageMetadata: {
          promptTokenCount: 100,
          candidatesTokenCount: 10,
          thoughtsTokenCount: 30,
          cachedContentTokenCount: 64,
        },
        modelVersion: 'gemini-2.5-pro-001',
      });
      expect(reply).toEqual({
        text: '{"bid": 1',
        answerFrom: 'content',
        refusal: null,
        refusedBy: null,
        tokens: { in: 100, out: 40, cached: 64, reasoning: 30 },
        modelReturned: 'gemini-2.5-pro-001',
        systemFingerprint: null,
        finishReason: 'MAX_TOKENS',
        upstream: null,
        providerReasoning: 'Who was quiet?',
        shownMs: undefined,
        isUnanswered: false,
        meant: undefined,
      });
    });

    it.each(['SAFETY', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII'])(
      'that ended for %s is a refusal, with its usage',
      async (finishReason) => {
        const { reply } = await ask({ candidates: [{ finishReason }], usageMetadata: { promptTokenCount: 20 } });
        expect(reply).toMatchObject({ text: '', finishReason, tokens: { in: 20, out: 0 } });
        expect(reply.refusal).toContain(finishReason);
      },
    );

    it('whose prompt was blocked is a refusal, for whatever reason', async () => {
      const { reply } = await ask({
        promptFeedback: { blockReason: 'OTHER' },
        usageMetadata: { promptTokenCount: 20 },
      });
      expect(reply).toMatchObject({ text: '', refusal: 'The prompt was blocked: OTHER.', tokens: { in: 20, out: 0 } });
    });

    it('without candidates and without usage is none, and asked for again', async () => {
      const model = await open('vertexai:gemini-2.5-pro', [{ body: {} }, { body: ok }]);
      const { result, retries } = await attempt(model.chat);
      expect(parseChatResponse(result).text).toBe('{"bid": 1}');
      expect(retries).toBe(1);
    });
  });

  describe('trouble with Vertex AI', () => {
    const exhausted = { error: { code: 429, message: 'Resource exhausted.', status: 'RESOURCE_EXHAUSTED' } };

    const clock = testClock();
    const deliverScript = async (...script: VertexScripted[]) =>
      attempt((await open('vertexai:gemini-2.5-pro', script)).chat, clock);

    it('is a redirect, which is not followed: the prompt would go with it', async () => {
      const asked: (RequestInit | undefined)[] = [];
      const vertex = stubVertex({ status: 307, body: {}, headers: { location: 'https://elsewhere.example' } });
      const stubbed = globalThis.fetch;
      globalThis.fetch = (url, init) => {
        asked.push(init);
        return stubbed(url, init);
      };
      const model = await openModel('vertexai:gemini-2.5-pro', { temperature: null, env: { GOOGLE_API_KEY: 'none' } });
      await expect(model.chat.invoke('Whom?')).rejects.toMatchObject({ response: { status: 307 } });
      expect(asked.map((init) => init?.redirect)).toEqual(['manual']);
      vertex.restore();
    });

    it('that passes is overcome, and only by our own retries', async () => {
      const { retries } = await deliverScript(
        { status: 429, body: exhausted, headers: { 'retry-after': '3' } },
        { status: 503, body: {} },
        { error: new TypeError('fetch failed', { cause: new Error('read ECONNRESET') }) },
        { body: ok },
      );
      expect(retries).toBe(3);
      expect(clock.waits).toEqual([3150, 312.5, 625]);
      expect(stub!.requests).toHaveLength(4);
    });

    it.each([
      [403, 'final', { error: { code: 403, message: 'Vertex AI API has not been used in project x.' } }],
      [404, 'final', { error: { code: 404, message: 'Publisher model was not found.' } }],
      [400, 'final', { error: { code: 400, message: 'API key not valid. Please pass a valid API key.' } }],
      [400, 'bad-request', { error: { code: 400, message: 'The specified schema produces a constraint.' } }],
    ])('that stays is told once, in the words of Vertex AI: %d, %s', async (status, kind, body) => {
      await expect(deliverScript({ status, body })).rejects.toMatchObject({
        kind,
        status,
        message: body.error.message,
      });
      expect(stub!.requests).toHaveLength(1);
    });

    it('with expired credentials is final, though its status is 400', async () => {
      const body = { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' };
      await expect(deliverScript({ status: 400, body })).rejects.toMatchObject({
        kind: 'final',
        message: 'invalid_grant: Token has been expired or revoked.',
      });
    });

    it('prints nothing: LangChain would print the request, with its key', async () => {
      const print = jest.spyOn(console, 'error').mockImplementation(() => undefined);
      await expect(deliverScript({ error: new Error('Strange.') })).rejects.toMatchObject({
        kind: 'final',
        message: 'Strange.',
      });
      expect(print).not.toHaveBeenCalled();
      print.mockRestore();
    });
  });

  describe('Vertex AI with application default credentials', () => {
    type AuthOptions = NonNullable<NonNullable<ConstructorParameters<typeof GeminiChat>[0]>['authOptions']>;

    /** Creates a model whose client is signed in and sends its requests through `fetch`. */
    const createSignedIn = (fetch: (url: string) => Promise<Response>, fields: object = {}) =>
      new GeminiChat(
        {
          model: 'gemini-2.5-pro',
          location: 'global',
          authOptions: { authClient: { fetch }, projectId: 'my-project' } as unknown as AuthOptions, // only fetch is asked of it
          ...fields,
        },
        { thinking: undefined, extraBody: undefined },
      );

    it.each([
      [{ location: 'global' }, 'https://aiplatform.googleapis.com/v1/projects/my-project/locations/global'],
      [
        { location: 'europe-west4' },
        'https://europe-west4-aiplatform.googleapis.com/v1/projects/my-project/locations/europe-west4',
      ],
      [
        { location: 'global', endpoint: 'proxy.example/vertex' },
        'https://proxy.example/vertex/v1/projects/my-project/locations/global',
      ],
    ])('asks in the project and the place: %j', async (fields, base) => {
      const urls: string[] = [];
      const chat = createSignedIn((url) => {
        urls.push(url);
        return Promise.resolve(Response.json(ok));
      }, fields);
      expect(parseChatResponse(await chat.invoke(prompt)).text).toBe('{"bid": 1}');
      expect(urls).toEqual([`${base}/publishers/google/models/gemini-2.5-pro:generateContent`]);
    });

    it('tells the words of an error, which Google’s package puts where LangChain does not look', async () => {
      const words = JSON.stringify({ error: { code: 403, message: 'Permission denied on resource project x.' } });
      const chat = createSignedIn(() => Promise.reject(Object.assign(new Error(words), { response: { status: 403 } })));
      await expect(attempt(chat)).rejects.toMatchObject({
        kind: 'final',
        status: 403,
        message: 'Permission denied on resource project x.',
      });
    });

    it('fails for good where none are found', async () => {
      const chat = createSignedIn(() => Promise.reject(new Error('Could not load the default credentials.')));
      await expect(attempt(chat)).rejects.toMatchObject({
        kind: 'final',
        message: 'Could not load the default credentials.',
      });
    });
  });
});

// Opening Vertex AI models: credentials, endpoints, thinking.

const environment = { GOOGLE_API_KEY: 'AIza-a-key' };

describe('opening a Vertex AI model', () => {
  const openWith = (text: string, given: Record<string, string>) => openModel(text, { temperature: null, env: given });

  it('without any credentials says what to set', async () => {
    await expect(openWith('vertexai:gemini-2.5-pro', {})).rejects.toThrow(
      /^No credentials for vertexai:gemini-2.5-pro: set GOOGLE_API_KEY, .*GOOGLE_APPLICATION_CREDENTIALS.*gcloud auth application-default login.*GOOGLE_CLOUD_PROJECT/,
    );
  });

  it('names a key file that is not there', async () => {
    await expect(
      openWith('vertexai:gemini-2.5-pro', { GOOGLE_APPLICATION_CREDENTIALS: '/no/such/file.json' }),
    ).rejects.toThrow('GOOGLE_APPLICATION_CREDENTIALS names "/no/such/file.json", which does not exist');
  });

  it.each(['GOOGLE_CLOUD_PROJECT', 'K_SERVICE'])('goes by what %s says of the machine', async (name) => {
    await expect(openWith('vertexai:gemini-2.5-pro', { [name]: 'x' })).resolves.toMatchObject({ secrets: [] });
  });

  it('finds the login of gcloud', async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'wolfgraph-'));
    await mkdir(path.join(home, '.config', 'gcloud'), { recursive: true });
    await expect(openWith('vertexai:gemini-2.5-pro', { HOME: home })).rejects.toThrow('No credentials');
    await writeFile(path.join(home, '.config', 'gcloud', 'application_default_credentials.json'), '{}');
    await expect(openWith('vertexai:gemini-2.5-pro', { HOME: home })).resolves.toMatchObject({ secrets: [] });
    await rm(home, { recursive: true });
  });

  it('names the variable of the key that the model string asks for', async () => {
    await expect(openWith('vertexai:gemini-2.5-pro?apiKeyEnv=MY_KEY', environment)).rejects.toThrow(
      new UsageError('MY_KEY is not set: vertexai:gemini-2.5-pro needs it.'),
    );
  });

  it('refuses what is not Gemini, and says how it can be reached', async () => {
    await expect(openWith('vertexai:claude-opus-4', environment)).rejects.toThrow(
      /Unknown model "vertexai:claude-opus-4".*openai:/,
    );
  });

  it.each([
    ['gemini-2.0-flash?reasoningEffort=low', 'gemini-2.0-flash does not support reasoningEffort.'],
    ['gemini-3-pro-preview?reasoningEffort=none', 'Known: minimal, low, medium, high.'],
    ['gemini-2.5-pro?reasoningEffort=xhigh', 'Known: none, minimal, low, medium, high.'],
    ['gemini-2.5-pro?timeout=301', 'must be at most 300: Node waits no longer for the beginning of an answer'],
    ['gemini-2.5-pro?baseUrl=http://x.example', 'must begin with https://'],
    ['gemini-2.5-pro?baseUrl=https://x.example', 'application default credentials only'],
  ])('refuses %s', async (model, message) => {
    await expect(openWith(`vertexai:${model}`, environment)).rejects.toThrow(message);
  });

  it('knows the price of a model at Google, and not behind another address', async () => {
    expect((await openWith('vertexai:gemini-2.5-flash-001', environment)).price).toEqual({
      in: 0.3,
      out: 2.5,
      cached: 0.03,
    });
    const elsewhere = 'vertexai:gemini-2.5-flash?baseUrl=https://x.example';
    const allowed = { GOOGLE_CLOUD_PROJECT: 'x', WOLFGRAPH_ALLOW_KEYS: 'GOOGLE_APPLICATION_CREDENTIALS@x.example' };
    expect((await openWith(elsewhere, allowed)).price).toBeNull();
    expect((await openWith(`${elsewhere}&priceIn=1&priceOut=2`, allowed)).price).toEqual({
      in: 1,
      out: 2,
    });
  });
});
