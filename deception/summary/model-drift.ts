// Tests whether a model plays differently late in a study than early, because its provider may have changed it.
import { getDealKey } from '../design/schedule.ts';
import type { AnsweringServers } from '../record/call-figures.ts';
import { adjustHolm } from '../statistics/adjusted-p-values.ts';
import { MIN_CLUSTERS } from '../statistics/bootstrap.ts';
import { computeRatio, sum } from '../statistics/sums.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { draw } from '../../state/random.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import { compareText } from '../../state/text.ts';
import type { Report } from './report-schema.ts';

export const driftFigures = ['lie rate', 'words', 'fallbacks'] as const;
type DriftFigure = (typeof driftFigures)[number];

/** Numerator and denominator of a figure. */
interface Amount {
  readonly part: number;
  readonly whole: number;
}

/** Data of a match that the test of its models for drift needs. */
export interface TimedMatch {
  readonly deal: string;
  /** All other conditions: board, rules, models, variant and wording. */
  readonly arm: string;
  readonly models: readonly TimedModel[];
}

/** A model in one match. */
interface TimedModel {
  readonly model: string;
  /** Time of the model's first call, ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly amounts: Readonly<Record<DriftFigure, Amount>>;
}

/**
 * Returns the data of a match for the test of drift; null for an imported match, whose times are unknown. Bots are left
 * out, because they cannot change.
 */
export function createTimedMatch(
  { match, statements }: Pick<MatchTables, 'match' | 'statements'>,
  servers: readonly AnsweringServers[],
): TimedMatch | null {
  if (match.imported !== null) return null;
  const said = Map.groupBy(
    statements.filter(({ kind, is_bot: isBot }) => kind === 'debate' && !isBot),
    ({ model }) => getModelLabel(model),
  );
  return {
    deal: getDealKey(match),
    arm: JSON.stringify([
      ...[match.board, match.rules, match.villagers_model, match.werewolves_model],
      ...[match.variant, match.experience, match.templates_sha256],
    ]),
    models: servers.map(({ model, started_at: startedAt, questions, unanswered }) => {
      const own = said.get(model) ?? [];
      const read = own.filter((row) => !row.is_judge_missing);
      return {
        ...{ model, startedAt },
        amounts: {
          'lie rate': { part: read.filter((row) => row.verdict === 'lie').length, whole: read.length },
          words: { part: sum(own.map(({ words }) => words)), whole: own.length },
          fallbacks: { part: unanswered, whole: questions },
        },
      };
    }),
  };
}

/**
 * Tests, for each model and figure, whether the figure is related to the start times of matches. Times are permuted
 * among matches of the same deal and arm, and among whole deals that were played in the same arms. Neither a hard deal
 * nor the other side can therefore look like drift. p = (1 + permutations at least as extreme) / (1 + permutations),
 * adjusted by Holm's procedure over all models and figures. A model with fewer than ten deals has no row.
 *
 * @example testDrift(matches, { resamples: 2000, seed: 1 }).filter(({ p_adjusted: p }) => p !== null && p <= 0.05)
 */
export function testDrift(
  matches: readonly TimedMatch[],
  { resamples: permutations, seed }: { resamples: number; seed: number },
): Report['drift'] {
  const models = [...new Set(matches.flatMap((match) => match.models.map(({ model }) => model)))].sort(compareText);
  const rows = models.flatMap((model) => testModel(listPlayed(matches, model), model, { permutations, seed }));
  const adjusted = adjustHolm(rows.map(({ p }) => p));
  return rows.map((row, at) => ({ ...row, p_adjusted: adjusted[at] ?? null }));
}

/** A match of one model, with its rank by time, scaled to −.5 to .5. */
interface PlayedMatch extends TimedModel {
  readonly deal: string;
  readonly arm: string;
  readonly time: number;
}

function listPlayed(matches: readonly TimedMatch[], model: string): PlayedMatch[] {
  const played = matches.flatMap(({ deal, arm, models }) =>
    models.filter((one) => one.model === model).map((one) => ({ ...one, deal, arm })),
  );
  const sorted = played.sort((one, other) => compareText(one.startedAt, other.startedAt));
  return sorted.map((one, at) => ({ ...one, time: (at + 0.5) / sorted.length - 0.5 }));
}

/** Matches of a deal in one arm. */
type Cell = readonly PlayedMatch[];

type DriftRow = Omit<Report['drift'][number], 'p_adjusted'>;

function testModel(
  played: readonly PlayedMatch[],
  model: string,
  { permutations, seed }: { permutations: number; seed: number },
): DriftRow[] {
  const count = new Set(played.map(({ deal }) => deal)).size;
  if (count < MIN_CLUSTERS) return [];
  const deals = groupDeals(played);
  const seen = deals.flat(3).map(({ time }) => time);
  const half = Math.ceil(played.length / 2);
  return driftFigures.map((figure) => {
    const residuals = listResiduals(deals, figure);
    const measure = (times: readonly number[]) =>
      Math.abs(residuals.reduce((total, residual, at) => total + residual * (times[at] ?? 0), 0));
    const least = measure(seen) - rounding;
    const random = draw(seed, 'drift', model, figure);
    const drawn = Math.min(permutations, mostPermutations);
    const asFar = Array.from({ length: drawn }, () => measure(shuffleTimes(deals, random))).filter(
      (one) => one >= least,
    );
    const isTestable = residuals.some((residual) => Math.abs(residual) > rounding);
    return {
      ...{ model, figure, matches: played.length, deals: count },
      first_half: computeShare(played.slice(0, half), figure),
      second_half: computeShare(played.slice(half), figure),
      p: isTestable ? (1 + asFar.length) / (1 + drawn) : null,
    };
  });
}

/** Maximum number of permutations. A larger number would change at most the third decimal of p. */
const mostPermutations = 1000;

/** Differences below this value are due to rounding. */
const rounding = 1e-9;

/** Permutes times: those of whole deals within their group, then those of matches within their deal and arm. */
const shuffleTimes = (groups: readonly Cell[][][], random: ReturnType<typeof draw>): number[] =>
  groups.flatMap((deals) =>
    random.shuffle(deals).flatMap((cells) => cells.flatMap((cell) => random.shuffle(cell.map(({ time }) => time)))),
  );

/** Groups deals that were played equally often in the same arms. Each deal lists its arms in the same order. */
function groupDeals(played: readonly PlayedMatch[]): Cell[][][] {
  const deals = [...Map.groupBy(played, ({ deal }) => deal).values()].map((matches) =>
    [...Map.groupBy(matches, ({ arm }) => arm)].sort(([one], [other]) => compareText(one, other)),
  );
  const groups = Map.groupBy(deals, (arms) => JSON.stringify(arms.map(([arm, { length }]) => [arm, length])));
  return [...groups.values()].map((group) => group.map((arms) => arms.map(([, cell]) => cell)));
}

/**
 * Lists, for each match, the difference between its figure and the figure of all matches in the same arm and group of
 * deals.
 */
const listResiduals = (groups: readonly Cell[][][], figure: DriftFigure): number[] =>
  groups.flatMap((deals) => {
    const ratios = (deals[0] ?? []).map((_, arm) =>
      computeShare(
        deals.flatMap((cells) => cells[arm] ?? []),
        figure,
      ),
    );
    return deals.flatMap((cells) =>
      cells.flatMap((cell, arm) =>
        cell.map(({ amounts }) => amounts[figure].part - (ratios[arm] ?? 0) * amounts[figure].whole),
      ),
    );
  });

const computeShare = (played: readonly PlayedMatch[], figure: DriftFigure): number | null =>
  computeRatio(
    sum(played.map(({ amounts }) => amounts[figure].part)),
    sum(played.map(({ amounts }) => amounts[figure].whole)),
  );

/**
 * Returns the warning that a report shows at its top if a model has drifted; null if no model has.
 *
 * @example describeDrift([{ model: 'gpt', figure: 'words', first_half: 31, second_half: 52, p: 0.001, p_adjusted:
 *   0.003, … }])
 */
export function describeDrift(drift: Report['drift']): string | null {
  const found = drift.filter(({ p_adjusted: p }) => p !== null && p <= 0.05);
  if (found.length === 0) return null;
  const models = [...Map.groupBy(found, ({ model }) => model)].map(
    ([model, rows]) =>
      `${model} (${rows
        .map(
          ({ figure, first_half: first, second_half: second }) =>
            `${namesOfFigures[figure]} ${formatHalf(figure, first)} → ${formatHalf(figure, second)}`,
        )
        .join(', ')})`,
  );
  return `Some models played differently late in the study than early: ${models.join('; ')}. The provider may have changed the model meanwhile: figures mix both, and models that were not played at the same time cannot be compared.`;
}

const namesOfFigures: Readonly<Record<DriftFigure, string>> = {
  'lie rate': 'debate statements of both sides with a lie',
  words: 'words per debate statement',
  fallbacks: 'questions without a usable answer',
};

function formatHalf(figure: DriftFigure, value: number | null): string {
  if (value === null) return '–';
  return figure === 'words' ? value.toFixed(1) : `${(100 * value).toFixed(1)} %`;
}
