// Output on a tournament: its plan, the estimate and expected precision, progress, and why it ended.
import type { PlayLimits } from '../../models/call-limits.ts';
import { roundDown, roundUp } from '../../deception/statistics/round-outward.ts';
import Table from 'cli-table3';
import { sum } from '../../deception/statistics/sums.ts';
import { MIN_CLUSTERS } from '../../deception/statistics/bootstrap.ts';
import type { ForecastStop } from '../../deception/tournament/stop-forecast.ts';
import { type TournamentPrecision, widestOutcomes } from '../../deception/tournament/tournament-precision.ts';
import { crossedFormat, type StopPlan, type TournamentPlan } from '../../deception/tournament-plan/tournament-plan.ts';
import { countBlockDeals, type TournamentMatch } from '../../deception/tournament-plan/tournament-schedule.ts';
import type { StopState } from '../../deception/tournament/tournament-stopping.ts';
import { estimateAssumptions, type EstimatedUsage, type TurnEstimates } from '../../graph/estimate.ts';
import { findEntrant } from '../../graph/tournament/tournament-set.ts';
import { describeRule, isEndedEarly } from '../../graph/tournament/play-tournament.ts';
import type { TournamentEstimate } from '../../graph/tournament/estimate-tournament.ts';
import type { TournamentStatus } from '../../graph/tournament/tournament-status.ts';
import {
  formatMoney,
  formatRoughTime,
  formatWhole,
  missingPlaceholder,
  pluralize,
  sanitizeText,
} from '../../report/format.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import type { Manifest } from '../../state/record.ts';
import { type JudgeEstimate, listEmbeddingLines, listTurns } from './estimate-text.ts';
import { formatBoard, formatPlayLimits, formatReplicates } from './match-header.ts';

interface HeaderSettings {
  first: Manifest;
  out: string;
  limits: PlayLimits;
}

/** Formats the header above a tournament's matches. */
export function formatTournamentHeader(
  plan: TournamentPlan,
  matches: readonly TournamentMatch[],
  { first, out, limits }: HeaderSettings,
): string {
  const boards =
    plan.boards.length === 1
      ? `${formatBoard(first.setup)}`
      : `boards ${plan.boards.map(({ name }) => sanitizeText(name)).join(', ')}`;
  return [
    `${formatPlan(plan, matches)} ${boards}; rules ${plan.rules.join(', ')}.`,
    ...formatConditions(matches),
    `Entrants: ${Object.keys(plan.entrants)
      .map((name) => `${name} (${formatEntrant(plan, name)})`)
      .join(', ')}.`,
    `${formatPlayLimits(limits)}. Folder: ${sanitizeText(out)}`,
  ].join('\n');
}

const formatPlan = (
  { name, deals, replicates, entrants, ...meeting }: TournamentPlan,
  matches: readonly TournamentMatch[],
) =>
  `Tournament ${sanitizeText(name)}: ${nameFormat(meeting)}, ${pluralize(Object.keys(entrants).length, 'entrant')}, ${pluralize(deals, 'deal')}${formatReplicates(replicates)}, ${pluralize(matches.length, 'match', 'matches')};`;

/** Describes who meets whom. A crossed design has the same name as in `match --crossed`. */
function nameFormat({ format, design, selfPlay }: Pick<TournamentPlan, 'format' | 'design' | 'selfPlay'>): string {
  if (design === 'cyclic') return `${format} (cyclic)`;
  return selfPlay && (format === 'round-robin' || format === 'head-to-head') ? crossedFormat : format;
}

function formatConditions(matches: readonly TournamentMatch[]): string[] {
  const conditions = new Set(matches.flatMap(({ condition }) => condition ?? []));
  return conditions.size === 0 ? [] : [`Conditions: ${[...conditions].join('; ')}.`];
}

/** Formats an entrant's model, or all of its models if it has several. */
function formatEntrant(plan: TournamentPlan, name: string): string {
  const { model, roles = {}, persona } = findEntrant(plan, name);
  const parts = [
    sanitizeText(getModelLabel(model)),
    ...Object.entries(roles).map(([role, text]) => `${role}: ${sanitizeText(getModelLabel(text))}`),
    ...(persona === undefined ? [] : ['with a persona']),
  ];
  return parts.join(', ');
}

/** Number of deals for a wanted precision. The number is null if no two entrants meet. */
export interface PlannedDeals {
  halfWidth: number;
  deals: number | null;
  estimate: TournamentEstimate | null;
}

