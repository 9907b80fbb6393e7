// Retrieval: the same entries from the same pool wherever it runs, filters, balance, and the shuffled control.
import { Worker } from 'node:worker_threads';
import path from 'node:path';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { countTokens } from '../../../deception/experience/entry-text.ts';
import { createPool, getEntryId, type PoolEntry } from '../../../deception/experience/pool-entry.ts';
import { bm25Retriever, createVectorRetriever, createRetriever } from '../../../deception/experience/retrieve.ts';
import { describeSituation } from '../../../deception/experience/situation.ts';
import { ExperienceSettings } from '../../../state/experience.ts';
import { draw } from '../../../state/random.ts';
import { createView } from '../../../state/view.ts';
import { gameAt, said } from '../../game.ts';
import { createEntry } from './entries.ts';

const words = ['Seer', 'checked', 'lies', 'trust', 'quiet', 'vote', 'protect', 'accuse', 'claim', 'follow'];

/** So many ballots of Villagers with random words and rewards; the later the day, the more there is to say. */
const createEntries = (count: number): PoolEntry[] =>
  Array.from({ length: count }, (_, index) => {
    const random = draw(1, 'entry', index);
    const day = 1 + random.integer(3);
    const text = Array.from({ length: 15 * day + random.integer(25) }, () => random.pick(words)).join(' ');
    const situation = `You are [A], Villager. Day ${day}, ${3 + random.integer(5)} of 8 living. ${text}`;
    return createEntry({ match: `m${index}`, board: 'by-hand', situation, reward: random.integer(2) });
  });

const view = createView(
  gameAt({
    round: 2,
    phase: 'day',
    gone: ['Bert', 'Mason', 'Leah'],
    events: [said('2.1', 'Sam', 'I trust the Seer who checked Leah.')],
  }),
  'Dan',
);
const player = { model: 'bot:classic', entrant: null, deal: 'by-hand-1-ffffffffffff', rules: 'preset wolf', seed: 7 };
const entries = createEntries(200);
const byId = new Map(entries.map((entry) => [getEntryId(entry), entry]));
const recall = (settings: Partial<ExperienceSettings> = {}, some = entries, who = player) =>
  createRetriever(createPool('result', some)).recall(view, 'ballot', who, ExperienceSettings.parse(settings));

describe('what is retrieved', () => {
  it('is the same in whatever order the pool stands, and in another thread', async () => {
    const here = recall();
    expect(here).toHaveLength(3);
    expect(recall({}, entries.toReversed())).toEqual(here);
    const code = `const { parentPort } = require('node:worker_threads');
      import(${JSON.stringify(path.resolve('deception/experience/retrieve.ts'))}).then(({ createRetriever }) =>
        parentPort.once('message', ({ pool, view, player, settings }) =>
          parentPort.postMessage(createRetriever(pool).recall(view, 'ballot', player, settings))));`;
    const worker = new Worker(code, { eval: true });
    const settings = ExperienceSettings.parse({});
    const there = await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
      worker.postMessage({
        pool: createPool('result', entries),
        view: JSON.parse(JSON.stringify(view)) as object,
        player,
        settings,
      });
    });
    await worker.terminate();
    expect(there).toEqual(here);
  });

  it('stands alike, counts ties by hash, and is of the role, board, rules, kind and source that are wanted', () => {
    const standing = createEntry({
      match: 'alike',
      board: 'by-hand',
      situation: 'You are [B], Villager. Day 2, 5 of 8 living. Other.',
    });
    expect(recall({ k: 1, good: 1 }, [...entries, standing])[0]!.text).toContain('Day 2, 5 of 8');
    const twins = ['x', 'y', 'z'].map((match) => createEntry({ match, board: 'by-hand' }));
    const sorted = twins.map(getEntryId).sort();
    expect(recall({ k: 2, good: 1 }, twins).map(({ id }) => id)).toEqual(sorted.slice(0, 2));
    const others = [
      createEntry({ board: 'by-hand', role: 'Seer' }),
      createEntry({ board: 'other' }),
      createEntry({ board: 'by-hand', rules: 'preset arena' }),
      createEntry({ board: 'by-hand', moment: { kind: 'debate' } }),
      createEntry({ board: 'by-hand', model: 'openai:gpt-4o' }),
      createEntry({ board: 'by-hand', deal: player.deal }),
    ];
    expect(recall({}, others)).toEqual([]);
    expect(recall({ from: 'others' }, others)).toHaveLength(1);
    expect(recall({ from: 'any' }, others)).toHaveLength(1);
  });

  it('has one entry a match, above the threshold, and as many good ones as asked for', () => {
    const doubled = entries.map(({ match, situation, reward }) =>
      createEntry({ match: match.slice(0, 2), board: 'by-hand', situation, reward }),
    );
    const matches = recall({ k: 8 }, doubled).map(({ id }) => doubled.find((entry) => getEntryId(entry) === id)!.match);
    expect(new Set(matches).size).toBe(matches.length);
    expect(recall({ threshold: 1e6 })).toEqual([]);
    for (const [good, count] of [
      [0, 0],
      [0.5, 2],
      [1, 4],
    ] as const)
      expect(recall({ k: 4, good }).filter(({ id }) => byId.get(id)!.reward === 1)).toHaveLength(count);
    const bad = entries.filter(({ reward }) => reward === 0);
    expect(recall({ k: 4, good: 1 }, bad)).toHaveLength(4);
  });

  it('is named with the version of the library that is installed', () => {
    const { version } = JSON.parse(readFileSync('node_modules/minisearch/package.json', 'utf8')) as { version: string };
    expect(bm25Retriever).toBe(`bm25+ minisearch ${version}`);
  });
});

