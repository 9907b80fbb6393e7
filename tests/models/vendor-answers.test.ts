// Refusals and unusual answers of vendors' servers, with every package that can ask a model: a refusal counts as a
// refusal, a key error does not, and an unusual answer is not lost. All tests are in one file because every case is
// tried with the same packages.
import { afterEach, describe, expect, it } from '@jest/globals';
import { AIMessage } from '@langchain/core/messages';
import { parseChatResponse } from '../../models/chat-response.ts';
import type { PlayerModel } from '../../models/model.ts';
import { openModel } from '../../models/providers/index.ts';
import { findEndingRefusal } from '../../models/refusal-table.ts';
import type { ModelReply, ModelRequest, ModelScript } from '../model-server.ts';
import { answer, askThroughClient, openClient, prompt } from './ask-provider.ts';
import { providerCases } from './provider-cases.ts';
import { commonRefusals, otherErrors, refusals, type VendorError } from './vendor-answers.ts';

const text = JSON.stringify(answer);

/** One provider for each package and interface. Other providers use the same code. */
const packages = ['openai', 'openai, by responses', 'anthropic', 'google-genai', 'vertexai', 'ollama'];
const tried = providerCases.filter(({ provider, label = provider }) => packages.includes(label));

/** Functions that close every server opened by a test, because an open server keeps the process alive. */
const closers: (() => Promise<void> | void)[] = [];
const close = async () => {
  for (const end of closers.splice(0)) await end();
};
afterEach(close);

const reply = ({ status, body }: VendorError): ModelReply => ({
  ...(status === 200 ? {} : { status }),
  body: JSON.stringify(body),
});

/**
 * Opens a model at a server. The server gives these replies in turn and repeats the last one, or replies as the
 * function says.
 */
async function open(provider: string, script: readonly ModelReply[] | ModelScript, options = '') {
  const found = providerCases.find((one) => (one.label ?? one.provider) === provider)!;
  const given: ModelScript =
    typeof script === 'function' ? script : (_, index) => script[Math.min(index, script.length - 1)]!;
  const { spec, env, requests, close: end } = await found.start(given);
  closers.push(end);
  const model = await openModel(`${spec}${options}`, { temperature: 0.5, env });
  return { model, requests };
}

async function openAndAsk(...given: Parameters<typeof open>) {
  const { model, requests } = await open(...given);
  return { requests, ...(await askThroughClient(model)) };
}

/** Asks the question repeatedly, and returns the lines of all attempts. */
async function askOften(model: PlayerModel, times: number) {
  const { client, lines, warnings, waits } = openClient(model);
  for (let time = 0; time < times; time++) await client.ask(prompt);
  return { lines, warnings, waits };
}

for (const { provider, label = provider } of tried)
  describe(`by ${label}`, () => {
    it.each(refusals)(
      'what %s refuses is recorded with vendor and category, after one call',
      async (_, vendor, category, error) => {
        const { result, lines, requests, warnings } = await openAndAsk(label, [reply(error)]);
        expect(result).toEqual({ value: null, mark: 'refusal' });
        expect(lines).toEqual([
          expect.objectContaining({ mark: 'refusal', refusal: { vendor, category }, schema: true }),
        ]);
        expect(lines[0]).not.toHaveProperty('error');
        expect(requests).toHaveLength(1);
        expect(warnings).toEqual([expect.stringContaining(`${vendor} refuses a prompt or its answer (${category})`)]);
      },
    );

    it.each(commonRefusals)('%s is a refusal of the server that was asked', async (_, category, error) => {
      const { lines, requests } = await openAndAsk(label, [reply(error)]);
      expect(lines.map(({ mark, refusal }) => [mark, refusal?.category])).toEqual([['refusal', category]]);
      expect(lines[0]!.refusal!.vendor).not.toBe('');
      expect(requests).toHaveLength(1);
    });

    it.each(otherErrors)('%s is no refusal', async (_, kind, error) => {
      const { model } = await open(label, [reply(error)]);
      const { error: inner = {}, message = inner.message } = error.body as {
        error?: { message?: string };
        message?: string;
      };
      const failure = askThroughClient(model);
      await expect(failure).rejects.toMatchObject({ name: 'ProviderFailure', kind });
      if (message !== undefined) await expect(failure).rejects.toThrow(message);
    });

    it('a server that refuses one prompt is asked the next with its schema', async () => {
      const { model, requests } = await open(label, [reply(refusals[0]![3]), { text }]);
      const { lines } = await askOften(model, 3);
      expect(lines.map(({ mark }) => mark)).toEqual(['refusal', undefined, undefined]);
      expect(requests.map(({ hasSchema }) => hasSchema)).toEqual([true, true, true]);
    });
  });

