// Lie rates corrected by the errors measured on a model's own statements, and headlines that no match fills.
import { describe, expect, it } from '@jest/globals';
import { describeErrorBounds } from '../../report/error-bounds-text.ts';
import { renderReportDetails } from '../../report/report-details.ts';
import { renderReportHtml } from '../../report/report-html.ts';
import { renderReport } from '../../report/report-markdown.ts';
import { names } from '../deception/match-builder.ts';
import { createSeerDisputes, errors, reportOn } from '../deception/summary/report-builder.ts';

describe('lie rates', () => {
  const models = Object.fromEntries(names.map((name, seat) => [name, seat % 2 === 0 ? 'openai:x' : 'openai:y']));
  const records = createSeerDisputes(12, { models });

  it('stand corrected on the first page by the errors on the same model’s statements, and others are named', () => {
    const rates = { ...errors.ofLabels, lie_turn_rate: errors.ofLabels['lie_rate']! };
    const known = reportOn(records, { errors: { ...errors, byWriter: { 'openai:x': rates } } });
    const [head = [], ...rows] = describeErrorBounds(known)?.tables[0]?.rows ?? [];
    expect(rows.map(([model]) => model)).toEqual(rows.map(() => 'openai:x'));
    expect([head.slice(-2), rows[0]?.slice(-2)]).toEqual([
      ['lies found', 'others not taken for lies'],
      ['90 %', '90 %'],
    ]);
    expect(renderReport(known)).toContain('## Lies, by the measured errors');
    expect(renderReportHtml(known)).toContain('Lies, by the measured errors');
    expect(describeErrorBounds(known)?.about).toContain('on labeled statements by');
    expect(renderReport(reportOn(records, { errors }))).not.toContain('by the measured errors');
  });
});

describe('headlines', () => {
  const report = reportOn(createSeerDisputes(12), { errors });
  const page = renderReportDetails(report)['details/headlines.md'] ?? '';

  it('that no match fills are named once, each with what would fill it', () => {
    const empty = report.metrics.filter(({ is_headline: isHeadline, figures }) => isHeadline && figures.every(({ value }) => value === null)); // prettier-ignore
    expect(empty.map(({ name }) => name)).toEqual(expect.arrayContaining(['belief_shift']));
    const [line] = page.split('\n').filter((one) => one.startsWith('Without data here: '));
    for (const { title, filled_by: by } of empty)
      expect(line).toContain(`${title} (${by === null ? 'more matches' : `needs ${by}`})`);
  });
});