describe('what is retrieved by meaning', () => {
  /** Counts of words stand for a meaning. */
  const embedWords = (text: string) => Int16Array.from(words, (word) => 100 * text.split(word).length - 100);
  const createVectors = (some: readonly PoolEntry[]) => ({
    ...{ embedder: 'words', dimensions: words.length },
    numbers: Int16Array.from(some.flatMap(({ situation }) => [...embedWords(situation)])),
  });
  const recallAlike = (settings: Partial<ExperienceSettings> = {}, some = entries) =>
    createVectorRetriever(createPool('result', some), createVectors(some)).recall(
      ...([embedWords(describeSituation(view, 'ballot')), view, 'ballot', player] as const),
      ExperienceSettings.parse(settings),
    );
  const computeCosine = (one: Int16Array, other: Int16Array) => {
    const multiply = (a: Int16Array, b: Int16Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);
    return multiply(one, other) / Math.sqrt(multiply(one, one) * multiply(other, other));
  };

  it('is what has the highest cosine, in whatever order the pool stands', () => {
    const found = recallAlike({ k: 3, good: 1 });
    const wanted = embedWords(describeSituation(view, 'ballot'));
    const best = entries
      .filter(({ reward }) => reward === 1)
      .map((entry) => ({ id: getEntryId(entry), score: computeCosine(embedWords(entry.situation), wanted) }))
      .sort((one, other) => other.score - one.score);
    const least = Math.min(...found.map(({ id }) => best.find((one) => one.id === id)!.score));
    expect(found).toHaveLength(3);
    expect(least).toBeCloseTo(best[2]!.score, 6);
    expect(recallAlike({ k: 3, good: 1 }, entries.toReversed())).toEqual(found);
  });

  it('counts ties by hash, keeps to threshold, source and kind, and has its control', () => {
    const twins = ['x', 'y', 'z'].map((match) =>
      createEntry({ match, board: 'by-hand', situation: entries[0]!.situation }),
    );
    const sorted = twins.map(getEntryId).sort();
    expect(recallAlike({ k: 2, good: 1 }, twins).map(({ id }) => id)).toEqual(sorted.slice(0, 2));
    expect(recallAlike({ threshold: 1.01 })).toEqual([]);
    expect(recallAlike({ from: 'others' })).toEqual([]);
    expect(recallAlike({}, [createEntry({ board: 'by-hand', deal: player.deal })])).toEqual([]);
    const [right, shuffled] = [recallAlike({ k: 4 }), recallAlike({ k: 4, arm: 'shuffled' })];
    expect(shuffled).toHaveLength(4);
    const of = (some: typeof right) => some.map(({ id }) => byId.get(id)!);
    expect(of(shuffled).map(({ reward }) => reward)).toEqual(of(right).map(({ reward }) => reward));
    expect(new Set([...of(right), ...of(shuffled)].map(({ match }) => match)).size).toBe(8);
  });
});

describe('the shuffled control', () => {
  it.each([1, 2, 3, 4, 5])(
    'has as many entries of the same reward and length, of other situations, with seed %d',
    (seed) => {
      const [right, shuffled] = (['pool', 'shuffled'] as const).map((arm) =>
        recall({ arm, k: 4 }, entries, { ...player, seed }),
      );
      expect(shuffled).toHaveLength(right!.length);
      expect(shuffled!.map(({ id }) => byId.get(id)!.reward)).toEqual(right!.map(({ id }) => byId.get(id)!.reward));
      for (const [at, { text }] of shuffled!.entries()) {
        const [tokens, wanted] = [countTokens(text), countTokens(right![at]!.text)];
        expect(Math.abs(tokens - wanted)).toBeLessThanOrEqual(0.1 * wanted);
      }
      for (const { text } of shuffled!) {
        expect(text).not.toContain('Day 2, 5 of 8');
        expect(text).toContain('Afterwards: ');
      }
      const matches = [...right!, ...shuffled!].map(({ id }) => byId.get(id)!.match);
      expect(new Set(matches).size).toBe(matches.length);
      expect(recall({ arm: 'shuffled', k: 4 }, entries.toReversed(), { ...player, seed })).toEqual(shuffled);
    },
  );

  it('cuts the situation of a longer entry where none is as long', () => {
    const long = (match: string) =>
      createEntry({ match, board: 'by-hand', situation: `Night of nothing ${'else '.repeat(200)}` });
    const short = createEntry({
      match: 's',
      board: 'by-hand',
      situation: 'You are [A], Villager. Day 2, 5 of 8 living.',
    });
    const some = [short, ...['a', 'b', 'c'].map(long)];
    const [right] = recall({ k: 1, good: 1 }, some);
    const [cut] = recall({ k: 1, good: 1, arm: 'shuffled' }, some);
    expect(right!.text).toContain('Day 2');
    expect(cut!.text).toMatch(/^Night of .* … You .*Afterwards: /);
    expect(Math.abs(countTokens(cut!.text) - countTokens(right!.text))).toBeLessThanOrEqual(3);
  });
});
