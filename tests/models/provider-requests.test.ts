// Differences between providers, as their servers see them: parameter names, interfaces, schemas, reasoning, caches.
import { afterEach, describe, expect, it } from '@jest/globals';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { parseChatResponse } from '../../models/chat-response.ts';
import { openModel } from '../../models/providers/index.ts';
import { getBareName, getClaudeVersion, isReasoningModel } from '../../models/providers/model-family.ts';
import { createProvenance } from '../../models/record/provenance.ts';
import { UsageError } from '../../state/usage-error.ts';
import { type ModelReply, type ModelScript, openModelServer, type ProtocolName } from '../model-server.ts';

const env = {
  ...{ OPENAI_API_KEY: 'k', MISTRAL_API_KEY: 'k', DEEPSEEK_API_KEY: 'k', GROQ_API_KEY: 'k', XAI_API_KEY: 'k' },
  ...{ ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k', AZURE_OPENAI_API_KEY: 'k' },
};
const schema = {
  type: 'object',
  properties: { bid: { type: 'integer', minimum: 0, maximum: 4 }, why: { type: 'array', items: { type: 'string' } } },
  required: ['bid'],
  additionalProperties: false,
};
const history = 'What you have seen so far:\n\nDay 1:\n- Zoe said: "Hm."\n';
const prompt = [new SystemMessage('The rules.'), new HumanMessage(`${history}\nIt is day 1.\nBid.`)];

const opened: { close: () => Promise<void> }[] = [];
afterEach(() => Promise.all(opened.splice(0).map(({ close }) => close())));

interface Asked {
  /** Options of the model string besides the address. `path`: path of the address. */
  options?: string;
  path?: string;
  temperature?: number | null;
  /** Environment variables besides the usual keys. */
  more?: Record<string, string>;
  reply?: ModelReply | ModelScript;
}

/** Returns the request that a model's server received, and the parsed reply. */
async function ask(protocol: ProtocolName, model: string, given: Asked = {}) {
  const { options = '', path = '/v1', temperature = 0.5, more = {}, reply = { text: '{"bid": 1}' } } = given;
  const server = await openModelServer(protocol, typeof reply === 'function' ? reply : () => reply);
  opened.push(server);
  const spec = `${model}?baseUrl=${server.address}${path}${options}`;
  const player = await openModel(spec, { temperature, env: { ...env, ...more } });
  const message = await player.chat.invoke(prompt, player.schemaOptions!('bid', schema));
  return {
    body: server.requests[0]!.body,
    requests: server.requests,
    reply: parseChatResponse(message),
    player,
  };
}

const open = (model: string, given: Record<string, string> = env) => openModel(model, { temperature: 0.5, env: given });

describe('what a model is', () => {
  it.each([
    ['openai/gpt-5.6:free', 'gpt-5.6'],
    ['ft:gpt-4o-mini:acme::x1', 'gpt-4o-mini'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5-20250929-v1'],
    ['accounts/fireworks/models/Llama-v3', 'llama-v3'],
    ['llama3.1:8b', 'llama3.1'],
  ])('its bare name says: that of %s is %s', (model, bare) => {
    expect(getBareName(model)).toBe(bare);
  });

  it.each(['o3', 'gpt-5', 'openai/gpt-5.6', 'gpt-12-mini', 'openai/o4-mini:free'])('%s reasons', (model) => {
    expect(isReasoningModel(model)).toBe(true);
  });

  it.each(['gpt-4o', 'gpt-5-chat-latest', 'openai/gpt-oss-120b', 'olmo-2', 'deepseek-reasoner'])(
    '%s is none of OpenAI’s that reason',
    (model) => {
      expect(isReasoningModel(model)).toBe(false);
    },
  );

  it.each([
    ['claude-haiku-4-5-20251001', 4.5],
    ['anthropic/claude-opus-4.7', 4.7],
    ['claude-sonnet-4-20250514', 4],
    ['claude-3-7-sonnet-latest', 3.7],
    ['claude-3-opus-20240229', 3],
    ['claude-opus-5-5', 5.5],
    ['gpt-4o', null],
  ])('the version of %s is %s', (model, version) => {
    expect(getClaudeVersion(model)).toBe(version);
  });
});

describe('a server of OpenAI’s protocol', () => {
  it.each(['gpt-5.6', 'openai/gpt-5.6'])(
    'gets for %s what a model that reasons gets, wherever it is',
    async (model) => {
      const { body } = await ask('chat', `openai:${model}`, { options: '&maxTokens=50&reasoningEffort=low' });
      expect(body).toMatchObject({ model, max_completion_tokens: 50, reasoning_effort: 'low' });
      for (const name of ['temperature', 'max_tokens']) expect(body).not.toHaveProperty(name);
    },
  );

  it.each([
    ['openai:gpt-4o', { max_tokens: 50, seed: 7 }],
    ['groq:llama-3.3-70b-versatile', { max_completion_tokens: 50, seed: 7 }],
    ['mistralai:mistral-small', { max_tokens: 50, random_seed: 7 }],
  ])('gets limit and seed of %s under its own names', async (model, sent) => {
    const { body } = await ask('chat', model, { options: '&maxTokens=50&seed=7' });
    expect(Object.fromEntries(Object.entries(body).filter(([name]) => /tokens|seed/.test(name)))).toEqual(sent);
  });

  it.each(['seed=1', 'reasoningEffort=low', 'api=chat'])('of DeepSeek takes no %s', async (option) => {
    await expect(open(`deepseek:deepseek-chat?${option}`)).rejects.toThrow('unknown option');
  });

  it('of DeepSeek is asked for JSON, not for a schema', async () => {
    const { body } = await ask('chat', 'deepseek:deepseek-chat');
    expect(body['response_format']).toEqual({ type: 'json_object' });
  });

  it('other than OpenAI’s is not told the organization', async () => {
    process.env['OPENAI_ORGANIZATION'] = 'org-mine';
    try {
      const { requests } = await ask('chat', 'groq:llama');
      expect(requests[0]!.headers).not.toHaveProperty('openai-organization');
    } finally {
      delete process.env['OPENAI_ORGANIZATION'];
    }
  });

  it('is named in traces as its provider', async () => {
    const { player } = await ask('chat', 'xai:grok-4');
    expect(player.chat.getLsParams({})).toMatchObject({ ls_provider: 'xai', ls_model_name: 'grok-4' });
  });

  it('on Azure is asked at the account’s address, by responses where the deployment is named for a model that reasons', async () => {
    const server = await openModelServer('responses', () => ({ text: 'Hello' }));
    opened.push(server);
    for (const endpoint of [server.address, `${server.address}/`, `${server.address}/openai/v1`]) {
      const player = await open('azure-openai:gpt-5.2', { ...env, AZURE_OPENAI_ENDPOINT: endpoint });
      expect(parseChatResponse(await player.chat.invoke('Whom?')).text).toBe('Hello');
    }
    expect(server.requests.map(({ path }) => path)).toEqual(Array(3).fill('/openai/v1/responses'));
  });
});

describe('OpenAI’s responses', () => {
  const byResponses = (given: Asked, model = 'openai:gpt-5.2') =>
    ask('responses', model, { ...given, options: `&api=responses${given?.options ?? ''}` });

  it('are asked for with the schema, without being kept, and for a summary of the reasoning', async () => {
    const { body, requests } = await byResponses({ options: '&maxTokens=50&reasoningEffort=low' });
    expect(requests[0]!.path).toBe('/v1/responses');
    const { input: _input, ...rest } = body as { input: unknown };
    expect(rest).toEqual({
      model: 'gpt-5.2',
      stream: false,
      store: false,
      max_output_tokens: 50,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format: { type: 'json_schema', name: 'bid', strict: true, schema } },
    });
    expect(_input).toMatchObject([{ content: 'The rules.' }, { role: 'user' }]);
  });

  it('are asked for no reasoning of a model that has none', async () => {
    expect((await byResponses({}, 'openai:gpt-4o')).body).not.toHaveProperty('reasoning');
  });

  it('go on without summaries where an account gets none', async () => {
    const words = 'Your organization must be verified to generate reasoning summaries.';
    const reply: ModelScript = ({ body }) =>
      (body['reasoning'] as { summary?: string } | undefined)?.summary === undefined
        ? { text: '{}' }
        : { status: 400, words };
    const { requests } = await byResponses({ reply, options: '&reasoningEffort=high' });
    expect(requests.map(({ body }) => body['reasoning'])).toEqual([
      { effort: 'high', summary: 'auto' },
      { effort: 'high' },
    ]);
  });

  it('count the tokens of the reasoning', async () => {
    const { reply } = await byResponses({ reply: { text: '{}', usage: { in: 9, out: 70, reasoning: 64, cached: 0 } } });
    expect(reply.tokens).toMatchObject({ in: 9, out: 70, reasoning: 64, cached: 0 });
  });

  it.each([
    ['an error in its place', { error: { code: 'server_error', message: 'Oops.' }, output: [], status: 'failed' }],
    ['chat completions', { choices: [{ message: { content: 'Hello' } }] }],
  ])('that are %s are none', async (_what, body) => {
    await expect(byResponses({ reply: { body: JSON.stringify(body) } })).rejects.toThrow(/Oops|Not a valid answer/);
  });

  it('take no seed: that is a contradiction with api=responses', async () => {
    await expect(open('openai:gpt-5.2?api=responses&seed=1')).rejects.toThrow(UsageError);
  });

  it.each([
    ['openai:gpt-5.2', 'OpenAIResponsesChat'],
    ['openai:gpt-4o', 'OpenAIChat'],
    ['openai:gpt-5.2?seed=1', 'OpenAIChat'],
    ['openai:gpt-5.2?api=chat', 'OpenAIChat'],
    ['openai:gpt-5.2?baseUrl=http://127.0.0.1:1/v1', 'OpenAIChat'],
  ])('are used for what reasons at OpenAI, unless a seed or the user is against it: %s by %s', async (spec, name) => {
    expect((await open(spec)).chat.constructor.name).toBe(name);
  });
});

describe('Anthropic', () => {
  const claude = (model: string, given: Asked = {}) => ask('anthropic', `anthropic:${model}`, { path: '', ...given });

  it('is asked with marks for its cache after the rules and after what was seen, a line a block', async () => {
    const { body } = await claude('claude-haiku-4-5');
    const cache_control = { type: 'ephemeral' };
    expect(body['system']).toEqual([{ type: 'text', text: 'The rules.', cache_control }]);
    expect(body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What you have seen so far:\n\n' },
          { type: 'text', text: 'Day 1:\n' },
          { type: 'text', text: '- Zoe said: "Hm."\n\n', cache_control },
          { type: 'text', text: 'It is day 1.\nBid.' },
        ],
      },
    ]);
  });

  it('is told what it takes of the schema', async () => {
    const { body } = await claude('claude-haiku-4-5');
    expect(body['output_config']).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          ...schema,
          properties: { bid: { type: 'integer' }, why: { type: 'array', items: { type: 'string' } } },
        },
      },
    });
  });

  it('answers for an earlier model by a tool, whose arguments are recorded', async () => {
    const { body, reply } = await claude('claude-sonnet-4-20250514', { reply: { tool: { bid: 3 } } });
    expect(body['tools']).toMatchObject([{ name: 'bid', input_schema: schema }]);
    expect(body['tool_choice']).toEqual({ type: 'tool', name: 'bid' });
    expect(body).not.toHaveProperty('output_config');
    expect(reply).toMatchObject({ text: '{"bid":3}', finishReason: 'tool_use' });
  });

  it.each([
    ['claude-opus-4-7', 'high', { type: 'adaptive', display: 'summarized' }, 'high', 16_384],
    ['claude-haiku-4-5', 'low', { type: 'enabled', budget_tokens: 2048 }, undefined, 2048 + 4096],
    ['claude-opus-4-6', 'none', { type: 'disabled' }, undefined, 16_384],
  ])('lets %s think with effort %s', async (model, effort, thinking, sent, max_tokens) => {
    const { body } = await claude(model, { options: `&reasoningEffort=${effort}`, temperature: null });
    expect(body).toMatchObject({ thinking, max_tokens });
    expect((body['output_config'] as { effort?: string }).effort).toBe(sent);
  });

  it.each([
    ['claude-opus-4-7', ''],
    ['claude-haiku-4-5', '&reasoningEffort=low'],
  ])('sends %s%s no temperature of the rules', async (model, options) => {
    expect((await claude(model, { options })).body).not.toHaveProperty('temperature');
  });

  it.each([
    ['claude-opus-4-7?temperature=0.5', 'cannot have a temperature'],
    ['claude-opus-4-7?reasoningEffort=minimal', 'Known: none, low, medium, high, xhigh, max'],
    ['claude-haiku-4-5?reasoningEffort=max', 'Known: none, minimal, low, medium, high'],
    ['claude-3-opus-20240229?reasoningEffort=low', 'does not support reasoningEffort'],
    ['claude-haiku-4-5?reasoningEffort=high&maxTokens=900', 'leaves no room'],
    ['claude-haiku-4-5?seed=3', 'unknown option "seed"'],
  ])('refuses %s', async (spec, words) => {
    await expect(open(`anthropic:${spec}`)).rejects.toThrow(words);
  });

  it('sends nothing but the key, whatever else the environment holds', async () => {
    process.env['ANTHROPIC_AUTH_TOKEN'] = 'a-token';
    try {
      const { requests } = await claude('claude-haiku-4-5');
      expect(requests[0]!.headers).toMatchObject({ 'x-api-key': 'k' });
      expect(requests[0]!.headers).not.toHaveProperty('authorization');
    } finally {
      delete process.env['ANTHROPIC_AUTH_TOKEN'];
    }
  });
});