interface DryRunTold {
  plan: TournamentPlan;
  matches: readonly TournamentMatch[];
  /** Estimate of what is left to play; null if nothing is left. */
  estimate: TournamentEstimate | null;
  /** Estimate with `memory=full`; null if no match has `memory=retrieval`. */
  full: TournamentEstimate | null;
  /** Estimates with both values of the rule `turn`; null if they are not compared. */
  turns: TurnEstimates | null;
  /** Estimate for the plan's judge; null without one. */
  judge: JudgeEstimate | null;
  /** Calls that asking for beliefs after every statement would add; null if the plan asks for them. */
  beliefs: EstimatedUsage | null;
  precision: TournamentPrecision;
  /**
   * Number of the tournament's own blocks from which the spread of differences was computed; 0 if the spread was
   * simulated.
   */
  playedBlocks: number;
  wanted: PlannedDeals | null;
  /**
   * Forecast of when the stopping rule ends the tournament; null without a rule, and once the tournament has ended.
   */
  forecast: readonly ForecastStop[] | null;
  stop: StopState | null;
  concurrency: number;
}

/** Formats the schedule with its balance, the estimate by entrant, and the expected precision. */
export function formatDryRun(told: DryRunTold): string {
  const { plan, matches, estimate, wanted, forecast, stop } = told;
  return [
    `${formatPlan(plan, matches)} seeds ${plan.seed} to ${plan.seed + plan.deals - 1}.`,
    ...formatConditions(matches),
    '',
    formatBalance(plan, matches),
    ...(estimate === null ? [] : ['', formatUsages(estimate, told.concurrency)]),
    '',
    formatPrecision(told),
    ...(forecast === null ? [] : ['', formatForecast(plan, forecast)]),
    ...(stop !== null && isEndedEarly(plan, stop) ? ['', formatStop(plan, stop), nothingLeft] : []),
    ...(wanted === null ? [] : ['', formatWanted(wanted)]),
  ].join('\n');
}

const alignRight = (columns: number): ('left' | 'right')[] => ['left', ...Array<'right'>(columns).fill('right')];

/** Formats how often each entrant has each seat or side. Equal numbers show that the schedule is balanced. */
function formatBalance(plan: TournamentPlan, matches: readonly TournamentMatch[]): string {
  const roles = [...new Set(matches.flatMap(({ seats }) => seats.map(({ role }) => role)))];
  const table = new Table({
    head: ['Seats of', 'matches', 'as Werewolves', 'as village', ...roles],
    colAligns: alignRight(3 + roles.length),
    style: { head: [], border: [], compact: true },
  });
  const counted = Object.keys(plan.entrants).map((name) => {
    const own = matches.map(({ seats }) => seats.filter(({ entrant }) => entrant === name));
    const seats = own.flat();
    const countSide = (team: string) => own.filter((some) => some.some((seat) => seat.team === team)).length;
    return [
      own.filter(({ length }) => length > 0).length,
      ...[countSide('werewolves'), countSide('villagers')],
      ...roles.map((role) => seats.filter((seat) => seat.role === role).length),
    ];
  });
  for (const [place, name] of Object.keys(plan.entrants).entries())
    table.push([sanitizeText(name), ...counted[place]!.map(formatWhole)]);
  const block = countBlockDeals(plan);
  const isWhole = plan.deals % block === 0;
  const isBalanced = counted.every((row) => row.slice(3).join() === counted[0]!.slice(3).join());
  return [
    table.toString(),
    isBalanced
      ? `Balanced: every entrant has each role equally often${block === 1 ? ', on the same deals' : ''}.`
      : 'Not balanced: entrants have some roles more often than others.',
    ...(block === 1
      ? []
      : [
          `Cyclic: pairings do not share deals; all pairs have met after a block of ${block} deals.${isWhole ? '' : ` ${plan.deals} deals are not whole blocks: use ${Math.ceil(plan.deals / block) * block}.`}`,
        ]),
  ].join('\n');
}

