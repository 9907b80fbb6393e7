// One schema for a family of questions: requests, versions of reading, and repeated questions.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { AIMessage } from '@langchain/core/messages';
import { playMatch, playPreparedMatch, replayMatch } from '../../graph/play-match.ts';
import { prepareMatch } from '../../graph/prepare-match.ts';
import type { SeatModels } from '../../models/model.ts';
import { readRecord } from '../../models/record/recorder.ts';
import type { AnswerLine } from '../../state/record.ts';
import { openOpenaiServer, type Received } from '../openai-server.ts';
import { readQuestion } from '../question.ts';
import { createLegalAnswer } from '../scripted-model.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const out = createTemporaryFolder();

interface Asked {
  response_format?: { type: string; json_schema?: { name: string; schema: Record<string, unknown> } };
}
const formatOf = ({ body }: Received) => (body as unknown as Asked).response_format;
const isFamily = (request: Received) => ['play', 'analysis'].includes(formatOf(request)?.json_schema?.name ?? '');

/** Converts a legal answer to the form of a family. Objects with a key for each player become lists. */
function wrap(kind: string, { reasoning, ...fields }: Record<string, unknown>) {
  const listed = Object.entries(fields).map(([name, value]) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [name, value];
    const entries = Object.entries(value as Record<string, unknown>);
    return [
      name,
      entries.map(([player, entry]) => ({
        player,
        ...(typeof entry === 'number' ? { value: entry } : (entry as object)),
      })),
    ];
  });
  return { reasoning, answer: { kind, ...(Object.fromEntries(listed) as Record<string, unknown>) } };
}

const rule = { debateTurns: 1, maxRounds: 1, beliefs: 'each-round', ballots: 'public', analyzeBallots: true } as const;

/** Plays a match whose model is asked in this form. `answer`: may replace answers by unusable ones. */
async function play(
  id: string,
  structured: string,
  answer = (kind: string, legal: Record<string, unknown>): unknown => wrap(kind, legal),
  refuse: (request: Received) => boolean = () => false,
) {
  const server = await openOpenaiServer((request) => {
    if (refuse(request))
      return { status: 400, body: { error: { message: 'Invalid schema: anyOf is not supported.' } } };
    const question = readQuestion(request.body.messages);
    const legal = createLegalAnswer(question);
    return { text: JSON.stringify(isFamily(request) ? answer(question.action, legal) : legal) };
  });
  const env = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: server.baseUrl };
  const warnings: string[] = [];
  const model = `openai:local${structured === '' ? '' : `?structured=${structured}`}`;
  try {
    const options = { out, id, seed: 3, rule, model, env, onWarning: (text: string) => void warnings.push(text) };
    const { folder } = await playMatch(options);
    return { folder: folder!, requests: server.requests, lines: readRecord(folder!).answers, warnings };
  } finally {
    await server.close();
  }
}

const first = ({ attempt }: AnswerLine) => attempt === 1;