describe('the end of an answer', () => {
  it.each([
    ['openai', 'content_filter', 'OpenAI'],
    ['deepseek', 'content_filter', 'DeepSeek'],
    ['openrouter', 'content_filter: PROHIBITED_CONTENT', 'Gemini', 'PROHIBITED_CONTENT'],
    ['127.0.0.1:8080', 'CONTENT_FILTER', '127.0.0.1:8080'],
    ['anthropic', 'refusal', 'Anthropic'],
    ['bedrock', 'guardrail_intervened', 'Bedrock'],
    ['bedrock', 'content_filtered', 'Bedrock'],
    ['cohere', 'ERROR_TOXIC', 'Cohere'],
    ['api.z.ai', 'sensitive', 'Zhipu'],
    ...['SAFETY', 'RECITATION', 'OTHER', 'PROHIBITED_CONTENT', 'SPII', 'BLOCKLIST', 'JAILBREAK', 'MODEL_ARMOR'].map(
      (ending): [string, string, string] => ['vertexai', ending, 'Gemini'],
    ),
  ])('of %s, %s, is a refusal', (server, ending, vendor, category = ending) => {
    expect(findEndingRefusal(ending, server)).toEqual({ vendor, category });
    const message = new AIMessage({ content: 'I would', response_metadata: { stopReason: ending } });
    expect(parseChatResponse(message, server)).toMatchObject({ refusedBy: { vendor, category } });
  });

  it.each(['stop', 'STOP', 'end_turn', 'length', 'MAX_TOKENS', 'tool_use', 'other', null])('%s is none', (ending) => {
    expect(findEndingRefusal(ending, 'openai')).toBeNull();
  });

  it.each([
    ['RECITATION', { candidates: [{ index: 0, finishReason: 'RECITATION' }], usageMetadata: { promptTokenCount: 9 } }],
    ['OTHER', { candidates: [{ index: 0, finishReason: 'OTHER' }] }],
    ['PROHIBITED_CONTENT', { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }],
  ])('of Gemini, %s, is recorded after one call', async (category, body) => {
    for (const provider of ['google-genai', 'vertexai']) {
      const { lines, requests } = await openAndAsk(provider, [{ body: JSON.stringify(body) }]);
      expect(lines).toEqual([expect.objectContaining({ mark: 'refusal', refusal: { vendor: 'Gemini', category } })]);
      expect(requests).toHaveLength(1);
      await close();
    }
  });

  it('that is a refusal in the model’s own words is nobody’s else', async () => {
    const { lines } = await openAndAsk('openai', [{ isRefused: true }]);
    expect(lines[0]).toMatchObject({ mark: 'refusal', raw: 'I cannot help with that.' });
    expect(lines[0]).not.toHaveProperty('refusal');
  });
});

