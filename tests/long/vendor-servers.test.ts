// Short matches with each server that refuses prompts or answers oddly (twenty matches if it refuses prompts): all of
// them end, and the record says what happened.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { draw } from '../../state/random.ts';
import type { AnswerLine } from '../../state/record.ts';
import { openOpenaiServer, type Received, type Scripted } from '../openai-server.ts';
import { readQuestion } from '../question.ts';
import { createLegalAnswer } from '../scripted-model.ts';
import { createBoard, play } from '../table.ts';
import { testClock } from '../test-clock.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { reaching } from '../scripts/local-model.ts';
import { run } from '../scripts/process.ts';

let close: () => Promise<void> | void = () => undefined;
afterEach(() => close());

/**
 * Answers legally. Without a system message, the first user message contains the rules and the question, so it is read
 * twice.
 */
const answerRightly = ({ body: { messages } }: Received): Scripted => {
  const [first] = messages;
  const question = first!.role === 'system' ? messages : [first!, ...messages];
  return { text: JSON.stringify(createLegalAnswer(readQuestion(question))) };
};

const refuseForm = (message: string, more: object = {}): Scripted => ({
  status: 400,
  body: { error: { message, type: 'invalid_request_error', ...more } },
});

const hasSystem = ({ body }: Received) => body.messages.some(({ role }) => role === 'system');
const isAgain = ({ body }: Received) => body.messages.some(({ role }) => role === 'assistant');

/** Plays the matches, and returns their records and the server's requests. */
async function playAll(matches: number, script: (request: Received, index: number) => Scripted, options = '') {
  const server = await openOpenaiServer(script);
  close = server.close;
  const warnings = new Set<string>();
  const played = await Promise.all(
    Array.from({ length: matches }, (_, index) =>
      play({
        ...{ seed: index + 1, board: createBoard(1, 1, 1, 3) },
        rule: { debateTurns: 1, maxRounds: 1 },
        model: `openai:odd?baseUrl=${server.baseUrl}${options}`,
        env: { OPENAI_API_KEY: 'none' },
        clock: testClock(),
        onWarning: (message) => warnings.add(message),
      }),
    ),
  );
  expect(played.map(({ events }) => events.at(-1)!.type)).toEqual(Array.from({ length: matches }, () => 'ended'));
  return { lines: played.flatMap(({ lines }) => lines), requests: server.requests, warnings: [...warnings] };
}

const count = (lines: readonly AnswerLine[], isOf: (line: AnswerLine) => boolean) => lines.filter(isOf).length;

