// Decides which figures can be compared between models. Extractors understand some models' style better than others',
// so figures computed from claims are comparable only if one judge read all statements.
import type { Metric } from './metric.ts';

/** Value of the column `extractor` if the rules, not a judge, extracted the claims. */
export const rulesExtractor = 'rules';

/**
 * Quality of a judge's reading. `alike`: the judge was shown to read all models alike. `measured`: nothing shows that,
 * but its errors are known, so that figures corrected for them can be compared. `not shown`: there are too few
 * statements, or the evidence contradicts it. `not reading`: the judge does not read reliably.
 */
export const readingFindings = ['alike', 'measured', 'not shown', 'not reading'] as const;
export type ReadingFinding = (typeof readingFindings)[number];

export const incomparableReasons = [
  'claims drawn by rules',
  'claims drawn by several',
  'claims of the rules beside a judge',
  'judge not shown to read models alike',
  'judge errors not corrected',
  'judge not reading',
] as const;
/** Reason why a figure cannot be compared between models. */
export type IncomparableReason = (typeof incomparableReasons)[number];

/**
 * Returns the reason why a figure cannot be compared between models; null if it can be compared. `extractors`:
 * extractors of the claims behind the figure, each once. `reading`: quality of the single judge's reading; null if it
 * is not yet known, as before a study is played.
 *
 * @example
 * findIncomparableReason(lieRate, ['rules']); // 'claims drawn by rules'
 * findIncomparableReason(lieRate, ['openai:judge']); // null
 */
export function findIncomparableReason(
  { readsClaims, asFound }: Pick<Metric, 'readsClaims' | 'asFound'>,
  extractors: readonly string[],
  reading: ReadingFinding | null = null,
): IncomparableReason | null {
  if (readsClaims === undefined) return null;
  if (extractors.every((one) => one === rulesExtractor)) return 'claims drawn by rules';
  if (readsClaims === 'rules') return 'claims of the rules beside a judge';
  if (extractors.length > 1) return 'claims drawn by several';
  if (reading === 'not reading') return 'judge not reading';
  if (reading === 'measured' && asFound === undefined) return 'judge errors not corrected';
  return reading === 'not shown' ? 'judge not shown to read models alike' : null;
}

/** Each reason as a clause of a sentence. */
export const reasonTexts: Readonly<Record<IncomparableReason, string>> = {
  'claims drawn by rules':
    'it is made of claims that rules drew, and they understand the style of one model far better than that of another',
  'claims drawn by several':
    'it is made of claims that several readers drew, and each understands the style of one model better than that of another',
  'judge not shown to read models alike':
    'it is made of claims, and nothing shows that the judge reads all models alike: neither errors that were measured on statements of these models nor its agreement with the rules',
  'judge errors not corrected':
    'it is made of claims, nothing shows that the judge reads all models alike, and its measured errors correct the share of statements with a lie alone: how often the lies that it misses are believed or caught is not known',
  'judge not reading': 'it is made of claims, and the judge denies what the rules extract in too many statements',
  'claims of the rules beside a judge':
    'it counts what the rules draw too, and they understand the style of one model far better than that of another',
};
