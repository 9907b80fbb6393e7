// Opens a pool for a match: who remembers, by which settings, and that no deal of the pool is played again.
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

/** What a user asks for; settings have defaults. */
export interface ExperiencePlan extends TypedSettings {
  /** The folder of a pool, or a pool; absent where a match goes on from its record alone. */
  pool?: string | Pool | undefined;
  /** The hash that the pool must have; absent: any. */
  sha256?: string | undefined;
  /** Who remembers: players, roles, sides, models or entrants; everybody by default. */
  seats?: readonly string[] | undefined;
  /** Who plays at other tables of the set: where `seats` names only these, nobody here remembers. */
  elsewhere?: readonly string[] | undefined;
  /** What finds entries; `bm25` by default. */
  retriever?: ExperienceRetriever | undefined;
  /** The embedding model, as a model string of an OpenAI-compatible server; absent: the packaged one. */
  embedder?: string | undefined;
  /** Of the recorded match that is to go on: its pool and settings. */
  recorded?: ExperienceSetup | undefined;
  /**
   * Deals of a block of a pool that grows: entries of the deal that is played are left out in place of refusing the deal,
   * and the pool may be empty or absent.
   */
  grow?: number | undefined;
  /** Of a pool that grows: the one that was given to begin with. */
  grownFrom?: string | Pool | undefined;
  /** What makes an entry good; that of the pool where one is given, else `result`. */
  reward?: ExperienceReward | undefined;
  /** A paper's way, which gives settings their defaults. */
  method?: ExperienceMethod | undefined;
}

/**
 * Settings by which a paper had players remember, for which single ones may stand. WereWolf-Plus (3.1): at the vote alone,
 * above a likeness of .5 those of the highest reward. ELLM, by its code: before every decision, above a likeness of .85 the most
 * alike, five of matches that were won and one that was not.
 */
const methods: Readonly<Record<ExperienceMethod, Partial<ExperiencePlan>>> = {
  'paper-plus': { moments: ['ballot'], rank: 'reward', threshold: 0.5, retriever: 'embedding' },
  'paper-ellm': { k: 6, good: 5 / 6, from: 'any', threshold: 0.85, retriever: 'embedding' },
};

/** Who sits at a table: what decides whose experience is whose. */
interface SeatedTable {
  /** With the keys of an embedding model. */
  env: Environment;
  setup: Setup;
  /** Player → identity of the model. */
  models: Readonly<Record<string, string>>;
  /** Player → entrant, in a tournament. */
  entrants?: Readonly<Record<string, string>> | undefined;
  /** The hash of the tournament's plan. */
  tournament?: string | undefined;
}

export interface OpenedExperience {
  setup: ExperienceSetup;
  /** The names by which those who remember were asked for; absent where it is everybody, or as recorded. */
  named?: readonly string[] | undefined;
  /** The hash of the pool that a growing one began with. */
  grownFrom?: string | undefined;
  /** Absent where no pool is there: then only what is recorded can be remembered. */
  recall: RecallExperience | undefined;
  /** The same at once, for estimates: by words in common, whatever finds entries in play. */
  recallQuickly?: RecallExperience | undefined;
}

/**
 * Opens the experience of a match; null where nobody who is to remember sits at this table of a tournament. Throws a
 * UsageError for a pool that is none, of another match, of the same deal or of another retriever, and for seats that nobody
 * has; a RecordError for a pool that was edited.
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
    throw new UsageError(`experience needs a pool: the folder that ${formatCommand('pool', 'build')} has written.`);
  }
  const opening = openPool(named);
  const { pool } = opening;
  if (sha256 !== undefined && !isGrowing && pool.sha256 !== sha256)
    throw new UsageError(
      `${describeSource(named)} has the SHA-256 ${pool.sha256}, and the plan names ${sha256}. Restore the pool, or choose another name for the tournament.`,
    );
  if (reward !== undefined && reward !== pool.reward)
    throw new UsageError(
      `${describeSource(named)} has the reward ${pool.reward}, and reward: ${reward} is asked for. Leave reward out, or build a pool with --reward ${reward}.`,
    );
  if (recorded && seats === undefined && Object.keys(typed).every((name) => name === 'pool')) {
    const found = chooseRetriever(opening, getRetrieverKind(recorded.retriever), { named, ...choice });
    if (recorded.retriever !== found.name)
      throw new UsageError(
        `This match was begun with the retriever ${recorded.retriever}, and here is ${found.name}: it would find other entries. Go on with the version named in the manifest, or choose another --id.`,
      );
    if (pool.sha256 !== recorded.pool)
      throw new UsageError(
        `${describeSource(named)} is not the pool that this match was begun with: its SHA-256 is ${pool.sha256}, and that one has ${recorded.pool}. Name that pool, or choose another --id.`,
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
    throw new UsageError('A pool that grows is searched by bm25: leave out retriever: embedding, or grow.');
  const found = chooseRetriever(opening, wanted ?? 'bm25', { named, ...choice });
  const setup: ExperienceSetup = {
    ...{ pool: pool.sha256, retriever: found.name, reward: pool.reward },
    ...settings,
    ...{ wording: hashExperienceWording(renderSampleEntry()), seats: [...chosen] },
  };
  const began = grownFrom === undefined ? {} : { grownFrom: openPool(grownFrom).pool.sha256 };
  return { setup, ...began, named: selected.named, ...createRecalls(opening, found.retriever, settings, table) };
}

/** How the names of retrievers by embedding begin. */
const embedded = 'pairs by cosine of ';

