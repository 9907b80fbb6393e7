// Model strings: names, options and prices. Behavior that all providers share is in provider-conformance.test.ts.
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { getContextLimits, ModelOptions } from '../../models/model-options.ts';
import { describeCure, importChatClass } from '../../models/providers/import-chat-class.ts';
import { computeCost, findPrice } from '../../models/providers/prices.ts';
import { addMissingKeys, findModelReach, openModel, providers, readModelSpec } from '../../models/providers/index.ts';
import { parseOllamaHost } from '../../models/providers/ollama.ts';
import { readNamedModels, resolveModel } from '../../models/providers/models-file.ts';
import { parseYaml } from '../../models/yaml-file.ts';
import { identifyModel, getModelLabel } from '../../state/model-identity.ts';
import { UsageError } from '../../state/usage-error.ts';

// Names of models.

it.each([
  ['/home/ann/wolfgraph/models/providers', 'npm install x@1'],
  ['/home/ann/study/node_modules/wolfgraph/dist/models/providers', 'npm install x@1'],
  ['/usr/lib/node_modules/wolfgraph/dist/models/providers', 'npm install --global x@1'],
  ['/home/ann/.npm/_npx/1f/node_modules/wolfgraph/dist/models/providers', 'npx -p wolfgraph -p x@1 wolfgraph'],
])('a missing package is installed where Wolfgraph runs: %s', (folder, command) => {
  expect(describeCure('x@1', folder)).toContain(command);
});

