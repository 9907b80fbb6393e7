// Retrieval: it finds the same entries on every machine. Also its filters, its balance, and the shuffled control.
import { Worker } from 'node:worker_threads';
import path from 'node:path';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countTokens, renderEntry } from '../../../deception/experience/entry-text.ts';
import { createPool, getEntryId, type PoolEntry } from '../../../deception/experience/pool-entry.ts';
import {
  bm25Retriever,
  countPairedDeals,
  createVectorRetriever,
  createRetriever,
  isEntryForMoment,
} from '../../../deception/experience/retrieve.ts';
import { getSeatLetter } from '../../../deception/experience/seat-letters.ts';
import { describeSituation } from '../../../deception/experience/situation.ts';
import { ExperienceSettings, type RememberedEntry } from '../../../state/experience-setup.ts';
import { draw } from '../../../state/random.ts';
import { createView } from '../../../state/view.ts';
import { gameAt, said } from '../../game.ts';
import { createEntry } from './entries.ts';
import { itLong } from '../../it-long.ts';

const words = ['Seer', 'checked', 'lies', 'trust', 'quiet', 'vote', 'protect', 'accuse', 'claim', 'follow'];

/** Creates ballots of Villagers with random words and rewards; later days have longer situations. */
const createEntries = (count: number): PoolEntry[] =>
  Array.from({ length: count }, (_, index) => {
    const random = draw(1, 'entry', index);
    const day = 1 + random.integer(3);
    const text = Array.from({ length: 15 * day + random.integer(25) }, () => random.pick(words)).join(' ');
    const situation = `You are [A], Villager. Day ${day}, ${3 + random.integer(5)} of 8 living. ${text}`;
    return createEntry({
      match: `m${index}`,
      deal: `d${index}`,
      board: 'by-hand',
      situation,
      reward: random.integer(2),
    });
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
const player = {
  model: 'bot:classic',
  entrant: null,
  tournament: null,
  deal: 'by-hand-1-ffffffffffff',
  rules: 'preset wolf@1', // the entries name the preset without a version, as pools of earlier versions did
  seed: 7,
};
const entries = createEntries(200);

/** Two entries that differ only in their deal: one is of the deal that the player plays, the other is not. */
const listPairOf = (deal: string): PoolEntry[] => [
  createEntry({ deal, board: 'by-hand', situation: 'You are [A], Villager. Day 1, 7 of 8 living, before the vote.' }),
  createEntry({
    ...{ deal: 'another', board: 'by-hand' },
    situation: 'You are [A], Villager. Day 3, 4 of 8 living, before the vote.',
  }),
];
const byId = new Map(entries.map((entry) => [getEntryId(entry), entry]));
const recall = (settings: Partial<ExperienceSettings> = {}, some = entries, who = player) =>
  createRetriever(createPool('result', some)).recall(view, 'ballot', who, ExperienceSettings.parse(settings));

describe('what is retrieved', () => {
  itLong('is the same in whatever order the pool stands, and in another thread', async () => {
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

  it('stands alike, and is of the role, board, rules, kind and source that are wanted', () => {
    const standing = createEntry({
      ...{ match: 'alike', deal: 'alike', board: 'by-hand' },
      situation: `You are [B], Villager. Day 2, 5 of 8 living. ${'Other. '.repeat(30)}`,
    });
    expect(recall({ k: 1, good: 1 }, [...entries, standing])[0]!.text).toContain('Day 2, 5 of 8');
    const withPartner = (changes: Parameters<typeof createEntry>[0]) => [
      createEntry({ board: 'by-hand', ...changes }),
      createEntry({ board: 'by-hand', deal: 'partner', ...changes, situation: 'You are [A], Villager. Day 3, 4 of 8 living, before the vote.' }),
    ]; // prettier-ignore
    expect(recall({ k: 1 }, withPartner({}))).toHaveLength(1);
    const others = [
      ...withPartner({ role: 'Seer' }),
      ...withPartner({ board: 'other' }),
      ...withPartner({ rules: 'preset arena' }),
      ...withPartner({ moment: { kind: 'debate' } }),
      ...withPartner({ model: 'openai:gpt-4o' }),
    ];
    expect(recall({}, others)).toEqual([]);
    expect(recall({ from: 'others', k: 1 }, others)).toHaveLength(1);
    expect(recall({ from: 'any', k: 1 }, others)).toHaveLength(1);
    expect(recall({ role: 'any', k: 1 }, others)).toHaveLength(1);
  });

  it('is of any seat, or of the own alone, and the control keeps to the role of what it stands for', () => {
    const mine = getSeatLetter(view.players.indexOf(view.me));
    const theirs = mine === 'A' ? 'B' : 'A';
    const partner = 'You are [A], Villager. Day 3, 4 of 8 living, before the vote.';
    const ofSeat = (seat: string) => [
      createEntry({ board: 'by-hand', seat, deal: `${seat}1` }),
      createEntry({ board: 'by-hand', seat, deal: `${seat}2`, situation: partner }),
    ];
    expect(recall({ k: 1 }, ofSeat(theirs))).toHaveLength(1);
    expect(recall({ k: 1, seat: 'own' }, ofSeat(theirs))).toEqual([]);
    expect(recall({ k: 1, seat: 'own' }, ofSeat(mine))).toHaveLength(1);
    const [villager] = ofSeat(mine);
    const seer = createEntry({ board: 'by-hand', role: 'Seer', deal: 'seer', situation: partner });
    expect(recall({ k: 1, role: 'any' }, [villager!, seer])).toEqual([]);
  });

  it("is never of the player's own deal, neither as an entry nor in the control", () => {
    const some = listPairOf(player.deal);
    for (const arm of ['pool', 'shuffled'] as const) {
      expect(recall({ k: 1, arm }, some)).toEqual([]);
      expect(recall({ k: 1, arm }, some, { ...player, deal: 'a third' })).toHaveLength(1);
    }
    const areWanted = some.map((entry) =>
      isEntryForMoment(entry, { view, moment: 'ballot', player, settings: ExperienceSettings.parse({}) }),
    );
    expect(areWanted).toEqual([false, true]);
  });

  const alike = (night: number) =>
    Array.from({ length: 20 }, (_, index) =>
      createEntry({
        ...{ match: `t${night}${index}`, deal: `t${night}${index}`, board: 'by-hand' },
        situation: `You are [A], Villager. Day ${night}, 5 of 8 living, before the vote.`,
      }),
    );

  it('differs between deals and seats where all situations are alike, and is the same for one of them', () => {
    const some = [...alike(2), ...alike(3)];
    const find = (deal: string) => recall({ k: 3 }, some, { ...player, deal }).map(({ id }) => id);
    const found = ['x', 'y', 'z', 'u'].map((deal) => find(deal).join());
    expect(new Set(found).size).toBe(4);
    expect(find('x').join()).toBe(found[0]);
    expect(
      recall({ k: 3 }, some.toReversed(), { ...player, deal: 'x' })
        .map(({ id }) => id)
        .join(),
    ).toBe(found[0]);
  });

  it('is of the highest reward among all above the threshold under rank=reward, whatever share is to be good', () => {
    const rewarded = entries.map(({ sha256, ...entry }, at) => {
      void sha256;
      return createEntry({ ...entry, reward: [1, 995, 996, 997][at % 4]! });
    });
    const rewards = new Map(rewarded.map((entry) => [getEntryId(entry), entry.reward]));
    const recallRounds = (settings: Partial<ExperienceSettings>) =>
      createRetriever(createPool('rounds', rewarded)).recall(
        view,
        'ballot',
        player,
        ExperienceSettings.parse(settings),
      );
    const best = recallRounds({ rank: 'reward', k: 3, good: 0 });
    expect(best.map(({ id }) => rewards.get(id))).toEqual([997, 997, 997]);
    expect(recallRounds({ rank: 'reward', threshold: 1e6 })).toEqual([]);
    expect(new Set(recallRounds({ k: 6 }).map(({ id }) => rewards.get(id)))).toContain(1);
  });

  it('has one entry a deal, above the threshold, and as many good ones as asked for', () => {
    const doubled = entries.map(({ match, situation, reward }) =>
      createEntry({ match, deal: match.slice(0, 2), board: 'by-hand', situation, reward }),
    );
    for (const arm of ['pool', 'shuffled'] as const) {
      const ids = recall({ k: 6, arm }, doubled).map(({ id }) => id);
      expect(ids.length).toBeGreaterThan(3);
      const deals = ids.map((id) => doubled.find((entry) => getEntryId(entry) === id)!.deal);
      expect(new Set(deals).size).toBe(deals.length);
    }
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

  it('is ranked by the words of those entries alone that the player may get', () => {
    const foreign = Array.from({ length: 300 }, (_, index) =>
      createEntry({
        ...{ match: `f${index}`, deal: `f${index}`, board: 'by-hand', model: 'openai:gpt-4o' },
        situation: `You are [A], Villager. Day 2, 5 of 8 living. ${'Seer checked trust '.repeat(1 + (index % 9))}`,
      }),
    );
    expect(recall({ k: 5 }, [...foreign, ...entries])).toEqual(recall({ k: 5 }));
  });

  it('is named with the version of the library that is installed', () => {
    const { version } = JSON.parse(readFileSync('node_modules/minisearch/package.json', 'utf8')) as { version: string };
    expect(bm25Retriever).toBe(`pairs by bm25+ minisearch ${version}`);
  });
});

describe('what is retrieved by meaning', () => {
  /** Counts of words, used as an embedding. */
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
  /** An embedding in which all situations are equal. */
  const findAlike = (some: readonly PoolEntry[]) => {
    const vectors = { embedder: 'none', dimensions: 1, numbers: Int16Array.from(some, () => 1) };
    return createVectorRetriever(createPool('result', some), vectors).recall(
      ...([Int16Array.of(1), view, 'ballot', player, ExperienceSettings.parse({ k: 1 })] as const),
    );
  };
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

  it("is never of the player's own deal", () => {
    expect(findAlike(listPairOf(player.deal))).toEqual([]);
    expect(findAlike(listPairOf('a third'))).toHaveLength(1);
  });

  it('keeps to threshold, source and kind, and has its control', () => {
    expect(recallAlike({ threshold: 1.01 })).toEqual([]);
    expect(recallAlike({ from: 'others' })).toEqual([]);
    const [right, shuffled] = [recallAlike({ k: 4 }), recallAlike({ k: 4, arm: 'shuffled' })];
    expect(shuffled).toHaveLength(4);
    const of = (some: typeof right) => some.map(({ id }) => byId.get(id)!);
    expect(of(shuffled).map(({ reward }) => reward)).toEqual(of(right).map(({ reward }) => reward));
  });
});

describe('the shuffled control', () => {
  const anyEntry = fc.record({
    deal: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 3 }),
    living: fc.integer({ min: 4, max: 6 }),
    reward: fc.constantFrom(-0.4, 0, 0.5, 1),
    said: fc.array(fc.constantFrom(...words), { maxLength: 40 }),
  });

  it('has as many entries as the pool arm, each whole, as long, of the same reward and of other situations', () => {
    let pairs = 0;
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 60 }), fc.integer({ min: 1, max: 8 }), fc.nat(9), (made, k, seed) => {
        const some = made.map(({ deal, day, living, reward, said: heard }, index) =>
          createEntry({
            ...{ match: `m${index}`, deal: `d${deal}`, board: 'by-hand', reward },
            situation: `You are [A], Villager. Day ${day}, ${living} of 8 living. ${heard.join(' ')}`,
          }),
        );
        const known = new Map(some.map((entry) => [getEntryId(entry), entry]));
        const [right, shuffled] = (['pool', 'shuffled'] as const).map((arm) =>
          recall({ arm, k }, some, { ...player, seed }).map((told) => ({ ...told, entry: known.get(told.id)! })),
        ) as [Found[], Found[]];
        pairs += right.length;
        expect(shuffled).toHaveLength(right.length);
        expect(shuffled.map(({ entry }) => entry.reward)).toEqual(right.map(({ entry }) => entry.reward));
        for (const [at, { text, entry }] of shuffled.entries()) {
          const [tokens, wanted] = [text, right[at]!.text].map(countTokens) as [number, number];
          expect(Math.abs(tokens - wanted)).toBeLessThanOrEqual(0.1 * wanted);
          expect(text).toBe(renderEntry(entry));
          expect(text).not.toContain('Day 2, 5 of 8');
          expect(entry.deal).not.toBe(right[at]!.entry.deal);
        }
        for (const arm of [right, shuffled]) expect(new Set(arm.map(({ entry }) => entry.deal)).size).toBe(arm.length);
        const ids = [...right, ...shuffled].map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
    expect(pairs).toBeGreaterThan(10); // the number of entries is random
  });

  it('has whole ks in a pool of many deals, and is the same in whatever order the pool stands', () => {
    for (const seed of [1, 2, 3]) {
      const shuffled = recall({ arm: 'shuffled', k: 4 }, entries, { ...player, seed });
      expect(shuffled).toHaveLength(4);
      expect(recall({ arm: 'shuffled', k: 4 }, entries.toReversed(), { ...player, seed })).toEqual(shuffled);
    }
  });

  it('is nothing where no entry has a partner, and then the pool arm is nothing too', () => {
    const [one, other] = ['x', 'y'].map((deal) => createEntry({ deal, board: 'by-hand' })) as [PoolEntry, PoolEntry];
    const later = 'You are [A], Villager. Day 3, 4 of 8 living, before the vote.';
    const count = (...some: PoolEntry[]) => [recall({}, some).length, countPairedDeals(some, 3)];
    expect(count(one)).toEqual([0, 0]);
    expect(count(one, other)).toEqual([1, 0]); // "elsewhere" is a situation on day 2 with 5 living players, unlike the player's
    expect(count(one, createEntry({ deal: 'y', board: 'by-hand', situation: later }))).toEqual([1, 2]);
    expect(count(one, createEntry({ deal: 'y', board: 'by-hand', situation: later, reward: 0 }))).toEqual([0, 0]);
    expect(count(one, createEntry({ deal: 'y', board: 'by-hand', situation: `${later} ${'More. '.repeat(20)}` }))).toEqual([0, 0]); // prettier-ignore
  });
});

interface Found extends RememberedEntry {
  entry: PoolEntry;
}
