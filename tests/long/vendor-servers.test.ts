// Short matches against each server that refuses prompts or answers oddly, twenty where prompts are refused: all of them end, and the record says what happened.
import { afterEach, describe, expect, it } from '@jest/globals';
import { draw } from '../../state/random.ts';
import type { AnswerLine } from '../../state/record.ts';
import { openOpenaiServer, type Received, type Scripted } from '../openai-server.ts';
import { readQuestion } from '../question.ts';
import { createLegalAnswer } from '../scripted-model.ts';
import { createBoard, play } from '../table.ts';
import { testClock } from '../test-clock.ts';

let close: () => Promise<void> | void = () => undefined;
afterEach(() => close());

/** Where the rules stand at the head of the first user message, that message is both. */
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

/** Plays the matches, and gives what they recorded and what the server received. */
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
    expect(requests.filter(hasSystem).length).toBeLessThanOrEqual(4 * 5); // those under way together
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
});