describe('matches end', () => {
  it('where one prompt in forty is refused, with as many refusals as the server made', async () => {
    let refused = 0;
    const { lines } = await playAll(20, (request) => {
      const prompt = request.body.messages.map(({ content }) => content).join('\n');
      if (draw(1, 'flagged', prompt).integer(40) > 0) return answerRightly(request);
      refused += 1;
      return refuseForm('Content Exists Risk');
    });
    expect(refused).toBeGreaterThan(5);
    expect(count(lines, ({ mark }) => mark === 'refusal')).toBe(refused);
    expect(count(lines, ({ refusal }) => refusal?.vendor === 'DeepSeek' && refusal.category === 'content risk')).toBe(
      refused,
    );
    expect(lines.every(({ schema, mark }) => schema === true && mark !== 'fallback')).toBe(true);
  });

  it('where a second attempt without the reasoning of the first is refused', async () => {
    const { lines } = await playAll(4, (request, index) =>
      isAgain(request)
        ? refuseForm('The `reasoning_content` in the thinking mode must be passed back to the API.')
        : index % 10 === 7
          ? { text: 'I would rather not say.', reasoning_content: 'I weigh it.' }
          : answerRightly(request),
    );
    const again = lines.filter(({ attempt }) => attempt === 2);
    expect(again.length).toBeGreaterThan(3);
    expect(again.every(({ sent_as: forms }) => forms?.includes('one-user-turn'))).toBe(true);
    expect(count(lines, ({ mark }) => mark !== undefined)).toBe(0);
  });

  it('where the model has no system role, which is found out once', async () => {
    const { lines, requests, warnings } = await playAll(4, (request) =>
      hasSystem(request) ? refuseForm('System role not supported') : answerRightly(request),
    );
    expect(lines.every((line) => line.sent_as?.[0] === 'system-in-user' && line.schema === true)).toBe(true);
    expect(requests.filter(hasSystem).length).toBeLessThanOrEqual(4 * 5); // calls that were under way at the first refusal
    expect(warnings.filter((one) => one.includes('at the head of the first user message'))).toHaveLength(1);
  });

  it('where an answer has not the form that was asked for, with the schema on to the end', async () => {
    const { lines, requests } = await playAll(4, (request, index) =>
      index % 10 === 7
        ? refuseForm('Generated JSON does not match the expected schema.', {
            ...{ code: 'json_validate_failed', failed_generation: 'I vote.' },
          })
        : answerRightly(request),
    );
    expect(requests.every(({ body }) => body['response_format'] !== undefined)).toBe(true);
    expect(lines.every(({ schema, mark }) => schema === true && mark === undefined)).toBe(true);
    expect(count(lines, ({ raw, answer }) => raw === 'I vote.' && answer === null)).toBeGreaterThan(3);
  });

  it('where the answer stands in the reasoning', async () => {
    const { lines } = await playAll(4, (request) => ({ text: null, reasoning: answerRightly(request).text! }));
    expect(lines.every((line) => line.answer_from === 'reasoning' && line.attempt === 1)).toBe(true);
  });

  it('where max_tokens is refused, with the limit under its other name', async () => {
    const { lines, requests } = await playAll(
      4,
      (request) =>
        'max_tokens' in request.body
          ? refuseForm("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", {
              ...{ code: 'unsupported_parameter', param: 'max_tokens' },
            })
          : answerRightly(request),
      '&maxTokens=600',
    );
    expect(requests.at(-1)!.body).toMatchObject({ max_completion_tokens: 600 });
    expect(lines.every(({ schema, mark }) => schema === true && mark === undefined)).toBe(true);
  });

  it('where turns that do not alternate are refused', async () => {
    const alternates = ({ body: { messages } }: Received) =>
      messages
        .filter(({ role }) => role !== 'system')
        .every(({ role }, at) => role === (at % 2 === 0 ? 'user' : 'assistant'));
    const { lines, requests } = await playAll(4, (request, index) =>
      !alternates(request)
        ? refuseForm('Conversation roles must alternate user/assistant/user/assistant/...')
        : index % 10 === 7
          ? { text: 'I would rather not say.' }
          : answerRightly(request),
    );
    expect(requests.every(alternates)).toBe(true);
    expect(lines.filter(({ attempt }) => attempt === 2).length).toBeGreaterThan(3);
    expect(count(lines, ({ mark }) => mark !== undefined)).toBe(0);
  });

  it('where Gemini’s quota of the minute asks to wait two seconds', async () => {
    let limited = 0;
    const { lines } = await playAll(4, (request, index) => {
      if (index % 30 !== 7) return answerRightly(request);
      limited += 1;
      const details = [
        {
          '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
          violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel', quotaValue: '10' }],
        },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2s' },
      ];
      return {
        status: 429,
        body: { error: { code: 429, message: 'Quota exceeded.', status: 'RESOURCE_EXHAUSTED', details } },
      };
    });
    expect(limited).toBeGreaterThan(2);
    expect(lines.reduce((sum, { retries }) => sum + retries, 0)).toBe(limited);
    expect(count(lines, ({ mark }) => mark !== undefined)).toBe(0);
  });
});

describe('a set of matches', () => {
  const rules = ['--rules', 'arena', '--rule', 'debateTurns=1', '--rule', 'maxRounds=1', '--rule', 'analysis=off'];
  const root = createTemporaryFolder();

  it('whose server has used up the quota of the day stops at once, and the same command resumes it', async () => {
    // With the real clock, a limiter that waited for the reset would wait eleven hours.
    const server = await openOpenaiServer(() => ({
      status: 429,
      body: {
        error: {
          ...{ message: 'Rate limit exceeded: free-models-per-day.', code: 429 },
          metadata: {
            headers: {
              ...{ 'X-RateLimit-Limit': '50', 'X-RateLimit-Remaining': '0' },
              'X-RateLimit-Reset': String(Date.now() + 11 * 3_600_000),
            },
          },
        },
      },
    }));
    close = server.close;
    const flags = ['--model', 'openai:odd', '--matches', '6', '--concurrency', '3', '--out', path.join(root, 'quota')];
    const { code, stderr } = await run('match', [...rules, ...flags, '--quiet'], reaching(server));
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(
        /The quota of the day is used up until .* UTC \(free-models-per-day\)[^]*To resume: /,
      ),
    });
    expect(server.requests.length).toBeLessThan(7);
  });

  it('whose model needs enable_thinking: false ends with extraBody, and without it names the line', async () => {
    const server = await openOpenaiServer((request) =>
      request.body['enable_thinking'] === false
        ? answerRightly(request)
        : refuseForm('parameter.enable_thinking must be set to false for non-streaming calls'),
    );
    close = server.close;
    const file = path.join(root, 'models.yaml');
    const qwen = { model: 'openai:qwen3', baseUrl: server.baseUrl };
    writeFileSync(file, JSON.stringify({ plain: qwen, mended: { ...qwen, extraBody: { enable_thinking: false } } }));
    const play = (model: string) =>
      run(
        'match',
        [...rules, '--models', file, '--model', model, '--out', path.join(root, model), '--quiet'],
        reaching(server),
      );
    const plain = await play('plain');
    expect({ code: plain.code, stderr: plain.stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining('extraBody: { enable_thinking: false }'),
    });
    expect(await play('mended')).toMatchObject({ code: 0 });
  });
});
