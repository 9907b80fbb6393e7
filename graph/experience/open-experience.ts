// Opens a pool for a match: decides which players have experience and with which settings, and checks that no deal of
// the pool is played again.
import path from 'node:path';
import {
  createPool,
  describeDeal,
  describePoolRules,
  isFromSource,
  listPoolDeals,
  type Pool,
} from '../../deception/experience/pool-entry.ts';
import {
  bm25Retriever,
  countPairedDeals,
  createRetriever,
  createVectorRetriever,
  type FoundPair,
  isEntryForMoment,
  isWantedSeat,
  type Retriever,
  type VectorRetriever,
} from '../../deception/experience/retrieve.ts';
import { renderSampleEntry } from '../../deception/experience/sample-entry.ts';
import { resolveSeatReference } from '../../deception/experience/seat-references.ts';
import { describeSituation, selectMeaning } from '../../deception/experience/situation.ts';
import type { Environment } from '../../models/model.ts';
import type { RecallExperience } from '../../models/model-client.ts';
import { dropUndefined } from '../../models/model-options.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { hashExperienceWording } from '../../prompts/remembered.ts';
import {
  type ExperienceMethod,
  type ExperienceMoment,
  type ExperienceRetriever,
  type ExperienceReward,
  ExperienceSettings,
  type ExperienceSetup,
  type RememberedEntry,
} from '../../state/experience-setup.ts';
import { formatCommand } from '../../state/command-name.ts';
import type { Setup } from '../../state/game.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import { addPresetVersion } from '../../state/presets.ts';
import { roles } from '../../state/roles/index.ts';
import { Team } from '../../state/teams.ts';
import { UsageError } from '../../state/usage-error.ts';
import { mapToDealtNames } from '../../state/variants.ts';
import type { View } from '../../state/view.ts';
import { type Embedder, type EmbedderChoice, openEmbedder } from './embedder.ts';
import { poolFiles, readPool, readVectors, vectorFiles } from './pool-folder.ts';

type TypedSettings = { [Name in keyof ExperienceSettings]?: Readonly<ExperienceSettings[Name]> | undefined };

/** A user's settings of experience. All have defaults. */
export interface ExperiencePlan extends TypedSettings {
  /** A pool, or its folder. Absent if a match is resumed from its record alone. */
  pool?: string | Pool | undefined;
  /** The hash that the pool must have. Default: any. */
  sha256?: string | undefined;
  /** Players who are given experiences, by name, role, side, model or entrant. Default: all players. */
  seats?: readonly string[] | undefined;
  /**
   * Names of models and entrants in other matches of the set. If `seats` names only such models or entrants, nobody in
   * this match is given experiences.
   */
  elsewhere?: readonly string[] | undefined;
  /** Method that finds entries. Default: `bm25`. */
  retriever?: ExperienceRetriever | undefined;
  /** The embedding model, as a model string of an OpenAI-compatible server. Default: the packaged one. */
  embedder?: string | undefined;
  /** Pool and settings in the record of a resumed match. */
  recorded?: ExperienceSetup | undefined;
  /**
   * Number of deals per block of a growing pool. A growing pool skips entries of the deal that is played; a fixed pool
   * with such entries is refused. The growing pool may be empty or absent at the start.
   */
  grow?: number | undefined;
  /** Initial pool of a growing pool. */
  grownFrom?: string | Pool | undefined;
  /** Criterion for a good entry. Default: the criterion of the given pool, or `result` without a pool. */
  reward?: ExperienceReward | undefined;
  /** Method of a published paper, which sets the defaults of the other settings. */
  method?: ExperienceMethod | undefined;
}

/**
 * Settings of published methods. Single options override them. WereWolf-Plus (section 3.1) retrieves only before the
 * vote: the entries with the highest reward, if their similarity is above 0.5. ELLM, according to its code, retrieves
 * before every decision: the most similar entries, if their similarity is above 0.85: five from won matches and one
 * from another match.
 */
const methods: Readonly<Record<ExperienceMethod, Partial<ExperiencePlan>>> = {
  'paper-plus': { moments: ['ballot'], rank: 'reward', threshold: 0.5, retriever: 'embedding' },
  'paper-ellm': { k: 6, good: 5 / 6, from: 'any', threshold: 0.85, retriever: 'embedding' },
};

