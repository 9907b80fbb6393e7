// Retrieval: finds the entries of a pool that fit a player's situation. The result depends only on pool, View and seed.
// An entry can be found only if it has a partner for the control arm, so that both arms get equal numbers of entries
// with equal rewards and lengths.
import MiniSearch from 'minisearch';
import type {
  ExperienceMoment,
  ExperienceSettings,
  ExperienceSource,
  RememberedEntry,
} from '../../state/experience-setup.ts';
import { addPresetVersion } from '../../state/presets.ts';
import { draw } from '../../state/random.ts';
import type { View } from '../../state/view.ts';
import { countTokens, renderEntry } from './entry-text.ts';
import { type Experienced, getEntryId, isFromSource, isGoodEntry, type Pool, type PoolEntry } from './pool-entry.ts';
import { getSeatLetter } from './seat-letters.ts';
import { describeSituation } from './situation.ts';
import { hashText } from '../../state/hash-text.ts';

/**
 * Name of the retrieval method: BM25+ over the words of situations, with the library's default parameters. Round and
 * number of living players form one word, which counts double. "Pairs" means that each entry is found with its partner.
 */
export const bm25Retriever = 'pairs by bm25+ minisearch 7.2.0';

/** The player who remembers, with the facts about the match that decide which entries the player can get. */
export interface RememberingPlayer extends Experienced {
  /** Deal of the match. Entries of the same deal are never given. */
  deal: string;
  /** Rules of the match, as stored in entries. */
  rules: string;
  /** Seed of the match. It decides which entries the arm `shuffled` draws. */
  seed: number;
}

export interface Retriever {
  /**
   * Finds the entries that fit a View before a decision, best first, with their partners for the control arm. The list
   * is empty if no entry fits.
   */
  find(view: View, moment: ExperienceMoment, player: RememberingPlayer, settings: ExperienceSettings): FoundPair[];
  /** Returns the entries that the View's owner remembers before a decision. The list is empty if no entry fits. */
  recall(...asked: Parameters<Retriever['find']>): RememberedEntry[];
}

/**
 * A retriever that compares vectors. `situation`: vector of the View's situation (`describeSituation`), computed by the
 * pool's embedder.
 */
export interface VectorRetriever {
  find(situation: Int16Array, ...asked: Parameters<Retriever['find']>): FoundPair[];
  recall(situation: Int16Array, ...asked: Parameters<Retriever['find']>): RememberedEntry[];
}

/** An entry that fits the situation, and the entry that replaces it in the control arm. */
export interface FoundPair {
  entry: PoolEntry;
  /** Score of the entry. */
  score: number;
  partner: PoolEntry;
}

/** Vectors that represent the meaning of each entry's situation. */
export interface PoolVectors {
  /** Name and version of the embedder that made the vectors. */
  embedder: string;
  dimensions: number;
  /**
   * Rows of vectors, one for each entry in the pool's order. Each row holds the components of a unit vector, times
   * `vectorScale`.
   */
  numbers: Int16Array;
}

/**
 * Factor by which components are multiplied. Vectors are stored as integers, so that dot products are exact and scores
 * are equal on all machines.
 */
export const vectorScale = 32_767;

interface Ranked {
  entry: PoolEntry;
  score: number;
}

/** Rounds scores, because the last digit of logarithms differs between machines. */
const roundScore = (score: number) => Math.round(score * 1e6) / 1e6;

const getGroupKey = ({ board, rules, kind }: Pick<PoolEntry, 'board' | 'rules'> & { kind: string }) =>
  JSON.stringify([board, rules, kind]);

/**
 * Creates a retriever that finds a pool's entries by the words that they share with a situation. Indexes are built at
 * first use.
 *
 * @example
 * const { recall } = createRetriever(readPool('pool'));
 * recall(createView(game, 'Ginger'), 'ballot', player, settings).map(({ id }) => id);
 */
