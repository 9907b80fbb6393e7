// A set of matches of one plan. Each match has its own seed or, in a design, each deal is played in all arms. Also
// surveys what is already recorded of the matches.
import { drawDealOrder } from '../deception/design/drawn-seats.ts';
import { type DesignArm, listScheduledMatches } from '../deception/design/schedule.ts';
import { sum } from '../deception/statistics/sums.ts';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Environment } from '../models/model.ts';
import { getDisk } from '../models/machine/machine.ts';
import { RecordError } from '../models/record/ndjson.ts';
import {
  describeChangedPlan,
  describeLostAddress,
  isSameJudge,
  listMovedModels,
  readManifest,
  readRecord,
} from '../models/record/recorder.ts';
import { estimateUnknownCost } from '../models/record/estimate-missing-cost.ts';
import { getModelLabel } from '../state/model-identity.ts';
import { latestReading, recordFiles, type AnswerLine, type Reading } from '../state/record.ts';
import { checkWordingsBeside } from './recorded-wording.ts';
import { dropUndefined } from '../models/model-options.ts';
import type { Board } from '../state/boards.ts';
import type { Team } from '../state/teams.ts';
import { checkOptionNames, UsageError } from '../state/usage-error.ts';
import { mapToDealtNames } from '../state/variants.ts';
import { checkPlannedDeals } from './experience/open-experience.ts';
import {
  checkAddresses,
  dealPlannedMatch,
  planNames,
  prepareMatch,
  type MatchPlan,
  type PreparedMatch,
} from './prepare-match.ts';
import { drawSeating } from './seating.ts';
import {
  findEarlierMatch,
  type EarlierMatch,
  listFolders,
  getBoardAndSeed,
  readManifestIfSound,
  planEarlierMatch,
  type MatchResult,
  readFinishedMatch,
} from './earlier-match.ts';

export interface MatchSet {
  /** Seed of the first match. Each further match has the next seed. */
  seed: number;
  /** Number of seeds, at least 1. */
  matches: number;
  /**
   * Returns the plan of the match with this seed. An id in the plan is used for a single match, and ignored if the set
   * has several.
   */
  planOf: (seed: number, place: MatchPlace) => MatchPlan | Promise<MatchPlan>;
  /**
   * Number of times that each deal is played in each arm, with the same seats. Default: once. Not for `listed` matches.
   */
  replicates?: number | undefined;
  /** Arms of a design. Each arm plays all seeds, in its own folder. Absent for a set without a design. */
  arms?: readonly DesignArm[] | undefined;
  /**
   * List of all matches, used instead of seeds and arms. `samples`: matches of the list that cover every model and all
   * rules.
   */
  listed?: { places: readonly MatchPlace[]; samples: readonly [MatchPlace, ...MatchPlace[]] } | undefined;
  /**
   * Model strings of the people who play, e.g. `human:alice`. Each deal is then played once. Matches follow one another
   * in a drawn order, and seats are drawn for every deal. Not with arms, replicates or `listed`.
   */
  people?: readonly string[] | undefined;
}

const setNames: Readonly<Record<keyof MatchSet, true>> = {
  ...{ seed: true, matches: true, planOf: true, replicates: true, arms: true, listed: true, people: true },
};

/** Throws a UsageError for unknown names in a set. */
export const checkSetNames = (set: MatchSet): void => checkOptionNames('The set of playMatches', set, setNames);

/**
 * Place of a match in a set: its seed, and its arm if there are several. `found`: the match's record, if the record has
 * another id. `board`: given if the matches of a set have different boards. `id`: given if the id of the match is not
 * made from its set-up. `sides`: the entrant of each side in a tournament's match, if one entrant has all seats of the
 * side.
 */
export type MatchPlace = {
  seed: number;
  replicate?: number;
  found?: EarlierMatch;
  id?: string;
  board?: Pick<Board, 'name'>;
  sides?: Readonly<Record<Team, string>> | null;
} & Partial<DesignArm>;

/** Lists the matches of a set in the order of play. */
export function listMatchPlaces({ seed, matches, arms, replicates, listed, people }: MatchSet): readonly MatchPlace[] {
  if (listed !== undefined) return listed.places;
  const seeds = Array.from({ length: matches }, (_, index) => seed + index);
  const ordered = people === undefined ? seeds : drawDealOrder(seeds, { seed, people });
  return listScheduledMatches<Partial<DesignArm>>(ordered, arms ?? [{}], replicates);
}