describe('a server without a system role', () => {
  const hasSystem = ({ body }: ModelRequest) =>
    JSON.stringify(body).includes('"role":"system"') || 'system' in body || 'systemInstruction' in body;

  it.each(
    [
      'System role not supported',
      'Conversation roles must alternate user/assistant/user/assistant/...',
      'Developer instruction is not enabled for models/gemma-3-27b-it',
      'This model does not support system messages.',
      'Only user and assistant roles are supported!',
    ].flatMap((words) => ['openai', 'anthropic', 'google-genai'].map((provider) => [words, provider] as const)),
  )('(%s) gets the rules at the head of the first message of %s, at once from then on', async (words, provider) => {
    const { model, requests } = await open(provider, (request) =>
      hasSystem(request) ? { status: 400, words } : { text },
    );
    const { lines, warnings } = await askOften(model, 3);
    expect(requests.map(hasSystem)).toEqual([true, false, false, false]);
    expect(requests.map(({ hasSchema }) => hasSchema)).toEqual([true, true, true, true]);
    const usual = await openAndAsk('openai', [{ text }]);
    for (const line of lines)
      expect(line).toMatchObject({ answer, sent_as: ['system-in-user'], prompt_sha256: usual.line.prompt_sha256 });
    expect(usual.line).not.toHaveProperty('sent_as');
    expect(requests[1]!.text).toContain('a game of hidden roles');
    expect(warnings).toEqual([expect.stringContaining('The rules are sent at the head of the first user message')]);
  });
});

describe('a second attempt', () => {
  const isAgain = ({ text: sent }: ModelRequest) => /"role":"(?:assistant|model)"/.test(sent);

  it.each([
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
    'thinking is enabled but reasoning_content is missing in assistant message at index 2',
  ])('that is refused (%s) is made in one turn', async (words) => {
    const script: ModelScript = (request) =>
      isAgain(request)
        ? { status: 400, words }
        : { text: request.text.includes('could not be used') ? text : 'I would rather not say.', thoughts: 'I weigh.' };
    const { model, requests } = await open('openai', script, '&maxTokens=700');
    const { lines, warnings } = await askOften(model, 2);
    expect(lines.map((line) => [line.attempt, line.answer, line.sent_as?.at(-1)])).toEqual([
      [1, null, undefined],
      [2, answer, 'one-user-turn'],
      [1, null, undefined],
      [2, answer, 'one-user-turn'],
    ]);
    expect(requests.filter(isAgain)).toHaveLength(1);
    const last = (requests.at(-1)!.body['messages'] as { role: string; content: string }[]).at(-1)!;
    expect(last).toMatchObject({ role: 'user' });
    for (const part of ['Answer: kind', 'I would rather not say.', 'Your answer could not be used'])
      expect(last.content).toContain(part);
    expect(warnings.join()).not.toContain('returned only reasoning');
  });
});

describe('an answer that has not the form that was asked for', () => {
  const failed = (code: string | undefined, message: string, generation?: string) => ({
    status: 400,
    body: JSON.stringify({
      error: { message, type: 'invalid_request_error', code, failed_generation: generation },
    }),
  });

  it.each([
    [
      'Groq',
      failed('json_validate_failed', "Failed to generate JSON. See 'failed_generation'.", '{"reasoning": 7, "x": '),
    ],
    [
      'Groq, in newer words',
      failed(
        'json_validate_failed',
        "Generated JSON does not match the expected schema. See 'failed_generation'.",
        'No.',
      ),
    ],
    ['Groq, by a tool', failed('tool_use_failed', 'Failed to call a function.', 'No.')],
    ['another vendor', failed(undefined, 'The generated output does not match the response_format schema.')],
    ['one without a text', failed('json_validate_failed', 'Failed to generate valid JSON')],
  ])('(%s) is an attempt like any other, and the schema stays on', async (_, error) => {
    const { lines, requests, warnings } = await openAndAsk('openai', [error, error, { text }]);
    expect(lines.map((line) => [line.attempt, line.schema, line.answer])).toEqual([
      [1, true, null],
      [2, true, null],
      [3, true, answer],
    ]);
    expect(requests.map(({ hasSchema }) => hasSchema)).toEqual([true, true, true]);
    expect(warnings).toEqual([]);
  });

  it('counts where it can be read', async () => {
    const raw = '{"bid": 2, "reasoning": "I wait."';
    const { lines } = await openAndAsk('openai', [failed('json_validate_failed', 'Failed.', raw)]);
    expect(lines).toEqual([expect.objectContaining({ answer, raw, schema: true })]);
  });
});

