// Text of a comparison that found no difference: what was shown to be equal within a margin, and which differences are
// excluded. A difference that was not found is never reported as a proof of equality.
import { roundUp } from '../deception/statistics/round-outward.ts';
import type { Comparison, Difference, Equivalence } from '../deception/comparison/comparison-schema.ts';
import { countDimensions, foundBelow, nameEffect } from './comparison-findings.ts';
import { escapeMarkdown, formatCell, formatFigure, formatInterval, pluralize } from './format.ts';

/**
 * Describes which differences a 95% interval excludes.
 *
 * @example describeExcluded({ low: -0.04, high: 0.12 }) // 'differences beyond 0.120 are excluded'
 */
export const describeExcluded = ({ low, high }: Pick<Difference, 'low' | 'high'>): string =>
  low === null || high === null
    ? 'with so few deals, no size of difference is excluded'
    : `differences beyond ${formatFigure(roundUp(Math.max(Math.abs(low), Math.abs(high)), 3))} are excluded`;

/**
 * Lists which differences the 95% intervals exclude, for at most `most` figures without a significant difference:
 * endpoints first, then headlines, largest samples first.
 *
 * @example renderExcluded(comparison, titles, 6)
 */
export function renderExcluded(
  { primary, secondary }: Pick<Comparison, 'primary' | 'secondary'>,
  titles: ReadonlyMap<string, string>,
  most: number,
): string[] {
  const open = ({ joint, p_adjusted: adjusted, difference }: Difference) =>
    !joint && difference !== null && (adjusted === null || adjusted > foundBelow);
  const ranked = secondary
    .filter((row) => row.tier === 'headline' && open(row) && row.low !== null)
    .sort((one, other) => countDimensions(one) - countDimensions(other));
  return [...primary.filter(open), ...ranked].slice(0, most).map((row) => {
    const cell = formatCell(row.of);
    const whose = row.part === null ? '' : `, ${nameEffect(row.part)}`;
    const interval = row.low === null ? '' : ` (95 % interval ${formatInterval(row)})`;
    return `- ${escapeMarkdown(titles.get(row.metric) ?? row.metric)}${cell === 'all' ? '' : ` (${cell})`}${whose}: ${describeExcluded(row)}${interval}.`;
  });
}

const marginSource: Readonly<Record<Equivalence['named_in'], string>> = {
  plan: 'The margin is the plan’s `equivalent`',
  effect: 'No margin was named, so the margin is the `effect` of the plan’s endpoint',
  command: 'The margin is from `--equivalent`; the record cannot show whether it was chosen before the data',
};

/** Describes the result of the two one-sided tests in words. */
function describeVerdict({ margin, low, high, is_equivalent: isEquivalent }: Equivalence): string {
  if (isEquivalent === true) return `**equal** within ± ${margin}`;
  if (low === null || high === null) return `not known whether equal within ± ${margin}`;
  if (low > margin || high < -margin) return `**different**, by more than ${margin}`;
  return low > 0 || high < 0
    ? `**different**; whether by less than ${margin} is not shown`
    : `**not shown to be equal** within ± ${margin}, nor to be different`;
}

/**
 * Returns whether to show the row. If the margin comes only from an endpoint's `effect`, nobody asked whether the arms
 * are equal. A significant difference is then listed among the endpoints and not here.
 */
const isAsked = ({ named_in: where, low, high }: Equivalence) =>
  where !== 'effect' || low === null || high === null || (low <= 0 && high >= 0);

/** Renders the tests of equality within a margin; empty without margins. */
export function renderEquivalence(
  { equivalence }: Pick<Comparison, 'equivalence'>,
  titles: ReadonlyMap<string, string>,
): string[] {
  const shown = equivalence.filter(isAsked);
  if (shown.length === 0) return [];
  const lines = shown.map((one) => {
    const { metric, of, part, low, high, is_equivalent: isEquivalent, reason, deals, named_in: where } = one;
    const cell = formatCell(of);
    const whose = part === null ? '' : `, ${nameEffect(part)}`;
    const found =
      isEquivalent === null
        ? `no interval (${reason ?? 'no data'})`
        : `90 % interval ${formatInterval({ low, high })} over ${pluralize(deals, 'deal')}`;
    return `- ${escapeMarkdown(titles.get(metric) ?? metric)}${cell === 'all' ? '' : ` (${cell})`}${whose}: ${describeVerdict(one)}; ${found}. ${marginSource[where]}.`;
  });
  return [
    '## Equal within a margin',
    'A figure counts as equal if the whole 90 % interval of its difference is within the margin (two one-sided tests at 5 % each).',
    lines.join('\n'),
  ];
}