export function createRetriever(pool: Pool): Retriever {
  const findCandidates = createCandidateFinder(pool);
  const find: Retriever['find'] = (view, moment, player, settings) => {
    const candidates = findCandidates({ view, moment, player, settings });
    if (candidates.entries.length === 0) return [];
    candidates.index ??= createIndex(candidates.entries);
    const scores = scoreByWords(candidates.entries, candidates.index, describeSituation(view, moment));
    return choosePairs(candidates.entries, scores, { pool, view, moment, player, settings });
  };
  return { find, recall: (...asked) => takeArm(find(...asked), asked[3]) };
}

/**
 * Creates a retriever that finds a pool's entries by the similarity of their meaning to a situation: the cosine between
 * vectors.
 *
 * @example
 * const { recall } = createVectorRetriever(pool, readVectors('pool', pool)!);
 * recall(await embed(describeSituation(view, 'ballot')), view, 'ballot', player, settings);
 */
export function createVectorRetriever(pool: Pool, { dimensions, numbers }: PoolVectors): VectorRetriever {
  const findCandidates = createCandidateFinder(pool);
  const rows = new Map(
    pool.entries.map((entry, at) => [entry, numbers.subarray(at * dimensions, (at + 1) * dimensions)]),
  );
  const find: VectorRetriever['find'] = (situation, view, moment, player, settings) => {
    const { entries } = findCandidates({ view, moment, player, settings });
    const scores = new Map(entries.map((entry) => [entry, computeCosine(rows.get(entry)!, situation)]));
    return choosePairs(entries, scores, { pool, view, moment, player, settings });
  };
  return { find, recall: (...asked) => takeArm(find(...asked), asked[4]) };
}

/**
 * Entries that a player could get before a decision of this kind, whatever the situation. Word statistics are computed
 * over these entries only.
 */
interface Candidates {
  entries: readonly PoolEntry[];
  index?: MiniSearch;
}

/**
 * Maximum number of cached candidate lists. There is one list for each seat of the running matches and each kind of
 * decision.
 */
const keptCandidates = 128;

/** A decision before which a player remembers earlier matches. */
interface AskedDecision {
  view: View;
  moment: ExperienceMoment;
  player: RememberingPlayer;
  settings: Pick<ExperienceSettings, 'role' | 'seat'>;
}

/**
 * Whether an entry can be given before this decision: it has the same board, rules and kind of decision, a role and
 * seat that the settings allow, and another deal.
 */
export const isEntryForMoment = (entry: PoolEntry, asked: AskedDecision): boolean =>
  getEntryGroup(entry) === getAskedGroup(asked) && isOfAskedSeat(entry, asked) && entry.deal !== asked.player.deal;

const isOfAskedSeat = (entry: PoolEntry, { view: { me, role, players }, settings }: AskedDecision) =>
  isWantedSeat(entry, { role, place: players.indexOf(me) }, settings);

/**
 * Whether the settings let a player with this role and seat (`place`, from 0) remember the entry, given the entry's
 * role and seat.
 */
export const isWantedSeat = (
  entry: Pick<PoolEntry, 'role' | 'seat'>,
  { role, place }: { role: string; place: number },
  settings: AskedDecision['settings'],
): boolean =>
  (settings.role === 'any' || entry.role === role) && (settings.seat === 'any' || entry.seat === getSeatLetter(place));

const getEntryGroup = ({ board, rules, moment }: PoolEntry) =>
  getGroupKey({ board, rules: addPresetVersion(rules), kind: moment.kind });
const getAskedGroup = ({ view, moment, player: { rules } }: AskedDecision) =>
  getGroupKey({ board: view.board.name, rules, kind: moment });

/**
 * Finds the entries with the same board, rules and kind of decision, from the wanted source, role and seat, and from
 * other deals.
 */
