// Context windows that are too small: prompts are shortened and the record says so, or the server refuses them.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Utterance } from '../../deception/claims/claim.ts';
import { createPromptVisibility } from '../../deception/claims/prompt-visibility.ts';
import { replayMatch } from '../../graph/play-match.ts';
import { prepareMatch } from '../../graph/prepare-match.ts';
import { estimateMessages } from '../../models/context-trimming.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { listTrimmedEvents } from '../../state/trimming-order.ts';
import { createInitialState } from '../../state/deal.ts';
import { type GameEvent, isEventOfType } from '../../state/events.ts';
import type { Game } from '../../state/game.ts';
import { type AnswerLine, type CallKey, formatCallKey } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';
import { createView } from '../../state/view.ts';
import { failure, openOpenaiServer, type OpenAIServer, type Received, type Scripted } from '../openai-server.ts';
import { type Message, readQuestion } from '../question.ts';
import { forge, readAnswers, readLines, rewriteLine } from '../record-folder.ts';
import { createLegalAnswer } from '../scripted-model.ts';
import { createBoard, type Options, play } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { itLong } from '../it-long.ts';

const out = createTemporaryFolder();
const servers: OpenAIServer[] = [];

async function serve(script: Parameters<typeof openOpenaiServer>[0]): Promise<OpenAIServer> {
  const server = await openOpenaiServer(script);
  servers.push(server);
  return server;
}

const fillWords = (count: number, word: string) => Array<string>(count).fill(word).join(' ');

/** Players write long texts, some of which are not JSON at first. Each text names its speaker and time. */
function answer({ body }: Received): Scripted {
  const question = readQuestion(body.messages);
  if (question.attempt === 1 && question.action === 'vote') return { text: `No. ${fillWords(100, 'Never')}` };
  const said = `${question.player}${question.round}`;
  const written = { statement: 40, explanation: 40, summary: 150, reasoning: 60, proposal_reason: 30 };
  const words = Object.entries(written).filter(([name]) => name in question.fields);
  const long = Object.fromEntries(words.map(([name, count]) => [name, fillWords(count, said)]));
  return { text: JSON.stringify({ ...createLegalAnswer(question), ...long }) };
}

/** A server with this context, in tokens of 3.3 characters. It fails at the given calls. */
const answerWithin =
  (contextTokens: number, isDown: () => boolean) =>
  (request: Received): Scripted => {
    if (isDown()) return { status: 401, body: failure('Closed for today.') };
    const size = request.body.messages.reduce((sum, { content }) => sum + content.length, 0);
    return size / 3.3 > contextTokens - 500
      ? { status: 400, body: failure('This is too long.', 'context_length_exceeded') }
      : answer(request);
  };

const tables: [string, number, Options][] = [
  ['arena', 4500, { memory: 'full', thoughts: 'kept', maxRounds: 3, debateTurns: 3, maxWords: 40, ballots: 'public' }],
  ['wolf', 4500, { thoughts: 'kept', maxRounds: 3, debateTurns: 4, maxWords: 20 }],
];

const isVoteOf = (round: number) => (event: GameEvent) =>
  event.round === round && event.type === 'thought' && event.action === 'vote';

/** Returns whether an event is speech of an earlier round, which no prompt contains under `memory=summary`. */
const isPast = (event: { round: number }, { round }: AnswerLine, { memory }: Options) =>
  memory !== 'full' && event.round < round;

/** Prompts of a finished match, as recorded. */
const readPrompts = (folder: string) =>
  gunzipSync(readFileSync(path.join(folder, 'prompts.ndjson.gz')))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CallKey & { messages: Message[] });

