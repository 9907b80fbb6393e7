// Estimates of matches or questions as text: in full, in one line, and as a rough duration.
import type { CallLimits } from '../../models/call-limits.ts';
import Table from 'cli-table3';
import { secondsPerText } from '../../graph/experience/embedder.ts';
import { sum } from '../../deception/statistics/sums.ts';
import { sumUsage } from '../../graph/annotation/annotation-run.ts';
import {
  estimateAssumptions,
  type EstimatedUsage,
  type MatchEstimate,
  type TurnEstimate,
  type TurnEstimates,
} from '../../graph/estimate.ts';
import {
  formatMoney,
  formatRoughTime,
  formatWhole,
  missingPlaceholder,
  pluralize,
  sanitizeText,
} from '../../report/format.ts';
import { getModelLabel, nameAsTyped } from '../../state/model-identity.ts';
import { formatSeeds } from './match-header.ts';

const wrap = (text: string, width: number) => text.replace(new RegExp(`(.{1,${width}})( |$)`, 'g'), '$1\n').trimEnd();

/**
 * Formats an estimate and says how it was made. `concurrency`: maximum number of concurrent calls that the estimate
 * assumes.
 */
export function formatMatchEstimate(estimate: MatchEstimate, concurrency: number): string {
  const { matches, seeds, callsOfOne, models, tokens } = estimate;
  const table = new Table({
    head: ['Model', 'Calls', 'Tokens in', 'Tokens out', 'Cost'],
    colAligns: ['left', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [], compact: true },
  });
  const rows: [string, EstimatedUsage][] = Object.entries(models);
  if (rows.length > 1) rows.push(['all', estimate]);
  const nameModel = nameAsTyped(Object.keys(models).map(getModelLabel));
  for (const [name, effort] of rows) table.push([sanitizeText(nameModel(getModelLabel(name))), ...formatRow(effort)]);
  const { least, most } = callsOfOne;
  return [
    `Estimate for ${pluralize(matches, 'match', 'matches')}:`,
    table.toString(),
    formatTime(estimate, concurrency),
    ...listEmbeddingLines(estimate),
    '',
    wrap(
      `Scaled from ${pluralize(seeds.length, 'match', 'matches')} of built-in bots on the same board with the same rules, ${formatSeeds(seeds[0]!, new Set(seeds).size)}. They took ${least === most ? formatWhole(least) : `${formatWhole(least)} to ${formatWhole(most)}`} calls each; matches of language models may be shorter or longer.`,
      100,
    ),
    ...(tokens === null || tokens.in === 0 ? [] : [wrap([assumed, ...formatExtremes(estimate)].join(' '), 100)]),
  ].join('\n');
}

/** Formats how much more or less the cost can be, depending on the provider's cache and the model's reasoning. */
const formatExtremes = ({ costWithCache, costOfReasoning, costOfReasoningByModel }: MatchEstimate) => {
  const nameModel = nameAsTyped(Object.keys(costOfReasoningByModel).map(getModelLabel));
  return [
    ...(costWithCache === null
      ? []
      : [`If the provider's cache served all repeated parts of prompts: ${formatCost(costWithCache)}.`]),
    ...(costOfReasoning === null || costOfReasoning === 0
      ? []
      : [
          `Each 100 tokens of a model's own reasoning in every answer add ${Object.entries(costOfReasoningByModel)
            .map(([spec, cost]) => `${formatCost(cost)} for ${sanitizeText(nameModel(getModelLabel(spec)))}`)
            .join(', ')}; a reasoning model may use many hundreds.`,
        ]),
  ];
};

/**
 * Formats how many tokens `memory=retrieval` saves. `full`: the estimate with `memory=full`, or null if nothing is
 * saved.
 *
 * @example formatMemorySaving(estimate, full) // 'memory=retrieval takes 812,000 tokens in; memory=full would take …'
 */
