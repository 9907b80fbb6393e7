// Which figures may be compared between models. A figure that is made of drawn claims differs between models by how much
// whoever drew the claims understands of their ways of speaking, unless one judge read all of them.
import type { Metric } from './metric.ts';

/** What stands in the column `extractor` where no judge drew the claims. */
export const rulesExtractor = 'rules';

/** How a judge reads. `alike`: shown to read all models alike. `not shown`: for want of statements, or since it does not. */
export const readingFindings = ['alike', 'not shown', 'not reading'] as const;
export type ReadingFinding = (typeof readingFindings)[number];

export const incomparableReasons = [
  'claims drawn by rules',
  'claims drawn by several',
  'claims of the rules beside a judge',
  'judge not shown to read models alike',
  'judge not reading',
] as const;
/** Why a figure may not be compared between models. */
export type IncomparableReason = (typeof incomparableReasons)[number];

/**
 * Null where the figure may be compared between models. `extractors`: who drew the claims of the matches behind it, each
 * once. `reading`: how the one judge reads; null where that is not known yet, as before a study is played.
 *
 * @example
 * findIncomparableReason(lieRate, ['rules']); // 'claims drawn by rules'
 * findIncomparableReason(lieRate, ['openai:judge']); // null
 */
export function findIncomparableReason(
  { readsClaims }: Pick<Metric, 'readsClaims'>,
  extractors: readonly string[],
  reading: ReadingFinding | null = null,
): IncomparableReason | null {
  if (readsClaims === undefined) return null;
  if (extractors.every((one) => one === rulesExtractor)) return 'claims drawn by rules';
  if (readsClaims === 'rules') return 'claims of the rules beside a judge';
  if (extractors.length > 1) return 'claims drawn by several';
  if (reading === 'not reading') return 'judge not reading';
  return reading === 'not shown' ? 'judge not shown to read models alike' : null;
}

/** Why, in a clause. */
export const reasonTexts: Readonly<Record<IncomparableReason, string>> = {
  'claims drawn by rules':
    'it is made of claims that rules drew, and they understand the style of one model far better than that of another',
  'claims drawn by several':
    'it is made of claims that several readers drew, and each understands the style of one model better than that of another',
  'judge not shown to read models alike':
    'it is made of claims, and nothing shows that the judge reads all models alike: neither errors that were measured on statements of these models nor its agreement with the rules',
  'judge not reading': 'it is made of claims, and the judge denies what the rules extract in too many statements',
  'claims of the rules beside a judge':
    'it counts what the rules draw too, and they understand the style of one model far better than that of another',
};
