// Lie rates of each model, corrected by the extractor's measured errors. All pages of a report share this text and
// table.
import type { Report } from '../deception/summary/report-schema.ts';
import { Team, teams } from '../state/teams.ts';
import { formatPercent, formatPercentInterval } from './format.ts';
import type { GoldText } from './gold-text.ts';

/**
 * Returns the section on lie rates corrected by measured errors. Null if no errors were measured, or if the report has
 * a gold sample, whose own section says more.
 *
 * @example describeErrorBounds(report)?.tables[0].rows[1] // ['openai:gpt-5', 'Werewolves', '31% [22–43]', '27%', '92%', '98%']
 */
export function describeErrorBounds({ corrected, gold, conditions }: ErrorBoundsSource): GoldText | null {
  const rows = corrected.filter(
    ({ metric, cell }) => metric === 'lie_turn_rate' && Object.keys(cell).sort().join(' ') === 'model team',
  );
  if (gold !== null || rows.length === 0) return null;
  const measured = new Set(rows.map(({ cell }) => cell['model']));
  const models = conditions.find(({ name }) => name === 'models')?.values.map(({ value }) => value) ?? [];
  const others = models.filter((model) => !measured.has(model));
  return {
    title: 'Lies, by the measured errors',
    about: `The extractor misses some lies, and takes some true statements for lies. How often it does so was measured on labeled statements by ${measured.size === models.length ? 'each model' : 'some of the models'}.${others.length === 0 ? '' : ` Nothing was measured for ${others.join(', ')}, so only the uncorrected share is known.`}`,
    tables: [
      {
        caption: 'Lies, by the measured errors',
        about:
          'Corrected: share of debate statements that are lies, corrected by the errors measured on the same model (Rogan and Gladen 1978); the 95% interval includes the uncertainty of both. As found: the uncorrected share. Last two columns: shares of lies and of other statements that were read correctly.',
        rows: [
          ['model', 'side', 'corrected', 'as found', 'lies found', 'others not taken for lies'],
          ...rows.map(({ cell, value, low, high, found, sensitivity, specificity }) => [
            cell['model'] ?? '',
            teams[Team.parse(cell['team'])].label,
            `${formatPercent(value)} ${formatPercentInterval(low, high)}`,
            ...[found, sensitivity, specificity].map(formatPercent),
          ]),
        ],
      },
    ],
  };
}

/** The parts of a report from which the section is made. */
export type ErrorBoundsSource = Pick<Report, 'corrected' | 'gold' | 'conditions'>;
