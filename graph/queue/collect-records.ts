// Moves the records of finished matches from the database into the folder of their tournament, one by one: a damaged
// record is reported and does not stop the others.
import path from 'node:path';
import { nameReplicate } from '../../deception/design/schedule.ts';
import type { TournamentPlan } from '../../deception/tournament-plan/tournament-plan.ts';
import type { TournamentMatch } from '../../deception/tournament-plan/tournament-schedule.ts';
import { getMatchKey, type StopState, TournamentScores } from '../../deception/tournament/tournament-stopping.ts';
import { BudgetReached } from '../../models/budget.ts';
import { getDisk } from '../../models/machine/machine.ts';
import type { Environment } from '../../models/model.ts';
import { openDraft } from '../../models/record/draft-folder.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { listDifferingKeys, readManifest } from '../../models/record/recorder.ts';
import { formatCommand } from '../../state/command-name.ts';
import { recordFiles } from '../../state/record.ts';
import { readFinishedMatch, type MatchResult } from '../earlier-match.ts';
import { prepareSetMatch, surveyMatches, type MatchSet } from '../match-set.ts';
import type { SetListener } from '../play-matches.ts';
import type { PreparedMatch } from '../prepare-match.ts';
import {
  isEndedEarly,
  openTournament,
  recordStop,
  TournamentDecided,
  type TournamentResult,
} from '../tournament/play-tournament.ts';
import type { TournamentControl } from './database-rows.ts';
import { unpackRecord } from './packed-record.ts';
import type { TournamentStore } from './tournament-store.ts';

export interface QueueOptions {
  /** Folder of the tournament. Finished matches in it are not played again, and records are written into it. */
  out: string;
  env: Environment;
  /** Cap in USD; null for no cap. If absent, the cap is not changed, unless the plan's cap has changed. */
  maxCost?: number | null | undefined;
}

/** Signals a finished match whose record in the database cannot be used. */
export class DamagedRecord extends RecordError {
  constructor(id: string, fault: string) {
    super(
      `The record of ${id} in the database is damaged: ${fault}. To have workers play it again: ${formatCommand('tournament', 'PLAN', '--requeue', id)}`,
    );
  }
}

/** Moves finished records from the database into the folder of their tournament, each once. */
export function openCollector(
  store: TournamentStore,
  plan: TournamentPlan,
  { out, env, onEnd }: QueueOptions & Pick<SetListener, 'onEnd'>,
) {
  const { set, matches } = openTournament(plan);
  const byKey = new Map(matches.map((match) => [getMatchKey(match), match]));
  const scores = new TournamentScores(plan, matches);
  const seen = new Set<string>();
  /** Version of the record, by key of the match, for matches whose record is damaged. */
  const damaged = new Map<string, string>();
  let isSurveyed = false;
  const add = async (match: TournamentMatch, result: MatchResult, isPlayed: boolean) => {
    seen.add(getMatchKey(match));
    damaged.delete(getMatchKey(match));
    scores.record(match, result.summary.winner);
    await onEnd?.({ id: result.id, folder: result.folder, summary: result.summary, isPlayed }, match);
  };
  return {
    collect: async () => {
      if (!isSurveyed)
        for await (const { place, result } of surveyMatches(set, { out, env, now: 0, isCapped: false }))
          if (result) await add(place as TournamentMatch, result, false); // all places of this set are tournament matches
      isSurveyed = true;
      for (const { key, version } of await store.listFinished()) {
        const match = byKey.get(key);
        if (match === undefined || seen.has(key) || damaged.get(key) === version) continue;
        const packed = await store.readRecord(key);
        if (packed === null) continue;
        try {
          const { result, isNew } = await writeRecord(set, match, packed, { out, env });
          await add(match, result, isNew);
        } catch (error) {
          if (!(error instanceof DamagedRecord)) throw error;
          damaged.set(key, version);
          await onEnd?.({ id: describeMatch(match), folder: null, error }, match);
        }
      }
    },
    conclude: async (control: TournamentControl): Promise<TournamentResult> => {
      const failed = (await store.listFailed()).flatMap(({ key, ...fault }) => ({ match: byKey.get(key), ...fault }));
      const own = failed.flatMap(({ match, name, words }) => (match === undefined ? [] : [{ match, name, words }]));
      for (const { match, name, words } of own) {
        const error = Object.assign(new Error(words), { name });
        await onEnd?.({ id: describeMatch(match), folder: null, error }, match);
      }
      const stop: StopState | null = scores.evaluate();
      recordStop(out, plan, stop);
      const stopped = own.length + damaged.size;
      const waiting = matches.length - seen.size - stopped;
      return { finished: seen.size, stopped, waiting, reason: describeStop(plan, control, stop), stop };
    },
  };
}

