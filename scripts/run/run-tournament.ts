// Plays the tournament of a plan, estimates it, or prints its progress.
import { getMatchKey, type StopState, TournamentScores } from '../../deception/tournament/tournament-stopping.ts';
import {
  countDealsForPrecision,
  measurePairSpread,
  simulatePrecision,
  type TournamentPrecision,
} from '../../deception/tournament/tournament-precision.ts';
import type { TournamentPlan } from '../../deception/tournament-plan/tournament-plan.ts';
import { countBlockDeals, type TournamentMatch } from '../../deception/tournament-plan/tournament-schedule.ts';
import { estimateStop } from '../../deception/tournament/stop-forecast.ts';
import { MIN_CLUSTERS } from '../../deception/statistics/bootstrap.ts';
import { computeHalfWidth } from '../../deception/statistics/sample-size.ts';
import { countCallsByModel, surveyMatches, type CallsByModel } from '../../graph/match-set.ts';
import { defaultConcurrency } from '../../graph/play-match.ts';
import {
  estimateTournament,
  estimateTournamentBeliefs,
  estimateTournamentTurns,
  estimateTournamentWithFullMemory,
} from '../../graph/tournament/estimate-tournament.ts';
import {
  isEndedEarly,
  openTournament,
  playTournament,
  TournamentDecided,
} from '../../graph/tournament/play-tournament.ts';
import { prepareTournament } from '../../graph/tournament/tournament-folder.ts';
import { surveyTournament } from '../../graph/tournament/tournament-status.ts';
import { tellServers, addSilentPolicy } from '../../models/key-policy.ts';
import { formatWhole, pluralize } from '../../report/format.ts';
import {
  addJudgeCost,
  formatBeliefs,
  formatCapWarning,
  formatJudgeEstimate,
  formatMemorySaving,
  formatTurns,
} from '../console/estimate-text.ts';
import { formatSurvey } from '../console/match-header.ts';
import { openSetPresentation } from '../console/set-output.ts';
import {
  formatDryRun,
  formatDryRunJson,
  formatStatus,
  formatStatusJson,
  formatStop,
  formatTournamentHeader,
  listStop,
  type PlannedDeals,
} from '../console/tournament-text.ts';
import { type CommandIO, exitCodes } from '../command/command-line.ts';
import { warnOfFileSystem } from '../command/file-system.ts';
import { reportStudy, type StudyCommands } from './report-study.ts';
import { openJudgeCounter } from './estimate-judge.ts';
import { type MatchJudging, openMatchJudging } from './judge-as-played.ts';
import { formatStudyDetails } from '../console/study-text.ts';
import { recordStudy } from '../study/record-study.ts';
import { readStudyPlan } from '../study/study-file.ts';
import { surveyStudy } from '../study/survey-study.ts';
import { boundLimits, printUnjudgedEnd, findPriceRefusal, findUsableKeys } from './run-match-command.ts';
import type { TournamentCommand } from '../command/tournament-command.ts';

/** Number of dry runs before the first call. */
const quickRuns = 3;

/**
 * Plays the tournament. The plan's judge reads each match as soon as it ends, and the tournament then ends in a report.
 * Returns the exit code, which is also 0 if the stopping rule ended the tournament.
 */