describe('a model string', () => {
  it.each([
    ['mistral:mistral-small', 'mistralai:mistral-small'],
    ['aws:anthropic.claude-v2:1', 'bedrock:anthropic.claude-v2:1'],
    ['google_genai:gemini-2.5-pro', 'google-genai:gemini-2.5-pro'],
    ['google:gemini-2.5-pro', 'google-genai:gemini-2.5-pro'],
    ['google-vertexai:gemini-2.5-pro', 'vertexai:gemini-2.5-pro'],
    ['azure_openai:mine?seed=3', 'azure-openai:mine?seed=3'],
    ['openai:gpt-4o', 'openai:gpt-4o'],
  ])('that begins with another name of its provider, %s, is %s in records', (typed, text) => {
    expect(readModelSpec(typed).text).toBe(text);
  });

  it('of an alias opens as the one model', async () => {
    const given = { temperature: null, env: { MISTRAL_API_KEY: 'k', OPENAI_API_KEY: 'k' } };
    expect((await openModel('mistral:mistral-small', given)).spec).toBe('mistralai:mistral-small');
  });

  it('may hold colons and slashes in the model’s name', () => {
    expect(readModelSpec('ollama:llama3.1:8b?seed=1')).toMatchObject({ provider: 'ollama', model: 'llama3.1:8b' });
    expect(readModelSpec('groq:openai/gpt-oss-20b')).toMatchObject({ model: 'openai/gpt-oss-20b' });
  });

  it.each([
    ['gpt-4o', 'did you mean openai:gpt-4o?'],
    ['gpt-4o?temperature=0', 'did you mean openai:gpt-4o?temperature=0?'],
    ['gpt-4o?baseUrl=http://host/v1', 'did you mean openai:gpt-4o?baseUrl=http://host/v1?'],
    ['opnai:gpt-4o?baseUrl=http://host/v1', 'did you mean openai:gpt-4o?baseUrl=http://host/v1?'],
    ['grok-4', 'did you mean xai:grok-4?'],
    ['deepseek-chat', 'did you mean deepseek:deepseek-chat?'],
    ['magistral-medium', 'did you mean mistralai:magistral-medium?'],
    ['command-a', 'did you mean cohere:command-a?'],
    ['sonar-pro', 'did you mean perplexity:sonar-pro?'],
    ['claude-opus-4-5', 'did you mean anthropic:claude-opus-4-5?'],
    ['gemini-2.5-pro', 'did you mean google-genai:gemini-2.5-pro or vertexai:gemini-2.5-pro?'],
    ['opnai:gpt-4o', 'did you mean openai:gpt-4o?'],
    ['openai/gpt-4o', '"openai/gpt-4o": did you mean openai:gpt-4o?'],
    ['llama3.1:8b', 'did you mean ollama:llama3.1:8b?'],
  ])('without a provider, %s, is refused with what may be meant', (typed, words) => {
    expect(() => readModelSpec(typed)).toThrow(UsageError);
    expect(() => readModelSpec(typed)).toThrow(words);
  });

  it('is not taken for the model that its address ends with', () => {
    expect(() => readModelSpec('mine?baseUrl=http://host/gpt-4o')).toThrow(
      'Unknown model "mine?baseUrl=http://host/gpt-4o". A model is given as PROVIDER:MODEL',
    );
  });

  it('of an unknown provider is refused with the known ones', () => {
    expect(() => readModelSpec('opnai:mine')).toThrow(
      `Unknown model "opnai:mine". A model is given as PROVIDER:MODEL, e.g. openai:gpt-4o; providers: ${providers.map(({ name }) => name).join(', ')}.`,
    );
  });

  it.each(['MODEL', 'NAME', '<model>', '…', 'YOUR_MODEL'])('named by the placeholder %s is refused', (name) => {
    expect(() => readModelSpec(`anthropic:${name}`)).toThrow(
      `"anthropic:${name}" is a placeholder, not a model. Replace ${name} with the name of a model of anthropic, e.g. anthropic:claude-`,
    );
    expect(() => readModelSpec(`cohere:${name}`)).toThrow('Replace');
  });

  it('of a provider whose package is missing is refused with the command that installs it', async () => {
    const spec = { text: 'cohere:command', provider: 'cohere', model: 'command', options: {} };
    await expect(importChatClass(spec, '@langchain/cohere@1.0.0')).rejects.toThrow(
      new UsageError(
        'cohere:command needs the package @langchain/cohere, which is not installed. Install it with: npm install @langchain/cohere@1.0.0',
      ),
    );
  });

  it.each(providers.filter(({ keyEnv = [] }) => keyEnv.length > 0 && keyEnv[0] !== 'GOOGLE_API_KEY'))(
    'of $name names the variables of a missing key',
    async ({ name, keyEnv }) => {
      const env = { AZURE_OPENAI_ENDPOINT: 'https://mine.openai.azure.com' };
      await expect(openModel(`${name}:m`, { temperature: null, env })).rejects.toThrow(
        new UsageError(`${keyEnv!.join(' or ')} is not set: ${name}:m needs it.`),
      );
    },
  );

  it('of Azure names the variable of a missing address', async () => {
    const opening = openModel('azure-openai:mine', { temperature: null, env: { AZURE_OPENAI_API_KEY: 'k' } });
    await expect(opening).rejects.toThrow('AZURE_OPENAI_ENDPOINT is not set: azure-openai:mine needs it');
  });
});

describe('the environment of an estimate', () => {
  it('has a made-up key for each provider and for each variable that a model names, and leaves the user’s keys alone', () => {
    const env = addMissingKeys('openai:gpt-4o?apiKeyEnv=MY_KEY,groq:x?apiKeyEnv=OURS', { OURS: 'o', XAI_API_KEY: 'x' });
    expect(env).toMatchObject({
      MY_KEY: 'none',
      OURS: 'o',
      XAI_API_KEY: 'x',
      OPENAI_API_KEY: 'none',
      GROQ_API_KEY: 'none',
    });
  });
});

// Models named by a models file.