describe('prompts that must fit into a context', () => {
  afterAll(() => Promise.all(servers.map(({ close }) => close())));

  describe.each(tables)('a match under %s in a context of %i tokens', (rules, contextTokens, rule) => {
    const id = `small-${rules}`;
    let isDown = false;
    let server: OpenAIServer;
    const createPlan = (name: string) => ({
      ...{ out, id: name, board: createBoard(1, 1, 1, 3), rules, rule: { ...rule, exileTies: 'nobody' }, seed: 3 },
      model: `openai:small?baseUrl=${server.baseUrl}&contextTokens=${contextTokens}&maxTokens=500`,
      env: { OPENAI_API_KEY: 'none' },
    });
    let match: Awaited<ReturnType<typeof play>>;
    let userOf: ReadonlyMap<string, string>;
    const warnings: string[] = [];

    beforeAll(async () => {
      server = await serve((request) => answerWithin(contextTokens, () => isDown)(request));
      match = await play({ ...createPlan(id), onWarning: (message) => warnings.push(message) });
      userOf = new Map(
        readPrompts(match.folder!).map((prompt) => [formatCallKey(prompt), prompt.messages[1]!.content]),
      );
    });

    it('is played to its end without a prompt above what the model may be given', () => {
      expect(match.events.at(-1)).toMatchObject({ type: 'ended' });
      expect(match.summary.rounds).toBeGreaterThan(1);
      expect(warnings).toEqual([]);
      const sizes = server.requests.map(({ body }) => estimateMessages(body.messages));
      expect(Math.max(...sizes)).toBeLessThanOrEqual(contextTokens - 500);
    });

    it('counts the prompts that were shortened, as many as say so', () => {
      const noted = server.requests.filter(({ body }) =>
        body.messages[1]!.content.includes('is left out: there is no'),
      );
      const { total, by_action } = match.summary.model_calls;
      expect(total.shortened).toBe(noted.length);
      expect(total.shortened).toBeGreaterThan(10);
      expect(total.shortened).toBeLessThan(total.calls);
      expect(Object.values(by_action).reduce((sum, { shortened }) => sum + shortened, 0)).toBe(total.shortened);
    });

    it('shortens a question that is put again, where its first answer takes up the room', () => {
      const twice = match.lines.filter(({ attempt }) => attempt > 1);
      expect(twice.length).toBeGreaterThan(0);
      const first = (line: AnswerLine) =>
        match.lines.find((one) => formatCallKey(one) === formatCallKey({ ...line, attempt: 1 }))!;
      const counts = twice.map((line) => [first(line).left_out ?? 0, line.left_out ?? 0] as const);
      expect(counts.every(([before, after]) => after >= before)).toBe(true);
      expect(counts.some(([before, after]) => after > before)).toBe(true);
    });

    it('is replayed without its models, and its prompts are kept as they were sent', async () => {
      const { events, summary } = await replayMatch(match.folder!);
      expect(events).toEqual(match.events);
      expect(summary).toEqual(match.summary);
      const kept = readPrompts(match.folder!).map(({ messages }) =>
        JSON.stringify(messages.map(({ content }) => content)),
      );
      const sent = server.requests.map(({ body }) => JSON.stringify(body.messages.map(({ content }) => content)));
      expect(kept.sort()).toEqual(sent.slice(0, kept.length).sort());
    });

    itLong('goes on after an interruption to the same events', async () => {
      const plan = createPlan(`${id}-stopped`);
      const onAnswer = ({ left_out: count }: AnswerLine) => void (isDown = count !== undefined);
      await expect(play({ ...plan, onAnswer, concurrency: 1 })).rejects.toThrow('Closed for today.');
      isDown = false;
      expect(readAnswers(path.join(out, plan.id)).some(({ left_out }) => left_out !== undefined)).toBe(true);
      const rest = await play(plan);
      expect(rest.live.length).toBeLessThan(rest.lines.length);
      expect(readLines(path.join(rest.folder!, 'events.ndjson'))).toEqual(
        readLines(path.join(match.folder!, 'events.ndjson')),
      );
      const counts = (lines: readonly AnswerLine[]) =>
        lines.map((line) => `${formatCallKey(line)} ${line.left_out}`).sort();
      expect(counts(rest.lines)).toEqual(counts(match.lines));
    });

    it('tells from its record what each vote was made without', () => {
      const votes = match.lines.filter(({ action, attempt }) => action === 'vote' && attempt === 1);
      const shortened = votes.filter(({ left_out }) => left_out !== undefined);
      expect(shortened.length).toBeGreaterThan(0);
      for (const line of shortened) {
        const user = userOf.get(formatCallKey(line))!;
        const before = match.events.slice(0, match.events.findIndex(isVoteOf(line.round)));
        const moment = { roundNum: line.round, phase: 'day' as const };
        const game: Game = { ...(createInitialState(match.setup) as Game), ...moment, gameLogs: before };
        const seen = createView(game, line.player);
        const gone = new Set(listTrimmedEvents(seen, line.left_out!));
        const heard = seen.events.filter(({ type }) => type === 'statement' || type === 'thought');
        const kept = heard.filter(
          (event) => !gone.has(event) && (event.type === 'thought' || !isPast(event, line, rule)),
        );
        expect(user.match(/^- (\w+ said|You thought)/gm) ?? []).toHaveLength(kept.length);
      }
    });

    it('tells from its record whose words still stood before who spoke or judged', () => {
      const record = readRecord(match.folder!);
      const { events } = record;
      const remembers = createPromptVisibility(record);
      const words = events.flatMap((event, before) => (isEventOfType('statement')(event) ? [{ event, before }] : []));
      const counts = match.lines.flatMap((line) => {
        const turn = line.step + (line.action === 'debate' ? 1 : 0);
        const now = words.find(({ event }) => event.id === `${line.round}.${turn}`);
        const isLast = !match.lines.some(
          (one) => formatCallKey(one) === formatCallKey({ ...line, attempt: line.attempt + 1 }),
        );
        if (!now || !isLast || !['debate', 'peer_analysis'].includes(line.action)) return [];
        const said: Utterance = { ...now.event, kind: 'debate' };
        const before = words.filter((one) => one.before < now.before);
        const held = before.filter(({ event }) => remembers(line.player, said, now.before, event)).length;
        const own = line.action === 'debate' ? 0 : 1; // the judged statement is the last one
        return [
          {
            held: held + own,
            shown: userOf.get(formatCallKey(line))!.match(/^- \w+ said/gm)?.length ?? 0,
            of: before.length,
          },
        ];
      });
      expect(counts.some(({ held, of }) => held < of)).toBe(true);
      expect(counts.map(({ held }) => held)).toEqual(counts.map(({ shown }) => shown));
    });

    it('has prompts that begin alike within a round as long as as much is left out', () => {
      const shown = match.lines
        .filter(({ attempt, action }) => attempt === 1 && !/self_analysis$/.test(action)) // this prompt leaves out the player's own thoughts
        .map((line) => ({ ...line, history: userOf.get(formatCallKey(line))!.split(/(?:^|\n\n)It is /)[0]! }));
      const spans = Map.groupBy(shown, ({ player, round, left_out }) => JSON.stringify([player, round, left_out]));
      expect([...spans.values()].some((span) => span.length > 3 && span[0]!.left_out !== undefined)).toBe(true);
      for (const span of spans.values()) {
        const byLength = span.map(({ history }) => history).sort((one, other) => one.length - other.length);
        for (const [index, history] of byLength.slice(1).entries())
          expect(history.startsWith(byLength[index]!)).toBe(true);
      }
    });

    it('is refused where the record says another count than the prompt was made with', async () => {
      const file = path.join(match.folder!, 'answers.ndjson');
      const number = readLines(file).findIndex((line) => line.includes('"left_out"')) + 1;
      rewriteLine(match.folder!, 'answers.ndjson', number, (line) => line.replace(/"left_out":\d+/, '"left_out":2000'));
      forge(match.folder!);
      await expect(replayMatch(match.folder!)).rejects.toThrow('is not the recorded one');
    });
  });

  describe('a context that cannot hold the first round', () => {
    const prepare = (options: string) =>
      prepareMatch({ seed: 3, model: `openai:tiny?${options}` }, { OPENAI_API_KEY: 'none' }, 0);

    it('is refused before the first call, with what would do, and nothing is written', async () => {
      const server = await serve([{}]);
      const spec = (tokens: number) => `openai:tiny?baseUrl=${server.baseUrl}&contextTokens=${tokens}`;
      const plan = { out, id: 'tiny', board: createBoard(1, 1, 1, 3), env: { OPENAI_API_KEY: 'none' } };
      const refusal = await play({ ...plan, villagers: spec(2000) }).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(UsageError);
      const { message } = refusal as UsageError;
      expect(message).toMatch(
        /^The context of openai:tiny\?.*contextTokens=2000, in the seat of \w+, cannot hold a round/,
      );
      expect(message).toMatch(
        /1500 of its 2000 tokens are free for a prompt, and ballot_(?:self|peer)_analysis may need \d{4}/,
      );
      expect(message).toContain('--rule debateTurns (6) or --rule maxWords (80)');
      const enough = Number(/give contextTokens=(\d+)/.exec(message)![1]);
      expect(server.requests).toEqual([]);
      expect(existsSync(path.join(out, 'tiny'))).toBe(false);

      const controller = new AbortController();
      controller.abort(new Error('Far enough.'));
      const open = { ...plan, signal: controller.signal };
      await expect(play({ ...open, villagers: spec(enough) })).rejects.toThrow('Far enough.');
      await expect(play({ ...open, id: 'tiny-less', villagers: spec(enough - 3) })).rejects.toThrow(
        'cannot hold a round',
      );
    });

    it.each([
      ['whose needs differ from seat to seat', 'contextTokens=4000'],
      ['that keeps a fixed part for the answer', 'contextTokens=4000&maxTokens=500'],
      ['that keeps more than it holds for the answer', 'contextTokens=1000&maxTokens=20000'],
    ])('is refused once: what is advised does for all seats of a model %s', async (_which, options) => {
      const refusal = await prepare(options).catch((error: unknown) => error);
      const [, advised] = /give contextTokens=(\d+)/.exec((refusal as UsageError).message) ?? [];
      await expect(prepare(options.replace(/\d+/, advised!))).resolves.toBeDefined();
    });

    it('is told with the seat that needs most', async () => {
      await expect(prepare('contextTokens=4000')).rejects.toThrow(
        'contextTokens=4000&structured=family, in the seat of Leah, cannot',
      );
    });

    it('is one whose answers may take all of it', async () => {
      const model = 'openai:gpt-4o?maxTokens=128000';
      const env = { OPENAI_API_KEY: 'none' };
      await expect(play({ model, env })).rejects.toThrow('0 of its 128000 tokens are free for a prompt');
    });
  });

  describe('a question that is too long even without what was said', () => {
    it('is put all the same, with one warning', async () => {
      const server = await serve((request) => {
        const question = readQuestion(request.body.messages);
        const long = 'explanation' in question.fields ? { explanation: '🐺'.repeat(1000) } : {};
        return { text: JSON.stringify({ ...createLegalAnswer(question), ...long }) };
      });
      const warnings: string[] = [];
      const { summary } = await play({
        ...{ board: createBoard(1, 1, 1, 3), rule: { debateTurns: 1, maxRounds: 1, maxWords: 20 }, seed: 3 },
        model: `openai:small?baseUrl=${server.baseUrl}&contextTokens=3900&maxTokens=500`,
        env: { OPENAI_API_KEY: 'none' },
        onWarning: (message) => warnings.push(message),
      });
      expect(summary.end_reason).not.toBeNull();
      expect(warnings).toEqual([
        expect.stringMatching(
          /contextTokens=3900.*may take \d{4} tokens even without any statements, but only 3400 of/,
        ),
      ]);
      const sizes = server.requests.map(({ body }) => estimateMessages(body.messages));
      expect(Math.max(...sizes)).toBeGreaterThan(3400);
    });
  });
});