/** Players of a match, with the properties that decide which entries a player may be given. */
interface SeatedTable {
  /** Environment variables, which include the keys of an embedding model. */
  env: Environment;
  setup: Setup;
  /** Player → identity of the model. */
  models: Readonly<Record<string, string>>;
  /** Player → entrant, in a tournament. */
  entrants?: Readonly<Record<string, string>> | undefined;
  /** Hash of the tournament's plan. */
  tournament?: string | undefined;
}

export interface OpenedExperience {
  setup: ExperienceSetup;
  /**
   * Full names that the user's `seats` refer to. Absent if all players are given experiences, or if the record
   * determines the players.
   */
  named?: readonly string[] | undefined;
  /** Hash of the pool that a growing pool started with. */
  grownFrom?: string | undefined;
  /** Retrieves entries. Undefined without a pool; only the experiences in the record are then available. */
  recall: RecallExperience | undefined;
  /**
   * Retrieves entries synchronously, for estimates. It always compares words, even if the match uses another method.
   */
  recallQuickly?: RecallExperience | undefined;
}

/**
 * Opens the experience of a match. Null if nobody in this match of a tournament is given experiences. Throws a
 * UsageError if `seats` names nobody. Also throws one if the pool is invalid, contains the deal of this match, differs
 * from the pool of the resumed record, or needs another retriever. Throws a RecordError if the pool was edited.
 */
export function openExperience(plan: ExperiencePlan, table: SeatedTable): OpenedExperience | null {
  const { method, ...asked } = plan;
  const { sha256, recorded, seats, grow, reward, ...others } = {
    ...(method && methods[method]),
    ...dropUndefined(asked),
  };
  const { retriever: wanted, embedder, elsewhere = [], grownFrom, ...typed } = others;
  const choice = { embedder, env: table.env };
  const isGrowing = grow !== undefined;
  const named = plan.pool ?? (isGrowing && !recorded ? createPool(reward ?? 'result', []) : undefined);
  if (named === undefined) {
    if (recorded) return { setup: recorded, recall: undefined };
    throw new UsageError(`experience names no pool. Give the folder that ${formatCommand('pool', 'build')} wrote.`);
  }
  const opening = openPool(named);
  const { pool } = opening;
  if (sha256 !== undefined && !isGrowing && pool.sha256 !== sha256)
    throw new UsageError(
      `${describeSource(named)} has the SHA-256 ${pool.sha256}, but the plan names ${sha256}. Restore the pool, or choose another name for the tournament.`,
    );
  if (reward !== undefined && reward !== pool.reward)
    throw new UsageError(
      `${describeSource(named)} has the reward ${pool.reward}, but reward: ${reward} was given. Leave reward out, or build a pool with --reward ${reward}.`,
    );
  if (recorded && seats === undefined && Object.keys(typed).every((name) => name === 'pool')) {
    const found = chooseRetriever(opening, getRetrieverKind(recorded.retriever), { named, ...choice });
    if (recorded.retriever !== found.name)
      throw new UsageError(
        `This match began with the retriever ${recorded.retriever}. This version’s retriever, ${found.name}, would find other entries. Resume with the version named in the manifest, or choose another --id.`,
      );
    if (pool.sha256 !== recorded.pool)
      throw new UsageError(
        `${describeSource(named)} is not the pool with which this match began: its SHA-256 is ${pool.sha256}, but the original pool has ${recorded.pool}. Give the original pool, or choose another --id.`,
      );
    return { setup: recorded, ...createRecalls(opening, found.retriever, selectSettings(recorded), table) };
  }
  const settings = ExperienceSettings.parse({
    ...(recorded && selectSettings(recorded)),
    ...dropUndefined({ ...typed, pool: undefined }),
  });
  const selected = selectSeats(seats, table, elsewhere);
  const chosen = seats === undefined && recorded ? recorded.seats : selected.players;
  if (chosen.length === 0) return null;
  if (!isGrowing) {
    checkDeals(named, pool, [describeDeal(table.setup)]);
    checkEntries(named, pool, settings, chosen, table);
  }
  if (isGrowing && wanted === 'embedding')
    throw new UsageError(
      'A growing pool can only be searched by bm25. Leave out retriever: embedding, or leave out grow.',
    );
  const found = chooseRetriever(opening, wanted ?? 'bm25', { named, ...choice });
  const setup: ExperienceSetup = {
    ...{ pool: pool.sha256, retriever: found.name, reward: pool.reward },
    ...settings,
    ...{ wording: hashExperienceWording(renderSampleEntry()), seats: [...chosen] },
  };
  const began = grownFrom === undefined ? {} : { grownFrom: openPool(grownFrom).pool.sha256 };
  return { setup, ...began, named: selected.named, ...createRecalls(opening, found.retriever, settings, table) };
}