export async function playPlan(
  { plan, out, limits, flags }: TournamentCommand,
  argv: readonly string[],
  io: CommandIO,
  commands: StudyCommands,
): Promise<number> {
  const { set, matches } = openTournament(plan, out);
  const finished = new Set<string>();
  const bound = boundLimits(limits, io);
  const signal = io.listenToSignals();
  await io.boundHeap?.(Math.min(matches.length, bound.concurrency));
  const settings = { ...bound, mixWordings: flags.mixWordings, out, env: io.env, signal };
  warnOfFileSystem(out, io);
  const judging = plan.judge === undefined ? null : await openMatchJudging(plan.judge, settings, { ...io, signal });
  const recording = recordStudy({ set, out, env: io.env, judge: plan.judge, limits: bound });
  const shown = { ...settings, onEstimate: recording.expect };
  const presentation = openSetPresentation({ manner: flags }, set, shown, argv, io, {
    command: 'tournament',
    isDetailed: true,
    formatHeader: (first) => formatTournamentHeader(plan, matches, { first, out, limits: bound }),
    estimateLeft: async () => {
      const left = matches.filter((match) => !finished.has(getMatchKey(match)));
      const { all, ...estimate } = await estimateTournament(plan, left, {
        env: io.env,
        concurrency: bound.concurrency,
        mostRuns: quickRuns,
      });
      return { ...all, ...estimate, seeds: Array.from({ length: estimate.dryRuns }, (_, run) => run) };
    },
  });
  const { tellResult, tellFailure, close } = presentation;
  const recorded = recording.listen(presentation.listener);
  const listener = judging ? judging.listen(recorded) : recorded;
  const play = playTournament(plan, {
    ...settings,
    ...listener,
    budget: judging?.budget,
    onEnd: async (end, place) => {
      if ('summary' in end) finished.add(getMatchKey(place as TournamentMatch));
      const isDecided = 'error' in end && end.error instanceof TournamentDecided;
      await (isDecided ? listener.onHold?.(end) : listener.onEnd?.(end, place));
    },
  });
  const code = await play
    .then(({ stop, ...result }) => {
      const isDecided = result.reason instanceof TournamentDecided;
      const ended = tellResult(isDecided ? { ...result, stopped: 0, waiting: 0, reason: null } : result);
      if (stop !== null) printStop(plan, stop, { flags, io });
      return ended;
    }, tellFailure)
    .finally(() => {
      recording.close();
      return close();
    });
  if (signal.aborted) return code;
  if (judging === null) return printUnjudgedEnd({ code, out, manner: flags, commands }, io);
  return reportTournament({ plan, out, flags }, { code, judging, commands }, io);
}

/**
 * Waits for the plan's judge, then writes the report. Also writes the comparison if entrants met the same opponents in
 * the same condition. Returns the exit code.
 */
export async function reportTournament(
  { plan, out, flags }: Pick<TournamentCommand, 'plan' | 'out' | 'flags'>,
  { code, judging, commands }: { code: number; judging: MatchJudging; commands: StudyCommands },
  io: CommandIO,
): Promise<number> {
  const isPaired = plan.format === 'head-to-head' || (plan.format === 'round-robin' && plan.selfPlay);
  const { boards, rules, conditions = {}, stop } = plan;
  const isOneCondition = boards.length === 1 && rules.length === 1 && Object.keys(conditions).length === 0;
  const isCrossed = isPaired && isOneCondition && stop === undefined; // a plan that may stop early compares by its ratings
  const isOpen = code !== exitCodes.done || flags.report === false;
  const judged = await reportStudy({ out, judging, isCrossed, isRated: true, isOpen, manner: flags, commands }, io);
  return code === exitCodes.done ? judged : code;
}

/** Prints the final state of the stopping rule. With --json it is printed as a separate last line. */
export function printStop(
  plan: TournamentPlan,
  stop: StopState,
  { flags, io }: { flags: TournamentCommand['flags']; io: CommandIO },
): void {
  if (flags.json) io.stdout.write(`${JSON.stringify({ tournament: plan.name, stop: listStop(plan, stop) })}\n`);
  else if (!flags.quiet) io.stdout.write(`\n${formatStop(plan, stop)}\n`);
}