describe('a models file', () => {
  const readYaml = (text: string) => readNamedModels('models.yaml', parseYaml('models.yaml', text));

  it('gives names to model strings, in whatever order options stand', () => {
    const one = readYaml(`
gpt: { model: openai:gpt-5.2, reasoningEffort: low, timeout: 300, baseUrl: http://127.0.0.1:8080/v1 }
llama3.1_8b-q4: 'ollama:llama3.1:8b?seed=7'
bluffer: { model: bot:classic, lie: 0.9 }
`);
    expect(Object.fromEntries(one)).toEqual({
      gpt: 'openai:gpt-5.2?name=gpt&baseUrl=http://127.0.0.1:8080/v1&reasoningEffort=low&timeout=300',
      'llama3.1_8b-q4': 'ollama:llama3.1:8b?name=llama3.1_8b-q4&seed=7',
      bluffer: 'bot:classic?name=bluffer&lie=0.9',
    });
    const other = readYaml('gpt: { baseUrl: http://127.0.0.1:9/v1, reasoningEffort: low, model: openai:gpt-5.2 }');
    expect(identifyModel(other.get('gpt')!)).toBe(identifyModel(one.get('gpt')!));
    expect(getModelLabel(other.get('gpt')!)).toBe('gpt');
  });

  it('takes prices and limits by themselves or together', () => {
    const one = readYaml('m: { model: openai:m, priceIn: 1, priceOut: 2, rpm: 60, concurrency: 4 }');
    const other = readYaml('m: { model: openai:m, prices: { in: 1, out: 2 }, limits: { rpm: 60, concurrency: 4 } }');
    expect(other).toEqual(one);
    expect(readModelSpec(one.get('m')!).options).toEqual({ priceIn: '1', priceOut: '2', rpm: '60', concurrency: '4' });
  });

  it('opens as what it stands for, with its name in the identity', async () => {
    const text = readYaml('mine: { model: mistral:small, apiKeyEnv: MINE, timeout: 9 }').get('mine')!;
    const { spec, text: full } = await openModel(text, {
      temperature: null,
      env: { MINE: 'k', WOLFGRAPH_ALLOW_KEYS: 'MINE@api.mistral.ai' },
    });
    expect([spec, full]).toEqual(['mistralai:small?name=mine', 'mistralai:small?name=mine&apiKeyEnv=MINE&timeout=9']);
  });

  it.each([
    [
      'a:b: openai:m',
      'models.yaml cannot be used: ✖ is not a valid name: a name has only letters, digits, ".", "_" and "-", at most 60',
    ],
    ['gpt: 7', 'must be a model such as "openai:gpt-4o", or an object with model and its options'],
    ['gpt: { reasoningEffort: low }', 'must be a model such as "openai:gpt-4o"'],
    [
      'gpt: { model: openai:m, temprature: 1 }',
      'models.yaml, gpt: Model "openai:m" has an unusable option: ✖ unknown option "temprature"; known options: temperature',
    ],
    ['gpt: { model: openai:m, temperature: 3 }', 'models.yaml, gpt: Model "openai:m" has an unusable option'],
    ['gpt: { model: openai:m, temperature: [1] }', 'must be a word or a number'],
    ['gpt: { model: gpt-4o }', 'models.yaml, gpt: Unknown model'],
    ['gpt: { model: openai:m, limits: { rps: 3 } }', 'must contain only rpm, tpm or concurrency'],
    ['gpt: { model: openai:m, priceIn: 1 }', 'give priceIn and priceOut together or not at all'],
    ['gpt: { model: openai:m?seed=1, seed: 2 }', 'models.yaml, gpt: seed is given twice. Give it once.'],
    ['gpt: { model: openai:m, name: other }', "leave out the option name. The model's name is gpt."],
    ['{}', 'models.yaml names no model'],
    ['[openai:m]', 'must be names with their models'],
  ])('with %s is refused in plain words', (text, words) => {
    expect(() => readYaml(text)).toThrow(UsageError);
    expect(() => readYaml(text)).toThrow(words);
  });

  it.each([
    'gpt: { model: openai:m, apiKey: hunter2hunter2 }',
    'gpt: { model: openai:m, timeout: sk-proj-hunter2AAAA1234 }',
    'gpt: { model: "openai:m?key=hunter2" }',
    'gpt: { model: openai:m, baseUrl: https://me:hunter2@example.org/v1 }',
  ])('that holds a key, as in %s, is refused without telling it', (text) => {
    expect(() => readYaml(text)).toThrow(
      new UsageError(
        'models.yaml, gpt: a models file must not contain keys. Put the key in an environment variable and name the variable with apiKeyEnv.',
      ),
    );
  });

  it('answers an unknown name with the known ones, and takes a model string as it is', () => {
    const named = readYaml('gpt: openai:m');
    expect(resolveModel('gpt', named)).toBe('openai:m?name=gpt');
    expect(resolveModel('openai:gpt', named)).toBe('openai:gpt');
    expect(() => resolveModel('gtp', named)).toThrow('No model is named "gtp". Names: gpt; or a model string');
  });
});