describe('structured=family', () => {
  let match: Awaited<ReturnType<typeof play>>;
  beforeAll(async () => {
    match = await play('families', 'family');
  });

  it('sends two schemas in all of a match, each with the names of all players', () => {
    const schemas = match.requests.map((request) => JSON.stringify(formatOf(request)?.json_schema));
    expect(match.requests.every(isFamily)).toBe(true);
    expect(new Set(schemas).size).toBe(2);
    const { players } = readRecord(match.folder).manifest.setup;
    for (const { name } of players) for (const schema of new Set(schemas)) expect(schema).toContain(`"${name}"`);
  });

  it('says what deception is to nobody who plays', () => {
    for (const request of match.requests) {
      const isAnalysis = formatOf(request)!.json_schema!.name === 'analysis';
      expect(JSON.stringify(request.body).includes('misdirection')).toBe(isAnalysis);
    }
  });

  it('reads the answer to each question, lists of entries too', () => {
    expect(match.lines.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(new Set(match.lines.map(({ structured, schema }) => [structured, schema].join()))).toEqual(
      new Set(['family,true']),
    );
    const beliefs = match.lines.find(({ action }) => action === 'beliefs')!.answer as { p_werewolf_of: object };
    expect(Object.keys(beliefs.p_werewolf_of).length).toBeGreaterThan(3);
    const ballots = match.lines.find(({ action }) => action === 'ballot_peer_analysis')!.answer as {
      judgements: object;
    };
    expect(Object.values(ballots.judgements)[0]).toHaveProperty('p_deceptive');
  });

  it('leaves a record that replays', async () => {
    expect((await replayMatch(match.folder)).isReworded).toBe(false);
  });

  it('describes the same shapes in the prompt, as this server may not show its schema to the model', () => {
    for (const { body } of match.requests)
      expect(body.messages[0]!.content).toContain(
        'then "answer", with the "kind" that the question asks for and the fields of that kind:',
      );
    expect(new Set(match.lines.map(({ shapes }) => shapes))).toEqual(new Set(['family']));
  });

  it('is a part of the identity', () => {
    const { models } = readRecord(match.folder).manifest.setup;
    expect(new Set(Object.values(models))).toEqual(new Set(['openai:local?structured=family']));
  });
});

interface Told {
  metadata: { seat: string; action: string; round: number; turn: number };
}

/**
 * Repeats the answers of another match with the same course, in the form of a family and with the names of its schema.
 */
function openEcho(lines: readonly AnswerLine[]) {
  const asked: { system: string; schema: string }[] = [];
  const shared: Readonly<Record<string, string>> = {
    ...{ vote: 'choice', target: 'choice', proposal: 'choice' },
    ...{ explanation: 'reason', proposal_reason: 'reason' },
    ...{ statement: 'text', summary: 'text' },
  };
  const invoke = ([system]: { content: string }[], { metadata, response_format: format }: Told & Asked) => {
    const { seat, action, round, turn } = metadata;
    const line = lines.find(
      (each) => each.player === seat && each.action === action && each.round === round && each.step === turn,
    );
    asked.push({ system: system!.content, schema: JSON.stringify(format!.json_schema!.schema) });
    const { answer, ...outer } = wrap(action, line!.answer as Record<string, unknown>);
    const fields = Object.fromEntries(Object.entries(answer).map(([name, value]) => [shared[name] ?? name, value]));
    return Promise.resolve(new AIMessage(JSON.stringify({ ...outer, answer: fields })));
  };
  return { asked, chat: { invoke } as unknown as SeatModels['talk']['chat'] };
}

describe('a model that is shown the schema of a family', () => {
  let echo: ReturnType<typeof openEcho>;
  let folder: string;
  beforeAll(async () => {
    const { lines } = await play('twin', 'family');
    echo = openEcho(lines);
    const plan = { id: 'shown', seed: 3, rule, model: 'openai:gpt-5.1?api=chat' };
    const prepared = await prepareMatch(plan, { OPENAI_API_KEY: 'none' }, 0);
    const seats = Object.fromEntries(
      Object.entries(prepared.seats).map(([name, { choice, talk }]): [string, SeatModels] => [
        name,
        { choice: { ...choice, chat: echo.chat }, talk: { ...talk, chat: echo.chat } },
      ]),
    );
    folder = (await playPreparedMatch({ ...prepared, seats }, { out })).folder!;
  });

  it('is told the shapes there and not in its prompts, which the record says', () => {
    const { answers } = readRecord(folder);
    expect(answers.length).toBeGreaterThan(20);
    expect(answers.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(answers.every(({ shapes, structured }) => shapes === 'schema' && structured === 'family')).toBe(true);
    // A prompt during play says which kind of answer has which fields, by their names in the schema. Prompts of
    // analyses do not repeat the schema.
    const told = echo.asked.filter(({ system }) => system.includes('Every answer is one JSON object'));
    expect(told.length).toBeGreaterThan(0);
    expect(told.length).toBeLessThan(echo.asked.length);
    for (const { system } of told) expect(system).toContain('with the "kind" that the question asks for');
    expect(new Set(echo.asked.map(({ schema }) => schema)).size).toBe(2);
    for (const { schema, system } of echo.asked)
      expect(schema.includes('"description":"your thoughts in a few sentences')).toBe(
        !told.some((one) => one.system === system),
      );
  });

  it('leaves a record that replays', async () => {
    expect((await replayMatch(folder)).isReworded).toBe(false);
  });
});

describe('an answer to the schema of a family', () => {
  it.each([
    [
      'of another kind',
      (kind: string, legal: Record<string, unknown>) => wrap(kind === 'bid' ? 'debate' : kind, legal),
      'bid',
      /asks for the kind "bid", and this is one of the kind "debate"/,
    ],
    [
      'with a choice that is not legal now',
      (kind: string, legal: Record<string, unknown>) =>
        wrap(kind, kind === 'vote' ? { ...legal, vote: 'Nobody' } : legal),
      'vote',
      /"vote": /,
    ],
  ] as const)(
    '%s is unreadable and asked again with the question’s own schema',
    async (name, answer, action, error) => {
      const { lines, requests, folder } = await play(name.replaceAll(' ', '-'), 'family', answer);
      const spoilt = lines.filter((line) => line.action === action && first(line));
      expect(spoilt.length).toBeGreaterThan(3);
      for (const line of spoilt)
        expect(line).toMatchObject({
          structured: 'family',
          answer: null,
          error: expect.stringMatching(error) as unknown as string,
        });
      const again = lines.filter((line) => line.action === action && !first(line));
      expect(again).toHaveLength(spoilt.length);
      for (const line of again) expect(line).toMatchObject({ attempt: 2, structured: 'schema', schema: true });
      const own = requests.filter((request) => !isFamily(request));
      expect(new Set(own.map((request) => formatOf(request)!.json_schema!.name))).toEqual(new Set([action]));
      for (const { body } of own)
        expect(body.messages.at(-1)!.content).toContain(
          'one JSON object of this shape and nothing else:\n{\n  "reasoning"',
        );
      expect((await replayMatch(folder)).isReworded).toBe(false);
    },
  );
});

it('a server that refuses the schema of a family is asked by question from then on, with one warning', async () => {
  const { folder, lines, warnings } = await play('refused', 'family', undefined, isFamily);
  expect(new Set(lines.map(({ structured }) => structured))).toEqual(new Set(['schema']));
  expect(lines.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(
    warnings.filter((text) => text.includes('The server rejects one schema for all questions of a family')),
  ).toHaveLength(1);
  // The prompts of the first questions described the schema that was then refused.
  expect(new Set(lines.map(({ shapes }) => shapes))).toEqual(new Set(['family', undefined]));
  expect((await replayMatch(folder)).isReworded).toBe(false);
});

describe('without families', () => {
  it('json asks for JSON and sends no schema', async () => {
    const { requests, lines, folder } = await play('json', 'json');
    expect(new Set(requests.map((request) => formatOf(request)!.type))).toEqual(new Set(['json_object']));
    expect(new Set(lines.map(({ structured, schema }) => [structured, schema].join()))).toEqual(
      new Set(['json,false']),
    );
    expect(Object.values(readRecord(folder).manifest.setup.models)[0]).toBe('openai:local?structured=json');
  });

  it.each(['', 'schema'])(
    'a server of one’s own is asked by question, with structured=%j, as before there were families',
    async (form) => {
      const { requests, lines, folder } = await play(`own-${form}`, form);
      expect(requests.filter(isFamily)).toEqual([]);
      expect(new Set(lines.map(({ structured }) => structured))).toEqual(new Set(['schema']));
      expect(Object.values(readRecord(folder).manifest.setup.models)[0]).toBe('openai:local');
    },
  );
});
