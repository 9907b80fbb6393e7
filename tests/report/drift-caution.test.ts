// The caution that a model changed during a study.
import { describe, expect, it } from '@jest/globals';
import { describeDrift } from '../../deception/summary/model-drift.ts';
import type { Report } from '../../deception/summary/report-schema.ts';
import { renderReportDetails } from '../../report/report-details.ts';
import { renderReport, renderReportNotice } from '../../report/report-markdown.ts';
import { createSeerDisputes, reportOn } from '../deception/summary/report-builder.ts';

const report = reportOn(createSeerDisputes(12));

describe('a model that its provider changed during the study', () => {
  const about = { model: 'openai:one', matches: 20, deals: 20 };
  const drift: Report['drift'] = [
    { ...about, figure: 'words', first_half: 31, second_half: 52, p: 0.001, p_adjusted: 0.002 },
    { ...about, figure: 'fallbacks', first_half: 0, second_half: 0.01, p: 0.4, p_adjusted: 0.4 },
  ];
  const drifted = { ...report, drift, drift_notice: describeDrift(drift) };

  it('is named at the head of the page and in the terminal, with its test among the pages of the design', () => {
    const caution = 'openai:one (words per debate statement 31.0 → 52.0)';
    expect(drifted.drift_notice).toContain(`Some models played differently late in the study than early: ${caution}.`);
    expect(renderReport(drifted).split('## What was found')[0]).toContain('(words per debate statement 31.0 → 52.0)');
    expect(renderReportNotice(drifted)).toContain(caution);
    expect(renderReportDetails(drifted)['details/design.md']).toContain('## Drift');
    expect(report.drift_notice).toBeNull();
  });
});
