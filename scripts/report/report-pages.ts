// The pages of a report of many matches: figures as JSON, Markdown, CSV and HTML, pictures and the leaderboard.
import type { Leaderboard } from '../../deception/ratings/leaderboard-schema.ts';
import type { SampledExamples } from '../../deception/summary/example-sampler.ts';
import type { Report } from '../../deception/summary/report-schema.ts';
import { renderFiguresCsv, renderPictureCsv } from '../../report/csv.ts';
import { renderReportJson } from '../../report/format.ts';
import { renderReportDetails } from '../../report/report-details.ts';
import { renderReport } from '../../report/report-markdown.ts';
import { nameModels } from '../../report/shown-models.ts';
import { makeLeaderboardPages } from './leaderboard-files.ts';
import { addPageLinks } from './match-pages.ts';

/** File name → its text. */
export type ReportPages = Readonly<
  Record<'report.json' | 'report.md' | 'figures.csv', string> & Record<string, string>
>;

interface ReportContents {
  report: Report;
  /** Leaderboard; null without one. */
  leaderboard: Leaderboard | null;
  examples: readonly SampledExamples[];
  /** Folder of the report. Links to matches' pages are relative to this folder. */
  out: string;
  /** Judge of the claims, as named on the page; null if no judge is named. */
  judge: string | null;
}

/**
 * Renders all pages of a report except the tables.
 *
 * @example Object.keys(await renderReportPages({ report, leaderboard: null, examples: [], out: 'runs/report', judge: null }));
 */
export async function renderReportPages({
  report: recorded,
  leaderboard: rated,
  examples: counted,
  out,
  judge,
}: ReportContents): Promise<ReportPages> {
  const [report, leaderboard, examples] = nameModels([recorded, rated, counted] as const, recorded.answers);
  const { drawPictures, picturesFolder } = await import('../../report/pictures/report-pictures.ts'); // slow to load
  const { renderLeaderboardHtml } = await import('../../report/leaderboard-html.ts');
  const { renderSvgFile } = await import('../../report/pictures/picture-drawing.ts');
  const { renderReportHtml } = await import('../../report/report-html.ts');
  const pictures = drawPictures(report, leaderboard);
  const hasLeaderboard = leaderboard !== null;
  return {
    'report.json': renderReportJson(recorded),
    'report.md': renderReport(report, { hasLeaderboard }),
    'figures.csv': renderFiguresCsv(recorded),
    ...(rated && makeLeaderboardPages(rated)),
    ...(leaderboard && { 'leaderboard.html': renderLeaderboardHtml(leaderboard) }),
    'report.html': renderReportHtml(report, pictures, addPageLinks(examples, out), { hasLeaderboard, judge }),
    ...renderReportDetails(report),
    ...Object.fromEntries(
      pictures.flatMap(({ name, svg, data }) => [
        [`${picturesFolder}/${name}.svg`, renderSvgFile(svg)],
        [`${picturesFolder}/${name}.csv`, renderPictureCsv(data)],
      ]),
    ),
  };
}
