// What people's labels say of a judge, as Markdown.
import { markdownTable } from 'markdown-table';
import type { GoldFindings } from '../deception/summary/gold-sample.ts';
import { teams } from '../state/teams.ts';
import { escapeMarkdown, formatPercent, formatPercentNumber } from './format.ts';

/** The page of a gold sample. `extractor`: whose claims it is held against. */
export function renderGold(
  { agreement, kappaOfPeople, rates, labeled, rows }: GoldFindings & { labeled: number; rows: number },
  extractor: string,
): string {
  const formatNumber = (value: number | null) => value?.toFixed(2) ?? '–';
  return [
    '# Gold sample',
    `People labeled ${labeled} of the ${rows} statements in the sheet. Their claims are held against those of ${escapeMarkdown(extractor)}.${kappaOfPeople === null ? '' : ` Where two people labeled, Cohen’s κ of the types of claims in a statement is ${formatNumber(kappaOfPeople)}.`}`,
    '## Agreement by model',
    'Weighted by the probability with which a statement was drawn. κ is of whether a statement is a lie.',
    markdownTable(
      [
        ['model', 'statements', 'precision', 'recall', 'κ of lies'],
        ...agreement.map(({ model, statements, precision, recall, kappa }) => [
          escapeMarkdown(model),
          String(statements),
          formatPercent(precision),
          formatPercent(recall),
          formatNumber(kappa),
        ]),
      ],
      { align: ['l', 'r', 'r', 'r', 'r'] },
    ),
    '## Lies, corrected',
    'Share of statements that are lies, corrected by prediction-powered inference (PPI++), with its 95% interval clustered by deal; beside it the share by the extractor alone.',
    markdownTable(
      [
        ['model', 'side', 'corrected', 'uncorrected', 'labeled'],
        ...rates.map(({ model, team, rate: { value, low, high, uncorrected, labeled: count } }) => [
          escapeMarkdown(model),
          teams[team as keyof typeof teams].label,
          low === null || high === null
            ? `${formatPercent(value)} (no interval: labels of one deal)`
            : `${formatPercent(value)} [${formatPercentNumber(low)}–${formatPercentNumber(high)}]`,
          formatPercent(uncorrected),
          String(count),
        ]),
      ],
      { align: ['l', 'l', 'r', 'r', 'r'] },
    ),
  ]
    .join('\n\n')
    .concat('\n');
}
