// Prompts that a server refuses for their length: a match goes on without their answers, or says what its user can do.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { replayMatch } from '../../graph/play-match.ts';
import { estimateMessages } from '../../models/estimate-tokens.ts';
import type { AnswerLine } from '../../state/record.ts';
import { failure, openaiServer, type OpenAIServer, type Received, type Scripted } from '../openai-server.ts';
import { readQuestion } from '../question.ts';
import { answersIn } from '../record-folder.ts';
import { legalAnswer } from '../scripted-model.ts';
import { boardOf, play } from '../table.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const out = temporaryFolder();
const context = { tokens: 4500, answer: 500 };
const tooLong: Scripted = { status: 400, body: failure('This is too long.', 'context_length_exceeded') };

/** What the server does in place of an answer; told where a test needs it. */
let instead: (request: Received) => Scripted | undefined = () => undefined;
let server: OpenAIServer;

/** Players who write as much as they can without a space, on a server that takes no more than `context`. */
function answer(request: Received): Scripted {
  const { messages } = request.body;
  const question = readQuestion(messages);
  if (estimateMessages(messages) > context.tokens) return tooLong;
  const long = 'explanation' in question.fields ? { explanation: '我相信丹和他的说法'.repeat(200) } : {};
  return instead(request) ?? { text: JSON.stringify({ ...legalAnswer(question), ...long }) };
}

beforeAll(async () => {
  server = await openaiServer(answer);
});
afterAll(() => server.close());

const planOf = (id: string) => ({
  ...{ out, id, board: boardOf(1, 1, 1, 5), rules: 'arena', seed: 3 },
  rule: { debateTurns: 1, maxRounds: 2, maxWords: 30, ballots: 'public', analysis: 'peer', analyzeBallots: true },
  model: `openai:small?baseUrl=${server.baseUrl}&contextTokens=${context.tokens}&maxTokens=${context.answer}`,
  env: { OPENAI_API_KEY: 'none' },
});

describe('a prompt over its budget even at its shortest that the server refuses', () => {
  let match: Awaited<ReturnType<typeof play>>;
  const warnings: string[] = [];

  beforeAll(async () => {
    instead = () => undefined;
    match = await play({ ...planOf('refused'), onWarning: (message) => warnings.push(message) });
  });

  it('does not stop the match: its question counts as not answered, and is not put again', () => {
    expect(match.events.at(-1)).toMatchObject({ type: 'ended' });
    const refused = match.lines.filter((line) => line.too_long);
    expect(refused.length).toBeGreaterThan(0);
    for (const line of refused) {
      expect(line).toMatchObject({ attempt: 1, raw: '', answer: null, mark: 'fallback', tokens: null, cost: 0 });
      expect(line.error).toBe(`The prompt was refused for its length: ${line.model}: This is too long.`);
    }
    const { total } = match.summary.model_calls;
    expect(total.missing + total.fallbacks).toBe(refused.length);
    expect(server.requests.length).toBe(match.lines.length);
  });

  it('is warned of once', () => {
    expect(warnings.filter((message) => message.includes('count as not answered'))).toHaveLength(1);
    expect(warnings).toHaveLength(2);
  });

  it('is replayed without the server', async () => {
    const { events, summary } = await replayMatch(match.folder!);
    expect(events).toEqual(match.events);
    expect(summary).toEqual(match.summary);
  });

  it('is not put again when the match is resumed', async () => {
    const plan = planOf('resumed');
    let isRefused = false;
    const onAnswer = (line: AnswerLine) => void (isRefused ||= line.too_long === true);
    instead = () => (isRefused ? { status: 401, body: failure('Closed for today.') } : undefined);
    await expect(play({ ...plan, onAnswer, concurrency: 1 })).rejects.toThrow('Closed for today.');
    instead = () => undefined;
    const before = answersIn(path.join(out, plan.id));
    expect(before.some((line) => line.too_long)).toBe(true);
    const { events, live, lines, folder } = await play(plan);
    expect(live.length).toBe(lines.length - before.length);
    expect(events).toEqual(match.events);
    const eventsIn = (of: string) => readFileSync(path.join(of, 'events.ndjson'), 'utf8');
    expect(eventsIn(folder!)).toBe(eventsIn(match.folder!));
  });
});

describe('a prompt within its budget that the server refuses for its length', () => {
  it('stops the match, which says what can be done', async () => {
    instead = () => tooLong;
    const error = await play(planOf('smaller')).catch((reason: unknown) => reason as Error);
    expect((error as Error).message).toMatch(
      /contextTokens=4500.*: This is too long\. The prompt takes \d+ tokens by an upper estimate, and contextTokens \(4500, given or assumed\) leaves 4000 for it: the server holds less than that\. Give the server a context of 4500 tokens and resume, or begin a new match/,
    );
    expect((error as Error).message.match(/The prompt takes/g)).toHaveLength(1);
    expect(answersIn(path.join(out, 'smaller'))).toEqual([]);
    instead = () => undefined;
    expect((await play(planOf('smaller'))).events.at(-1)).toMatchObject({ type: 'ended' });
  });
});