export function formatMemorySaving(
  { tokens }: Pick<MatchEstimate, 'tokens'>,
  full: Pick<MatchEstimate, 'tokens'> | null,
): string | null {
  if (full?.tokens == null || tokens === null || full.tokens.in === 0) return null;
  const share = Math.round(100 * (1 - tokens.in / full.tokens.in));
  return `memory=retrieval takes ${formatWhole(tokens.in)} tokens in; memory=full would take ${formatWhole(full.tokens.in)}: ${share}% less.`;
}

const turnNames = { bid: 'bid, then statement', draft: 'bid and draft in one' } as const;

/**
 * Formats the estimates with both values of the rule `turn` side by side; null if they are not compared.
 *
 * @example formatTurns(await estimateBothTurns(set, estimate, options))
 */
export function formatTurns(turns: TurnEstimates | null): string | null {
  if (turns === null) return null;
  const table = new Table({
    head: ['How a turn is taken (--rule turn)', 'Calls', 'Tokens in', 'Tokens out', 'Cost', 'Answers waited for'],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [], compact: true },
  });
  for (const turn of ['bid', 'draft'] as const)
    table.push([
      `${turn}: ${turnNames[turn]}`,
      ...formatRow(turns[turn]),
      `${Math.round(turns[turn].latencies)} in a match`,
    ]);
  return `${table.toString()}\nBoth rows are for matches of ${turns.bid.rounds.toFixed(1)} rounds.`;
}

/** Returns the estimates with both values of the rule `turn`, for programs. */
export const listTurns = ({ bid, draft }: TurnEstimates): TurnEstimates => {
  const pick = ({ calls, tokens, cost, latencies, rounds }: TurnEstimate) => ({
    ...{ calls, tokens, cost, latencies, rounds },
  });
  return { bid: pick(bid), draft: pick(draft) };
};

/**
 * Formats the estimate as JSON for programs. `full` is the estimate with `memory=full`, `turns` has the estimates with
 * both values of the rule `turn`, and `judge` is the estimate for a judge that reads the matches as they end. Each of
 * them is null if it is not wanted.
 */
export const formatEstimateJson = (
  { callsOfOne, costWithCache, costOfReasoning, costOfReasoningByModel, ...estimate }: MatchEstimate,
  concurrency: number,
  {
    full = null,
    turns = null,
    judge = null,
    beliefs = null,
  }: {
    full?: MatchEstimate | null;
    turns?: TurnEstimates | null;
    judge?: JudgeEstimate | null;
    beliefs?: EstimatedUsage | null;
  } = {},
): string =>
  JSON.stringify({
    ...estimate,
    ...(full?.tokens ? { tokens_with_full_memory: full.tokens } : {}),
    ...(turns && { turns: listTurns(turns) }),
    ...(judge && { judge: { model: judge.judge, ...judge.usage, guard_at_most: judge.guard } }),
    ...(beliefs && { more_with_beliefs_each_statement: beliefs }),
    cost_with_cache: costWithCache,
    cost_of_100_reasoning_tokens: costOfReasoning,
    cost_of_100_reasoning_tokens_by_model: costOfReasoningByModel,
    calls_of_one: callsOfOne,
    assumptions: {
      concurrency,
      characters_per_token: estimateAssumptions.charactersPerToken,
      seconds_per_answer: estimateAssumptions.secondsPerAnswer,
      words: estimateAssumptions.words,
    },
  });

/**
 * Formats the calls that asking for beliefs after every statement would add. Null if beliefs are already asked for, or
 * if only bots play.
 *
 * @example formatBeliefs({ calls: 0, tokens: { in: 9000, out: 42_000 }, cost: 0.4 }) // 'beliefs=each-statement, which …'
 */
export function formatBeliefs(more: EstimatedUsage | null): string | null {
  if (more?.tokens == null) return null;
  const { calls, tokens, cost } = more;
  return wrap(
    `With beliefs=each-statement, needed for belief shifts and for the detection of most lies: ${pluralize(calls, 'more call')}, ${formatWhole(tokens.in)} more tokens in and ${formatWhole(tokens.out)} out; cost ${cost === null ? 'unknown' : `${formatCost(cost)} more`}.`,
    100,
  );
}

