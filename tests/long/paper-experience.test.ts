// WereWolf-Plus's experience: entries are players' own summaries before each vote, and a server's embedding model finds
// them. Memories stay secret, and matches replay.
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool, type Pool, sealEntry } from '../../deception/experience/pool-entry.ts';
import { getSeatLetter } from '../../deception/experience/seat-letters.ts';
import { selectMeaning } from '../../deception/experience/situation.ts';
import { computeVectors } from '../../graph/experience/embedder.ts';
import { writePool, writeVectors } from '../../graph/experience/pool-folder.ts';
import { gatherDecisions, listEntries } from '../../graph/pool/gather-entries.ts';
import { replayMatch } from '../../graph/play-match.ts';
import type { MatchPlan } from '../../graph/prepare-match.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { isDebateSummary, isEventOfType } from '../../state/events.ts';
import { UsageError } from '../../state/usage-error.ts';
import { canaries } from '../canaries.ts';
import { failure, type OpenAIServer, openOpenaiServer } from '../openai-server.ts';
import { createLegalAnswer, type Script, ScriptedModel } from '../scripted-model.ts';
import { createBoard, dealTable, play, playNodes } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const out = createTemporaryFolder();
const rule = { analysis: 'off', debateTurns: 3, maxRounds: 3, voteSummary: true } as const;

describe('own summaries of the debate (voteSummary)', () => {
  const { script, heard } = canaries();
  const model = new ScriptedModel(script);
  beforeAll(async () => {
    await playNodes(dealTable({ board: createBoard(2, 1, 1, 4), rule, seed: 2 }), model);
  });

  it('are asked of every voter before the vote', () => {
    const asked = model.asked.filter(({ attempt }) => attempt === 1);
    for (const day of [1, 2, 3]) {
      const ofDay = asked.filter(({ round, action }) => round === day && ['sum_up', 'vote'].includes(action));
      const [summaries, votes] = ['sum_up', 'vote'].map((wanted) =>
        ofDay.filter(({ action }) => action === wanted).map(({ player }) => player),
      );
      expect(summaries).toEqual(votes);
      expect(summaries!.length).toBeGreaterThan(2);
      expect(ofDay.findIndex(({ action }) => action === 'vote')).toBe(summaries!.length);
    }
  });

  it('stand in the own prompts of the rest of the day alone, and in nobody else’s', () => {
    const shown = model.asked.flatMap((question) =>
      heard(question)
        .filter(({ action, field }) => action === 'sum_up' && field === 'summary')
        .map((canary) => ({ question, canary })),
    );
    expect(shown.filter(({ question }) => question.action === 'vote').length).toBeGreaterThan(10);
    for (const { question, canary } of shown)
      expect([canary.by, canary.round]).toEqual([question.player, question.round]);
  });
});

describe.each(['bm25', 'questions', 'latest'])('memory=retrieval with historyRetriever=%s', (historyRetriever) => {
  it('shows of what others wrote only what they said in public', async () => {
    const { script, heard } = canaries();
    const sayMore: Script = (question, number) => {
      const text = JSON.stringify(script(question, number));
      return JSON.parse(text.replaceAll('Here', 'A Werewolf is here:')) as ReturnType<Script>; // shares words with the questions
    };
    const model = new ScriptedModel(sayMore);
    const retrieval = { ...rule, memory: 'retrieval', historyK: 4, historyRetriever };
    await playNodes(dealTable({ board: createBoard(2, 1, 1, 4), rule: retrieval, seed: 2 }), model);
    const ofOthers = model.asked.flatMap((question) =>
      heard(question)
        .filter(({ by }) => by !== question.player)
        .map((canary) => ({ question, canary })),
    );
    const isPack = ({ canary }: (typeof ofOthers)[number]) => canary.field === 'proposal_reason';
    const kinds = new Set(ofOthers.filter((one) => !isPack(one)).map(({ canary }) => canary.field));
    expect([...kinds].sort()).toEqual(['explanation', 'statement']);
    const earlier = ofOthers.filter(({ question, canary }) => !isPack({ question, canary }) && canary.round < question.round); // prettier-ignore
    expect(earlier.length).toBeGreaterThan(0);
  });
});