const describeMatch = ({ folder, board, seed, replicate }: TournamentMatch) =>
  `${folder}/${board.name}-${seed}${nameReplicate(replicate)}`;

function describeStop(
  plan: TournamentPlan,
  { stop_kind: kind, stop_words: words }: TournamentControl,
  stop: StopState | null,
): unknown {
  if (kind === null) return null;
  if (kind === 'decided')
    return isEndedEarly(plan, stop)
      ? new TournamentDecided(stop)
      : new Error(
          `The database says that the stopping rule has ended ${plan.name}, but its records do not confirm this. To continue, queue it again: tournament PLAN`,
        );
  const error = kind === 'budget' ? new BudgetReached(words ?? '') : new Error(words ?? '');
  return kind === 'provider' ? Object.assign(error, { name: 'ProviderFailure' }) : error;
}

/**
 * Writes a record into its folder, completely or not at all. If another command was faster, writes nothing (`isNew`:
 * false). Throws DamagedRecord if the record is damaged or belongs to another match, because anybody with write access
 * to the database could have changed it.
 */
async function writeRecord(
  set: MatchSet,
  match: TournamentMatch,
  packed: Uint8Array,
  { out, env }: Pick<QueueOptions, 'out' | 'env'>,
): Promise<{ result: MatchResult; isNew: boolean }> {
  const { id, folder, prepared } = await prepareSetMatch(set, match, { out, env, now: 0 });
  const target = folder!; // a folder is always given here
  const disk = getDisk();
  const draft = openDraft(out);
  try {
    const record = path.join(draft.folder, id);
    checkUnpacked(packed, record, { name: `${match.folder}/${id}`, prepared });
    disk.makeFolder(path.dirname(target));
    const isNew = moveRecord(record, target, { manifest: prepared.manifest, aside: path.join(draft.folder, 'before') });
    return { result: readFinishedMatch(target, prepared.manifest)!, isNew };
  } finally {
    draft.remove();
  }
}

function checkUnpacked(
  packed: Uint8Array,
  folder: string,
  { name, prepared: { manifest } }: { name: string; prepared: PreparedMatch },
): void {
  try {
    unpackRecord(packed, folder);
    const stored = readManifest(path.join(folder, recordFiles.manifest));
    const differing = listDifferingKeys(stored.setup, manifest.setup);
    if (stored.id !== manifest.id || differing.length > 0)
      throw new RecordError(
        `it is another match, which differs in ${['id', ...differing].slice(stored.id === manifest.id ? 1 : 0).join(', ')}`,
      );
    if (readFinishedMatch(folder, manifest) === null) throw new RecordError('it does not belong to a finished match');
  } catch (error) {
    if (!(error instanceof RecordError) || error.cause !== undefined) throw error; // the disk is full or failing
    throw new DamagedRecord(name, error.message.replaceAll(`${folder}${path.sep}`, '').replace(/\.$/, ''));
  }
}

/** Moves a record to its place. Returns false if another command has put it there. */
function moveRecord(
  from: string,
  target: string,
  { manifest, aside }: { manifest: PreparedMatch['manifest']; aside: string },
): boolean {
  const disk = getDisk();
  if (readIfFinished(target, manifest) !== null) return false;
  if (disk.exists(target)) disk.rename(target, aside); // an unfinished part of the match, which the record includes
  try {
    disk.rename(from, target);
  } catch (error) {
    if (readIfFinished(target, manifest) !== null) return false;
    throw error;
  }
  disk.syncFolder(path.dirname(target));
  return true;
}

/** Reads the match in a folder; null unless the record there is finished and intact. */
export function readIfFinished(folder: string, manifest: PreparedMatch['manifest']): MatchResult | null {
  try {
    return readFinishedMatch(folder, manifest);
  } catch (error) {
    if (error instanceof RecordError) return null;
    throw error;
  }
}
