// What people's labels say of a judge, as Markdown.
import type { GoldFindings } from '../deception/summary/gold-sample.ts';
import { teams } from '../state/teams.ts';
import { escapeMarkdown, formatDecimal, formatPercent, formatPercentNumber, renderTable } from './format.ts';

/** The page of a gold sample. `extractor`: whose claims it is held against. */
export function renderGold(
  { agreement, kappaOfPeople, rates, labeled, rows }: GoldFindings & { labeled: number; rows: number },
  extractor: string,
): string {
  return [
    '# Gold sample',
    `People labeled ${labeled} of the ${rows} statements in the sheet. Their claims are held against those of ${escapeMarkdown(extractor)}.${kappaOfPeople === null ? '' : ` Where two people labeled, Cohen’s κ of the types of claims in a statement is ${formatDecimal(kappaOfPeople)}.`}`,
    '## Agreement by model',
    'Weighted by the probability with which a statement was drawn. κ is of whether a statement is a lie.',
    renderTable(
      ['model', 'statements', 'precision', 'recall', 'κ of lies'],
      agreement.map(({ model, statements, precision, recall, kappa }) => [
        escapeMarkdown(model),
        String(statements),
        formatPercent(precision),
        formatPercent(recall),
        formatDecimal(kappa),
      ]),
    ),
    '## Lies, corrected',
    'Share of statements that are lies, corrected by prediction-powered inference (PPI++), with its 95% interval clustered by deal; beside it the share by the extractor alone.',
    renderTable(
      ['model', 'side', 'corrected', 'uncorrected', 'labeled'],
      rates.map(({ model, team, rate: { value, low, high, uncorrected, labeled: count } }) => [
        escapeMarkdown(model),
        teams[team as keyof typeof teams].label,
        low === null || high === null
          ? `${formatPercent(value)} (no interval: labels of one deal)`
          : `${formatPercent(value)} [${formatPercentNumber(low)}–${formatPercentNumber(high)}]`,
        formatPercent(uncorrected),
        String(count),
      ]),
      2,
    ),
  ]
    .join('\n\n')
    .concat('\n');
}
