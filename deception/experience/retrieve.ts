// Retrieval: which entries of a pool fit a player's situation, a pure function of the pool, the View and the seed.
import MiniSearch from 'minisearch';
import type { ExperienceMoment, ExperienceSettings, RememberedEntry } from '../../state/experience.ts';
import { draw } from '../../state/random.ts';
import type { View } from '../../state/view.ts';
import { countTokens, renderEntry } from './entry-text.ts';
import { type Experienced, getEntryId, isFrom, isGood, type Pool, type PoolEntry } from './pool-entry.ts';
import { describeSituation } from './situation.ts';

/**
 * What finds entries: BM25+ over the words of situations, with the parameters that the library has by default; round and
 * number of the living are one word, which counts double.
 */
export const bm25Retriever = 'bm25+ minisearch 7.2.0';

/** Who is to remember, and in which match. */
export interface Rememberer extends Experienced {
  /** Of the match: nothing of the same deal is remembered. */
  deal: string;
  /** The rules as entries name them. */
  rules: string;
  /** Of the match; decides what is drawn for `shuffled`. */
  seed: number;
}

export interface Retriever {
  /** What the player of a View remembers before a decision; empty where nothing fits. */
  recall(view: View, moment: ExperienceMoment, player: Rememberer, settings: ExperienceSettings): RememberedEntry[];
}

/** The same by vectors; `situation`: that of the View, as `describeSituation` words it, by the embedder of the pool. */
export interface VectorRetriever {
  recall(situation: Int16Array, ...asked: Parameters<Retriever['recall']>): RememberedEntry[];
}

/** The meaning of each entry's situation. */
export interface PoolVectors {
  /** What made them, with its version. */
  embedder: string;
  dimensions: number;
  /** A row for each entry, in the order of the pool: numbers of a unit vector, times `vectorScale`. */
  numbers: Int16Array;
}

/** Vectors are kept as whole numbers: products of them are exact, so that the same vectors give the same scores everywhere. */
export const vectorScale = 32_767;

interface Ranked {
  entry: PoolEntry;
  score: number;
}

/** Scores are rounded, so that machines that compute logarithms otherwise in the last digit agree. */
const roundScore = (score: number) => Math.round(score * 1e6) / 1e6;

const getGroupKey = ({ role, board, rules, kind }: Pick<PoolEntry, 'role' | 'board' | 'rules'> & { kind: string }) =>
  JSON.stringify([role, board, rules, kind]);

/**
 * Makes the retriever of a pool by words in common. Indexes are made when they are first needed.
 *
 * @example
 * const { recall } = createRetriever(readPool('pool'));
 * recall(createView(game, 'Ginger'), 'ballot', player, settings).map(({ id }) => id);
 */
export function createRetriever(pool: Pool): Retriever {
  const groups = groupEntries(pool);
  const indexes = new Map<string, MiniSearch>();
  return {
    recall: (view, moment, player, settings) => {
      const key = getKeyOf(view, moment, player);
      const entries = groups.get(key);
      if (!entries) return [];
      const index = indexes.get(key) ?? createIndex(entries);
      indexes.set(key, index);
      return chooseEntries(rankByWords(entries, index, describeSituation(view, moment)), {
        ...{ pool, view, moment, player, settings },
      });
    },
  };
}

/**
 * Makes the retriever of a pool by likeness of meaning: the cosine of situations.
 *
 * @example
 * const { recall } = createVectorRetriever(pool, readVectors('pool', pool)!);
 * recall(await embed(describeSituation(view, 'ballot')), view, 'ballot', player, settings);
 */
export function createVectorRetriever(pool: Pool, { dimensions, numbers }: PoolVectors): VectorRetriever {
  const groups = groupEntries(pool);
  const rows = new Map(
    pool.entries.map((entry, at) => [entry, numbers.subarray(at * dimensions, (at + 1) * dimensions)]),
  );
  return {
    recall: (situation, view, moment, player, settings) => {
      const entries = groups.get(getKeyOf(view, moment, player)) ?? [];
      const ranked = rankEntries(entries, (entry) => computeCosine(rows.get(entry)!, situation));
      return chooseEntries(ranked, { pool, view, moment, player, settings });
    },
  };
}

const groupEntries = ({ entries }: Pool) =>
  Map.groupBy(entries, ({ moment, ...entry }) => getGroupKey({ ...entry, kind: moment.kind }));

const getKeyOf = (view: View, moment: ExperienceMoment, { rules }: Rememberer) =>
  getGroupKey({ role: view.role, board: view.board.name, rules, kind: moment });

/** −1 to 1; 0 where one of them is empty. */
function computeCosine(one: Int16Array, other: Int16Array): number {
  let [product, ofOne, ofOther] = [0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    product += one[at]! * other[at]!;
    ofOne += one[at]! ** 2;
    ofOther += other[at]! ** 2;
  }
  return product === 0 ? 0 : product / Math.sqrt(ofOne * ofOther);
}

interface Choice {
  pool: Pool;
  view: View;
  moment: ExperienceMoment;
  player: Rememberer;
  settings: ExperienceSettings;
}

/** What of all ranked entries the player is given, by the settings. */
function chooseEntries(all: readonly Ranked[], { pool, view, moment, player, settings }: Choice): RememberedEntry[] {
  const ranked = all.filter(({ entry }) => entry.deal !== player.deal && isFrom(settings.from, entry, player));
  const chosen = chooseBest(ranked, pool, settings);
  return settings.arm === 'pool' ? chosen.map(tellEntry) : drawOthers(chosen, ranked, view, moment, player);
}

/** Letters of seats and single signs say nothing of a situation. */
const processTerm = (term: string) => (term.length > 1 ? term.toLowerCase() : null);