function createCandidateFinder({ entries }: Pool) {
  const groups = Map.groupBy(entries, getEntryGroup);
  const deals = new Set(entries.map(({ deal }) => deal));
  const found = new Map<string, Candidates>();
  return (asked: AskedDecision & { settings: { from: ExperienceSource } }): Candidates => {
    const { view, player, settings } = asked;
    const { model, entrant, tournament, deal } = player;
    const { from, role, seat } = settings;
    const group = getAskedGroup(asked);
    const whose = [
      from === 'any' ? from : [from, model, entrant, tournament],
      role === 'any' ? role : [role, view.role],
      seat === 'any' ? seat : [seat, view.players.indexOf(view.me)],
    ];
    const key = JSON.stringify([group, whose, deals.has(deal) ? deal : null]);
    const known = found.get(key);
    if (known) return known;
    const candidates: Candidates = {
      entries: (groups.get(group) ?? []).filter(
        (entry) => entry.deal !== deal && isOfAskedSeat(entry, asked) && isFromSource(from, entry, player),
      ),
    };
    if (found.size >= keptCandidates) found.delete(found.keys().next().value!);
    found.set(key, candidates);
    return candidates;
  };
}

/** Returns the cosine, −1 to 1; 0 if one vector is zero. */
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
  player: RememberingPlayer;
  settings: ExperienceSettings;
}

/**
 * Returns the lower-case word, or null for a single character, such as a seat letter, which says nothing about a
 * situation.
 */
const processTerm = (term: string) => (term.length > 1 ? term.toLowerCase() : null);

/**
 * Pattern of the start of a situation: "Day 2, 5 of 8 living". It becomes one word, because separate numbers would
 * carry no meaning.
 */
const standing = /\b(Night|Day) (\d+), (\d+) of (\d+) living\b/;

const findStanding = (situation: string) => standing.exec(situation)?.slice(1).join('x') ?? '';

/** Returns the word that replaces a match of `standing`, for the situation of a View. */
const describeStanding = ({ phase, round, alive, players }: View) =>
  [phase === 'night' ? 'Night' : 'Day', round, alive.length, players.length].join('x');

function createIndex(entries: readonly PoolEntry[]): MiniSearch {
  const index = new MiniSearch({
    fields: ['situation', 'standing'],
    processTerm,
    searchOptions: { boost: { standing: 2 } },
  });
  index.addAll(entries.map(({ situation }, id) => ({ id, situation, standing: findStanding(situation) })));
  return index;
}

function scoreByWords(entries: readonly PoolEntry[], index: MiniSearch, situation: string): Map<PoolEntry, number> {
  const found = index.search(`${situation} ${findStanding(situation)}`);
  return new Map(found.map(({ id, score }) => [entries[id as number]!, score]));
}

/** Selects from each pair the entry that the player's arm gets. */
const takeArm = (pairs: readonly FoundPair[], { arm }: ExperienceSettings): RememberedEntry[] =>
  pairs
    .map(({ entry, partner }) => (arm === 'pool' ? entry : partner))
    .map((entry) => ({ id: getEntryId(entry), text: renderEntry(entry) }));

/**
 * Ranks entries, best first. Ties are broken at random, with a different draw for each deal and seat. Otherwise
 * everybody would get the same entries when all situations are alike, as in the first night.
 */
function rankEntries(
  entries: readonly PoolEntry[],
  scores: ReadonlyMap<PoolEntry, number>,
  { view, player: { deal } }: Choice,
): Ranked[] {
  const seat = view.players.indexOf(view.me);
  const draws = new Map<PoolEntry, string>();
  const drawTie = (entry: PoolEntry) => {
    const known = draws.get(entry) ?? hashText(JSON.stringify([entry.sha256, deal, seat]));
    draws.set(entry, known);
    return known;
  };
  return entries
    .map((entry) => ({ entry, score: roundScore(scores.get(entry) ?? 0) }))
    .sort((one, other) => other.score - one.score || (drawTie(one.entry) < drawTie(other.entry) ? -1 : 1));
}

/** Maximum relative difference in length between an entry and its partner. */
const lengthTolerance = 0.1;

interface Traits {
  tokens: number;
  standing: string;
}

const traits = new WeakMap<PoolEntry, Traits>();

function findTraits(entry: PoolEntry): Traits {
  const known = traits.get(entry) ?? {
    ...{ tokens: countTokens(renderEntry(entry)), standing: findStanding(entry.situation) },
  };
  traits.set(entry, known);
  return known;
}

