// Which figures may be compared between models. A figure that is made of drawn claims differs between models by how much
// whoever drew the claims understands of their ways of speaking, unless one judge read all of them.
import type { Metric } from './metric.ts';

/** What stands in the column `extractor` where no judge drew the claims. */
export const rulesExtractor = 'rules';

export const incomparableReasons = [
  'claims drawn by rules',
  'claims drawn by several',
  'claims of the rules beside a judge',
] as const;
/** Why a figure may not be compared between models. */
export type IncomparableReason = (typeof incomparableReasons)[number];

/**
 * Null where the figure may be compared between models. `extractors`: who drew the claims of the matches behind it, each
 * once.
 *
 * @example
 * findIncomparableReason(lieRate, ['rules']); // 'claims drawn by rules'
 * findIncomparableReason(lieRate, ['openai:judge']); // null
 */
export function findIncomparableReason(
  { readsClaims }: Pick<Metric, 'readsClaims'>,
  extractors: readonly string[],
): IncomparableReason | null {
  if (readsClaims === undefined) return null;
  if (extractors.every((one) => one === rulesExtractor)) return 'claims drawn by rules';
  if (readsClaims === 'rules') return 'claims of the rules beside a judge';
  return extractors.length > 1 ? 'claims drawn by several' : null;
}

/** Why, in a clause. */
export const reasonTexts: Readonly<Record<IncomparableReason, string>> = {
  'claims drawn by rules':
    'it is made of claims that rules drew, and they understand the style of one model far better than that of another',
  'claims drawn by several':
    'it is made of claims that several readers drew, and each understands the style of one model better than that of another',
  'claims of the rules beside a judge':
    'it counts what the rules draw too, and they understand the style of one model far better than that of another',
};
