// Section of a report about people's labels and the extractor's accuracy. All pages of a report share this text and its
// tables.
import type { Report } from '../deception/summary/report-schema.ts';
import { teams } from '../state/teams.ts';
import { formatDecimal, formatPercent, formatPercentInterval } from './format.ts';

type GoldReport = NonNullable<Report['gold']>;

/** A section: title, introduction and tables of plain text. The first row of a table is its header. */
export interface GoldText {
  title: string;
  about: string;
  tables: { caption: string; about: string; rows: string[][] }[];
}

/**
 * Returns the section on a gold sample.
 *
 * @example describeGold(report.gold).tables[0].rows[1] // ['openai:gpt-5', '104', '97 %', '93 %', '.91']
 */
export function describeGold({
  extractor,
  agreement,
  kappa_of_people: kappa,
  rates,
  labeled,
  rows,
}: GoldReport): GoldText {
  return {
    title: 'Gold sample',
    about: `People labeled ${labeled} of the ${rows} statements in the sheet. Their claims are compared with those of ${extractor}.${kappa === null ? '' : ` Over statements that two people labeled, Cohen’s κ of their types of claims is ${formatDecimal(kappa)}.`}`,
    tables: [
      {
        caption: 'Agreement by model',
        about:
          'Agreement by model, weighted by the probability with which a statement was drawn. κ measures agreement on whether a statement is a lie.',
        rows: [
          ['model', 'statements', 'precision', 'recall', 'κ of lies'],
          ...agreement.map(({ model, statements, precision, recall, kappa: ofLies }) => [
            ...[model, String(statements)],
            ...[formatPercent(precision), formatPercent(recall), formatDecimal(ofLies)],
          ]),
        ],
      },
      {
        caption: 'Lies, corrected',
        about:
          'Share of debate statements that are lies, corrected by prediction-powered inference (PPI++), with a 95% interval clustered by deal. Uncorrected: the share by the extractor alone.',
        rows: [
          ['model', 'side', 'corrected', 'uncorrected', 'labeled'],
          ...rates.map(({ model, team, value, low, high, uncorrected, labeled: count }) => [
            model,
            teams[team].label,
            low === null || high === null
              ? `${formatPercent(value)} (no interval: labels of one deal)`
              : `${formatPercent(value)} ${formatPercentInterval(low, high)}`,
            ...[formatPercent(uncorrected), String(count)],
          ]),
        ],
      },
    ],
  };
}
