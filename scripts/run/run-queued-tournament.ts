// Queues a tournament that workers play from a database, follows it, collects its matches, or prints its progress.
import type { TournamentPlan } from '../../deception/tournament-plan/tournament-plan.ts';
import type { QueueDatabase } from '../../graph/queue/database.ts';
import { openTournament, TournamentDecided, type TournamentResult } from '../../graph/tournament/play-tournament.ts';
import { prepareFirstMatches } from '../../graph/match-set.ts';
import { checkPrices, defaultConcurrency } from '../../graph/play-match.ts';
import {
  collectTournament,
  findQueuedPlan,
  followTournament,
  type QueuedMatches,
  type QueuedStatus,
  queueTournament,
  dropTournament,
  queueMatchesAgain,
  surveyQueuedTournament,
} from '../../graph/queue/queued-tournament.ts';
import { DamagedRecord } from '../../graph/queue/collect-records.ts';
import { createQueuedBudget } from '../../graph/queue/queued-budget.ts';
import { checkNoGrowth } from '../../graph/queue/queued-plan.ts';
import { type Budget, createBudget } from '../../models/budget.ts';
import { addSilentPolicy } from '../../models/key-policy.ts';
import { getMachine } from '../../models/machine/machine.ts';
import { formatMoney, formatRoughTime, formatWhole, pluralize, sanitizeText } from '../../report/format.ts';
import type { MatchEnd } from '../../graph/play-matches.ts';
import { readTournament } from '../../graph/tournament/tournament-folder.ts';
import { openSetPresentation } from '../console/set-output.ts';
import { formatStatus, formatStatusJson, formatTournamentHeader, formatUndone } from '../console/tournament-text.ts';
import { type CommandIO, describeError, exitCodes } from '../command/command-line.ts';
import { hideDatabase, useDatabase } from '../command/database-option.ts';
import type { StudyCommands } from './report-study.ts';
import { openMatchJudging } from './judge-as-played.ts';
import { findUsableKeys, printUnjudgedEnd } from './run-match-command.ts';
import { recordStudy } from '../study/record-study.ts';
import { reportTournament, printStop } from './run-tournament.ts';
import type { TournamentCommand } from '../command/tournament-command.ts';
import { formatCommand } from '../../state/command-name.ts';

/** Milliseconds between two printed lines of progress. */
const told = 30_000;

/**
 * Queues the matches that are left, and follows their progress unless the command is detached. The plan's judge reads
 * each match as soon as it is collected, in this process and under the cap of the workers. Returns the exit code.
 */
