// Decides which figures can be compared between models. Extractors understand some models' style better than others',
// so figures computed from claims are comparable only if one judge read all statements.
import type { Metric } from './metric.ts';

/** Value of the column `extractor` if the rules, not a judge, extracted the claims. */
export const rulesExtractor = 'rules';

/**
 * Quality of a judge's reading. `alike`: the judge was shown to read all models alike. `measured`: this was not shown,
 * but the judge's errors are known, so figures that are corrected for these errors can be compared. `not shown`: there
 * are too few statements, or the evidence contradicts equal reading. `not reading`: the judge does not read reliably.
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
 * is not yet known, for example before a study is played.
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
    'it uses claims that the rules extracted, and the rules understand the style of some models far better than that of others',
  'claims drawn by several':
    'it uses claims that several readers extracted, and each reader understands the style of some models better than that of others',
  'judge not shown to read models alike':
    'it uses claims, and nothing shows that the judge reads all models alike: neither errors that were measured on statements of these models nor its agreement with the rules',
  'judge errors not corrected':
    'it uses claims, nothing shows that the judge reads all models alike, and the judge’s measured errors correct only the share of statements with a lie: how often the lies that the judge misses are believed or caught is not known',
  'judge not reading': 'it uses claims, and the judge denies what the rules extract in too many statements',
  'claims of the rules beside a judge':
    'it also counts claims of the rules, and the rules understand the style of some models far better than that of others',
};