/** Prefix of the names of retrievers that use embeddings. */
const embedded = 'pairs by cosine of ';

/** Returns the method of the retriever that has this name in a manifest. */
export const getRetrieverKind = (name: string): ExperienceRetriever =>
  name.startsWith(embedded) ? 'embedding' : 'bm25';

/**
 * Returns the entries of a pool that the owner of a View would be given. Each has its score and its partner for the
 * control arm. Throws a UsageError if the pool is invalid or was not embedded, and a RecordError if it was edited.
 *
 * @example await findExperiences('pool', table, { view, moment: 'ballot', settings, retriever: 'bm25' })
 */
export async function findExperiences(
  folder: string,
  table: SeatedTable,
  asked: {
    view: View;
    moment: ExperienceMoment;
    settings: ExperienceSettings;
    retriever: ExperienceRetriever;
    embedder?: string | undefined;
  },
): Promise<{ pairs: FoundPair[]; retriever: string; all: number; ofKind: number; ofSource: number }> {
  const { view, moment, settings, embedder } = asked;
  const opening = openPool(folder);
  const { name, retriever } = chooseRetriever(opening, asked.retriever, { named: folder, embedder, env: table.env });
  const player = { ...identifyRememberingPlayer(view.me, table), ...describeMatch(table) };
  const { entries } = opening.pool;
  const ofKind = entries.filter((entry) => isEntryForMoment(entry, { view, moment, player, settings }));
  return {
    ...{ pairs: await retriever.find(view, moment, player, settings), retriever: name },
    ...{ all: entries.length, ofKind: ofKind.length },
    ofSource: ofKind.filter((entry) => isFromSource(settings.from, entry, player)).length,
  };
}

const describeMatch = ({ setup }: SeatedTable) => ({
  ...{ deal: describeDeal(setup), rules: describePoolRules(setup), seed: setup.seed },
});

/** A retriever whose results may be promises, because it may have to wait for an embedder. */
interface AnyRetriever {
  find: (...asked: Parameters<Retriever['find']>) => FoundPair[] | Promise<FoundPair[]>;
  recall: (...asked: Parameters<Retriever['find']>) => RememberedEntry[] | Promise<RememberedEntry[]>;
}

interface NamedRetriever {
  /** Name of the retriever in manifests. */
  name: string;
  retriever: AnyRetriever;
}

/**
 * Chooses the retriever. Throws a UsageError if the pool was not embedded, or was embedded by another embedder than the
 * installed one.
 */
function chooseRetriever(
  opening: OpenedPool,
  wanted: ExperienceRetriever,
  { named, ...choice }: EmbedderChoice & { named: string | Pool },
): NamedRetriever {
  const { pool, retriever } = opening;
  if (wanted === 'bm25') return { name: bm25Retriever, retriever };
  const known = opening.byMeaning.get(choice.embedder ?? '');
  if (known) return known;
  const source = describeSource(named);
  const cure = formatCommand('pool', 'embed', typeof named === 'string' ? named : 'POOL');
  const vectors = typeof named === 'string' ? readVectors(named, pool) : null;
  if (vectors === null)
    throw new UsageError(`${source} has no embeddings, but retriever: embedding needs them. Run ${cure}.`);
  const embedder = openEmbedder(choice);
  if (vectors.embedder !== embedder.name)
    throw new UsageError(
      `${source} was embedded by ${vectors.embedder}, but the embedder here is ${embedder.name}: their vectors are not comparable. Give that model as experience: { embedder: MODEL } or install those versions, or delete ${vectorFiles.record} there and run ${cure}.`,
    );
  const byMeaning = {
    name: `${embedded}${embedder.name}`,
    retriever: createEmbeddingRetriever(createVectorRetriever(pool, vectors), embedder),
  };
  opening.byMeaning.set(choice.embedder ?? '', byMeaning);
  return byMeaning;
}