// Prompts that a server refuses for their length: the match continues without these answers, or stops with advice to
// the user.

const refusedOut = createTemporaryFolder();
const context = { tokens: 4500, answer: 500 };
const tooLong: Scripted = { status: 400, body: failure('This is too long.', 'context_length_exceeded') };

/**
 * Returns the server's reply in place of the legal answer; undefined for the legal answer. Tests replace this function.
 */
let instead: (request: Received) => Scripted | undefined = () => undefined;
let server: OpenAIServer;

/** Players write as much as possible without a space. The server accepts at most `context` tokens. */
function answerAtLength(request: Received): Scripted {
  const { messages } = request.body;
  const question = readQuestion(messages);
  if (estimateMessages(messages) > context.tokens) return tooLong;
  const long = 'explanation' in question.fields ? { explanation: '我相信丹和他的说法'.repeat(200) } : {};
  return instead(request) ?? { text: JSON.stringify({ ...createLegalAnswer(question), ...long }) };
}

const createRefusedPlan = (id: string) => ({
  ...{ out: refusedOut, id, board: createBoard(1, 1, 1, 5), rules: 'arena', seed: 3 },
  rule: { debateTurns: 1, maxRounds: 2, maxWords: 30, ballots: 'public', analysis: 'peer', analyzeBallots: true },
  model: `openai:small?baseUrl=${server.baseUrl}&contextTokens=${context.tokens}&maxTokens=${context.answer}`,
  env: { OPENAI_API_KEY: 'none' },
});