/** Estimate for a judge that reads matches as they end. */
export interface JudgeEstimate {
  /** Model string. */
  judge: string;
  usage: EstimatedUsage;
  /**
   * Upper limit of the guard's second questions. The guard asks about statements in which the judge misses a claim that
   * the rules find.
   */
  guard: EstimatedUsage;
}

/**
 * Adds the judge's cost to the cost of the matches; null if a price is unknown.
 *
 * @example addJudgeCost({ matches: 3, cost: 1.2 }, null) // { matches: 3, cost: 1.2 }
 */
export const addJudgeCost = (
  { matches, cost }: Pick<MatchEstimate, 'matches' | 'cost'>,
  judge: JudgeEstimate | null,
): Pick<MatchEstimate, 'matches' | 'cost'> => {
  const more = judge === null ? 0 : judge.usage.cost;
  return { matches, cost: cost === null || more === null ? null : cost + more };
};

/**
 * Formats the judge's use, the cost of players and judge together, and the most that the guard's second questions can
 * add. The number of second questions depends on the first answers. `players`: cost of the matches in USD; null if
 * unknown.
 *
 * @example formatJudgeEstimate({ judge: 'openai:gpt-4o', usage, guard }, 12.5) // 'Judge openai:gpt-4o, one question for each statement: …'
 */
export function formatJudgeEstimate({ judge, usage, guard }: JudgeEstimate, players: number | null): string {
  const label = sanitizeText(getModelLabel(judge));
  const more = formatGuardEstimate(guard);
  const isFree = usage.cost === 0 && players === 0;
  const all = usage.cost === null || players === null ? null : usage.cost + players;
  const together = isFree ? '' : ` Players and judge together: cost ${formatCost(all)}.`;
  return wrap(
    `Judge ${label}, one question for each statement: ${formatJudgeUsage(usage)}.${together}${more === null ? '' : ` ${more}`}`,
    100,
  );
}

const formatJudgeUsage = ({ calls, tokens, cost }: EstimatedUsage): string => {
  const took = tokens === null ? '' : `, about ${formatWhole(tokens.in)} tokens in and ${formatWhole(tokens.out)} out`;
  return `${pluralize(calls, 'call')}${took}; cost ${formatCost(cost)}`;
};

/**
 * Formats the maximum that the guard's second questions can add; null if they can add nothing.
 *
 * @example formatGuardEstimate({ calls: 0, tokens: null, cost: 0 }) // null
 */
export const formatGuardEstimate = (guard: EstimatedUsage): string | null =>
  guard.calls === 0
    ? null
    : `Not included: the guard's second questions about claims that the rules extract and the judge does not (few for a good judge), at most ${formatJudgeUsage(guard)}.`;

/** Spending so far, and the cap on it, in USD. */
interface Money {
  maxCost: CallLimits['maxCost'];
  spent: number;
}

/** The parts of an estimate that fit in one line. */
export type QuickEstimate = Pick<
  MatchEstimate,
  'matches' | 'calls' | 'tokens' | 'cost' | 'seconds' | 'seeds' | 'callsOfOne'
>;

/** Formats the line that is printed before matches are played. */
export function formatEstimateLine(estimate: QuickEstimate, money: Money): string {
  const { matches, calls, tokens, cost, seconds, seeds } = estimate;
  const parts = [
    `${pluralize(calls, 'call')}, ${formatWhole(tokens?.in ?? null)} tokens in, ${formatWhole(tokens?.out ?? null)} out`,
    `cost ${formatCost(cost)}`,
    `about ${formatRoughTime(seconds * 1000)}`,
  ];
  const from = `${pluralize(seeds.length, 'match', 'matches')} of bots`;
  const line = `Estimate for ${pluralize(matches, 'match', 'matches')}, from ${from}: ${parts.join('; ')} (--dry-run explains it).`;
  return [line, formatCapWarning(estimate, money)].filter((text) => text !== null).join('\n');
}