describe('the method paper-plus with an embedding model of a server', () => {
  const common: MatchPlan = {
    rules: 'plus',
    rule: { maxRounds: 3, voteSummary: true },
    model: 'bot:classic',
    board: 'plus-8',
  };
  let server: OpenAIServer;
  let embedder: string;
  let folder: string;
  let pool: Pool;
  /** Texts with similar words get similar vectors. */
  const embed = (text: string) => {
    const vector = Array.from({ length: 8 }, () => 0.1);
    for (const word of text.split(' ')) vector[word.length % 8]! += 1;
    return vector;
  };
  beforeAll(async () => {
    server = await openOpenaiServer(({ body }) => ({
      body: { data: (body['input'] as string[]).map((text, index) => ({ index, embedding: embed(text) })).reverse() },
    }));
    embedder = `openai:multi-qa-mpnet-base-cos-v1?baseUrl=${server.baseUrl}`;
    const drafts = [1, 2, 3, 4].map(async (seed) => {
      const played = await play({ ...common, seed, out: path.join(out, 'past') });
      return listEntries(readRecord(played.folder!), await gatherDecisions(played.folder!), 'rounds').map(sealEntry);
    });
    pool = createPool('rounds', (await Promise.all(drafts)).flat());
    folder = path.join(out, 'pool');
    writePool(folder, pool);
    const texts = pool.entries.map(({ situation }) => selectMeaning(situation));
    writeVectors(folder, pool, await computeVectors(texts, { cache: null, embedder, env: {} }));
  }, 60_000);
  afterAll(() => server.close());

  it('has entries of ballots that are own summaries, without a name', () => {
    const ballots = pool.entries.filter(({ moment }) => moment.kind === 'ballot');
    expect(ballots.length).toBeGreaterThan(20);
    for (const { situation } of ballots) {
      expect(situation.split('\n')).toHaveLength(2);
      expect(selectMeaning(situation)).toMatch(/^(\[[A-H]\] claimed|Nobody has claimed)/);
    }
    for (const { situation, moment } of pool.entries)
      if (moment.kind !== 'ballot') expect(selectMeaning(situation)).toBe(situation);
  });

  it('remembers before the vote that counts, finds by the own summary, sends nothing else, and is played again alone', async () => {
    const model = new ScriptedModel((question) => createLegalAnswer(question));
    server.requests.length = 0;
    const experience = { pool: folder, from: 'any', k: 1, method: 'paper-plus', embedder } as const;
    const match = await play({ ...common, model, seed: 20, experience, out: path.join(out, 'with') });
    const { experience: setup } = match.manifest.setup;
    expect(setup).toMatchObject({ moments: ['ballot'], rank: 'reward', threshold: 0.5, reward: 'rounds' });
    expect(setup!.retriever).toBe('pairs by cosine of multi-qa-mpnet-base-cos-v1 of a server');
    expect(JSON.stringify(match.manifest)).not.toContain(new URL(server.baseUrl).host);
    const remembering = model.asked.filter(({ messages }) => messages[1]!.content.includes('earlier games'));
    expect([...new Set(remembering.map(({ action }) => action))]).toEqual(['vote']);
    const summaries = match.events.filter(isDebateSummary).map(({ text }) => text);
    const sent = server.requests.flatMap(({ body }) => body['input'] as string[]);
    expect(sent.length).toBeGreaterThan(3);
    const places = match.setup.players.map(({ name }) => name);
    const lettered = summaries.map((text) => text.replace(/(?<=of )\p{L}+/u, (name) => `[${getSeatLetter(places.indexOf(name))}]`)); // prettier-ignore
    expect(sent.filter((text) => !lettered.includes(text))).toEqual([]);
    const entries = match.events.filter(isEventOfType('remembered')).flatMap((event) => event.entries);
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.filter(({ text }) => !text.includes('You summed up: '))).toEqual([]);
    const before = server.requests.length;
    expect((await replayMatch(match.folder!)).events).toEqual(match.events);
    expect(server.requests).toHaveLength(before);
  });

  it('takes no pool that another model embedded, and no provider without OpenAI’s interface', async () => {
    const begin = (named: string | undefined) =>
      play({ ...common, seed: 21, experience: { pool: folder, from: 'any', k: 1, retriever: 'embedding', embedder: named }, out }); // prettier-ignore
    await expect(begin(undefined)).rejects.toThrow(
      /was embedded by multi-qa-mpnet-base-cos-v1 of a server, but the embedder here is/,
    );
    await expect(begin(`openai:another?baseUrl=${server.baseUrl}`)).rejects.toThrow(/here is another of a server/);
    await expect(begin('anthropic:claude-x')).rejects.toThrow(UsageError);
    await expect(begin('openai:m?baseUrl=https://example.org/v1')).rejects.toThrow(/--allow-key/);
  });

  it('stops with the words of a server that refuses, or that answers with too few vectors', async () => {
    const refusing = await openOpenaiServer([{ status: 404, body: failure('no such model') }]);
    const ask = (baseUrl: string) =>
      computeVectors(['a text'], { cache: null, embedder: `openai:m?baseUrl=${baseUrl}`, env: {} });
    await expect(ask(refusing.baseUrl)).rejects.toThrow(/no such model/);
    await refusing.close();
    const short = await openOpenaiServer([{ body: { data: [] } }]);
    await expect(ask(short.baseUrl)).rejects.toThrow(/expected one vector for each of 1 texts, but received: /);
    await short.close();
  });
});