function formatUsages({ entrants, all, ...estimate }: TournamentEstimate, concurrency: number): string {
  const { matches, dryRuns, seconds, latencies } = estimate;
  const table = new Table({
    head: ['Entrant', 'Calls', 'Tokens in', 'Tokens out', 'Cost', 'Answers take'],
    colAligns: alignRight(5),
    style: { head: [], border: [], compact: true },
  });
  for (const [name, usage] of Object.entries(entrants))
    table.push([sanitizeText(name), ...formatRow(usage), formatAnswerTime([usage])]);
  table.push(['all', ...formatRow(all), formatAnswerTime(Object.values(entrants))]);
  const { charactersPerToken, secondsPerAnswer } = estimateAssumptions;
  const time =
    latencies === 0
      ? 'Time: built-in bots answer at once.'
      : `Time: about ${formatRoughTime(seconds * 1000)}, with ${secondsPerAnswer} s per answer and at most ${pluralize(concurrency, 'concurrent call')}; the last column is the time of an entrant's answers one after another. Rate limits may make it longer.`;
  return [
    `Estimate for the remaining ${pluralize(matches, 'match', 'matches')}:`,
    table.toString(),
    time,
    ...listEmbeddingLines(estimate),
    `From ${pluralize(dryRuns, 'match', 'matches')} of built-in bots in the models' seats, as in match --dry-run: ${charactersPerToken} characters per token, no discount for cached prompts, no hidden reasoning. Begun matches count in full.`,
  ].join('\n');
}

const formatRow = ({ calls, tokens, cost }: EstimatedUsage) => [
  formatWhole(calls),
  formatWhole(tokens?.in ?? null),
  formatWhole(tokens?.out ?? null),
  cost === null ? 'unknown' : formatMoney({ cost, calls_with_unknown_cost: 0 }),
];

/** Formats the total time of models' answers if they came one after another. */
function formatAnswerTime(usages: readonly EstimatedUsage[]): string {
  const calls = sum(usages.map((usage) => (usage.tokens === null ? 0 : usage.calls)));
  return calls === 0 ? missingPlaceholder : formatRoughTime(calls * estimateAssumptions.secondsPerAnswer * 1000);
}

/** Formats a half-width, e.g. "± 0.12". */
const formatHalfWidth = (value: number | null) => (value === null ? missingPlaceholder : `± ${value.toFixed(3)}`);

/** Rating points per unit of log-odds. Odds of ten are 400 points. */
const pointsPerLogOdds = 400 / Math.LN10;

function formatPrecision({ plan, matches, precision, playedBlocks }: DryRunTold): string {
  const { difference, winRate, score, werewolves, villagers, strength, refused } = precision;
  const rows = [
    [
      `difference of two entrants’ scores${plan.design === 'cyclic' ? ', by blocks of deals' : ' on the same deals'}`,
      formatHalfWidth(difference),
    ],
    ['an entrant’s expected score', formatHalfWidth(score)],
    ['  as Werewolves', formatHalfWidth(werewolves)],
    ['  as village', formatHalfWidth(villagers)],
    [
      'its strength, log-odds (points)',
      strength === null ? missingPlaceholder : `± ${strength.toFixed(2)} (${Math.round(strength * pointsPerLogOdds)})`,
    ],
    ['Werewolves’ share of wins', formatHalfWidth(winRate)],
  ].filter(([, value]) => value !== missingPlaceholder);
  const blocks = Math.floor(plan.deals / countBlockDeals(plan));
  const few = `${pluralize(blocks, 'block')} of deals: with fewer than ${MIN_CLUSTERS} there is no interval of a difference, and often none of a score.`;
  const table = new Table({ colAligns: ['left', 'right'], style: { head: [], border: [], compact: true } });
  table.push(...(rows as [string, string][]));
  const from =
    playedBlocks > 0
      ? `The first row is from ${playedBlocks} blocks of this tournament, the others are simulated`
      : 'Simulated';
  const conditions = new Set(matches.map(({ condition }) => condition)).size;
  return [
    `Precision of ${pluralize(plan.deals, 'deal')}${conditions > 1 ? ` in each of ${conditions} conditions` : ''}, half-widths of 95 % intervals (scores from 0 to 1):`,
    ...(rows.length === 0 ? [] : [table.toString()]),
    ...(blocks < MIN_CLUSTERS ? [few] : []),
    `${from}: entrants of the same strength, ${widestOutcomes.share * 100} % of matches won by each side (the widest case), deals that vary by ${widestOutcomes.dealSpread} in log-odds.`,
    ...refused.map((line) => `This schedule cannot show: ${line}`),
    ...(plan.stop === undefined
      ? []
      : ['A stopping rule looks after every deal, so its intervals are wider at the same number of deals.']),
  ].join('\n');
}

/** Formats a number of deals with two digits, because simulated figures are not more exact. */
const formatRoughDeals = (deals: number | null) =>
  deals === null ? missingPlaceholder : formatWhole(Number(deals.toPrecision(2)));

