// What endpoints take, as people and programs read it: a table from the cheapest to the dearest.
import Table from 'cli-table3';
import { estimateAssumptions, type EstimatedUsage } from '../../graph/estimate.ts';
import type { PowerTarget } from '../../deception/statistics/sample-size.ts';
import { formatMoney, formatWhole, sanitizeText, missingPlaceholder } from '../../report/format.ts';
import type { Candidate, Pilot } from './endpoint-candidates.ts';
import { formatRoughTime } from '../console/estimate-text.ts';
import { formatCommand } from '../../state/command-name.ts';

/** An endpoint with its deals and what they take. */
export interface PlannedEndpoint extends Candidate, EstimatedUsage {
  wish: PowerTarget;
  deals: number;
  /** For the least and the greatest spread that go with the pilot. */
  dealsBetween: readonly [number, number];
  matches: number;
  seconds: number;
}

interface PlanSettings {
  power: number;
  alpha: number;
  /** How many were named. */
  endpoints: number;
  concurrency: number;
  /** Whether effects are half-widths of intervals. */
  isPrecision: boolean;
  /** Whether a judge draws the claims. */
  isJudged: boolean;
}

const fewDeals = 30;

/** From cheapest to dearest, with what it is taken from. */
export function formatPlanTable(rows: readonly PlannedEndpoint[], pilot: Pilot, settings: PlanSettings): string {
  const { power, alpha, endpoints, isPrecision } = settings;
  if (rows.length === 0) return `No figure has data in enough deals.\n${pilot.from.join('\n')}\n`;
  const table = new Table({
    head: [
      'Endpoint',
      isPrecision ? '±' : 'Effect',
      'Spread',
      'Deals',
      '95 %',
      'Matches',
      'Calls',
      'Tokens in',
      'out',
      'USD',
      'Time',
    ],
    colAligns: ['left', ...Array.from({ length: 10 }, () => 'right' as const)],
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows)
    table.push([
      sanitizeText(nameEndpoint(row)),
      String(row.wish.effect),
      row.spread.toPrecision(3),
      formatWhole(row.deals),
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
    `${isPrecision ? 'Deals after which the 95 % interval of a difference is that narrow' : `Deals that show a true difference with power ${power} at α = ${alpha} (two-sided)${level}`}; design ${pilot.design}, ${pilot.matchesPerDeal} ${pilot.matchesPerDeal === 1 ? 'match' : 'matches'} a deal:`,
    table.toString(),
    ...(endpoints === 0 && rows.length > 1
      ? [
          `Cheapest is ${nameEndpoint(first)} with ${formatWhole(first.deals)} deals, dearest ${nameEndpoint(last)} with ${formatWhole(last.deals)}. ${isPrecision ? `± ${first.wish.effect} is not the same thing for each: choose by what matters.` : `An effect of ${first.wish.effect} is not the same thing for each: choose by what matters, and give each its own (--endpoint NAME:effect=…).`}`,
        ]
      : []),
    ...(endpoints > 1 ? [`All ${endpoints} in one plan take ${formatWhole(last.deals)} deals.`] : []),
    `${isPrecision ? '±: half of the interval’s width' : 'Effect: the difference'} in the unit of the figure. Spread: the standard deviation of one deal. At least ten deals, under which there is no interval.`,
    ...pilot.from,
    `95 %: for spreads that go with so many deals (χ²).${few < fewDeals ? ` **With ${few} deals the spread itself is unsure:** plan nearer the upper number where too few deals would cost more than too many.` : ''}`,
    `Calls, tokens, cost and time from dry runs as in match --dry-run: ${estimateAssumptions.secondsPerAnswer} s an answer, at most ${settings.concurrency} calls under way; a dash for built-in bots.${settings.isJudged ? ` The calls of the judge are not among them: ${formatCommand('report', 'FOLDER', '--judge', 'MODEL', '--dry-run')} says what they take.` : ''}`,
    ...(settings.isJudged
      ? []
      : [
          'Without a judge figures made of claims, of who lied and whose lies were caught, compare no models: name one (--judge MODEL) to have them among the endpoints of such a design.',
        ]),
  ].join('\n')}\n`;
}

const trim = (value: number) => String(Number(value.toPrecision(3)));

/** As it is typed. */
function nameEndpoint({ endpoint: { metric, of, part, models } }: Pick<Candidate, 'endpoint'>): string {
  const keys = [
    ...Object.entries(of).map(([name, value]) => `${name}=${value}`),
    ...(part === undefined ? [] : [`part=${part}`]),
    ...(models === undefined ? [] : [`models=${models.join('+')}`]),
  ];
  return keys.length === 0 ? metric : `${metric}:${keys.join(',')}`;
}

/** The same for programs, in the style of the other files. */
export const formatPlanJson = (rows: readonly PlannedEndpoint[], pilot: Pilot, settings: PlanSettings): string =>
  `${JSON.stringify(
    {
      ...{ design: pilot.design, pilot_deals: pilot.deals, matches_per_deal: pilot.matchesPerDeal, from: pilot.from },
      ...(settings.isPrecision ? {} : { power: settings.power, alpha: settings.alpha }),
      endpoints: rows.map(({ endpoint, wish, estimate, spread, withData, deals, dealsBetween, ...effort }) => ({
        ...endpoint,
        ...(settings.isPrecision ? { half_width: wish.effect } : { effect: wish.effect, alpha: wish.alpha }),
        ...{ estimate, spread, deals_with_data: withData },
        ...{ deals, deals_least: dealsBetween[0], deals_most: dealsBetween[1] },
        ...{
          matches: effort.matches,
          calls: effort.calls,
          tokens: effort.tokens,
          cost: effort.cost,
          seconds: effort.seconds,
        },
      })),
    },
    null,
    2,
  )}\n`;