describe('a schema', () => {
  it.each([
    "'response_format' of type 'json_schema' is not supported by this model.",
    'The compiled grammar is too large.',
    'additionalProperties is not supported in a response schema',
    'The payload has an unknown name: additionalProperties',
    'tool_choice is not available for this model',
    'guided_json: extra inputs are not permitted',
  ])('is left out for good where the words are about its support (%s)', async (words) => {
    const { model, requests } = await open('openai', ({ hasSchema }, index) =>
      hasSchema && index > 0 ? { status: 400, words } : { text },
    );
    const { lines, warnings } = await askOften(model, 4);
    expect(requests.map(({ hasSchema }) => hasSchema)).toEqual([true, true, false, false, false]);
    expect(lines.map(({ schema }) => schema)).toEqual([true, false, false, false]);
    expect(warnings).toEqual([expect.stringContaining(words)]);
  });

  it('stays on where a server that takes it refuses requests in other words', async () => {
    const { model, requests } = await open('openai', ({ hasSchema }, index) =>
      hasSchema && index > 0 && index % 3 === 1 ? { status: 400, words: 'Something went wrong.' } : { text },
    );
    const { warnings } = await askOften(model, 12);
    expect(requests.filter(({ hasSchema }) => !hasSchema).length).toBeGreaterThan(3);
    expect(requests.at(-1)!.hasSchema || requests.at(-2)!.hasSchema).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('is left out after two questions that a server takes only without it, whatever it says', async () => {
    const { model, requests } = await open('openai', ({ hasSchema }) =>
      hasSchema ? { status: 400, words: 'Something went wrong.' } : { text },
    );
    await askOften(model, 4);
    expect(requests.map(({ hasSchema }) => hasSchema)).toEqual([true, false, true, false, false, false]);
  });

  it('is not said to be sent where JSON alone is asked for', async () => {
    const { line } = await openAndAsk('deepseek', [{ text }]);
    expect(line.schema).toBe(false);
  });
});

describe('an answer in the reasoning', () => {
  const inField = (name: string, thoughts: string) => ({
    body: JSON.stringify({
      ...{ id: '1', object: 'chat.completion', model: 'x' },
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: null, [name]: thoughts } }],
    }),
  });

  it.each(['reasoning_content', 'reasoning'])('is taken from %s, marked, and told once', async (name) => {
    const draft = JSON.stringify({ ...answer, bid: 1 });
    const { model } = await open('openai', [inField(name, `Maybe {bid: 3}, or ${draft}? No: ${text}`)]);
    const { lines, warnings } = await askOften(model, 2);
    for (const line of lines) expect(line).toMatchObject({ answer, raw: text, answer_from: 'reasoning', attempt: 1 });
    expect(warnings).toEqual([expect.stringContaining('?reasoningEffort=none')]);
  });

  it('is taken from what Ollama calls thinking', async () => {
    const { line, warnings } = await openAndAsk('ollama', [{ text: '', thoughts: text }]);
    expect(line).toMatchObject({ answer, answer_from: 'reasoning' });
    expect(warnings).toEqual([expect.stringContaining('?reasoningEffort=none')]);
  });

  it.each([
    ['prose', inField('reasoning_content', 'I go by the votes.')],
    ['an object that is no answer', inField('reasoning_content', 'So {"bid": "no"}')],
    ['cut off', { text: '', thoughts: text, isCut: true }],
  ])('that is %s is none: the question is asked again, and the cure is told', async (_, odd) => {
    const { lines, warnings } = await openAndAsk('openai', [odd]);
    expect(lines.map(({ mark }) => mark)).toEqual([undefined, undefined, 'fallback']);
    expect(warnings).toEqual([expect.stringMatching(/returned only reasoning.*\?reasoningEffort=none.*maxTokens/)]);
  });

  it('is not looked for where there is a text', async () => {
    const { lines } = await openAndAsk('openai', [{ text: 'Two.', thoughts: text }, { text }]);
    expect(lines.map(({ answer_from: from }) => from)).toEqual(['content', 'content']);
  });

  it('is none of a tool, whose arguments are the answer', async () => {
    const { line } = await openAndAsk('anthropic, by a tool', [{ tool: answer }]);
    expect(line).toMatchObject({ answer, answer_from: 'tool' });
  });
});