function formatForecast(plan: TournamentPlan, forecast: readonly ForecastStop[]): string {
  const { decide } = plan.stop!;
  const table = new Table({
    head: [decide ? 'If the closest pair truly differs by' : 'Entrants', 'half end after', '4 of 5 after', 'end early'],
    colAligns: alignRight(3),
    style: { head: [], border: [], compact: true },
  });
  for (const { difference, half, most, ended, isBound } of forecast)
    table.push([
      difference === 0 ? 'equals' : String(difference),
      ...[formatRoughDeals(half), formatRoughDeals(most)],
      `${isBound ? 'at most ' : ''}${Math.round(ended * 100)} %`,
    ]);
  const isCut = decide && forecast.every(({ difference }) => difference < 0.3);
  return [
    `Deals after which the stopping rule would end the tournament, with each pair ${describeGoal(plan.stop!)} (of ${pluralize(plan.deals, 'deal')}):`,
    table.toString(),
    `Simulated with this rule and the outcomes assumed above${decide ? ', for entrants ranked at equal distances' : '; entrants of different strength end a little sooner'}.${isCut ? ' With this many entrants, neighbors in the ranking cannot differ by more: name fewer pairs with stop.pairs.' : ''}`,
  ].join('\n');
}

function formatWanted({ halfWidth, deals, estimate }: PlannedDeals): string {
  if (deals === null) return `± ${halfWidth}: no two entrants meet in this format, so no difference is measured.`;
  const { all, matches, seconds } = estimate!;
  const cost =
    all.cost === null ? 'cost unknown' : `cost ${formatMoney({ cost: all.cost, calls_with_unknown_cost: 0 })}`;
  return `± ${halfWidth} for a difference takes ${pluralize(deals, 'deal')}, ${pluralize(matches, 'match', 'matches')} in all: ${pluralize(all.calls, 'call')}, ${formatWhole(all.tokens?.in ?? null)} tokens in, ${formatWhole(all.tokens?.out ?? null)} out; ${cost}; about ${formatRoughTime(seconds * 1000)}.`;
}

const listUsage = ({ calls, tokens, cost }: EstimatedUsage) => ({ calls, tokens, cost });

/** Formats the dry run for programs. */
export function formatDryRunJson({ plan, matches, estimate, precision, playedBlocks, ...told }: DryRunTold): string {
  const { wanted, forecast, stop, full, turns, judge, beliefs } = told;
  const { differenceSpread, winRate, refused, ...halfWidths } = precision;
  return JSON.stringify({
    ...{ name: plan.name, format: plan.format, deals: plan.deals, matches: matches.length },
    left: estimate && {
      ...{ matches: estimate.matches, ...listUsage(estimate.all), seconds: estimate.seconds },
      ...(full?.all.tokens && { tokens_with_full_memory: full.all.tokens }),
      ...(turns && { turns: listTurns(turns) }),
      entrants: Object.fromEntries(
        Object.entries(estimate.entrants).map(([name, usage]) => [
          name,
          {
            ...usage,
            answer_seconds: usage.tokens === null ? null : usage.calls * estimateAssumptions.secondsPerAnswer,
          },
        ]),
      ),
    },
    ...(judge && { judge: { model: judge.judge, ...judge.usage } }),
    ...(beliefs && { more_with_beliefs_each_statement: beliefs }),
    precision: {
      ...{ half_widths: { ...halfWidths, win_rate: winRate }, difference_spread: differenceSpread },
      ...{ played_blocks: playedBlocks, not_identified: refused },
    },
    ...(forecast && {
      stop_forecast: forecast.map(({ isBound, half, most, ...row }) => ({
        ...{ ...row, is_bound: isBound, half_end_after: half, four_of_five_end_after: most },
      })),
    }),
    stop: stop && listStop(plan, stop),
    ...(wanted && {
      wanted: {
        ...{ half_width: wanted.halfWidth, deals: wanted.deals },
        ...(wanted.estimate && {
          ...{ matches: wanted.estimate.matches, ...listUsage(wanted.estimate.all) },
          seconds: wanted.estimate.seconds,
        }),
      },
    }),
  });
}