// Options of model strings: accepted values, and the errors for all others.

const read = (options: Record<string, string>) => ModelOptions.parse(options);

const refusal = (options: Record<string, string>) => {
  const { error } = ModelOptions.safeParse(options);
  return error && z.prettifyError(error);
};

describe('the options of a model string', () => {
  it('have defaults where they are needed', () => {
    expect(read({})).toEqual({ timeout: 120, contextTokens: 128_000 });
  });

  it('are numbers where they look like words', () => {
    expect(
      read({ temperature: '0', topP: '1', maxTokens: '50', timeout: '0.5', seed: '-3', contextTokens: '2048' }),
    ).toEqual({ temperature: 0, topP: 1, maxTokens: 50, timeout: 0.5, seed: -3, contextTokens: 2048 });
  });

  it('take zero for a price', () => {
    expect(read({ priceIn: '0', priceOut: '0' })).toMatchObject({ priceIn: 0, priceOut: 0 });
  });

  it.each([
    ['temperature', '2.5'],
    ['temperature', 'hot'],
    ['temperature', ''],
    ['topP', '0'],
    ['maxTokens', '0'],
    ['maxTokens', '1.5'],
    ['timeout', '0'],
    ['timeout', '3601'],
    ['seed', '1e12'],
    ['contextTokens', '-1'],
    ['reasoningEffort', 'lots'],
    ['baseUrl', 'localhost:8080'],
    ['baseUrl', 'ftp://x.example'],
  ])('refuse %s=%j', (option, value) => {
    expect(refusal({ [option]: value })).toContain(option);
  });

  it('refuse an unknown one with the known ones', () => {
    expect(refusal({ temprature: '1' })).toBe(
      '✖ unknown option "temprature"; known options: temperature, topP, maxTokens, timeout, seed, reasoningEffort, contextTokens, baseUrl, apiKeyEnv, api, structured, extraBody, priceIn, priceOut, rpm, tpm, concurrency',
    );
  });

  it('refuse one price without the other', () => {
    expect(refusal({ priceIn: '1' })).toContain('give priceIn and priceOut together');
  });

  it.each(['https://me:secret@x.example/v1', 'https://me@x.example/v1'])(
    'refuse a name or password in an address, and say where a key belongs: %s',
    (baseUrl) => {
      expect(refusal({ baseUrl })).toContain('put the key in an environment variable');
      expect(refusal({ baseUrl })).not.toContain('secret');
    },
  );

  it('refuse a key in the query of an address', () => {
    expect(refusal({ baseUrl: 'https://x.example/v1?key=secret' })).toContain('must end before any "?"');
  });

  it('refuse a key where the name of its variable belongs', () => {
    expect(refusal({ apiKeyEnv: 'sk-abc' })).toContain('never the key itself');
  });
});

describe('what a prompt may take of the context', () => {
  it.each([
    [{}, 128_000 - 4096],
    [{ contextTokens: '2048' }, 1536],
    [{ contextTokens: '8192', maxTokens: '700' }, 7492],
    [{ contextTokens: '32768' }, 32768 - 4096],
    [{ contextTokens: '1000', maxTokens: '2000' }, 0],
  ])('of %j is %i tokens: what is not kept for the answer', (options, prompt) => {
    const read = ModelOptions.parse(options);
    expect(getContextLimits(read)).toEqual({ tokens: read.contextTokens, prompt });
  });
});

// Cost of tokens.