/** How a situation begins: "Day 2, 5 of 8 living". Made one word, or its numbers would say nothing. */
const standing = /\b(Night|Day) (\d+), (\d+) of (\d+) living\b/;

const findStanding = (situation: string) => standing.exec(situation)?.slice(1).join('x') ?? '';

function createIndex(entries: readonly PoolEntry[]): MiniSearch {
  const index = new MiniSearch({
    fields: ['situation', 'standing'],
    processTerm,
    searchOptions: { boost: { standing: 2 } },
  });
  index.addAll(entries.map(({ situation }, id) => ({ id, situation, standing: findStanding(situation) })));
  return index;
}

function rankByWords(entries: readonly PoolEntry[], index: MiniSearch, situation: string): Ranked[] {
  const found = index.search(`${situation} ${findStanding(situation)}`);
  const scores = new Map(found.map(({ id, score }) => [entries[id as number]!, score]));
  return rankEntries(entries, (entry) => scores.get(entry) ?? 0);
}

/** All entries of a group, the best first, ties by hash. */
const rankEntries = (entries: readonly PoolEntry[], computeScore: (entry: PoolEntry) => number): Ranked[] =>
  entries
    .map((entry) => ({ entry, score: roundScore(computeScore(entry)) }))
    .sort((one, other) => other.score - one.score || (one.entry.sha256 < other.entry.sha256 ? -1 : 1));

/**
 * The best `k` above the threshold, at most one of a match, so many of them good as the settings say; where there are too
 * few of one kind, the other fills up.
 */
function chooseBest(ranked: readonly Ranked[], { reward }: Pool, { k, threshold, good }: ExperienceSettings): Ranked[] {
  const seen = new Set<string>();
  const fitting = ranked.filter(({ entry: { match }, score }) => {
    if (score <= 0 || score < threshold || seen.has(match)) return false;
    seen.add(match);
    return true;
  });
  const wanted = Math.round(k * good);
  const [best, worse] = [true, false].map((is) => fitting.filter(({ entry }) => isGood(entry, reward) === is)) as [
    Ranked[],
    Ranked[],
  ];
  const goodOnes = best.slice(0, Math.max(wanted, k - worse.length));
  const chosen = new Set([...goodOnes, ...worse.slice(0, k - goodOnes.length)]);
  return fitting.filter((one) => chosen.has(one));
}

const tellEntry = ({ entry }: Ranked): RememberedEntry => ({ id: getEntryId(entry), text: renderEntry(entry) });

/** Texts of the control may be so much longer or shorter than those that they stand for. */
const lengthTolerance = 0.1;

/**
 * The control: for each chosen entry another of the same role, kind and reward, of another match and of another day or
 * number of the living, drawn from the half of those as long that fits least. Where none is as long, a longer one's
 * situation is cut; where all are shorter, the longest is taken, and the next is so much longer.
 */
function drawOthers(
  chosen: readonly Ranked[],
  ranked: readonly Ranked[],
  view: View,
  moment: ExperienceMoment,
  { seed }: Rememberer,
): RememberedEntry[] {
  const matches = new Set(chosen.map(({ entry }) => entry.match));
  const here = findStanding(describeSituation(view, moment));
  const random = draw(seed, 'shuffled', view.round, moment, view.me);
  const lengths = new Map(chosen.map((one) => [one, countTokens(renderEntry(one.entry))]));
  const told = new Map<Ranked, RememberedEntry>();
  let missing = 0; // tokens by which texts so far are too short: the longest come first, so that shorter ones make up for it
  for (const one of chosen.toSorted((first, second) => lengths.get(second)! - lengths.get(first)!)) {
    const { entry } = one;
    const length = lengths.get(one)! + missing;
    const open = ranked.filter((other) => !matches.has(other.entry.match));
    const others = keepIfAny(open, (other) => findStanding(other.entry.situation) !== here);
    const candidates = keepIfAny(others, (other) => other.entry.reward === entry.reward).map(({ entry: other }) => ({
      ...{ entry: other, told: renderEntry(other), tokens: countTokens(renderEntry(other)) },
    }));
    if (candidates.length === 0) continue;
    const alike = candidates.filter(({ tokens }) => Math.abs(tokens - length) <= lengthTolerance * length);
    const longer = candidates.filter(({ tokens }) => tokens > length);
    const longest = candidates.reduce((most, other) => (other.tokens > most.tokens ? other : most));
    const taken =
      alike.length > 0
        ? random.pick(alike.slice(Math.floor(alike.length / 2)))
        : random.pick(longer.length > 0 ? longer : [longest]);
    matches.add(taken.entry.match);
    missing = alike.length + longer.length > 0 ? 0 : length - taken.tokens;
    told.set(one, {
      id: getEntryId(taken.entry),
      text: alike.length > 0 ? taken.told : shortenEntry(taken.entry, length),
    });
  }
  return chosen.flatMap((one) => told.get(one) ?? []);
}

/** Those that are so, or all where none is. */
const keepIfAny = (some: readonly Ranked[], isSo: (one: Ranked) => boolean): readonly Ranked[] => {
  const kept = some.filter(isSo);
  return kept.length > 0 ? kept : some;
};

/** The text of an entry with at most so many tokens: its situation is cut, what was done and came of it stands. */
function shortenEntry(entry: PoolEntry, tokens: number): string {
  const rest = renderEntry({ ...entry, situation: '' }).length;
  const situation = cutText(entry.situation, Math.max(0, tokens * 4 - rest));
  return cutText(renderEntry({ ...entry, situation }), tokens * 4);
}

/** The beginning of a text, up to a word's end. */
const cutText = (text: string, characters: number) =>
  text.length <= characters ? text : `${text.slice(0, Math.max(0, text.lastIndexOf(' ', characters - 2)))} …`;
