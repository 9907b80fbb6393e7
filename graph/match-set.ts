// A set of matches of one plan, each with a seed of its own or each deal in all arms of a design, and what is recorded of
// them already.
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
import { checkOptionNames, UsageError } from '../state/usage-error.ts';
import { checkPlannedDeals } from './experience/open-experience.ts';
import {
  checkAddresses,
  dealPlannedMatch,
  planNames,
  prepareMatch,
  type MatchPlan,
  type PreparedMatch,
} from './prepare-match.ts';
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
  /** The seed of the first match; each further one has the next. */
  seed: number;
  /** How many seeds; at least 1. */
  matches: number;
  /** The plan of the match with this seed. An id in it names one match, and is ignored where there are several. */
  planOf: (seed: number, place: MatchPlace) => MatchPlan | Promise<MatchPlan>;
  /** How often each deal is played in each arm, with the same seats; once where it is left out. Not for `listed` matches. */
  replicates?: number | undefined;
  /** The arms of a design, which each have all seeds, in folders of their own; absent where the plan says everything. */
  arms?: readonly DesignArm[] | undefined;
  /** The matches one by one, in place of seeds and arms, with some of them in which every model and all rules are. */
  listed?: { places: readonly MatchPlace[]; samples: readonly [MatchPlace, ...MatchPlace[]] } | undefined;
}

const setNames: Readonly<Record<keyof MatchSet, true>> = {
  ...{ seed: true, matches: true, planOf: true, replicates: true, arms: true, listed: true },
};

/** Throws a UsageError for names that a set does not have. */
export const checkSetNames = (set: MatchSet): void => checkOptionNames('The set of playMatches', set, setNames);

/**
 * The place of a match in a set: its seed, and its arm where there are several. `found`: its record, where that has
 * another id; `board`: where the matches of a set have several.
 */
export type MatchPlace = {
  seed: number;
  replicate?: number;
  found?: EarlierMatch;
  board?: Pick<Board, 'name'>;
} & Partial<DesignArm>;

/** The matches of a set, in the order in which they are played. */
export function listMatchPlaces({ seed, matches, arms, replicates, listed }: MatchSet): readonly MatchPlace[] {
  if (listed !== undefined) return listed.places;
  const seeds = Array.from({ length: matches }, (_, index) => seed + index);
  return listScheduledMatches<Partial<DesignArm>>(seeds, arms ?? [{}], replicates);
}

/** How many matches a set has. */
export const countMatches = ({
  matches,
  arms,
  replicates = 1,
  listed,
}: Pick<MatchSet, 'matches' | 'arms' | 'replicates' | 'listed'>) =>
  listed?.places.length ?? matches * replicates * (arms?.length ?? 1);

export interface SetLocation {
  /** The folder that holds the folders of the matches; null where nothing is written. */
  out: string | null;
  env: Environment;
  /** Milliseconds since 1970. */
  now: number;
  /** Whether the recorded cost counts against a cap: a cost that is not known is estimated then, which takes time. */
  isCapped: boolean;
  /** Whether a match may not begin in a folder that holds matches of another wording of the prompts. */
  refusesOtherWordings?: boolean;
}

/** One match of a set. */
export interface SetMatch {
  id: string;
  folder: string | null;
  prepared: PreparedMatch;
}

/** The plan of one match of a set, its arm's part included. */
async function planPlace(set: MatchSet, place: MatchPlace): Promise<MatchPlan> {
  const { seed, rule, villagers, werewolves, variant, replicate } = place;
  const common = await set.planOf(seed, place);
  checkOptionNames('A plan of playMatches', common, planNames);
  const arm = dropUndefined({ villagers, werewolves, variant, replicate });
  return { ...common, ...arm, rule: { ...common.rule, ...rule } };
}

const checkedSets = new WeakSet<MatchSet>();

/** Throws a UsageError that names all deals of a set of which its pools have experiences; checks a set once. */
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
  const { seed, folder = '', found } = place;
  const plan = await planPlace(set, place);
  const own = { ...plan, seed, id: countMatches(set) === 1 ? plan.id : undefined };
  const prepared = await prepareMatch(found ? planEarlierMatch(own, found) : own, env, now);
  const { id } = prepared.manifest;
  return { id, folder: out === null ? null : path.join(out, folder, id), prepared };
}

/**
 * Prepares the first match of each arm, where there are arms, else of the set; of listed matches the samples. Throws UsageError for an unusable plan, and
 * for one model at two addresses.
 */
