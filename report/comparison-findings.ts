// Findings of a comparison: each question once, as a sentence, in the order of the page.
import { askedMetrics } from '../deception/answers/answered-match.ts';
import {
  type Comparison,
  type Difference,
  type EffectPart,
  isSameCell,
  type TestFamily,
} from '../deception/comparison/comparison-schema.ts';
import { notResampled } from '../deception/comparison/differences.ts';
import type { Metric } from '../deception/metrics/metric.ts';
import {
  escapeMarkdown,
  formatCell,
  formatFigure,
  formatInterval,
  formatProbability,
  formatWhole,
  pluralize,
} from './format.ts';

/** Largest adjusted p that counts as a finding. */
export const foundBelow = 0.05;

/** Maximum number of differences to state as sentences. The table has all others. */
export const mostTold = 12;

/** Returns whether a difference was tested, is significant, and can be attributed to one model. */
export const isFound = ({ joint, p_adjusted: adjusted }: Difference) =>
  !joint && adjusted !== null && adjusted <= foundBelow;

/**
 * Returns whether the table of answers states the differences, as it does for models. Differences between two
 * conditions or annotators are stated as sentences instead.
 */
export const isAnswered = ({ by, answers }: Pick<Comparison, 'by' | 'answers'>): boolean =>
  (by === 'crossed' || by === 'model') && answers.length > 0;

/** Metrics whose differences come first. All other metrics follow. */
const firstMetrics: readonly string[] = ['lie_turn_rate', 'paired_detection', 'lies_called_honest_rate', 'win_rate'];

/**
 * Lists the significant differences, one per question: first the endpoints, then the headlines. A headline is left out
 * if an endpoint or an earlier headline asks the same question. Headlines are sorted: `firstMetrics`, then smaller p,
 * then fewer dimensions. Finer cells are left out, because they ask the same questions about parts of the data.
 */
export function listFoundDifferences({ primary, secondary }: Comparison): Difference[] {
  const first = new Set(firstMetrics);
  const rank = ({ metric }: Difference) => (first.has(metric) ? 0 : 1);
  const asked = new Set(primary.map(nameQuestion));
  const found = secondary
    .filter((row) => row.tier === 'headline' && isFound(row) && !asked.has(nameQuestion(row)))
    .sort(
      (one, other) =>
        rank(one) - rank(other) ||
        (one.p_adjusted ?? 1) - (other.p_adjusted ?? 1) ||
        countDimensions(one) - countDimensions(other),
    );
  const once = found.filter(
    (row, place) => place === found.findIndex((other) => nameQuestion(other) === nameQuestion(row)),
  );
  return [...primary.filter(isFound), ...once];
}

/** Returns a key of the question that a difference answers: its metric, part, side and models. */
const nameQuestion = ({ metric, part }: Difference) =>
  JSON.stringify([metric, part && [part.name, part.side, part.models]]);

/** Counts the dimensions of a difference. A difference with fewer dimensions covers more data. */
export const countDimensions = ({ of }: Difference) => Object.keys(of).length;

/** Names the columns of both arms and of their difference. */
export const nameArms = (rows: readonly Difference[]): [string, string, string] =>
  rows.some(({ part }) => part !== null) ? ['X', 'Y', 'X − Y'] : ['A', 'B', 'A − B'];

/** Test families in the order in which tables show them. */
export const familyOrder: readonly TestFamily[] = ['speaker', 'listener', 'actor', 'pack', 'village', 'opponent', 'interaction', 'all', 'joint']; // prettier-ignore

/**
 * Names the difference between two models in the words of all pages.
 *
 * @example nameEffect({ name: 'pack', side: 'werewolves' }) // 'as Werewolf'
 */
export function nameEffect({ name, side }: Pick<EffectPart, 'name' | 'side'>): string {
  switch (name) {
    case 'speaker':
      return 'as speaker';
    case 'listener':
      return 'as listener';
    case 'opponent':
      return 'as opponent';
    case 'interaction':
      return 'interaction';
    default:
      return side === 'villagers' || name === 'village' ? 'as village' : 'as Werewolf';
  }
}

/**
 * Returns whether the table of answers already answers the row's question for the same two models. Pages leave such a
 * row out, because it would repeat the answer with another test.
 */
export function isAnsweredRow(row: Difference, { answers }: Pick<Comparison, 'answers'>): boolean {
  const { part } = row;
  if (part === null || part.name === 'opponent' || part.name === 'interaction') return false;
  const isIt = (one: Pick<Difference, 'metric' | 'of'>) =>
    askedMetrics.some(
      ({ question, metric, cell, side }) =>
        metric.name === one.metric &&
        side === part.side &&
        isSameCell(cell, one.of) &&
        answers.some(({ differences }) =>
          differences.some((other) => other.question === question && String(other.models) === String(part.models)),
        ),
    );
  return isIt(row) || row.also.some(isIt);
}

type BesideFinder = (row: Difference) => Difference | undefined;

/**
 * Creates a function that finds the companion of a row; see `findBeside`. All rows are indexed once, because there may
 * be many.
 */
function createBesideFinder(
  { primary, secondary }: Pick<Comparison, 'primary' | 'secondary'>,
  metrics: readonly Metric[],
): BesideFinder {
  const besides = new Map(metrics.map((metric) => [metric.name, metric.besides]));
  const companions = new Set(besides.values());
  const createKey = (metric: string, of: Difference['of'], part: Difference['part']) =>
    JSON.stringify([metric, Object.entries(of).sort(([one], [other]) => (one < other ? -1 : 1)), part]);
  const rows = new Map<string, Difference>();
  for (const row of [...primary, ...secondary])
    for (const { metric, of } of [row, ...row.also]) {
      if (!companions.has(metric)) continue;
      const key = createKey(metric, of, row.part);
      if (!rows.has(key)) rows.set(key, row);
    }
  return ({ metric, of, part }) => {
    const name = besides.get(metric);
    return name === undefined ? undefined : rows.get(createKey(name, of, part));
  };
}