describe('the limit of tokens', () => {
  it.each([
    [
      'max_tokens',
      'max_completion_tokens',
      'openai',
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ],
    ['max_completion_tokens', 'max_tokens', 'groq', 'Unrecognized request argument supplied: max_completion_tokens'],
  ])('is sent as the other name where %s is refused', async (name, other, provider, words) => {
    const { model, requests } = await open(
      provider,
      ({ body }) => (name in body ? { status: 400, words } : { text }),
      '&maxTokens=600',
    );
    const { lines, warnings } = await askOften(model, 3);
    expect(requests.map(({ body }) => [body[name], body[other]])).toEqual([
      [600, undefined],
      [undefined, 600],
      [undefined, 600],
      [undefined, 600],
    ]);
    expect(lines.map(({ schema }) => schema)).toEqual([true, true, true]);
    expect(warnings).toEqual([]);
  });

  it('stays under its name where it is too large', async () => {
    const words = 'max_tokens is too large: 600. This model supports at most 500 completion tokens.';
    const { model, requests } = await open('openai', [{ status: 400, words }], '&maxTokens=600');
    await expect(askThroughClient(model)).rejects.toThrow(words);
    expect(requests.every(({ body }) => body['max_tokens'] === 600)).toBe(true);
  });
});

describe('a router', () => {
  const raw = (status: number, inner: string) => ({
    status,
    body: JSON.stringify({
      error: {
        message: 'Provider returned error',
        code: status,
        metadata: { raw: inner, provider_name: 'UpstreamTwo' },
      },
    }),
  });

  it.each(['{"error":{"message":"The deployment was retired."}}', 'The deployment was retired.'])(
    'is told in the words of its upstream (%s)',
    async (inner) => {
      const { model } = await open('openai', [raw(400, inner)]);
      await expect(askThroughClient(model)).rejects.toThrow('UpstreamTwo: The deployment was retired.');
    },
  );

  it('is told so where it sends the error with status 200', async () => {
    const { status, ...right } = raw(400, '{"error":{"message":"The deployment was retired."}}');
    expect(status).toBe(400);
    const { model } = await open('openai', [right]);
    await expect(askThroughClient(model)).rejects.toThrow('UpstreamTwo: The deployment was retired.');
  });

  it('that refuses names its upstream', async () => {
    const { line } = await openAndAsk('openai', [reply(refusals.find(([name]) => name === 'OpenRouter')![3])]);
    expect(line.upstream).toBe('UpstreamOne');
  });
});