/** Returns the number of matches in a set. */
export const countMatches = ({
  matches,
  arms,
  replicates = 1,
  listed,
}: Pick<MatchSet, 'matches' | 'arms' | 'replicates' | 'listed'>) =>
  listed?.places.length ?? matches * replicates * (arms?.length ?? 1);

export interface SetLocation {
  /** The folder that contains the folders of the matches; null if nothing is written. */
  out: string | null;
  env: Environment;
  /** Current time in milliseconds since 1970. */
  now: number;
  /** Whether recorded costs count against a cap. Unknown costs are then estimated, which takes time. */
  isCapped: boolean;
  /** Whether to refuse to begin a match in a folder that has matches with another wording of the prompts. */
  refusesOtherWordings?: boolean;
}

/** One match of a set. */
export interface SetMatch {
  id: string;
  folder: string | null;
  prepared: PreparedMatch;
}

/** Returns the plan of one match of a set, including the settings of the match's arm and the drawn seats. */
async function planPlace(set: MatchSet, place: MatchPlace): Promise<MatchPlan> {
  const { seed, rule, villagers, werewolves, variant, replicate } = place;
  const common = await set.planOf(seed, place);
  checkOptionNames('A plan of playMatches', common, planNames);
  const arm = dropUndefined({ villagers, werewolves, variant, replicate });
  const plan = { ...common, ...arm, rule: { ...common.rule, ...rule } };
  if (set.people === undefined) return plan;
  const setup = dealPlannedMatch({ ...plan, seed });
  const dealtNames = mapToDealtNames(setup);
  const names = setup.players.map(({ name }) => dealtNames.get(name) ?? name);
  return { ...plan, ...drawSeating(plan, names, { seed, people: set.people }) };
}

const checkedSets = new WeakSet<MatchSet>();

/** Throws a UsageError that lists all deals of a set that occur in its pools. Checks a set only once. */
async function checkExperience(set: MatchSet, samples: readonly MatchPlace[]): Promise<void> {
  if (checkedSets.has(set)) return;
  const planned = await Promise.all(samples.map((place) => planPlace(set, place)));
  for (const { experience } of planned) {
    if (
      experience?.pool === undefined ||
      experience.grow !== undefined ||
      planned.find((plan) => plan.experience?.pool === experience.pool)!.experience !== experience
    )
      continue;
    const plans = await Promise.all(
      listMatchPlaces(set).map(async (place) => ({ ...(await planPlace(set, place)), seed: place.seed })),
    );
    const same = plans.filter((plan) => plan.experience?.pool === experience.pool);
    checkPlannedDeals(experience, same.map(dealPlannedMatch));
  }
  checkedSets.add(set);
}

/** Prepares one match. Throws UsageError for an unusable plan. */
export async function prepareSetMatch(
  set: MatchSet,
  place: MatchPlace,
  { out, env, now }: Omit<SetLocation, 'isCapped'>,
): Promise<SetMatch> {
  const { seed, folder = '', found, id: named } = place;
  const plan = await planPlace(set, place);
  const own = { ...plan, seed, id: named ?? (countMatches(set) === 1 ? plan.id : undefined) };
  const prepared = await prepareMatch(found ? planEarlierMatch(own, found) : own, env, now);
  const { id } = prepared.manifest;
  return { id, folder: out === null ? null : path.join(out, folder, id), prepared };
}

/**
 * Prepares the first match of each arm, or of the set if there are no arms. For listed matches, prepares the samples.
 * Throws UsageError for an unusable plan, and for one model at two addresses.
 */
export async function prepareFirstMatches(
  set: MatchSet,
  place: Omit<SetLocation, 'isCapped'>,
): Promise<[SetMatch, ...SetMatch[]]> {
  const places = set.listed?.samples ?? listMatchPlaces({ ...set, matches: 1 });
  await checkExperience(set, places);
  const firsts = await Promise.all(places.map((first) => prepareSetMatch(set, first, place)));
  checkAddresses(firsts.flatMap(({ prepared }) => Object.values(prepared.seats).map(({ talk }) => talk)));
  return firsts as [SetMatch, ...SetMatch[]]; // a set has at least one match
}

/**
 * The two judges of a finished match whose manifest names another judge than the plan. `kept`: judge in the manifest;
 * undefined if the manifest names none. `wanted`: judge in the plan.
 */
export interface KeptJudge {
  kept: string | undefined;
  wanted: string;
}

