// Checks whether a judge reads at all, and whether it reads all models alike. The evidence is how often the judge
// denies claims that the rules extract with high precision, or the judge's errors measured on statements of these
// models.
import { meantJudge } from '../claims/meant-claims.ts';
import { computeWilsonBounds } from '../statistics/proportion.ts';
import type { StatementRow } from '../tables/statement-rows.ts';
import { type ReadingFinding, rulesExtractor } from './comparability.ts';

/**
 * Number of statements from which the rules extract a claim, and the number of these statements in which the judge
 * denies such a claim.
 */
export interface RuleAgreement {
  statements: number;
  denied: number;
}

/**
 * Model of the speakers → agreement between judge and rules, over statements that the judge could read and from which
 * the rules extract a claim.
 */
export type AgreementByModel = Readonly<Record<string, RuleAgreement>>;

/**
 * Limit above which a judge counts as not reading: the share of statements in which it denies the rules' claims, out of
 * at least `fewest` statements. Rules are right in 95 to 98% of their claims.
 */
export const denialLimit = { share: 0.3, fewest: 10 } as const;

/**
 * Margin within which two models are read alike: the 95% interval of the difference between their shares of statements
 * with a denied claim must lie within ± this margin.
 */
export const likenessMargin = 0.1;

/** Counts the agreement between judge and rules over a match's statements. */
export function countRuleAgreement(
  statements: readonly Pick<StatementRow, 'model' | 'rules_claims' | 'rules_denied'>[],
): AgreementByModel {
  const found = statements.filter((row) => row.rules_denied !== null && row.rules_claims > 0);
  return Object.fromEntries(
    [...Map.groupBy(found, ({ model }) => model)].map(([model, rows]) => [
      model,
      { statements: rows.length, denied: rows.filter((row) => (row.rules_denied ?? 0) > 0).length },
    ]),
  );
}

/** Adds up the agreement of several matches. */
export function addRuleAgreement(matches: readonly AgreementByModel[]): AgreementByModel {
  const total: Record<string, RuleAgreement> = {};
  for (const [model, { statements, denied }] of matches.flatMap((match) => Object.entries(match))) {
    const before = total[model] ?? { statements: 0, denied: 0 };
    total[model] = { statements: before.statements + statements, denied: before.denied + denied };
  }
  return total;
}

interface ReadingSources {
  /** Extractors of the claims, each once. */
  extractors: readonly string[];
  agreement: AgreementByModel;
  /** Models in the study. */
  models: readonly string[];
  /** Models whose statements were used to measure the judge's errors. */
  measured?: readonly string[];
}

/**
 * Rates how well a judge reads: whether it reads at all, whether it reads all models alike, and if not, whether its
 * errors are known. Null if the rules extracted the claims, or if there are several extractors. The finding is `alike`
 * for bots' own accounts of their statements, which have no errors, and for a study of one model, which compares
 * nothing.
 *
 * @example judgeReading({ extractors: ['openai:judge'], agreement: { a: { statements: 40, denied: 40 } }, models: ['a'] }) // 'not reading'
 */
export function judgeReading({ extractors, agreement, models, measured = [] }: ReadingSources): ReadingFinding | null {
  const [extractor] = extractors;
  if (extractor === undefined || extractors.length > 1 || extractor === rulesExtractor) return null;
  if (extractor === meantJudge) return 'alike';
  const shares = Object.values(agreement);
  const statements = shares.reduce((total, one) => total + one.statements, 0);
  const denied = shares.reduce((total, one) => total + one.denied, 0);
  if (statements >= denialLimit.fewest && denied > denialLimit.share * statements) return 'not reading';
  if (models.length < 2) return 'alike';
  const known = models.map((model) => agreement[model] ?? { statements: 0, denied: 0 });
  const isAlike = known.every((one, place) => known.slice(place + 1).every((other) => isWithinMargin(one, other)));
  if (isAlike) return 'alike';
  return models.every((model) => measured.includes(model)) ? 'measured' : 'not shown';
}

/**
 * Whether two models are read alike: the interval of the difference between their shares, Newcombe's hybrid score
 * interval (1998, method 10), lies within the margin.
 */
function isWithinMargin(one: RuleAgreement, other: RuleAgreement): boolean {
  const [first, second] = [one, other].map(computeScore);
  if (!first || !second) return false;
  const difference = first.share - second.share;
  const below = Math.hypot(first.share - first.low, second.high - second.share);
  const above = Math.hypot(first.high - first.share, second.share - second.low);
  return difference - below >= -likenessMargin && difference + above <= likenessMargin;
}

function computeScore({ statements, denied }: RuleAgreement) {
  const bounds = computeWilsonBounds(denied, statements);
  return bounds && { share: denied / statements, low: bounds[0], high: bounds[1] };
}

const formatShare = ({ statements, denied }: RuleAgreement) =>
  `${statements === 0 ? '–' : `${Math.round((100 * denied) / statements)}%`} of ${statements}`;

/**
 * Returns the warning at the top of a page, and the consequences of the reading for the figures. Null if there is
 * nothing to warn about.
 */
export function describeReading(
  finding: ReadingFinding | null,
  agreement: AgreementByModel,
  consequence = 'They are not compared; reports mark them †.',
): string | null {
  if (finding === null || finding === 'alike') return null;
  const shares = Object.entries(agreement)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([model, one]) => `${model} ${formatShare(one)}`);
  const told = `Share of statements in which the judge denies a claim that the rules extract: ${shares.join(', ') || 'there is none with such a claim'}.`;
  if (finding === 'measured')
    return `Nothing shows that the judge reads all models alike, but its errors on their statements are known. They correct the share of statements with a lie in the first table and in comparisons: compare models by it, and by no other figure made of claims. ${consequence} ${told}`;
  return finding === 'not reading'
    ? `The judge does not read reliably: it denies what the rules extract in more than ${Math.round(100 * denialLimit.share)}% of statements. Do not use figures made of claims. ${consequence} ${told}`
    : `Nothing shows that the judge reads all models alike, so do not compare figures made of claims between models. ${consequence} ${told} Measure its errors on statements of these models (validate --claims --judge MODEL --out FILE, then --errors FILE), or label a sample (label, then --gold SHEET).`;
}