/** Formats the progress, with the pace of the last minutes. */
export function formatStatus(plan: TournamentPlan, status: TournamentStatus): string {
  const { matches, done, underWay, failed, finishedBlocks } = status;
  const { calls, tokens, cost, callsOfUnknownCost, secondsLeft, pace, errors, stop } = status;
  const finishedDeals = finishedBlocks * countBlockDeals(plan);
  return [
    `${sanitizeText(plan.name)}: ${formatWhole(done)} of ${formatWhole(matches)} matches done, ${formatWhole(underWay)} under way, ${formatUndone(status)}, ${formatWhole(failed)} failed; ${formatWhole(finishedDeals)} of ${pluralize(plan.deals, 'deal')} complete.`,
    `${pluralize(calls, 'call')}, ${formatWhole(tokens)} tokens, ${formatMoney({ cost, calls_with_unknown_cost: callsOfUnknownCost })}.${secondsLeft === null ? '' : ` About ${formatRoughTime(secondsLeft * 1000)} left at this pace.`}`,
    ...pace.map(
      (one) =>
        `${sanitizeText(one.provider)}: ${formatWhole(Math.round(one.calls))} calls and ${formatWhole(Math.round(one.tokens))} tokens per minute.`,
    ),
    ...Object.entries(errors).map(
      ([error, count]) => `${pluralize(count, 'match', 'matches')} stopped: ${sanitizeText(error)}`,
    ),
    ...(stop === null ? [] : [formatStop(plan, stop)]),
    ...(isEndedEarly(plan, stop) ? [nothingLeft] : []),
  ].join('\n');
}

/** Formats the progress for programs. */
export const formatStatusJson = (plan: TournamentPlan, status: TournamentStatus): string => {
  const { underWay, finishedBlocks, callsOfUnknownCost, secondsLeft, stop, ...others } = status;
  return JSON.stringify({
    ...{ name: plan.name, ...others, under_way: underWay, deals_complete: finishedBlocks * countBlockDeals(plan) },
    ...{ calls_with_unknown_cost: callsOfUnknownCost, seconds_left: secondsLeft },
    stop: stop && listStop(plan, stop),
  });
};

/** Lists the state of the stopping rule. `reason`: why the rule ended the tournament; null while it continues. */
export const listStop = (plan: TournamentPlan, stop: StopState) => ({
  reason: isEndedEarly(plan, stop) ? describeRule(plan) : null,
  ...{ rule: plan.stop, decided_deals: stop.decidedDeals, pairs: stop.pairs.map(listPair) },
});

const listPair = ({ pair, condition, deals, difference, low, high, evidence }: StopState['pairs'][number]) => ({
  ...{ pair, condition, blocks: deals, difference, low, high, evidence },
});

/** Formats the number of matches that are still to be played, or that the stopping rule left unplayed. */
export const formatUndone = ({ waiting, unplayed }: Pick<TournamentStatus, 'waiting' | 'unplayed'>) =>
  unplayed > 0 ? `${formatWhole(unplayed)} left unplayed by the stopping rule` : `${formatWhole(waiting)} waiting`;

const nothingLeft = 'Nothing is left to play or to pay. Matches that the stopping rule left out are not played.';

/** Describes the goal that a stopping rule sets for each difference. */
const describeGoal = ({ precision, decide }: StopPlan) =>
  [...(precision === undefined ? [] : [`known to ± ${precision}`]), ...(decide ? ['decided'] : [])].join(' and ');

/** Describes which goal the stopping rule has reached, and for which pairs. */
function describeReached({ stop }: TournamentPlan): string {
  const { pooled, pairs } = stop!;
  const where = pooled ? ' over all conditions together' : '';
  return `the difference of ${pairs === undefined ? 'every pair' : 'every pair of stop.pairs'} is ${describeGoal(stop!)}${where}`;
}

/** Maximum number of pairs listed. Further ones are counted. */
const toldPairs = 10;

/**
 * Formats the state of the stopping rule. Each pair has its difference with an interval that is valid however often
 * somebody looks at it.
 */
export function formatStop(plan: TournamentPlan, { pairs, decidedDeals }: StopState): string {
  const { alpha } = plan.stop!;
  const begin =
    decidedDeals === null
      ? 'The stopping rule has not ended the tournament yet.'
      : `The stopping rule ended the tournament after ${pluralize(decidedDeals, 'deal')}: ${describeReached(plan)}.`;
  const lines = pairs.slice(0, toldPairs).map(({ pair: [one, other], condition, difference, low, high, deals }) => {
    const found = difference === null ? missingPlaceholder : difference.toFixed(3);
    return `  ${sanitizeText(one)} − ${sanitizeText(other)}: ${found} (${roundDown(low, 3).toFixed(3)} to ${roundUp(high, 3).toFixed(3)}) after ${pluralize(deals, 'block')}${condition === null ? '' : ` under ${sanitizeText(condition)}`}`;
  });
  return [
    begin,
    `Differences of scores, with joint ${Math.round((1 - alpha) * 1000) / 10}% confidence sequences, valid at any time:`,
    ...lines,
    ...(pairs.length > toldPairs ? [`  and ${pluralize(pairs.length - toldPairs, 'more pair')}`] : []),
  ].join('\n');
}