describe('the price of a model', () => {
  it.each([
    ['openai', 'gpt-4o-2024-08-06', 'gpt-4o'],
    ['openai', 'gpt-4.1-mini-2025-04-14', 'gpt-4.1-mini'],
    ['vertexai', 'gemini-2.0-flash-001', 'gemini-2.0-flash'],
    ['anthropic', 'claude-haiku-4-5-20251001', 'claude-haiku-4-5'],
    ['anthropic', 'claude-haiku-4-5-latest', 'claude-haiku-4-5'],
  ])('of %s:%s is that of its family', (provider, dated, family) => {
    expect(findPrice(provider, dated)).toEqual(findPrice(provider, family));
    expect(findPrice(provider, dated)!.in).toBeGreaterThan(0);
  });

  it('of a revision that costs differently is its own', () => {
    expect(findPrice('openai', 'gpt-4o-2024-05-13')).toEqual({ in: 5, out: 15 });
  });

  it.each([
    ['openai', 'gpt-4o-audio-preview'],
    ['openai', 'gemini-2.5-pro'],
    ['openai', 'constructor'],
    ['nobody', 'gpt-4o'],
  ])('of %s:%s is not known', (provider, model) => {
    expect(findPrice(provider, model)).toBeNull();
  });
});

/**
 * USD per million tokens of input, of output and of cached input (null without a price of its own), as listed by
 * vendors in November 2026.
 */
const listed: [provider: string, model: string, input: number, output: number, cached: number | null][] = [
  ['openai', 'gpt-4o', 2.5, 10, 1.25],
  ['openai', 'gpt-4o-2024-05-13', 5, 15, null],
  ['openai', 'gpt-4o-mini', 0.15, 0.6, 0.075],
  ['openai', 'gpt-4.1', 2, 8, 0.5],
  ['openai', 'gpt-4.1-mini', 0.4, 1.6, 0.1],
  ['openai', 'gpt-4.1-nano', 0.1, 0.4, 0.025],
  ['openai', 'gpt-5', 1.25, 10, 0.125],
  ['openai', 'gpt-5-chat-latest', 1.25, 10, 0.125],
  ['openai', 'gpt-5-mini', 0.25, 2, 0.025],
  ['openai', 'gpt-5-nano', 0.05, 0.4, 0.005],
  ['openai', 'gpt-5.1', 1.25, 10, 0.125],
  ['openai', 'gpt-5.2', 1.75, 14, 0.175],
  ['openai', 'o1', 15, 60, 7.5],
  ['openai', 'o3', 2, 8, 0.5],
  ['openai', 'o3-mini', 1.1, 4.4, 0.55],
  ['openai', 'o4-mini', 1.1, 4.4, 0.275],
  ['anthropic', 'claude-haiku-4-5', 1, 5, 0.1],
  ['anthropic', 'claude-opus-4-5', 5, 25, 0.5],
  ['xai', 'grok-4', 3, 15, 0.75],
  ['vertexai', 'gemini-2.0-flash', 0.15, 0.6, null],
  ['vertexai', 'gemini-2.0-flash-lite', 0.075, 0.3, null],
  ['vertexai', 'gemini-2.5-pro', 1.25, 10, 0.125],
  ['vertexai', 'gemini-2.5-flash', 0.3, 2.5, 0.03],
  ['vertexai', 'gemini-2.5-flash-lite', 0.1, 0.4, 0.01],
];

describe('a call with the listed price', () => {
  it.each(listed)('of %s:%s costs $%d a million tokens in and $%d out', (provider, model, input, output, cached) => {
    const price = findPrice(provider, model);
    const million = (tokens: object) => computeCost({ in: 0, out: 0, cached: null, reasoning: null, ...tokens }, price);
    expect(million({ in: 1e6 })).toBeCloseTo(input, 10);
    expect(million({ out: 1e6 })).toBeCloseTo(output, 10);
    expect(million({ in: 1e6, cached: 1e6 })).toBeCloseTo(cached ?? input, 10);
  });
});

