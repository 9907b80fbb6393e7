// Formats the deals and costs of endpoints for people and for programs, from cheapest to most expensive.
import Table from 'cli-table3';
import { estimateAssumptions, type EstimatedUsage, type TurnEstimates } from '../../graph/estimate.ts';
import { computeReplicatedSpread, type PowerTarget } from '../../deception/statistics/sample-size.ts';
import {
  formatMoney,
  formatRoughTime,
  formatWhole,
  missingPlaceholder,
  pluralize,
  sanitizeText,
} from '../../report/format.ts';
import type { Candidate, Pilot } from './endpoint-candidates.ts';
import {
  formatBeliefs,
  formatJudgeEstimate,
  formatTurns,
  type JudgeEstimate,
  listTurns,
} from '../console/estimate-text.ts';
import { formatCommand } from '../../state/command-name.ts';

/** A number of deals, with the calls, tokens and cost of playing them. */
interface PlannedDeals extends EstimatedUsage {
  deals: number;
  matches: number;
  seconds: number;
}

/** An endpoint with the number of deals that it needs and their cost. */
export interface PlannedEndpoint extends Candidate, PlannedDeals {
  wish: PowerTarget;
  /**
   * Two plans: one for the estimated spread, and one for the bound that the spread does not exceed with probability .8.
   * One of the two is chosen.
   */
  asFound: PlannedDeals;
  bound: PlannedDeals;
  /** Numbers of deals for the smallest and for the largest spread that the pilot allows. */
  dealsBetween: readonly [number, number];
}

interface PlanSettings {
  power: number;
  alpha: number;
  /** Number of endpoints that were named. */
  endpoints: number;
  concurrency: number;
  /** Whether effects are half-widths of intervals. */
  isPrecision: boolean;
  /** Whether a judge extracts the claims. */
  isJudged: boolean;
  /**
   * The judge's use in the most expensive plan. Null without a judge, or if the judge is asked in another way than by
   * `match`.
   */
  judge: JudgeEstimate | null;
  /** Number of times the study plays each deal. */
  replicates: number;
  /** The spread that the plan is made for. */
  spread: 'bound' | 'estimate';
  /** The most expensive plan with each value of the rule `turn`; null if the values are not compared. */
  turns: TurnEstimates | null;
  /**
   * Calls that asking for beliefs after every statement would add to the most expensive plan; null if the plan asks for
   * them.
   */
  beliefs: EstimatedUsage | null;
}

const fewDeals = 30;