/** Selects the fields of `ExperienceSettings` from an object that may have more fields. */
export const selectSettings = (from: ExperienceSettings): ExperienceSettings => {
  const { arm, k, threshold, good, from: source, role, seat, rank, moments } = from;
  return { arm, k, threshold, good, from: source, role, seat, rank, moments };
};

const describeSource = (named: string | Pool) => (typeof named === 'string' ? named : 'The pool');

const createEmbeddingRetriever = (retriever: VectorRetriever, { embed }: Embedder): AnyRetriever => ({
  find: async (view, moment, ...others) =>
    retriever.find(await embed(selectMeaning(describeSituation(view, moment))), view, moment, ...others),
  recall: async (view, moment, ...others) =>
    retriever.recall(await embed(selectMeaning(describeSituation(view, moment))), view, moment, ...others),
});

interface OpenedPool {
  pool: Pool;
  /** Retriever that compares words. */
  retriever: Retriever;
  /** Retrievers by embedding model. Each is created when it is first used. */
  byMeaning: Map<string, NamedRetriever>;
}

const createOpenedPool = (pool: Pool): OpenedPool => ({
  ...{ pool, retriever: createRetriever(pool), byMeaning: new Map() },
});

/** Opened pools, by folder and state of its files, so that all matches of a set share one copy in memory. */
const opened = new Map<string, OpenedPool>();
/** Number of pools to keep open. Matches of several arms alternate, and each arm may have its own pool. */
const keptPools = 8;

const made = new WeakMap<Pool, OpenedPool>();

/** Opens a pool. Its files are read again only if they have changed. Throws like `readPool`. */
export function openPool(named: string | Pool): OpenedPool {
  if (typeof named !== 'string') {
    const found = made.get(named) ?? createOpenedPool(named);
    made.set(named, found);
    return found;
  }
  const files = [...Object.values(poolFiles), ...Object.values(vectorFiles)];
  const states = files.map((name) => getDisk().find(path.join(named, name)));
  const key = JSON.stringify([path.resolve(named), states]);
  const known = opened.get(key);
  if (known) return known;
  const found = createOpenedPool(readPool(named));
  if (opened.size >= keptPools) opened.delete(opened.keys().next().value!);
  opened.set(key, found);
  return found;
}

/** Throws a UsageError that lists the planned deals that occur in a pool. */
function checkDeals(named: string | Pool, pool: Pool, deals: readonly string[]): void {
  const hashOf = (deal: string) => deal.slice(deal.lastIndexOf('-') + 1);
  const known = new Map(listPoolDeals(pool.entries).map((deal) => [hashOf(deal), deal]));
  const common = deals.filter((deal) => known.has(hashOf(deal)));
  if (common.length === 0) return;
  const shown = common.slice(0, maxListed).join(', ');
  throw new UsageError(
    `${describeSource(named)} has experiences of deals that are to be played: ${shown}${common.length > maxListed ? ` and ${common.length - maxListed} more` : ''}. A player would remember who had which role. Choose another --seed for other deals.`,
  );
}

const maxListed = 10;

/** Checks all deals of a set together, before the first match is played. */
export function checkPlannedDeals({ pool, grow }: ExperiencePlan, setups: readonly Setup[]): void {
  if (pool !== undefined && grow === undefined)
    checkDeals(pool, openPool(pool).pool, [...new Set(setups.map(describeDeal))]);
}

/**
 * Returns the players that `words` name, in seat order, and the full names that the words refer to. Throws a UsageError
 * for an unknown word. Also throws one if the words name nobody in this match and nobody in other matches of the set.
 */