export async function prepareFirstMatches(
  set: MatchSet,
  place: Omit<SetLocation, 'isCapped'>,
): Promise<[SetMatch, ...SetMatch[]]> {
  const places = set.listed?.samples ?? listMatchPlaces({ ...set, matches: 1 });
  await checkExperience(set, places);
  const firsts = await Promise.all(places.map((first) => prepareSetMatch(set, first, place)));
  checkAddresses(firsts.flatMap(({ prepared }) => Object.values(prepared.seats).map(({ talk }) => talk)));
  return firsts as [SetMatch, ...SetMatch[]]; // a set has a match at least
}

/** A finished match names the judge `kept`, or none, and does not take the judge `wanted` that a plan names. */
export interface KeptJudge {
  kept: string | undefined;
  wanted: string;
}

/** The recorded part of a match. */
export interface RecordedMatch {
  /** Null where the match is not over. */
  result: MatchResult | null;
  /** The answers of a match that is not over; empty for one that is. */
  answers: readonly AnswerLine[];
  /** By which rules these are read. */
  reading: Reading;
  /** Of a match that is over: that its manifest names another judge than the plan, and which. */
  keptJudge: KeptJudge | null;
  /** USD. For a match that is not over, answers of unknown cost are left out until it goes on. */
  paid: number;
  /** Why the record cannot be used; null where it can, or there is none. */
  fault: string | null;
  /** Whether the record is sound, but does not go with the command: it was begun under another plan, or its address is lost. */
  isRefused: boolean;
}

const nothing: RecordedMatch = {
  ...{ result: null, answers: [], reading: latestReading, keptJudge: null, paid: 0 },
  ...{ fault: null, isRefused: false },
};

/**
 * Each match of the set, in order, with what is recorded of it; `id` is empty where nothing is. Writes nothing. Throws
 * UsageError for an unusable plan, and where a match is to be begun beside matches of other models that would be the same in
 * tables, or of another wording (`refusesOtherWordings`), or differs from one that is begun in nothing but defaults that have changed since. Throws one at the end where no
 * recorded match goes with the command, since another analysis plan is named or an address is lost; a single one fails alone.
 * To save time only matches are prepared for which there may be a folder.
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
    const names = recorded.get(folder)!.get(`${board.name}-${seed}`) ?? [];
    const first = set.listed === undefined ? firsts[index] : undefined;
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
    await turn(); // lets signals and displays take their turn, since reading blocks the event loop
  }
  if (refusal !== null && fitting === 0) throw new UsageError(refusal); // the command is at fault, not one record
}

/** The files of the manifests that may be in a folder of `out`, which holds folders of these names. */
const listManifests =
  (out: string) =>
  ([folder, bySeed]: readonly [string, ReadonlyMap<string, readonly string[]>]) =>
    [...bySeed.values()].flat().map((name) => path.join(out, folder, name, recordFiles.manifest));

/**
 * Throws a UsageError where a name, or a model without one, stands for another model or address in most of the manifests that
 * have it: nothing is paid yet, and in tables both would be one. A match that is begun goes on, with a warning. A single
 * record from elsewhere stops nothing: reports leave it out.
 */
function checkModelsBeside(planned: readonly SetMatch[], files: readonly string[]): void {
  const isBot = (model: string) => model.startsWith('bot:');
  const models = new Set(planned.flatMap(({ prepared }) => Object.values(prepared.manifest.setup.models)));
  if ([...models].every(isBot)) return; // spares the reading
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
          ? `${label} stands for ${model} in ${file}, and for ${other} now: in tables they would be one. Give one of them another name, or choose another --out.`
          : `${moved.model} is asked at ${moved.before} in ${file}, and at ${moved.after} now, and a server may answer to any name: in tables they would be one. To begin matches here give it a name in a models file (--models FILE), e.g. one: { model: ${quoteOptions(moved)} }, choose another --out, or ask it where it was asked before. Matches that were begun go on.`;
    }
  }
  const worst = [...beside.values()].find(({ same, others }) => others > same);
  if (worst !== undefined) throw new UsageError(worst.conflict);
}

const quoteOptions = ({ model, after }: { model: string; after: string }) =>
  URL.canParse(after) ? `"${model}", baseUrl: "${after}"` : `"${model}"`;

/** Board and seed → folders of matches with these: the id of a match is board, seed and a hash, see prepareMatch. */
const listRecordedSeeds = (out: string | null, folder: string): ReadonlyMap<string, string[]> =>
  Map.groupBy(out === null ? [] : listFolders(path.join(out, folder)), getBoardAndSeed);

/** What the folder holds of the match. A record that cannot be used counts as none: the match fails when it is played. */
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

/** What a finished match has cost, in USD; answers of unknown cost are estimated where a cap must be kept. */
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

/** Model string → number of calls. */
export type CallsByModel = ReadonlyMap<string, number>;

export const countCallsByModel = (answers: readonly AnswerLine[]): CallsByModel =>
  new Map([...Map.groupBy(answers, ({ model }) => model)].map(([model, lines]) => [model, lines.length]));