/** Formats the table from cheapest to most expensive, with its sources. */
export function formatPlanTable(rows: readonly PlannedEndpoint[], pilot: Pilot, settings: PlanSettings): string {
  const { power, alpha, endpoints, isPrecision } = settings;
  if (rows.length === 0) return `No figure has data in enough deals.\n${pilot.from.join('\n')}\n`;
  const table = new Table({
    head: [
      'Endpoint',
      isPrecision ? '±' : 'Effect',
      'Spread',
      'Deals',
      settings.spread === 'bound' ? 'as found' : 'bound',
      '95 %',
      'Matches',
      'Calls',
      'Tokens in',
      'out',
      'USD',
      'Time',
    ],
    colAligns: ['left', ...Array.from({ length: 11 }, () => 'right' as const)],
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows)
    table.push([
      sanitizeText(nameEndpoint(row)),
      String(row.wish.effect),
      row.spread.toPrecision(3),
      formatWhole(row.deals),
      formatWhole((settings.spread === 'bound' ? row.asFound : row.bound).deals),
      row.dealsBetween.map(formatWhole).join('–'),
      formatWhole(row.matches),
      formatWhole(row.calls),
      formatWhole(row.tokens?.in || null),
      formatWhole(row.tokens?.out || null),
      row.cost === null
        ? 'unknown'
        : row.cost === 0
          ? missingPlaceholder
          : formatMoney({ cost: row.cost, calls_with_unknown_cost: 0 }).replace('USD ', ''),
      row.seconds === 0 ? missingPlaceholder : formatRoughTime(row.seconds * 1000),
    ]);
  const level = endpoints > 1 ? `, ${trim(alpha / endpoints)} for each of ${endpoints} (Holm’s first step)` : '';
  const [first, last] = [rows[0]!, rows.at(-1)!];
  const few = Math.min(...rows.map(({ withData }) => withData));
  return `${[
    `${isPrecision ? 'Deals after which the 95% interval of a difference has this half-width' : `Deals that show a true difference with power ${power} at α = ${alpha} (two-sided)${level}`}; design ${pilot.design}, ${pluralize(pilot.matchesPerDeal * settings.replicates, 'match', 'matches')} per deal${settings.replicates > 1 ? ` (${settings.replicates} replicates)` : ''}:`,
    table.toString(),
    ...(endpoints === 0 && rows.length > 1
      ? [
          `The cheapest is ${nameEndpoint(first)} with ${formatWhole(first.deals)} deals, the most expensive ${nameEndpoint(last)} with ${formatWhole(last.deals)}. ${isPrecision ? `± ${first.wish.effect} means something different for each figure: choose what matters.` : `An effect of ${first.wish.effect} means something different for each figure: choose what matters, and give each its own (--endpoint NAME:effect=…).`}`,
        ]
      : []),
    ...(endpoints > 1 ? [`A plan with all ${endpoints} endpoints takes ${formatWhole(last.deals)} deals.`] : []),
    ...describeSpreads(last, settings),
    ...describeReplicates(rows, settings.replicates),
    `${isPrecision ? '±: half of the interval’s width' : 'Effect: the difference'} in the unit of the figure. Spread: the standard deviation of one deal. At least ten deals, because fewer give no interval.`,
    ...pilot.from,
    `95 %: deals for the smallest and for the largest spread that the data allow (χ²).${few < fewDeals ? ` **With ${few} deals the spread itself is uncertain.**` : ''}`,
    `Calls, tokens, cost and time from dry runs as in match --dry-run: ${estimateAssumptions.secondsPerAnswer} s per answer, at most ${settings.concurrency} concurrent calls; a dash for built-in bots.${settings.isJudged ? ` The judge’s calls are not included${settings.judge === null ? `: ${formatCommand('report', 'FOLDER', '--judge', 'MODEL', '--dry-run')} estimates them` : ''}.` : ''}`,
    ...(settings.judge === null
      ? []
      : [`${formatWhole(last.deals)} deals: ${formatJudgeEstimate(settings.judge, last.cost).replaceAll('\n', ' ')}`]),
    ...(settings.turns === null
      ? []
      : [`${formatWhole(last.deals)} deals by how a turn is taken:\n${formatTurns(settings.turns) ?? ''}`]),
    ...(settings.beliefs === null
      ? []
      : [`${formatWhole(last.deals)} deals: ${formatBeliefs(settings.beliefs)?.replaceAll('\n', ' ') ?? ''}`]),
    ...(settings.isJudged
      ? []
      : [
          'Without a judge, figures made of claims (who lied, whose lies were caught) cannot be compared between models: name one (--judge MODEL) to use them as endpoints.',
        ]),
  ].join('\n')}\n`;
}

/** Describes both plans of the most expensive endpoint: for the bound of its spread and for the estimate. */
function describeSpreads({ bound, asFound }: PlannedEndpoint, { power, isPrecision, spread }: PlanSettings): string[] {
  const describe = ({ deals, matches, cost }: PlannedDeals) =>
    `${pluralize(deals, 'deal')}, ${pluralize(matches, 'match', 'matches')}${cost ? `, USD ${formatMoney({ cost, calls_with_unknown_cost: 0 }).replace('USD ', '')}` : ''}`;
  const promise = isPrecision ? 'are often wider' : `have less power than ${power} on average`;
  return [
    `For the bound that the spread stays below with probability .8 (Browne 1995): ${describe(bound)}. For the estimated spread: ${describe(asFound)}; such ${isPrecision ? 'intervals' : 'plans'} ${promise}, because a small pilot’s spread is uncertain. Planned here: ${spread === 'bound' ? 'the first (--spread estimate: the second)' : 'the second (--spread bound: the first)'}.`,
  ];
}

/** Says whether more deals or more replicates improve the study more, for the same number of matches. */
function describeReplicates(rows: readonly PlannedEndpoint[], replicates: number): string[] {
  const split = rows.flatMap(({ variance }) => (variance && variance.between + variance.within > 0 ? [variance] : []));
  if (split.length === 0)
    return ['A pilot with --replicates 2 shows whether more replicates would help as much as more deals.'];
  const gains = split.map(
    (one) => 1 - computeReplicatedSpread(one, 2 * replicates) / computeReplicatedSpread(one, replicates),
  );
  const shares = split.map(({ between, within }) => within / (between + within));
  const range = (values: readonly number[]) => {
    const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => Math.round(100 * value));
    return low === high ? `${low} %` : `${low} to ${high} %`;
  };
  const ofDeals = 1 - Math.SQRT1_2;
  const isEqual = Math.min(...gains) > ofDeals - 0.01;
  return [
    `${range(shares)} of the variance of a deal played once is within the deal, between replicates. ${isEqual ? 'More deals and more replicates help equally' : '**More deals help more than more replicates**'}: at the same number of matches, twice the deals make an interval ${Math.round(100 * ofDeals)} % narrower, twice the replicates ${range(gains)}.`,
  ];
}