/**
 * Finds a row's companion: the row that pages always print next to it. Rows on lies have rows on true claims as
 * companions.
 */
export const findBeside = (
  row: Difference,
  comparison: Pick<Comparison, 'primary' | 'secondary'>,
  metrics: readonly Metric[],
): Difference | undefined => createBesideFinder(comparison, metrics)(row);

/** Puts each companion row right after the row that it accompanies, even if the companion was not selected. */
export function listWithBeside(
  rows: readonly Difference[],
  comparison: Pick<Comparison, 'primary' | 'secondary'>,
  metrics: readonly Metric[],
): Difference[] {
  const find = createBesideFinder(comparison, metrics);
  const beside = new Map(rows.map((row) => [row, find(row)] as const));
  const moved = new Set(beside.values());
  return rows.flatMap((row) => {
    const other = beside.get(row);
    return moved.has(row) ? [] : [row, ...(other === undefined ? [] : [other])];
  });
}

/** Note for tables that show an adjusted p beside headlines and finer cells. */
export const adjustmentNote =
  'p is adjusted by Holm’s procedure, for finer cells (by role, round or type) by that of Benjamini and Bogomolov.';

/**
 * Formats a figure with the number of cases behind it. A dash stands for an unknown figure.
 *
 * @example formatCounted(0.25, 1200) // '0.250 of 1,200'
 */
export const formatCounted = (value: number | null, cases: number | null): string =>
  value === null || cases === null ? formatFigure(value) : `${formatFigure(value)} of ${formatWhole(cases)}`;

/**
 * Describes a difference in a sentence. `escape`: escapes texts for the page. `beside`: the companion row.
 *
 * @example describeDifference(row, titles, String) // 'Lies … (team werewolves): 0.310 for A, 0.220 for B, a difference of 0.090 [0.040 to 0.140], p .012 (Holm) over 40 deals.'
 */
export function describeDifference(
  one: Difference,
  titles: ReadonlyMap<string, string>,
  escape: (text: string) => string = escapeMarkdown,
  beside?: Difference,
): string {
  const { metric, of, part, a, b, difference, low, p_adjusted: adjusted, pairs, confirmatory } = one;
  const [left = 'A', right = 'B'] = part === null ? [] : part.models.map(escape);
  const cell = formatCell(of, escape);
  const whose = part === null ? '' : `, ${nameEffect(part)}`;
  const interval = low === null ? '' : ` [${formatInterval(one)}]`;
  const values =
    part?.name === 'interaction'
      ? `the Werewolves of ${left} minus the Werewolves of ${right}: ${formatFigure(a)} against the village of ${left}, ${formatFigure(b)} against the village of ${right}`
      : `${formatCounted(a, beside ? one.cases_a : null)} for ${left}, ${formatCounted(b, beside ? one.cases_b : null)} for ${right}`;
  return `${escape(titles.get(metric) ?? metric)}${cell === 'all' ? '' : ` (${cell})`}${whose}: ${values}, a difference of ${formatFigure(difference)}${interval}, p ${formatProbability(adjusted)} (Holm) over ${pluralize(pairs, 'deal')}${confirmatory ? '; confirmatory' : ''}.${describeAsFound(one)}${
    beside === undefined
      ? ''
      : ` ${escape(titles.get(beside.metric) ?? beside.metric)}: ${formatCounted(beside.a, beside.cases_a)} for ${left}, ${formatCounted(beside.b, beside.cases_b)} for ${right}.`
  }`;
}

/**
 * Describes the figures that the judge gives without correction, in a sentence that begins with a space. Empty for a
 * row that is not corrected.
 */
const describeAsFound = ({ as_found: found }: Pick<Difference, 'as_found'>): string =>
  found === null
    ? ''
    : ` Corrected for the judge’s errors; by the judge alone ${formatFigure(found.a)} and ${formatFigure(found.b)}, a difference of ${formatFigure(found.difference)}.`;

/** Sentence shown if nothing was tested. */
export const untestedWords = 'Figures are tested and get intervals once all planned matches are over.';

/**
 * Returns whether no row was tested, because the study is not complete.
 *
 * @example isUntested(comparison) // false
 */
export const isUntested = ({ secondary }: Comparison): boolean => {
  const headlines = secondary.filter(({ tier }) => tier === 'headline');
  return headlines.some(({ reason }) => reason === notResampled) && headlines.every(({ p, low }) => p === null && low === null); // prettier-ignore
};

/**
 * Counts the significant and the tested headlines, one text for each family and effect.
 *
 * @example countByFamily(comparison) // ['as listener 2 of 9']
 */
export function countByFamily({ secondary }: Comparison): string[] {
  const tested = secondary.filter(({ tier, joint, p_adjusted: p }) => tier === 'headline' && !joint && p !== null);
  const byFamily = Map.groupBy(tested, ({ family }) => family ?? 'all');
  return familyOrder.flatMap((family) => {
    const rows = byFamily.get(family) ?? [];
    const byName = Map.groupBy(rows, ({ part }) => (part === null ? null : nameEffect(part)));
    return [...byName].map(([name, own]) => {
      const count = `${own.filter(isFound).length} of ${own.length}`;
      return name === null ? count : `${name} ${count}`;
    });
  });
}