/** What finds entries, by its name in a manifest. */
export const getRetrieverKind = (name: string): ExperienceRetriever =>
  name.startsWith(embedded) ? 'embedding' : 'bm25';

/**
 * What of a pool would be remembered by the player of a View, with scores and the partners for the control. Throws a
 * UsageError for a pool that is none or was not embedded, a RecordError for one that was edited.
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

/** A retriever that may have to wait for an embedder. */
interface AnyRetriever {
  find: (...asked: Parameters<Retriever['find']>) => FoundPair[] | Promise<FoundPair[]>;
  recall: (...asked: Parameters<Retriever['find']>) => RememberedEntry[] | Promise<RememberedEntry[]>;
}

interface NamedRetriever {
  /** As manifests name it. */
  name: string;
  retriever: AnyRetriever;
}

/** Throws a UsageError where the pool was not embedded, or not by the embedder that is installed. */
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
    throw new UsageError(`${source} was not embedded, and retriever: embedding needs that. Run ${cure}.`);
  const embedder = openEmbedder(choice);
  if (vectors.embedder !== embedder.name)
    throw new UsageError(
      `${source} was embedded by ${vectors.embedder}, and here is ${embedder.name}: their numbers are not comparable. Name that model as experience: { embedder: MODEL } or install those versions, or delete ${vectorFiles.record} there and run ${cure}.`,
    );
  const byMeaning = {
    name: `${embedded}${embedder.name}`,
    retriever: createEmbeddingRetriever(createVectorRetriever(pool, vectors), embedder),
  };
  opening.byMeaning.set(choice.embedder ?? '', byMeaning);
  return byMeaning;
}

/** The settings among all that decides what is remembered. */
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
  /** By words in common. */
  retriever: Retriever;
  /** By embedding models; each is made when it is first wanted. */
  byMeaning: Map<string, NamedRetriever>;
}

const createOpenedPool = (pool: Pool): OpenedPool => ({
  ...{ pool, retriever: createRetriever(pool), byMeaning: new Map() },
});

/** Pools by folder and state of its files: all matches of a set read the same one. */
const opened = new Map<string, OpenedPool>();
/** So many are kept: arms of an experiment take turns. */
const keptPools = 8;

const made = new WeakMap<Pool, OpenedPool>();

/** A pool, read once as long as its files are the same. Throws as `readPool`. */
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

/** Throws a UsageError that names the deals of a pool among those that are to be played. */
function checkDeals(named: string | Pool, pool: Pool, deals: readonly string[]): void {
  const hashOf = (deal: string) => deal.slice(deal.lastIndexOf('-') + 1);
  const known = new Map(listPoolDeals(pool.entries).map((deal) => [hashOf(deal), deal]));
  const common = deals.filter((deal) => known.has(hashOf(deal)));
  if (common.length === 0) return;
  const shown = common.slice(0, maxListed).join(', ');
  throw new UsageError(
    `${describeSource(named)} has experiences of deals that are to be played: ${shown}${common.length > maxListed ? ` and ${common.length - maxListed} more` : ''}. A player would remember who was what. Choose another --seed, so that the deals are others.`,
  );
}

const maxListed = 10;

/** The same for all deals of a set at once, before the first is played. */
export function checkPlannedDeals({ pool, grow }: ExperiencePlan, setups: readonly Setup[]): void {
  if (pool !== undefined && grow === undefined)
    checkDeals(pool, openPool(pool).pool, [...new Set(setups.map(describeDeal))]);
}

/** The players whom the words name, in seat order, and the names that the words stand for. Throws a UsageError for a word that nobody answers to. */
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
      `Nobody at the table is ${unknown ?? words.join(', ')}, who is to remember earlier matches. There are: ${[...new Set(setup.players.flatMap(listCalled))].join(', ')}.`,
    );
  return { players: chosen.map(({ name }) => name), named: meant.map((name) => name!) };
}

/** Throws a UsageError for a pool from which nobody who is to remember could get anything. */
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
      `${describeSource(named)} has nothing for those who are to remember: with from: ${from} it must be of ${from === 'own' ? 'their own model' : 'others'}. Its models: ${[...new Set(entries.map(({ model }) => model))].join(', ')}. Build it of their matches, or set from: any.`,
    );
  const groups = open.flatMap((some) => [...Map.groupBy(some, ({ moment }) => moment.kind).values()]);
  const most = groups.reduce((highest, some) => (highest === k ? k : Math.max(highest, countPairedDeals(some, k))), 0);
  if (most < k)
    throw new UsageError(
      `${describeSource(named)} is too small for k: ${k}. Every entry needs a partner for the control (same role, kind and reward, as long within 10 %, of another deal and another day or number of the living), and those of at most ${pluralizeDeals(most)} have one. Build the pool of more matches${most > 0 ? `, or set k: ${most}` : ''}.`,
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