export async function playQueued(
  { plan, out, limits, cap, flags }: TournamentCommand,
  address: string,
  argv: readonly string[],
  io: CommandIO,
  commands: StudyCommands,
): Promise<number> {
  const signal = io.listenToSignals();
  checkNoGrowth(plan);
  const { set, matches } = openTournament(plan);
  const env = await findUsableKeys(set, addSilentPolicy(io.env), plan); // only workers need keys
  const { maxCost: planned } = limits;
  const firsts = await prepareFirstMatches(set, { out: null, env, now: 0 });
  if (planned !== undefined) for (const { prepared } of firsts) checkPrices(prepared.seats, planned);
  const options = { out, env, maxCost: cap, mixWordings: flags.mixWordings };
  const isSilent = Boolean(flags.json || flags.quiet);
  const judge = flags.detach ? undefined : plan.judge;
  const money = Promise.withResolvers<Budget>(); // joint budget of players and judge; resolved once the database is open
  const budget = { ...createBudget(null), reserve: async (usd: number) => (await money.promise).reserve(usd) };
  const judging = judge === undefined ? null : await openMatchJudging(judge, limits, { ...io, signal }, budget);
  const code = await useDatabase(address, { io, signal }, async (database) => {
    const tell = (line: string) => void (isSilent || io.stdout.write(`${line}\n`));
    money.resolve(createQueuedBudget(database, plan.name, signal));
    const queued = flags.collect ? null : await queueTournament(database, plan, options);
    for (const words of queued?.refused ?? []) io.stderr.write(`Not queued. ${describeError(words)}\n`);
    if (flags.detach) {
      tell(
        `${formatQueued(queued!)} Workers play them: ${formatCommand('worker')}. For progress use --status; for finished matches --collect.`, // --collect and --detach exclude each other
      );
      return exitCodes.done;
    }
    const agreed = queued === null ? planned : (queued.cap ?? undefined);
    const shown = { maxCost: agreed, concurrency: limits.concurrency ?? defaultConcurrency };
    const { clock } = getMachine();
    const settings = { ...shown, out, env, signal };
    const again = hideDatabase(argv).filter((text) => text !== '--collect');
    const recording = recordStudy({ set, out, env, judge: plan.judge, limits: shown });
    const presentation = openSetPresentation({ manner: flags }, set, settings, again, io, {
      command: 'tournament',
      ...(flags.collect && { others: `Workers play what is left: ${formatCommand('worker')}.` }),
      formatHeader: (first) => formatTournamentHeader(plan, matches, { first, out, limits: shown }),
    });
    const { tellResult, tellFailure, close } = presentation;
    const listener = judging ? judging.listen(presentation.listener) : presentation.listener;
    await recording.open(matches.length);
    listener.onOpen?.(firsts[0].prepared.manifest);
    if (queued !== null) tell(`${formatQueued(queued)} Workers play them: ${formatCommand('worker')}.`);
    const onEnd: typeof listener.onEnd = async (end, place) =>
      listener.onEnd?.('summary' in end ? { ...end, isPlayed: false } : end, place); // workers made the calls, so this process played nothing
    let toldAt: number | null = null;
    const onLook = async (workers: number) => {
      const isAlone = toldAt === null && workers === 0;
      toldAt ??= clock.elapsed();
      if (isSilent || (!isAlone && clock.elapsed() - toldAt < told)) return;
      toldAt = clock.elapsed();
      tell(formatQueuedStatus(await surveyQueuedTournament(database, plan)));
    };
    const play = flags.collect
      ? collectTournament(database, plan, { ...options, onEnd })
      : followTournament(database, plan, { ...options, onEnd, onLook, signal });
    const ended = await play
      .then((result) => tellEnd(result), tellFailure)
      .finally(() => {
        recording.close();
        return close();
      });
    if (signal.aborted || judging === null) return ended;
    return await reportTournament({ plan, out, flags }, { code: ended, judging, commands }, io);

    function tellEnd({ stop, ...result }: TournamentResult): number {
      const isDecided = result.reason instanceof TournamentDecided;
      const code = tellResult(isDecided ? { ...result, stopped: 0, waiting: 0, reason: null } : result);
      if (stop !== null) printStop(plan, stop, { flags, io });
      return code;
    }
  });
  if (signal.aborted || flags.detach) return code;
  return judging === null ? printUnjudgedEnd({ code, out, manner: flags, commands }, io) : code;
}

/** Prints the progress of a queued tournament. */
export async function printQueuedStatus(
  { plan, flags }: TournamentCommand,
  address: string,
  io: CommandIO,
): Promise<number> {
  const signal = io.listenToSignals();
  const { workers, unqueued, outage, unreadable, ...status } = await useDatabase(address, { io, signal }, (database) =>
    surveyQueuedTournament(database, plan),
  );
  const text = flags.json
    ? JSON.stringify({
        ...(JSON.parse(formatStatusJson(plan, status)) as object),
        ...{ workers, not_queued: unqueued, outage, unreadable_figures: unreadable },
      })
    : [
        formatStatus(plan, status),
        ...(unqueued === 0
          ? []
          : [`${pluralize(unqueued, 'match is', 'matches are')} not in the queue: run the command without --status.`]),
        ...(unreadable === 0
          ? []
          : [
              `The figures of ${pluralize(unreadable, 'match', 'matches')} in the database cannot be read, and are left out above.`,
            ]),
        ...formatOutage(outage),
        formatWorkers(workers),
      ].join('\n');
  io.stdout.write(`${text}\n`);
  return exitCodes.done;
}

/** Removes a tournament from the database, and prints what was removed. */
export async function dropQueued(
  { plan, out, flags }: TournamentCommand,
  address: string,
  io: CommandIO,
): Promise<number> {
  const signal = io.listenToSignals();
  const { set } = openTournament(plan);
  const env = await findUsableKeys(set, addSilentPolicy(io.env), plan);
  const { totals, uncollected } = await useDatabase(address, { io, signal }, (database) =>
    dropTournament(database, plan, { out, env, isForced: flags.force === true }),
  );
  const { matches, finished, calls } = totals;
  if (flags.json) io.stdout.write(`${JSON.stringify({ removed: plan.name, matches, finished, calls, uncollected })}\n`);
  else if (!flags.quiet)
    io.stdout.write(
      `${plan.name} is removed from the database: ${pluralize(matches, 'match', 'matches')}, ${formatWhole(finished)} of them finished${uncollected === 0 ? '' : `, ${formatWhole(uncollected)} of those with records that existed nowhere else`}. ${sanitizeText(out)} is unchanged.\n`,
    );
  return exitCodes.done;
}