const trim = (value: number) => String(Number(value.toPrecision(3)));

/** Formats an endpoint as it is typed. */
function nameEndpoint({ endpoint: { metric, of, part, models } }: Pick<Candidate, 'endpoint'>): string {
  const keys = [
    ...Object.entries(of).map(([name, value]) => `${name}=${value}`),
    ...(part === undefined ? [] : [`part=${part}`]),
    ...(models === undefined ? [] : [`models=${models.join('+')}`]),
  ];
  return keys.length === 0 ? metric : `${metric}:${keys.join(',')}`;
}

const listEffort = ({ matches, calls, tokens, cost, seconds }: PlannedDeals) => ({
  ...{ matches, calls, tokens, cost, seconds },
});

/** Formats the plan as JSON for programs. */
export const formatPlanJson = (rows: readonly PlannedEndpoint[], pilot: Pilot, settings: PlanSettings): string =>
  `${JSON.stringify(
    {
      ...{ design: pilot.design, pilot_deals: pilot.deals, matches_per_deal: pilot.matchesPerDeal, from: pilot.from },
      ...{ replicates: settings.replicates, pilot_replicates: pilot.replicates, planned_for: settings.spread },
      ...(settings.isPrecision ? {} : { power: settings.power, alpha: settings.alpha }),
      ...(settings.judge && { judge: { model: settings.judge.judge, ...settings.judge.usage } }),
      ...(settings.turns && { turns: listTurns(settings.turns) }),
      ...(settings.beliefs && { more_with_beliefs_each_statement: settings.beliefs }),
      endpoints: rows.map(({ endpoint, wish, estimate, spread, variance, withData, dealsBetween, ...row }) => ({
        ...endpoint,
        ...(settings.isPrecision ? { half_width: wish.effect } : { effect: wish.effect, alpha: wish.alpha }),
        ...{ estimate, spread, deals_with_data: withData },
        ...(variance && { variance_between: variance.between, variance_within: variance.within }),
        ...{ deals: row.deals, deals_least: dealsBetween[0], deals_most: dealsBetween[1], ...listEffort(row) },
        as_found: { deals: row.asFound.deals, ...listEffort(row.asFound) },
        bound: { deals: row.bound.deals, ...listEffort(row.bound) },
      })),
    },
    null,
    2,
  )}\n`;
