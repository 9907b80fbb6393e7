// A tournament that workers play from a database: queued, followed, collected, or told how far it is.
import { openTournament, TournamentDecided, type TournamentResult } from '../../graph/tournament/play-tournament.ts';
import { prepareFirstMatches } from '../../graph/match-set.ts';
import { checkPrices, defaultConcurrency } from '../../graph/play-match.ts';
import {
  collectTournament,
  findQueuedPlan,
  followTournament,
  queueTournament,
  surveyQueuedTournament,
} from '../../graph/queue/queued-tournament.ts';
import { checkNoGrowth } from '../../graph/queue/queued-plan.ts';
import { getMachine } from '../../models/machine/machine.ts';
import { formatWhole, pluralize } from '../../report/format.ts';
import type { MatchEnd } from '../../graph/play-matches.ts';
import { readTournament } from '../../graph/tournament/tournament-folder.ts';
import { openSetPresentation } from '../console/set-output.ts';
import { formatStatus, formatStatusJson, formatStop, formatTournamentHeader } from '../console/tournament-text.ts';
import { type CommandIO, exitCodes } from './command-line.ts';
import { hideDatabase, useDatabase } from './database-option.ts';
import { findUsableKeys } from './run-matches.ts';
import type { TournamentCommand } from './tournament-command.ts';

/** Milliseconds between two lines on how far it is. */
const told = 30_000;

/** Queues what is left, and follows it unless it is to be left to its workers. Returns the exit code. */
export async function playQueued(
  { plan, out, limits, flags }: TournamentCommand,
  address: string,
  argv: readonly string[],
  io: CommandIO,
): Promise<number> {
  const signal = io.listenToSignals();
  checkNoGrowth(plan);
  const { set, matches } = openTournament(plan);
  const env = await findUsableKeys(set, io.env, plan); // the keys are the workers'
  const { maxCost = plan.maxCost } = limits;
  const firsts = await prepareFirstMatches(set, { out: null, env, now: 0 });
  if (maxCost !== undefined) for (const { prepared } of firsts) checkPrices(prepared.seats, maxCost);
  const options = { out, env, ...(maxCost === undefined ? {} : { maxCost }) };
  const isSilent = Boolean(flags.json || flags.quiet);
  return useDatabase(address, { io, signal }, async (database) => {
    const tell = (line: string) => void (isSilent || io.stdout.write(`${line}\n`));
    const left = flags.collect ? null : await queueTournament(database, plan, options);
    if (flags.detach) {
      tell(
        `${pluralize(left ?? 0, 'match is', 'matches are')} in the queue. Workers play them: npm run worker. How far they are: --status; what is finished: --collect.`,
      );
      return exitCodes.done;
    }
    const { clock } = getMachine();
    const settings = { out, maxCost, concurrency: limits.concurrency ?? defaultConcurrency, env, signal };
    const presentation = openSetPresentation({ manner: flags }, set, settings, hideDatabase(argv), io, {
      command: 'tournament',
      formatHeader: (first) =>
        formatTournamentHeader(plan, matches, { first, out, concurrency: settings.concurrency, maxCost }),
    });
    const { listener, tellResult, tellFailure, close } = presentation;
    listener.onOpen?.(firsts[0].prepared.manifest);
    if (left !== null) tell(`${pluralize(left, 'match is', 'matches are')} in the queue for workers: npm run worker.`);
    const onEnd: typeof listener.onEnd = async (end, place) =>
      listener.onEnd?.('summary' in end ? { ...end, isPlayed: false } : end, place); // its calls were made elsewhere
    let toldAt = clock.elapsed();
    const onStatus = (status: { finished: number; playing: number; waiting: number; workers: number }) => {
      if (clock.elapsed() - toldAt < told) return;
      toldAt = clock.elapsed();
      const { finished, playing, waiting, workers } = status;
      tell(
        `${formatWhole(finished)} finished, ${formatWhole(playing)} under way, ${formatWhole(waiting)} waiting; ${pluralize(workers, 'worker')}.`,
      );
    };
    const play = flags.collect
      ? collectTournament(database, plan, { ...options, onEnd })
      : followTournament(database, plan, { ...options, onEnd, onStatus, signal });
    return play.then((result) => tellEnd(result), tellFailure).finally(close);

    function tellEnd({ stop, ...result }: TournamentResult): number {
      const isDecided = result.reason instanceof TournamentDecided;
      const code = tellResult(isDecided ? { ...result, stopped: 0, waiting: 0, reason: null } : result);
      if (stop !== null && !isSilent) io.stdout.write(`\n${formatStop(plan, stop)}\n`);
      return code;
    }
  });
}

/** Prints how far a queued tournament is. */
export async function tellQueuedStatus(
  { plan, flags }: TournamentCommand,
  address: string,
  io: CommandIO,
): Promise<number> {
  const signal = io.listenToSignals();
  const { workers, ...status } = await useDatabase(address, { io, signal }, (database) =>
    surveyQueuedTournament(database, plan),
  );
  const text = flags.json
    ? JSON.stringify({ ...(JSON.parse(formatStatusJson(plan, status)) as object), workers })
    : `${formatStatus(plan, status)}\n${pluralize(workers, 'worker')} alive.`;
  io.stdout.write(`${text}\n`);
  return exitCodes.done;
}

/** Collects what workers have finished of the tournaments whose folders these are, before they are reported. */
export async function collectForReport(folders: readonly string[], address: string, io: CommandIO): Promise<void> {
  const signal = io.listenToSignals();
  const records = folders.flatMap((out) => {
    const record = readTournament(out);
    return record === null ? [] : [{ out, plan: record.plan }];
  });
  if (records.length === 0) return;
  await useDatabase(address, { io, signal }, async (database) => {
    for (const { out, plan } of records) {
      const queued = await findQueuedPlan(database, plan);
      if (queued === null) continue;
      const { set } = openTournament(queued);
      const env = await findUsableKeys(set, io.env, queued);
      let collected = 0;
      const onEnd = (end: MatchEnd) => void (collected += 'summary' in end && end.isPlayed ? 1 : 0);
      const { waiting, stopped } = await collectTournament(database, queued, { out, env, onEnd });
      io.stderr.write(
        `${plan.name}: ${pluralize(collected, 'match', 'matches')} collected from the database, ${waiting} not over, ${stopped} failed.\n`,
      );
    }
  });
}
