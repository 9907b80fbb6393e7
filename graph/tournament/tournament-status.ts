// The progress of a tournament, from its folder. The folder is only read, even while another command plays the
// tournament.
import path from 'node:path';
import { z } from 'zod';
import type { TournamentPlan } from '../../deception/tournament-plan/tournament-plan.ts';
import type { TournamentMatch } from '../../deception/tournament-plan/tournament-schedule.ts';
import { type StopState, TournamentScores } from '../../deception/tournament/tournament-stopping.ts';
import { sum } from '../../deception/statistics/sums.ts';
import type { Environment } from '../../models/model.ts';
import { getDisk, getMachine } from '../../models/machine/machine.ts';
import { isLocked } from '../../models/record/lock.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { type AnswerLine, recordFiles } from '../../state/record.ts';
import { type MatchSet, surveyMatches } from '../match-set.ts';
import { isEndedEarly, TournamentDecided } from './play-tournament.ts';

/** A provider's usage per minute in the last ten minutes. */
export interface ProviderPace {
  provider: string;
  calls: number;
  tokens: number;
}

export interface TournamentStatus {
  matches: number;
  done: number;
  /** Matches being played by some command now. */
  underWay: number;
  /**
   * Number of matches that were begun, stopped by an error and are not being played, including damaged ones. Their log
   * has the error.
   */
  failed: number;
  /** Number of matches to be played: not begun, or interrupted. */
  waiting: number;
  /** Number of matches, begun or not, that were not played because the stopping rule ended the tournament. */
  unplayed: number;
  /** Number of finished blocks, counted from the first without a gap. */
  finishedBlocks: number;
  calls: number;
  tokens: number;
  /** USD, as far as known. */
  cost: number;
  callsOfUnknownCost: number;
  /**
   * Estimated seconds until the end, at the pace of the last ten minutes. Null if nothing happened in these minutes, or
   * if no match is over yet.
   */
  secondsLeft: number | null;
  pace: ProviderPace[];
  /** Number of stopped matches by error. */
  errors: Record<string, number>;
  stop: StopState | null;
}

/** Period over which the pace is measured, in minutes. */
const recentMinutes = 10;

/**
 * Returns the progress of a tournament. Makes no call and writes nothing. Throws like `prepareMatch`.
 *
 * @example const { done, matches } = await surveyTournament(plan, matches, { set, out: 'runs/frontier', env: process.env });
 */
export async function surveyTournament(
  plan: TournamentPlan,
  matches: readonly TournamentMatch[],
  { set, out, env }: { set: MatchSet; out: string; env: Environment },
): Promise<TournamentStatus> {
  const since = getMachine().clock.now() - recentMinutes * 60_000;
  const scores = new TournamentScores(plan, matches);
  const counts = { done: 0, underWay: 0, failed: 0, waiting: 0 };
  const spent = { calls: 0, tokens: 0, cost: 0, unknown: 0 };
  const recent: AnswerLine[] = [];
  const errors: Record<string, number> = {};
  let callsOfDone = 0;
  let callsBegun = 0;
  for await (const { place, id, result, answers, fault } of surveyMatches(set, { out, env, now: 0, isCapped: false })) {
    const folder = path.join(out, place.folder ?? '', id);
    if (result) {
      scores.record(place as TournamentMatch, result.summary.winner); // all places of this set are tournament matches
      counts.done += 1;
      const { calls, tokens, cost, calls_with_unknown_cost: unknown } = result.summary.model_calls.total;
      callsOfDone += calls;
      addTo(spent, { calls, tokens: (tokens.in ?? 0) + (tokens.out ?? 0), cost: cost ?? 0, unknown });
      if (isRecent(folder, since)) recent.push(...readRecord(folder, { canLackSeal: true }).answers);
      continue;
    }
    const error = fault ?? (answers.length === 0 ? null : findLastError(folder));
    const isUnderWay = id !== '' && isLocked(path.join(folder, recordFiles.lock));
    counts[isUnderWay ? 'underWay' : error === null ? 'waiting' : 'failed'] += 1;
    if (!isUnderWay && error !== null) errors[error] = (errors[error] ?? 0) + 1;
    callsBegun += answers.length;
    for (const { tokens, cost } of answers)
      addTo(spent, {
        calls: 1,
        tokens: (tokens?.in ?? 0) + (tokens?.out ?? 0),
        cost: cost ?? 0,
        unknown: cost === null ? 1 : 0,
      });
    recent.push(...answers);
  }
  const pace = measurePace(recent.filter(({ started_at: at }) => Date.parse(at) >= since));
  const perSecond = sum(pace.map(({ calls }) => calls)) / 60;
  const stop = scores.evaluate();
  const isOver = isEndedEarly(plan, stop);
  const callsLeft =
    counts.done === 0 ? null : (callsOfDone / counts.done) * (matches.length - counts.done) - callsBegun;
  return {
    ...{ matches: matches.length, ...counts, ...countUnplayed(counts, isOver) },
    ...{ finishedBlocks: scores.listFinishedBlocks().length },
    ...{ calls: spent.calls, tokens: spent.tokens, cost: spent.cost, callsOfUnknownCost: spent.unknown },
    secondsLeft: isOver || callsLeft === null || perSecond === 0 ? null : Math.max(0, callsLeft / perSecond),
    ...{ pace, errors, stop },
  };
}

/**
 * Divides the waiting matches into waiting and unplayed matches. After the stopping rule has ended a tournament, none
 * of them waits any more.
 */
export const countUnplayed = ({ waiting }: Pick<TournamentStatus, 'waiting'>, isOver: boolean) =>
  isOver ? { waiting: 0, unplayed: waiting } : { waiting, unplayed: 0 };

function addTo<Sums extends Record<string, number>>(sums: Sums, more: Sums): void {
  for (const name of Object.keys(sums) as (keyof Sums)[]) sums[name] = (sums[name]! + more[name]!) as Sums[keyof Sums];
}

const isRecent = (folder: string, since: number) =>
  (getDisk().find(path.join(folder, recordFiles.summary))?.changedAt ?? 0) >= since;

/** Measures the pace by provider, without built-in bots. */
function measurePace(answers: readonly AnswerLine[]): ProviderPace[] {
  const byProvider = Map.groupBy(answers, ({ model }) => model.slice(0, Math.max(0, model.indexOf(':'))));
  return [...byProvider]
    .filter(([provider]) => provider !== 'bot')
    .map(([provider, own]) => ({
      provider,
      calls: own.length / recentMinutes,
      tokens: sum(own.map(({ tokens }) => (tokens?.in ?? 0) + (tokens?.out ?? 0))) / recentMinutes,
    }));
}

/** The part of a log line that is read here. */
const LogLine = z.object({ message: z.string(), error: z.string().optional() });

/** Messages of interruptions, which are not failures. */
const interruptions = ['Interrupted.', 'Terminated.', 'Hung up.'];

/** Longest log line in bytes. */
const longestLogLine = 256 * 1024;

/** Returns why the match stopped when it was last played. Null if it did not stop, or was only interrupted. */
export function findLastError(folder: string): string | null {
  try {
    const lines = getDisk()
      .readEnd(path.join(folder, recordFiles.log), longestLogLine)
      .toString('utf8')
      .trimEnd()
      .split('\n');
    const { message, error } = LogLine.parse(JSON.parse(lines.at(-1)!));
    const isInterruption = error === undefined || interruptions.includes(error) || TournamentDecided.hasSaid(error);
    return message !== 'stopped' || isInterruption ? null : error;
  } catch {
    return null; // no log, or an incomplete one
  }
}