/** Prints the estimate for the matches that are left to play, and the expected precision of the plan's deals. */
export async function planDry({ plan, out, limits, flags }: TournamentCommand, io: CommandIO): Promise<number> {
  const { set, matches } = openTournament(plan, out);
  prepareTournament(out, plan); // throws if the plan was changed
  const { concurrency = defaultConcurrency, maxCost } = limits;
  const env = await findUsableKeys(set, io.env, plan);
  tellServers(env);
  const refusal = maxCost === undefined ? null : await findPriceRefusal(set, env, maxCost);
  const counter = await openJudgeCounter(plan.judge, env);
  const left: TournamentMatch[] = [];
  const recorded: CallsByModel[] = [];
  const scores = new TournamentScores(plan, matches);
  let paid = 0;
  const location = { out, env, now: 0, isCapped: maxCost !== undefined, refusesOtherWordings: !flags.mixWordings };
  for await (const found of surveyMatches(set, location)) {
    const match = found.place as TournamentMatch; // all places of this set are tournament matches
    paid += found.paid;
    if (found.result?.folder) counter?.addFinished(found.result.folder);
    if (found.result) scores.record(match, found.result.summary.winner);
    else left.push(match);
    if (!found.result && found.answers.length > 0) recorded.push(countCallsByModel(found.answers));
  }
  const stop = scores.evaluate();
  const isOver = isEndedEarly(plan, stop);
  const options = { env, concurrency, onStep: io.step };
  const estimate =
    left.length === 0 || isOver
      ? null
      : await estimateTournament(plan, left, { ...options, ...(counter && { onRun: counter.onRun }) });
  const judge = counter?.finish(estimate?.matches ?? 0) ?? null;
  const full = estimate && (await estimateTournamentWithFullMemory(plan, left, options));
  const beliefs = estimate && (await estimateTournamentBeliefs(plan, left, options));
  const turns = estimate && (await estimateTournamentTurns(plan, left, estimate, options));
  io.step?.('Simulating the precision', 0, 0);
  const { precision, playedBlocks } = findPrecision(plan, scores);
  const wanted = flags.precision === undefined ? null : await estimateDeals(flags.precision);
  const survey = isOver
    ? `${pluralize(matches.length - left.length, 'match is', 'matches are')} finished; ${formatWhole(left.length)} of ${formatWhole(matches.length)} are left unplayed by the stopping rule.`
    : formatSurvey(matches.length, { matches: left.length, recorded });
  io.step?.('Simulating the stopping rule', 0, 0);
  const forecast = isOver || left.length === 0 ? null : estimateStop(plan);
  const told = {
    plan,
    matches,
    estimate,
    full,
    turns,
    judge,
    beliefs,
    precision,
    playedBlocks,
    wanted,
    forecast,
    stop,
    concurrency,
  };
  if (flags.json) io.stdout.write(`${formatDryRunJson(told)}\n`);
  else if (!flags.quiet)
    io.stdout.write(
      `${[
        survey,
        formatDryRun(told),
        estimate && full && formatMemorySaving(estimate.all, full.all),
        formatTurns(turns),
        judge && formatJudgeEstimate(judge, estimate?.all.cost ?? 0),
        formatBeliefs(beliefs),
        estimate &&
          formatCapWarning(addJudgeCost({ matches: left.length, cost: estimate.all.cost }, judge), {
            maxCost,
            spent: paid,
          }),
        refusal && `Without --dry-run, this command would fail: ${refusal}`,
        'No calls were made and nothing was written.',
      ]
        .filter((part) => part !== null)
        .join('\n')}\n`,
    );
  return exitCodes.done;

  async function estimateDeals(halfWidth: number): Promise<PlannedDeals> {
    const deals = countDealsForPrecision(plan, precision, halfWidth);
    if (deals === null) return { halfWidth, deals, estimate: null };
    const all = openTournament({ ...plan, deals }).matches;
    return { halfWidth, deals, estimate: await estimateTournament(plan, all, { env, concurrency }) };
  }
}

/** Estimates the tournament's precision: from its own deals once ten blocks are finished, by simulation before that. */
function findPrecision(
  plan: TournamentPlan,
  scores: TournamentScores,
): { precision: TournamentPrecision; playedBlocks: number } {
  const simulated = simulatePrecision(plan);
  const played = scores.listFinishedBlocks();
  const spread = played.length < MIN_CLUSTERS ? null : measurePairSpread(plan, played);
  if (spread === null || spread === 0) return { precision: simulated, playedBlocks: 0 };
  const blocks = Math.floor(plan.deals / countBlockDeals(plan));
  return {
    precision: {
      ...simulated,
      differenceSpread: spread,
      difference: blocks < MIN_CLUSTERS ? null : computeHalfWidth(spread, blocks),
    },
    playedBlocks: played.length,
  };
}

/** Prints the tournament's progress. */
export async function printStatus({ plan, out, flags }: TournamentCommand, io: CommandIO): Promise<number> {
  const { set, matches } = openTournament(plan, out);
  prepareTournament(out, plan);
  const env = await findUsableKeys(set, addSilentPolicy(io.env), plan);
  const status = await surveyTournament(plan, matches, { set, out, env });
  const study = readStudyPlan(out) === null ? null : surveyStudy(out, io.step); // null before the first match
  const text = flags.json
    ? JSON.stringify({ ...(JSON.parse(formatStatusJson(plan, status)) as object), study })
    : [formatStatus(plan, status), ...(study ? formatStudyDetails(study) : [])].join('\n');
  io.stdout.write(`${text}\n`);
  return exitCodes.done;
}