describe('the cost of a call', () => {
  const tokens = { in: 1_000_000, out: 100_000, cached: null, reasoning: null };

  it('is that of its tokens', () => {
    expect(computeCost(tokens, { in: 2, out: 10, cached: 0.5 })).toBe(3);
  });

  it('counts cached tokens at their own price, and at the full one where there is none', () => {
    expect(computeCost({ ...tokens, cached: 400_000 }, { in: 2, out: 10, cached: 0.5 })).toBeCloseTo(1.2 + 0.2 + 1, 10);
    expect(computeCost({ ...tokens, cached: 400_000 }, { in: 2, out: 10 })).toBe(3);
  });

  it('counts tokens that are written into a cache at their own price, and at the full one where there is none', () => {
    const some = { ...tokens, cached: 400_000, written: 200_000 };
    expect(computeCost(some, { in: 2, out: 10, cached: 0.5, written: 2.5 })).toBeCloseTo(0.8 + 0.2 + 0.5 + 1, 10);
    expect(computeCost(some, { in: 2, out: 10, cached: 0.5 })).toBeCloseTo(0.8 + 0.2 + 0.4 + 1, 10);
  });

  it('is nothing where the price is zero, else unknown where price or tokens are', () => {
    expect(computeCost(tokens, { in: 0, out: 0 })).toBe(0);
    expect(computeCost(tokens, null)).toBeNull();
    expect(computeCost(null, { in: 0, out: 0 })).toBe(0);
    expect(computeCost(null, { in: 1, out: 1 })).toBeNull();
  });
});

describe('OLLAMA_HOST', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:11434'],
    ['example.org:8080', 'http://example.org:8080'],
    [':8080', 'http://127.0.0.1:8080'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
    ['[::]:8080', 'http://127.0.0.1:8080'],
    ['::1', 'http://[::1]:11434'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['http://example.org', 'http://example.org:80'],
    ['https://example.org', 'https://example.org:443'],
    ['https://example.org:8080/ollama/', 'https://example.org:8080/ollama'],
    ['  "example.org"  ', 'http://example.org:11434'],
    ["'example.org:1'", 'http://example.org:1'],
    ['http://', 'http://127.0.0.1:80'],
  ])('of %s is the server at %s, as for Ollama itself', (value, address) => {
    expect(parseOllamaHost(value)).toBe(address);
    expect(findModelReach('ollama:x', { OLLAMA_HOST: value })!.address).toBe(address);
  });

  it.each(['', '   ', '""'])('of %j is none', (value) => {
    expect(findModelReach('ollama:x', { OLLAMA_HOST: value })).toMatchObject({
      address: 'http://127.0.0.1:11434',
      addressFrom: null,
    });
  });

  it.each(['ftp://example.org', 'exa mple', 'example.org:80a', '1:2:x:3'])('of %s is refused', (value) => {
    expect(() => findModelReach('ollama:x', { OLLAMA_HOST: value })).toThrow(
      `OLLAMA_HOST must be the address of an Ollama server, e.g. 127.0.0.1:11434, not "${value}".`,
    );
  });

  it('yields to OLLAMA_BASE_URL and to the model string', () => {
    const env = { OLLAMA_HOST: 'a.example', OLLAMA_BASE_URL: 'http://b.example' };
    expect(findModelReach('ollama:x', env)).toMatchObject({
      address: 'http://b.example',
      addressFrom: 'OLLAMA_BASE_URL',
    });
    expect(findModelReach('ollama:x?baseUrl=http://c.example', env)).toMatchObject({ address: 'http://c.example' });
    expect(findModelReach('ollama:x', { OLLAMA_HOST: 'a.example' })).toMatchObject({ addressFrom: 'OLLAMA_HOST' });
  });
});

describe('a vendor with several hosts', () => {
  it.each([
    ['dashscope:qwen3-max', {}, 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1'],
    [
      'dashscope:qwen3-max',
      { DASHSCOPE_BASE_URL: 'https://dashscope.aliyuncs.com/compatible-mode/v1' },
      'https://dashscope.aliyuncs.com/compatible-mode/v1',
    ],
    ['openrouter:meta-llama/llama-3.3-70b-instruct:free', {}, 'https://openrouter.ai/api/v1'],
  ])('is at home at each: %s', (model, env, address) => {
    expect(findModelReach(model, env)).toMatchObject({ address, isHome: true });
  });
});