/** Returns a warning if the estimated cost exceeds the cap; otherwise null. */
export const formatCapWarning = (
  { matches, cost }: Pick<MatchEstimate, 'matches' | 'cost'>,
  { maxCost, spent }: Money,
) =>
  matches > 0 && maxCost !== undefined && cost !== null && spent + cost > maxCost
    ? `By this estimate the cap of USD ${maxCost} will be reached before the end.`
    : null;

const formatRow = ({ calls, tokens, cost }: EstimatedUsage) => [
  formatWhole(calls),
  tokens === null ? missingPlaceholder : formatWhole(tokens.in),
  tokens === null ? missingPlaceholder : formatWhole(tokens.out),
  formatCost(cost),
];

const formatCost = (cost: number | null) =>
  cost === null ? 'unknown' : formatMoney({ cost, calls_with_unknown_cost: 0 });

function formatTime({ seconds, latencies }: MatchEstimate, concurrency: number): string {
  if (latencies === 0) return 'Time: built-in bots answer at once.';
  return wrap(
    `Time: about ${formatRoughTime(seconds * 1000)}, with ${estimateAssumptions.secondsPerAnswer} s per answer, ${Math.round(latencies)} successive answers in a match, and at most ${pluralize(concurrency, 'concurrent call')}. Rate limits may make it longer.`,
    100,
  );
}

/** Lists the expected use of an embedding model; empty if nothing is embedded. */
export function listEmbeddingLines({ embedded }: Pick<MatchEstimate, 'embedded'>): string[] {
  if (embedded === 0) return [];
  const { least, most } = secondsPerText;
  const time = [least, most].map((each) => formatRoughTime(1000 * each * embedded)).join(' to ');
  return [
    `Experiences are found by embedding about ${pluralize(embedded, 'text')}: ${time} in a thread of this machine, or on the server named by \`embedder\`.`,
  ];
}

const { reasoning, summary, other } = estimateAssumptions.words;

const assumed = `Assumed: ${estimateAssumptions.charactersPerToken} characters per token; ${reasoning} words of reasoning in every answer, statements as long as the rules allow, summaries of ${summary} words, other texts of ${other}; no repeated questions; no discount for cached prompts (but the price of writing them to a cache); no hidden reasoning, which some providers charge as output.`;

/**
 * An annotator's questions about one record: their number, the expected use of those still to ask, and the cost so far.
 */
export interface SurveyedSet {
  questions: number;
  left: EstimatedUsage;
  /** Cost in USD. */
  paid: number;
}

/**
 * Formats the number of questions still to be annotated. `asked` names what they are about, e.g. "2 matches", because a
 * match can have a set for each of several models.
 */
export function formatUsage(asked: string, surveys: readonly SurveyedSet[], maxCost: CallLimits['maxCost']): string {
  const questions = sum(surveys.map((survey) => survey.questions));
  const { calls, tokens, cost } = sumUsage(surveys.map(({ left }) => left));
  const answered = questions - calls;
  const found = `${asked}, ${pluralize(questions, 'question')}${answered === 0 ? '' : `, ${formatWhole(answered)} answered already`}.`;
  if (calls === 0) return `${found} All questions are answered.`;
  const price = cost === null ? 'cost unknown' : `cost ${formatMoney({ cost, calls_with_unknown_cost: 0 })}`;
  const took = tokens === null ? '' : `, about ${formatWhole(tokens.in)} tokens in and ${formatWhole(tokens.out)} out`;
  const spent = sum(surveys.map(({ paid }) => paid));
  const cap = formatCapWarning({ matches: surveys.length, cost }, { maxCost, spent });
  return [`${found} To ask: ${pluralize(calls, 'call')}${took}; ${price}.`, ...(cap === null ? [] : [cap])].join('\n');
}
