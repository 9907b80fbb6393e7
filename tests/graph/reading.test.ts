// The version of reading answers is part of a record, so odd answers of earlier versions are read as they were then.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { createAnswerCache } from '../../graph/annotation/annotation-run.ts';
import { annotateStatements, listAnnotationItems } from '../../graph/annotation/annotate-statements.ts';
import { playMatch } from '../../graph/play-match.ts';
import { formatQueuedAnswer, keepReading, parseQueuedAnswers } from '../../graph/queue/queued-answers.ts';
import { hashMessages } from '../../models/call-model.ts';
import type { PromptMessage } from '../../models/model.ts';
import { openModel } from '../../models/providers/index.ts';
import { type KeptAnswer, readKeptAnswers } from '../../models/record/annotation-log.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { createCorrection } from '../../prompts/compose.ts';
import { type AnswerLine, type CallKey, formatCallKey, type Manifest, recordFiles } from '../../state/record.ts';
import { openOpenaiServer, type Received, type Scripted } from '../openai-server.ts';
import { readQuestion } from '../question.ts';
import { rewrite } from '../record-folder.ts';
import { createLegalAnswer } from '../scripted-model.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const out = createTemporaryFolder();

describe('the golden match with odd answers, of before readings were numbered', () => {
  const golden = path.join(import.meta.dirname, '../golden/wolf-odd-answers');
  const { manifest, answers } = readRecord(golden);

  it.each<[string, (line: AnswerLine) => boolean]>([
    ['a mark of thoughts in brackets before it', ({ raw }) => /^\[THINK\]/.test(raw)],
    ['a name in brackets before it', ({ raw }) => /^\[[A-Z][a-z]+\]: \{/.test(raw)],
    ['a mark of instructions before it', ({ raw }) => /^\[INST\] \{/.test(raw)],
    ['a label of dialogue before it', ({ raw }) => /^(?:\*\*)?[A-Z][a-z]+:(?:\*\*)? \{/.test(raw)],
    ['another answer beside it in a list', ({ raw }) => /^\[\{.*\}, \{/.test(raw)],
    ['two fenced blocks', ({ raw }) => /```json[^`]+```[^`]+```json/.test(raw)],
    ['the channels of harmony around it', ({ raw }) => /^<\|channel\|>/.test(raw)],
    ['thoughts in a statement', ({ raw }) => /"(?:statement|explanation)":"[^"]*<think(?:ing)?>/.test(raw)],
    ['thoughts in brackets in a statement', ({ raw }) => /"(?:statement|explanation)":"\[THINK\]/.test(raw)],
    ['channels in a statement', ({ raw }) => /"(?:statement|explanation)":"<\|channel\|>/.test(raw)],
    ['thoughts without an end in a statement', ({ raw }) => /<think>ZQLEAK [^<]*"/.test(raw)],
    ['invented lines of dialogue', ({ raw }) => raw.includes(String.raw`\nModerator: `)],
    ['invented dialogue in one line', ({ raw }) => /\. [A-Z]\w+: I am the Seer/.test(raw)],
    ['a name on the first line', ({ raw }) => raw.includes(': why did you vote')],
    ['a list of players', ({ raw }) => raw.includes(String.raw`\n- `)],
    ['invented lines of dialogue in bold', ({ raw }) => /\*\*Moderator:\*\*/.test(raw)],
    ['the own label', ({ raw, player }) => raw.includes(`"${player}: `)],
    ['very long reasoning', ({ provider_reasoning: thoughts = '' }) => thoughts.length > 50_000],
    ['half a character', ({ raw }) => raw !== raw.toWellFormed() || /\ufffd/.test(raw)],
  ])('holds an answer with %s', (_oddity, has) => {
    expect(answers.some(has)).toBe(true);
  });

  it('names no reading', () => {
    expect(manifest.reading).toBeUndefined();
  });

  it('was asked again in the messages that are made of its answers today', () => {
    const prompts = gunzipSync(readFileSync(path.join(golden, recordFiles.prompts)))
      .toString()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as CallKey & { messages: PromptMessage[] });
    const sent = new Map(prompts.map((prompt) => [formatCallKey(prompt), prompt.messages]));
    const byKey = new Map(answers.map((line) => [formatCallKey(line), line]));
    const again = answers.filter(({ attempt }) => attempt > 1);
    expect(again.length).toBeGreaterThan(50);
    for (const line of again) {
      const earlier = Array.from({ length: line.attempt - 1 }, (_, index) =>
        byKey.get(formatCallKey({ ...line, attempt: index + 1 })),
      );
      const messages = sent.get(formatCallKey(line))!;
      expect(messages.slice(2)).toEqual(earlier.flatMap((one) => createCorrection(one!.raw, one!.error!, 1)));
      expect(hashMessages(messages)).toBe(line.prompt_sha256);
    }
  });
});

/** Answers with two fenced blocks. Reading 1 uses the first block, reading 2 the last. */
function answerTwice({ body }: Received): Scripted {
  const answer = createLegalAnswer(readQuestion(body.messages));
  const [draft, last] = ['A draft.', 'The last word.'].map((reasoning) => JSON.stringify({ ...answer, reasoning }));
  return { text: `First:\n\`\`\`json\n${draft}\n\`\`\`\nThen:\n\`\`\`json\n${last}\n\`\`\`` };
}

const listReasons = (folder: string) =>
  new Set(readRecord(folder).answers.map(({ answer }) => (answer as { reasoning: string }).reasoning));

describe('a match', () => {
  const plan = { out, seed: 3, rules: 'arena', rule: { debateTurns: 1, maxRounds: 1 }, model: 'openai:local' };

  /** Resumes with a server that answers this many calls and then refuses all. */
  async function playOn(id: string, answered = Infinity) {
    const server = await openOpenaiServer((request, index) =>
      index < answered ? answerTwice(request) : { status: 401, body: { error: { message: 'No.' } } },
    );
    const env = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: server.baseUrl };
    try {
      return await playMatch({ ...plan, id, env }).catch((error: unknown) => error);
    } finally {
      await server.close();
    }
  }

  it('that is begun now is of the second reading', async () => {
    await playOn('new');
    const folder = path.join(out, 'new');
    expect(readRecord(folder).manifest.reading).toBe(2);
    expect(listReasons(folder)).toEqual(new Set(['The last word.']));
  });

  it('that an earlier version began keeps its reading to the end, for new answers too', async () => {
    await playOn('earlier', 9);
    const folder = path.join(out, 'earlier');
    expect(readRecord(folder).answers.length).toBeGreaterThan(5);
    rewrite(folder, recordFiles.manifest, (text) => {
      const { reading, ...manifest } = JSON.parse(text) as Manifest;
      expect(reading).toBe(2);
      return JSON.stringify({ ...manifest, schema_version: 3 });
    });
    rewrite(folder, recordFiles.answers, () => ''); // read by today's reading rules
    await playOn('earlier', 9);
    expect(listReasons(folder)).toEqual(new Set(['A draft.']));
    await playOn('earlier');
    const { manifest, isFinished } = readRecord(folder);
    expect(isFinished).toBe(true);
    expect(manifest).toMatchObject({ schema_version: 4 });
    expect(manifest.reading).toBeUndefined();
    expect(listReasons(folder)).toEqual(new Set(['A draft.']));
  });

  it('of the queue keeps the reading of its answers', () => {
    const { manifest, answers } = readRecord(path.join(out, 'new'));
    const { reading, ...before } = manifest;
    const [first] = answers;
    const format = (as: 1 | 2) => formatQueuedAnswer(first!, as).line;
    const parse = (...lines: string[]) => parseQueuedAnswers(lines, 'new');
    expect(keepReading(manifest, parse()).reading).toBe(reading);
    expect(keepReading(manifest, parse(format(2)))).toEqual(manifest);
    expect(keepReading(manifest, parse(format(1)))).toEqual(before);
    expect(keepReading(manifest, parse(JSON.stringify(first)))).toEqual(before);
    expect(parse(format(2)).answers).toEqual([first]);
    expect(() => parse('{"round":')).toThrow('The database holds an unreadable answer of the match new.');
  });
});

describe('the answers of an annotator', () => {
  const thoughts = '<think>Who is it?</think> I would rather not say.';
  /** The text by which the first version asked again after an unusable answer. */
  const corrections = (error: string, shape: string | undefined) => [
    { role: 'assistant', content: thoughts },
    {
      role: 'user',
      content: `Your answer could not be used: ${error} Answer again with one JSON object of this shape and nothing else:\n${shape}`,
    },
  ];

  it('that an earlier version kept stay valid, second attempts too, and new ones have the second reading', async () => {
    const { folder } = await playMatch({ out, id: 'annotated', seed: 8, rule: { debateTurns: 2, maxRounds: 1 } });
    const record = readRecord(folder!);
    const server = await openOpenaiServer(({ body }) =>
      body.messages.length === 2
        ? { text: thoughts }
        : { text: JSON.stringify(createLegalAnswer(readQuestion(body.messages))) },
    );
    const env = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: server.baseUrl };
    const model = await openModel('openai:local', { temperature: null, env });
    const items = listAnnotationItems(record);
    await annotateStatements(folder!, record, items, model).finally(() => server.close());
    const kept = readKeptAnswers(path.join(folder!, 'annotations.openai-local.ndjson'));
    expect(kept.map(({ reading }) => reading)).toEqual(kept.map(() => 2));
    expect(server.requests.at(-1)!.body.messages[2]!.content).toBe('I would rather not say.');

    const sent = new Map(
      items.map(({ prompt }) => [
        JSON.stringify([prompt.view.round, prompt.step, prompt.action, prompt.view.me]),
        {
          shape: prompt.shape,
          first: [
            { role: 'system', content: prompt.system },
            { role: 'user', content: prompt.user },
          ],
        },
      ]),
    );
    const earlier = kept.map(({ reading, ...line }): KeptAnswer => {
      void reading;
      const { first, shape } = sent.get(JSON.stringify([line.round, line.step, line.action, line.player]))!;
      const messages = line.attempt === 1 ? first : [...first, ...corrections(kept[0]!.error!, shape)];
      return { ...line, prompt_sha256: hashMessages(messages as PromptMessage[]) };
    });
    expect(earlier.length).toBe(2 * items.length);
    for (const lines of [kept, earlier]) {
      const cache = createAnswerCache(lines);
      expect(items.map((item) => cache.isAnswered(item))).toEqual(items.map(() => true));
    }
  });
});