/** The recorded part of a match. */
export interface RecordedMatch {
  /** Result of the match; null if the match is not over. */
  result: MatchResult | null;
  /** Recorded answers of an unfinished match. Empty for a finished match. */
  answers: readonly AnswerLine[];
  /** Version of the rules by which these answers are parsed. */
  reading: Reading;
  /** The judges of a finished match, if its manifest names another judge than the plan; otherwise null. */
  keptJudge: KeptJudge | null;
  /** Recorded cost in USD. For an unfinished match, it excludes answers of unknown cost until the match is resumed. */
  paid: number;
  /** Reason why the record cannot be used. Null if it can be used, or if there is no record. */
  fault: string | null;
  /**
   * Whether the record is undamaged but cannot be resumed by this command: it began under another analysis plan, or a
   * model's address is not given.
   */
  isRefused: boolean;
}

const nothing: RecordedMatch = {
  ...{ result: null, answers: [], reading: latestReading, keptJudge: null, paid: 0 },
  ...{ fault: null, isRefused: false },
};

/**
 * Yields each match of the set, in order, with its record. `id`: empty if there is no record. Writes nothing. To save
 * time, prepares only matches that may have a folder. Throws a UsageError for an unusable plan, and if a match that has
 * begun differs from the planned one only in defaults that have changed since. Also throws one if a match would begin
 * in a folder with matches of other models under the same name in tables, or with matches of another wording
 * (`refusesOtherWordings`). A record with another analysis plan or a missing address fails alone; if all records fail
 * in this way, throws a UsageError at the end.
 */
export async function* surveyMatches(
  set: MatchSet,
  location: SetLocation,
): AsyncGenerator<{ place: MatchPlace; id: string } & RecordedMatch> {
  const firsts = await prepareFirstMatches(set, location);
  const { board: firstBoard } = firsts[0].prepared.manifest.setup;
  const places = listMatchPlaces(set);
  const recorded = new Map(
    [...new Set(places.map(({ folder = '' }) => folder))].map((folder) => [
      folder,
      listRecordedSeeds(location.out, folder),
    ]),
  );
  let isChecked = location.out === null;
  let refusal: string | null = null;
  let fitting = 0;
  for (const [index, place] of places.entries()) {
    const { seed, folder = '', board = firstBoard } = place;
    const dealt = set.people === undefined ? seed : 'people'; // ids of matches with people do not contain the seed
    const names = place.id === undefined ? (recorded.get(folder)!.get(`${board.name}-${dealt}`) ?? []) : [place.id];
    const first = set.listed === undefined && set.people === undefined ? firsts[index] : undefined;
    const planned = first ?? (names.length > 0 ? await prepareSetMatch(set, place, location) : null);
    const found = planned?.folder
      ? findEarlierMatch(planned.prepared.manifest, {
          ...{ parent: path.dirname(planned.folder), names },
          plan: await planPlace(set, place),
        })
      : null;
    const match = found === null ? planned : await prepareSetMatch(set, { ...place, found }, location);
    const isNew = !match?.folder || !getDisk().exists(path.join(match.folder, recordFiles.manifest));
    if (isNew && !isChecked) {
      const out = location.out!;
      const files = [...recorded].flatMap(listManifests(out));
      checkModelsBeside(firsts, files);
      if (location.refusesOtherWordings)
        checkWordingsBeside(
          firsts.map(({ prepared }) => prepared.manifest),
          files,
          out,
        );
    }
    isChecked ||= isNew;
    const record = match?.folder ? await readRecorded(match.prepared, match.folder, location) : nothing;
    if (record.isRefused) refusal ??= record.fault;
    else if (record.result !== null || record.answers.length > 0) fitting += 1;
    yield { place: found === null ? place : { ...place, found }, id: match?.id ?? '', ...record };
    await turn(); // lets signals and displays run, since reading blocks the event loop
  }
  if (refusal !== null && fitting === 0) throw new UsageError(refusal); // the command is at fault
}

/**
 * Creates a function that lists paths at which manifests may exist, for the match folders in one subfolder of `out`.
 */
const listManifests =
  (out: string) =>
  ([folder, bySeed]: readonly [string, ReadonlyMap<string, readonly string[]>]) =>
    [...bySeed.values()].flat().map((name) => path.join(out, folder, name, recordFiles.manifest));

/**
 * Throws a UsageError if most of these manifests use the label of a planned model for another model or address, because
 * tables would merge the two models. Called before anything is paid for. A match that has already begun is resumed
 * nevertheless. If most records agree with the plan, the others do not stop the command, because reports leave them
 * out.
 */