describe('prompts that are refused for their length', () => {
  beforeAll(async () => {
    server = await openOpenaiServer(answerAtLength);
  });
  afterAll(() => server.close());

  describe('a prompt over its budget even at its shortest that the server refuses', () => {
    let match: Awaited<ReturnType<typeof play>>;
    const warnings: string[] = [];

    beforeAll(async () => {
      instead = () => undefined;
      match = await play({ ...createRefusedPlan('refused'), onWarning: (message) => warnings.push(message) });
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
      const plan = createRefusedPlan('resumed');
      let isRefused = false;
      const onAnswer = (line: AnswerLine) => void (isRefused ||= line.too_long === true);
      instead = () => (isRefused ? { status: 401, body: failure('Closed for today.') } : undefined);
      await expect(play({ ...plan, onAnswer, concurrency: 1 })).rejects.toThrow('Closed for today.');
      instead = () => undefined;
      const before = readAnswers(path.join(refusedOut, plan.id));
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
      const error = await play(createRefusedPlan('smaller')).catch((reason: unknown) => reason as Error);
      expect((error as Error).message).toMatch(
        /contextTokens=4500.*: This is too long\. The prompt takes at most \d+ tokens, and contextTokens \(4500, given or assumed\) leaves 4000 for it, so the server's context must be smaller\. Give the server a context of 4500 tokens and resume, or start a new match/,
      );
      expect((error as Error).message.match(/The prompt takes/g)).toHaveLength(1);
      expect(readAnswers(path.join(refusedOut, 'smaller'))).toEqual([]);
      instead = () => undefined;
      expect((await play(createRefusedPlan('smaller'))).events.at(-1)).toMatchObject({ type: 'ended' });
    });
  });
});