describe('a quota', () => {
  const ofGemini = (quotaId: string, retryDelay: string) => ({
    error: {
      ...{ code: 429, message: 'The quota of requests was exceeded.', status: 'RESOURCE_EXHAUSTED' },
      details: [
        { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId, quotaValue: '250' }] },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
      ],
    },
  });
  const ofRouter = (headers: object) => ({
    error: { message: 'Rate limit exceeded: free-models-per-day.', code: 429, metadata: { headers } },
  });
  /** A time on the server's clock, which it sends with its answer. The tests' own clock begins at noon. */
  const inHours = (hours: number) => `in ${hours} hours`;
  const limited = (body: object): ModelReply => ({
    status: 429,
    body: JSON.stringify(body).replace(/in ([\d.]+) hours/, (_, hours) =>
      String(Date.now() + Number(hours) * 3_600_000),
    ),
  });

  it.each<[string, string, object, string]>([
    [
      'google-genai',
      'Gemini',
      ofGemini('GenerateRequestsPerDayPerProject', '41s'),
      'used up (GenerateRequestsPerDayPerProject: 250)',
    ],
    [
      'vertexai',
      'Gemini',
      ofGemini('GenerateRequestsPerDayPerProject', '41s'),
      'used up (GenerateRequestsPerDayPerProject: 250)',
    ],
    ['openai', 'Gemini, in a list', [ofGemini('RequestsPerDay', '41s')], 'used up (RequestsPerDay: 250)'],
    [
      'openrouter',
      'OpenRouter',
      ofRouter({ 'X-RateLimit-Limit': '50', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': inHours(11.01) }),
      'used up until 2026-01-01 23:00 UTC (free-models-per-day)',
    ],
    [
      'groq',
      'a vendor in words',
      { error: { message: 'You have reached your daily limit.' } },
      'The quota of the day is used up',
    ],
  ])('of the day stops at once (%s, %s)', async (provider, _, body, words) => {
    const { model, requests } = await open(provider, () => limited(body));
    const failure = askThroughClient(model);
    await expect(failure).rejects.toMatchObject({ kind: 'day-quota', status: 429 });
    await expect(failure).rejects.toThrow(words);
    expect(requests).toHaveLength(1);
  });

  it.each<[string, string, object, number]>([
    ['google-genai', 'retryDelay', ofGemini('GenerateRequestsPerMinute', '2s'), 2],
    ['vertexai', 'retryDelay', ofGemini('GenerateRequestsPerMinute', '2s'), 2],
    [
      'groq',
      'words, of the day too',
      { error: { message: 'Limit on tokens per day (TPD). Please try again in 7m12s.' } },
      432,
    ],
    ['openai', 'words', { error: { message: 'Rate limit reached. Please try again in 2.5s.' } }, 2.5],
    [
      'openrouter',
      'headers in the body',
      {
        error: {
          message: 'Slow down.',
          metadata: {
            headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': inHours(19.9 / 3600) },
          },
        },
      },
      19.9,
    ],
  ])('that is free again soon is waited for (%s, by %s)', async (provider, _, body, seconds) => {
    const { result, waits, warnings } = await openAndAsk(provider, (_, index) =>
      index === 0 ? limited(body) : { text },
    );
    expect(result).toEqual({ value: answer });
    expect(waits[0]).toBeGreaterThanOrEqual(seconds * 1000);
    expect(waits[0]).toBeLessThan(seconds * 1500);
    if (seconds < 90) expect(warnings.join()).toMatch(/\(the server asks to wait \d+ s\)/);
  });
});

describe('an error whose cure is known', () => {
  it('says which key was refused', async () => {
    const { model } = await open('xai', [{ status: 403, words: 'This team has no access to the model.' }]);
    await expect(askThroughClient(model)).rejects.toThrow('This team has no access to the model. (key: XAI_API_KEY)');
  });

  it('says the line of the models file that turns thinking off at DashScope', async () => {
    const words = 'parameter.enable_thinking must be set to false for non-streaming calls';
    const { model } = await open('dashscope', [{ status: 400, words }]);
    await expect(askThroughClient(model)).rejects.toThrow('extraBody: { enable_thinking: false }');
  });

  it.each(['length', 'max_tokens', 'model_context_window_exceeded'])(
    'says that %s cut the answer off',
    async (ending) => {
      const body = JSON.stringify({
        ...{ id: '1', type: 'message', role: 'assistant', model: 'x', stop_reason: ending },
        ...{
          content: [{ type: 'text', text: '{"reasoning":"I go through' }],
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      });
      const { lines } = await openAndAsk('anthropic', [{ body }, { text }]);
      expect(lines.map(({ error }) => error)).toEqual([expect.stringContaining('cut off'), undefined]);
    },
  );
});
