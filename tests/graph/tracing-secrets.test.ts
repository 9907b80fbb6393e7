// Keys in traces: a server that says the key it was sent, in whatever it says, and a LangSmith that may not learn it.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { langsmithServer, type LangSmithServer } from '../langsmith-server.ts';
import { failure, openaiServer, type OpenAIServer, type Scripted } from '../openai-server.ts';
import { readQuestion } from '../question.ts';
import { legalAnswer } from '../scripted-model.ts';
import { boardOf, play } from '../table.ts';
import { patientClock } from '../test-clock.ts';

let langsmith: LangSmithServer;
let server: OpenAIServer | undefined;
const before = { ...process.env };
const traced = { LANGSMITH_TRACING: 'true', LANGSMITH_API_KEY: 'local' };

beforeAll(async () => {
  langsmith = await langsmithServer();
  Object.assign(process.env, { ...traced, LANGSMITH_ENDPOINT: langsmith.url });
});
afterEach(async () => {
  langsmith.forget();
  await server?.close();
  server = undefined;
});
afterAll(() => {
  process.env = before;
  langsmith.close();
});

/** Of no known shape, and with what JSON escapes. */
const key = 'house"key\\7391';
/** Of a known shape, and known to nobody. */
const strange = 'sk-ABCDEFGHIJKLMNOP1234';

/** Plays a match whose server answers so. */
async function playAt(scripted: (legal: Record<string, unknown>) => Scripted, board = boardOf(1, 1, 1, 3)) {
  server = await openaiServer((request) => scripted(legalAnswer(readQuestion(request.body.messages))));
  return play({
    board,
    rules: 'arena',
    rule: { debateTurns: 1, maxRounds: 1 },
    seed: 4,
    model: `openai:tiny?baseUrl=${server.baseUrl}`,
    env: { ...traced, OPENAI_API_KEY: key },
    clock: patientClock,
  });
}

/** The key as it is, and as JSON has it within one text and within another. */
const expectNoKey = () => {
  const sent = langsmith.sent();
  const once = JSON.stringify(key).slice(1, -1);
  for (const form of [key, once, JSON.stringify(once).slice(1, -1), encodeURIComponent(key), strange])
    expect(sent).not.toContain(form);
  expect(sent).toContain('[redacted]');
};

describe('a server that repeats the key', () => {
  const everywhere = (legal: Record<string, unknown>): Scripted => ({
    text: `${JSON.stringify({ ...legal, reasoning: `I was given ${key} and ${strange}?key=${key}.` })}`,
    reasoning_content: `The key ${key} it is.`,
    finish: `stop ${key}`,
    usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25, [key]: key },
  });

  it.each(['as they are', 'compressed'])('in its answers tells it to no trace, sent %s', async (form) => {
    const flags = { instance_flags: { gzip_body_enabled: form === 'compressed' } };
    const limits = { use_multipart_endpoint: true, size_limit: 100, size_limit_bytes: 20_971_520 };
    langsmith.moods['/info'] = () => ({ status: 200, body: { batch_ingest_config: limits, ...flags } });
    await playAt(everywhere);
    expect(langsmith.runs().some(({ run_type }) => run_type === 'llm')).toBe(true);
    expectNoKey();
  });

  it('in its name, fingerprint and everything else it says of an answer tells it to no trace', async () => {
    await playAt((legal) => ({
      body: {
        id: key,
        object: 'chat.completion',
        created: 1,
        model: `tiny ${key}`,
        system_fingerprint: key,
        choices: [{ index: 0, message: { role: 'assistant', content: JSON.stringify(legal) }, finish_reason: 'stop' }],
      },
    }));
    expectNoKey();
  });

  it('as it refuses it tells it to no trace', async () => {
    const match = playAt(() => ({ status: 401, body: failure(`Incorrect key: ${key}, not ${strange}.`) }));
    await expect(match).rejects.toThrow('Incorrect key: [redacted], not [redacted].');
    expectNoKey();
  });

  it('is sent over the same line where OpenTelemetry is asked for', async () => {
    process.env['LANGSMITH_TRACING_MODE'] = 'otel';
    try {
      await playAt(everywhere);
    } finally {
      delete process.env['LANGSMITH_TRACING_MODE'];
    }
    expectNoKey();
  });
});

it('a key in the name of a board, which stands in names, tags and metadata, is in no trace', async () => {
  const board = { ...boardOf(1, 1, 1, 3), name: strange.toLowerCase() };
  await playAt((legal) => ({ text: JSON.stringify(legal) }), board);
  expect(langsmith.runs().some(({ run_type }) => run_type === 'llm')).toBe(true);
  expect(langsmith.sent()).not.toContain(board.name);
  expectNoKey();
});