function selectSeats(
  words: readonly string[] | undefined,
  { setup, models, entrants }: SeatedTable,
  elsewhere: readonly string[],
): { players: string[]; named?: string[] } {
  if (words === undefined) return { players: setup.players.map(({ name }) => name) };
  const dealtNames = mapToDealtNames(setup);
  const listCalled = ({ name, role, team }: Setup['players'][number]) => [
    ...[dealtNames.get(name)!, role, team, models[name]!, getModelLabel(models[name]!)],
    ...(entrants?.[name] === undefined ? [] : [entrants[name]]),
  ];
  const known = [...setup.players.flatMap(listCalled), ...roles.keys(), ...Team.options, ...elsewhere];
  const meant = words.map((word) => resolveSeatReference(word, known));
  const unknown = words.find((_, at) => meant[at] === null);
  const chosen = setup.players.filter((player) => listCalled(player).some((name) => meant.includes(name)));
  const isMissing = chosen.length === 0 && !elsewhere.some((name) => meant.includes(name));
  if (unknown !== undefined || isMissing)
    throw new UsageError(
      `${unknown ?? words.join(', ')} should remember earlier matches, but no player of this match has that name. Known names: ${[...new Set(setup.players.flatMap(listCalled))].join(', ')}.`,
    );
  return { players: chosen.map(({ name }) => name), named: meant.map((name) => name!) };
}

/** Throws a UsageError for a pool from which no player with experience could get an entry. */
function checkEntries(
  named: string | Pool,
  { entries }: Pool,
  settings: ExperienceSettings,
  chosen: readonly string[],
  table: SeatedTable,
): void {
  const { from, k, moments } = settings;
  const { setup } = table;
  const rules = describePoolRules(setup);
  const ofGround = entries.filter(
    (entry) => entry.board === setup.board.name && addPresetVersion(entry.rules) === rules,
  );
  if (ofGround.length === 0)
    throw new UsageError(
      `${describeSource(named)} has no entry of board ${setup.board.name} under ${rules}. It has: ${[...new Set(entries.map((entry) => `${entry.board} under ${entry.rules}`))].join('; ') || 'nothing'}.`,
    );
  const open = chosen.map((name) => {
    const place = setup.players.findIndex((player) => player.name === name);
    const { role } = setup.players[place]!;
    return ofGround.filter(
      (entry) =>
        isWantedSeat(entry, { role, place }, settings) &&
        moments.includes(entry.moment.kind) &&
        isFromSource(from, entry, identifyRememberingPlayer(name, table)),
    );
  });
  if (open.every((some) => some.length === 0))
    throw new UsageError(
      `${describeSource(named)} has no entries for the players that use experience. With "from: ${from}", entries must come from ${from === 'own' ? 'their own model' : 'other models'}. Its models: ${[...new Set(entries.map(({ model }) => model))].join(', ')}. Build a pool from matches of those models, or set "from: any".`,
    );
  const groups = open.flatMap((some) => [...Map.groupBy(some, ({ moment }) => moment.kind).values()]);
  const most = groups.reduce((highest, some) => (highest === k ? k : Math.max(highest, countPairedDeals(some, k))), 0);
  if (most < k)
    throw new UsageError(
      `${describeSource(named)} is too small for k: ${k}. The control replaces each entry by a partner. A partner has the same role, kind and reward. Its length differs by at most 10 %. It comes from another deal, and from another day or number of living players. At most ${pluralizeDeals(most)} ${most === 1 ? 'has' : 'have'} an entry with a partner. Build the pool from more matches${most > 0 ? `, or set k: ${most}` : ''}.`,
    );
}

const pluralizeDeals = (count: number) => (count === 1 ? '1 deal' : `${count} deals`);

const identifyRememberingPlayer = (name: string, { models, entrants, tournament }: SeatedTable) => ({
  model: models[name]!,
  entrant: entrants?.[name] ?? null,
  tournament: tournament ?? null,
});

function createRecalls(
  { retriever: quick }: OpenedPool,
  retriever: AnyRetriever,
  settings: ExperienceSettings,
  table: SeatedTable,
): Required<Pick<OpenedExperience, 'recall' | 'recallQuickly'>> {
  const common = describeMatch(table);
  const createRecall =
    (by: AnyRetriever): RecallExperience =>
    (view, moment) =>
      by.recall(view, moment, { ...identifyRememberingPlayer(view.me, table), ...common }, settings);
  return { recall: createRecall(retriever), recallQuickly: createRecall(quick) };
}