/** Makes workers play failed matches again, and prints their names. */
export async function queueAgain(
  { plan, out, flags }: TournamentCommand,
  address: string,
  io: CommandIO,
): Promise<number> {
  const signal = io.listenToSignals();
  const { set } = openTournament(plan);
  const env = await findUsableKeys(set, io.env, plan);
  const { names, stopped } = await useDatabase(address, { io, signal }, (database) =>
    queueMatchesAgain(database, plan, flags.requeue ?? [], { out, env }),
  );
  if (flags.json) io.stdout.write(`${JSON.stringify({ requeued: names, stopped })}\n`);
  else if (!flags.quiet)
    io.stdout.write(
      [
        ...names.map((name) => `${name} is in the queue again, and is played from its beginning.\n`),
        ...(stopped === null
          ? []
          : [`The tournament is stopped: ${stopped} To resume, run the command without --requeue.\n`]),
      ].join(''),
    );
  return exitCodes.done;
}

const formatQueued = ({ left, cap, decided }: QueuedMatches) =>
  [
    `${pluralize(left, 'match is', 'matches are')} in the queue.`,
    ...(cap === null ? [] : [`No call begins once USD ${cap} is spent in total.`]),
    ...(decided === null ? [] : [`${decided} None of them is played.`]),
  ].join(' ');

/** Formats everything that --status prints into one line. */
function formatQueuedStatus({ workers, pace, outage, ...status }: QueuedStatus): string {
  const { done, underWay, failed, calls, tokens, cost, callsOfUnknownCost, secondsLeft } = status;
  return [
    `${formatWhole(done)} finished, ${formatWhole(underWay)} under way, ${formatUndone(status)}, ${formatWhole(failed)} failed; ${pluralize(calls, 'call')}, ${formatWhole(tokens)} tokens, ${formatMoney({ cost, calls_with_unknown_cost: callsOfUnknownCost })}.`,
    ...(secondsLeft === null ? [] : [`About ${formatRoughTime(secondsLeft * 1000)} left at this pace.`]),
    ...pace.map((one) => `${sanitizeText(one.provider)}: ${formatWhole(Math.round(one.calls))} calls a minute.`),
    ...formatOutage(outage),
    formatWorkers(workers),
  ].join(' ');
}

const formatOutage = (outage: QueuedStatus['outage']) =>
  outage === null
    ? []
    : [
        `A provider is down: all matches have waited for it for ${formatRoughTime(outage.seconds * 1000)}. ${sanitizeText(outage.words)}`,
      ];

const formatWorkers = (workers: number) =>
  workers === 0
    ? `No worker is running. Start one: ${formatCommand('worker')}.`
    : `${pluralize(workers, 'worker')} alive.`;

/**
 * Collects the matches that workers finished for the tournaments in these folders, before a report. The matches may
 * also have been played on this machine. If only the environment names a database and it cannot be opened, the function
 * therefore prints a line and returns.
 */
export async function collectForReport(
  folders: readonly string[],
  { address, isTyped }: { address: string; isTyped: boolean },
  io: CommandIO,
): Promise<void> {
  const signal = io.listenToSignals();
  const records = folders.flatMap((out) => {
    const record = readTournament(out);
    return record === null ? [] : [{ out, plan: record.plan }];
  });
  if (records.length === 0) return;
  let isOpen = false;
  try {
    await useDatabase(address, { io, signal }, async (database) => {
      isOpen = true;
      for (const record of records) await collectRecords(database, record, io);
    });
  } catch (error) {
    if (isOpen || isTyped) throw error;
    io.stderr.write(
      `${describeError(error, io.env)} Nothing is collected from it; --no-database hides this message.\n`,
    );
  }
}

async function collectRecords(
  database: QueueDatabase,
  { out, plan }: { out: string; plan: TournamentPlan },
  io: CommandIO,
): Promise<void> {
  const queued = await findQueuedPlan(database, plan);
  if (queued === null) return;
  const { set } = openTournament(queued);
  const env = await findUsableKeys(set, addSilentPolicy(io.env), queued);
  let collected = 0;
  const onEnd = (end: MatchEnd) => {
    if ('summary' in end) collected += end.isPlayed ? 1 : 0;
    else if (end.error instanceof DamagedRecord) io.stderr.write(`${describeError(end.error, io.env)}\n`);
  };
  const { waiting, stopped } = await collectTournament(database, queued, { out, env, onEnd });
  io.stderr.write(
    `${plan.name}: ${pluralize(collected, 'match', 'matches')} collected from the database, ${waiting} unfinished, ${stopped} failed.\n`,
  );
}