/** Returns whether one entry can replace the other in the control arm, for any player. */
function isPartner(entry: PoolEntry, other: PoolEntry): boolean {
  const { tokens } = findTraits(entry);
  return (
    other.role === entry.role &&
    other.reward === entry.reward &&
    other.deal !== entry.deal &&
    Math.abs(findTraits(other).tokens - tokens) <= lengthTolerance * tokens
  );
}

/**
 * Chooses the best `k` pairs above the threshold, each from a different deal. The settings say how many of the entries
 * are good ones; if there are too few of one kind, the other kind fills the gap. Under `rank: reward` the entries with
 * the highest rewards come first, good or not. A partner has the same reward and length, comes from another deal, and
 * differs in day or number of living players from the player's situation. The partner is drawn by the seed from the
 * half of such entries that fit worst.
 */
function choosePairs(
  entries: readonly PoolEntry[],
  scores: ReadonlyMap<PoolEntry, number>,
  choice: Choice,
): FoundPair[] {
  const { pool, view, moment, player, settings } = choice;
  const ranked = rankEntries(entries, scores, choice);
  const { k, threshold, good, rank } = settings;
  const inOrder = rank === 'likeness' ? ranked : ranked.toSorted((one, other) => other.entry.reward - one.entry.reward);
  const here = describeStanding(view);
  const elsewhere = Map.groupBy(
    ranked.map(({ entry }) => entry).filter((entry) => findTraits(entry).standing !== here),
    ({ reward }) => reward,
  );
  const pairs = new Map<PoolEntry, PoolEntry>();
  const taken = new Set<PoolEntry>(); // in both arms
  const alone = new Set<PoolEntry>();
  const dealsOf = { entries: new Set<string>(), partners: new Set<string>() };
  const drawPartner = (entry: PoolEntry): PoolEntry | null => {
    const others = (elsewhere.get(entry.reward) ?? []).filter(
      (other) => !taken.has(other) && !dealsOf.partners.has(other.deal) && isPartner(entry, other),
    );
    if (others.length === 0) return null;
    const random = draw(player.seed, 'shuffled', view.round, moment, view.me, entry.sha256);
    return random.pick(others.slice(Math.floor(others.length / 2)));
  };
  const wantedGood = Math.round(k * good);
  const count = (isSo: boolean) => [...pairs.keys()].filter((entry) => isGoodEntry(entry, pool.reward) === isSo).length;
  const isWanted = (entry: PoolEntry) => {
    const isSo = isGoodEntry(entry, pool.reward);
    return count(isSo) < (isSo ? wantedGood : k - wantedGood);
  };
  const fill = (isSought: (entry: PoolEntry) => boolean) => {
    for (const { entry, score } of inOrder) {
      if (pairs.size === k) return;
      if (score <= 0 || score < threshold) continue;
      if (taken.has(entry) || alone.has(entry) || dealsOf.entries.has(entry.deal) || !isSought(entry)) continue;
      const partner = drawPartner(entry);
      if (partner === null) {
        alone.add(entry);
        continue;
      }
      pairs.set(entry, partner);
      for (const one of [entry, partner]) taken.add(one);
      dealsOf.entries.add(entry.deal);
      dealsOf.partners.add(partner.deal);
    }
  };
  if (rank === 'likeness') fill(isWanted);
  fill(() => true);
  return inOrder.flatMap(({ entry, score }) =>
    pairs.has(entry) ? [{ entry, score, partner: pairs.get(entry)! }] : [],
  );
}

/**
 * Counts the deals, up to `most`, with at least one entry that has a control partner. The entries must share board,
 * rules, source and kind of decision. No player can get more entries than this before one decision.
 *
 * @example countPairedDeals(pool.entries.filter(({ role }) => role === 'Seer'), 3) // 3
 */
export function countPairedDeals(entries: readonly PoolEntry[], most: number): number {
  const rewards = Map.groupBy(entries, ({ reward }) => reward);
  const deals = new Set<string>();
  for (const entry of entries) {
    if (deals.size === most) break;
    if (deals.has(entry.deal)) continue;
    const { standing: here } = findTraits(entry);
    const others = rewards.get(entry.reward)!;
    if (others.some((other) => findTraits(other).standing !== here && isPartner(entry, other))) deals.add(entry.deal);
  }
  return deals.size;
}
