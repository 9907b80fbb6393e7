// The forks of a study as a set of matches: lists the forks, begins each from its original match, and plays all of
// them.
import path from 'node:path';
import type { Environment } from '../../models/model.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { listDifferingKeys, listRecordedAddresses, readManifest, readRecord } from '../../models/record/recorder.ts';
import type { GameEvent } from '../../state/events.ts';
import { type ForkOf, findStatementPlace } from '../../state/fork.ts';
import { type Manifest, recordFiles } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { MatchPlace, MatchSet } from '../match-set.ts';
import { type MatchPlan, prepareMatch, recoverPlan } from '../prepare-match.ts';
import type { SeatChoice } from '../seating.ts';
import { findDraft, readForkPoints } from './fork-point.ts';
import { createForkFolder, listFirstAnswers, nameFork } from './fork-record.ts';

/** One fork that is to be played. */
export interface PlannedFork {
  of: ForkOf;
  /** Folder of the original match. */
  folder: string;
  /** Whether the fork ends after the day's exile. */
  isCut: boolean;
}

/** Converts a model of a record to the form that the current command uses. */
export type NameModel = (model: SeatChoice['model']) => SeatChoice['model'];

/** Factor that makes the replicate numbers of forks so large that they never equal the number of an original match. */
const replicatesApart = 1000;

/**
 * Chooses the replicate number of a copy. It differs from the number of the original match, because the original
 * continuation is a single draw that was selected. The number is the same in all arms, so that the arms share random
 * numbers.
 */
const chooseReplicate = ({ setup }: Manifest, copy: number): number => (setup.replicate ?? 1) * replicatesApart + copy;

/**
 * Returns the plan of a fork: the plan of its original match with another replicate number. `readEvents`: called only
 * if bidders drafted their statements.
 */
function planFork(
  { of: typed, folder, isCut }: PlannedFork,
  { manifest: origin, readEvents }: { manifest: Manifest; readEvents: () => GameEvent[] },
  nameModel: NameModel,
): MatchPlan {
  const draft =
    origin.setup.rules.turn === 'draft'
      ? findDraft({ manifest: origin, events: readEvents() }, typed.statement)
      : undefined;
  const of = draft === undefined ? typed : { ...typed, draft };
  const file = path.join(folder, recordFiles.manifest);
  const { seats = {}, ...plan } = recoverPlan(origin, listRecordedAddresses(origin, file));
  const named = Object.entries(seats as Readonly<Record<string, SeatChoice>>).map(([name, seat]) => [
    name,
    { ...seat, model: nameModel(seat.model) },
  ]);
  const cutAfterRound = isCut ? findStatementPlace(of.statement).round : undefined;
  return {
    ...plan,
    judge: undefined,
    id: nameFork(of),
    replicate: chooseReplicate(origin, of.copy),
    seats: Object.fromEntries(named) as MatchPlan['seats'],
    fork: { of, cutAfterRound },
  };
}

/**
 * Creates the set of the forks, in the given order. Manifests of original matches are read when needed.
 *
 * @example await playMatches(createForkSet(forks, (model) => model), { out: 'runs/forks' });
 */
export function createForkSet(forks: readonly [PlannedFork, ...PlannedFork[]], nameModel: NameModel): MatchSet {
  const byId = new Map(forks.map((fork) => [nameFork(fork.of), fork]));
  const manifests = new Map<string, Manifest>();
  const readOrigin = (folder: string): Manifest => {
    const known = manifests.get(folder) ?? readManifest(path.join(folder, recordFiles.manifest));
    manifests.set(folder, known);
    return known;
  };
  let last: { folder: string; events: GameEvent[] } | undefined; // forks of one origin follow each other
  const readEvents = (folder: string): GameEvent[] => {
    if (last?.folder !== folder) last = { folder, events: readRecord(folder).events };
    return last.events;
  };
  const locate = ({ of, folder }: PlannedFork): MatchPlace => ({
    seed: readOrigin(folder).setup.seed,
    id: nameFork(of),
  });
  const [first] = forks;
  const samples = forks.filter(({ folder }, at) => at > 0 && forks.findIndex((one) => one.folder === folder) === at);
  return {
    seed: locate(first).seed,
    matches: 1,
    planOf: (_seed, { id }) => {
      const fork = byId.get(id ?? '') ?? first;
      const { folder } = fork;
      const origin = { manifest: readOrigin(folder), readEvents: () => readEvents(folder) };
      return planFork(fork, origin, nameModel);
    },
    listed: { places: forks.map(locate), samples: [locate(first), ...samples.map(locate)] },
  };
}

/**
 * Creates the missing folders of forks, each with the answers of its original match. Makes no call. Throws a UsageError
 * for a match that cannot be forked, and for a text that cannot replace a statement.
 *
 * @example await createForks(forks, 'runs/forks', { env: process.env, now: Date.now(), nameModel: (model) => model });
 */
export async function createForks(
  forks: readonly PlannedFork[],
  out: string,
  { env, now, nameModel }: { env: Environment; now: number; nameModel: NameModel },
): Promise<void> {
  const left = forks.filter(({ of }) => !getDisk().exists(path.join(out, nameFork(of), recordFiles.manifest)));
  for (const [folder, own] of Map.groupBy(left, (fork) => fork.folder)) {
    const statements = [...new Set(own.map(({ of }) => of.statement))];
    const points = new Map((await readForkPoints(folder, statements)).map((point) => [point.statement, point]));
    for (const fork of own) {
      const point = points.get(fork.of.statement);
      if (point === undefined) continue; // never happens: `readForkPoints` throws if a point is missing
      const { manifest: origin, events } = point.record;
      const planned = planFork(fork, { manifest: origin, readEvents: () => events }, nameModel);
      const { manifest } = await prepareMatch(planned, env, now);
      checkSameGame(folder, origin, manifest);
      createForkFolder(out, manifest, listFirstAnswers(point, fork.of));
    }
  }
}

/**
 * Throws a UsageError like `createForks` if a fork of the first statement cannot begin in one of the arms. Call it
 * before anything is written.
 *
 * @example await checkArms(forks)
 */
export async function checkArms(forks: readonly PlannedFork[]): Promise<void> {
  const [first] = forks;
  if (first === undefined) return;
  const { folder, of } = first;
  const own = forks.filter((fork) => fork.folder === folder && fork.of.statement === of.statement);
  for (const point of await readForkPoints(folder, [of.statement]))
    for (const fork of own) listFirstAnswers(point, fork.of);
}

/**
 * Throws a UsageError if the set-up of a fork differs from its original match's set-up in more than the replicate and
 * the fork's own settings.
 */
function checkSameGame(folder: string, origin: Manifest, fork: Manifest): void {
  const differing = listDifferingKeys(origin.setup, fork.setup).filter(
    (key) => key !== 'replicate' && key !== 'cut_after_round',
  );
  if (differing.length > 0)
    throw new UsageError(
      `${folder} cannot be continued: its ${differing.join(', ')} would differ. Fork it with the version that played it, and with the same model names.`,
    );
}