function checkModelsBeside(planned: readonly SetMatch[], files: readonly string[]): void {
  const isBot = (model: string) => model.startsWith('bot:');
  const models = new Set(planned.flatMap(({ prepared }) => Object.values(prepared.manifest.setup.models)));
  if ([...models].every(isBot)) return; // avoids reading the files
  const called = new Map([...models].map((model) => [getModelLabel(model), model]));
  const beside = new Map<string, { same: number; others: number; conflict: string }>();
  for (const file of files) {
    const kept = readManifestIfSound(file);
    if (kept === null) continue;
    const moves = planned.flatMap(({ prepared }) => listMovedModels(kept, prepared.manifest, file));
    for (const model of new Set(Object.values(kept.setup.models))) {
      const label = getModelLabel(model);
      const other = called.get(label);
      if (other === undefined) continue;
      const moved = label === model ? moves.find((move) => move.model === model) : undefined;
      const count = beside.get(label) ?? { same: 0, others: 0, conflict: '' };
      beside.set(label, count);
      if (other === model && moved === undefined) {
        count.same += 1;
        continue;
      }
      count.others += 1;
      count.conflict ||=
        other !== model || moved === undefined
          ? `${label} stands for ${model} in ${file}, and for ${other} now: tables would merge them. Give one of them another name, or choose another --out.`
          : `${moved.model} was called at ${moved.before} in ${file}, and is called at ${moved.after} now. The two servers may run different models, and tables would merge them. To begin matches here, name the model in a models file (--models FILE), e.g. one: { model: ${quoteOptions(moved)} }, choose another --out, or use the earlier address. Matches that have begun are resumed.`;
    }
  }
  const worst = [...beside.values()].find(({ same, others }) => others > same);
  if (worst !== undefined) throw new UsageError(worst.conflict);
}

const quoteOptions = ({ model, after }: { model: string; after: string }) =>
  URL.canParse(after) ? `"${model}", baseUrl: "${after}"` : `"${model}"`;

/**
 * Maps board and seed to folders of matches. The id of a match consists of board, seed and a hash; see prepareMatch.
 */
const listRecordedSeeds = (out: string | null, folder: string): ReadonlyMap<string, string[]> =>
  Map.groupBy(out === null ? [] : listFolders(path.join(out, folder)), getBoardAndSeed);

/**
 * Reads the match's record in the folder. An unusable record is returned with its fault, and the match fails when it is
 * played.
 */
async function readRecorded(
  { manifest, seats }: PreparedMatch,
  folder: string,
  { isCapped }: Pick<SetLocation, 'isCapped'>,
): Promise<RecordedMatch> {
  const file = path.join(folder, recordFiles.manifest);
  try {
    if (!getDisk().exists(file)) return nothing;
    const kept = readManifest(file);
    const changedPlan = describeChangedPlan(file, kept, manifest);
    if (changedPlan !== null) return { ...nothing, fault: changedPlan, isRefused: true };
    const result = readFinishedMatch(folder, manifest);
    if (result) {
      const keptJudge = findKeptJudge(folder, manifest.judge);
      return { ...nothing, result, keptJudge, paid: await computePaid({ ...result, folder }, seats, isCapped) };
    }
    const lostAddress = describeLostAddress(file, kept, manifest);
    if (lostAddress !== null) return { ...nothing, fault: lostAddress, isRefused: true };
    const { answers } = readRecord(folder, { canLackSeal: true });
    return { ...nothing, answers, reading: kept.reading ?? 1, paid: sum(answers.map(({ cost }) => cost ?? 0)) };
  } catch (error) {
    if (error instanceof RecordError || (error instanceof Error && 'syscall' in error))
      return { ...nothing, fault: error.message };
    throw error;
  }
}

/** Returns the cost of a finished match in USD. Unknown costs are estimated if a cap applies. */
export async function computePaid(
  { folder, summary }: Pick<MatchResult, 'summary'> & { folder: string },
  seats: PreparedMatch['seats'],
  isCapped: boolean,
): Promise<number> {
  const { cost, calls_with_unknown_cost: unknown } = summary.model_calls.total;
  return (cost ?? 0) + (isCapped && unknown > 0 ? await estimateUnknownCost(folder, seats) : 0);
}

function findKeptJudge(folder: string, wanted: string | undefined): KeptJudge | null {
  if (wanted === undefined) return null;
  const { judge: kept } = readManifest(path.join(folder, recordFiles.manifest));
  return isSameJudge(wanted, kept) ? null : { kept, wanted };
}

/** Number of calls by model string. */
export type CallsByModel = ReadonlyMap<string, number>;

export const countCallsByModel = (answers: readonly AnswerLine[]): CallsByModel =>
  new Map([...Map.groupBy(answers, ({ model }) => model)].map(([model, lines]) => [model, lines.length]));