describe('the provenance of a match', () => {
  it('has the version of a package that only its providers need', () => {
    const { packages } = createProvenance({ 'ollama:llama3.1': null }, 0);
    expect(packages['@langchain/ollama']).toMatch(/^\d+\./);
    expect(Object.keys(createProvenance({ 'openai:gpt-4o': null }, 0).packages)).not.toContain('@langchain/ollama');
  });
});

describe('Gemini at Google AI Studio', () => {
  it('is asked at its own path, with the key and a summary of thoughts', async () => {
    const { requests, body } = await ask('gemini', 'google-genai:gemini-2.5-flash', { path: '/v1beta' });
    expect(requests[0]!.path).toBe('/v1beta/models/gemini-2.5-flash:generateContent');
    expect(requests[0]!.headers).toMatchObject({ 'x-goog-api-key': 'k' });
    expect(body['generationConfig']).toMatchObject({ thinkingConfig: { includeThoughts: true } });
  });
});

describe('Ollama', () => {
  const local = (given: Asked = {}) => ask('ollama', 'ollama:gpt-oss:20b', { path: '', ...given });

  it('is told the size of the context, without which it would cut prompts silently', async () => {
    const { body, player } = await local();
    expect(body['options']).toEqual({ num_ctx: 16_384, temperature: 0.5 });
    expect(player.context).toEqual({ tokens: 16_384, prompt: 16_384 - 4096 });
    expect((await local({ options: '&contextTokens=4096' })).body['options']).toMatchObject({ num_ctx: 4096 });
  });

  it('is told options under its own names, and the schema as format', async () => {
    const { body } = await local({ options: '&maxTokens=50&seed=7&topP=0.9&reasoningEffort=low' });
    expect(body['options']).toMatchObject({ num_predict: 50, seed: 7, top_p: 0.9 });
    expect(body).toMatchObject({ think: 'low', format: schema });
  });

  it('needs no key, and is sent one where the model string names its variable', async () => {
    expect((await local()).requests[0]!.headers).not.toHaveProperty('authorization');
    const { requests } = await local({ options: '&apiKeyEnv=MY_KEY', more: { MY_KEY: 'mine' } });
    expect(requests[0]!.headers).toMatchObject({ authorization: 'Bearer mine' });
  });
});
