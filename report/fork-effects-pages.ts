// The pages on the effects of statements: `effects.md`, `effects.html`, `effects.json` and `effects.csv`.
import type { Effect } from '../deception/forks/estimate-effects.ts';
import { renderPictureCsv } from './csv.ts';
import { describeForkStudy, type ForkReport, forkReportTitle, listForkTables } from './fork-effects-parts.ts';
import { escapeMarkdown, renderTable, sanitizeText } from './format.ts';
import { escapeHtml, renderHtmlPage, renderHtmlTable } from './html-page.ts';
import { drawEffects } from './pictures/effect-pictures.ts';
import { renderPictureHtml } from './pictures/picture-html.ts';

/**
 * Renders the page as Markdown.
 *
 * @example writeFileSync('effects.md', renderForkMarkdown(report));
 */
export function renderForkMarkdown(report: ForkReport): string {
  const tables = listForkTables(report).map(({ title, notes, head, rows, texts }) =>
    [
      `## ${escapeMarkdown(title)}`,
      ...notes.map(escapeMarkdown),
      renderTable(
        head.map(escapeMarkdown),
        rows.map((row) => row.map(escapeMarkdown)),
        texts,
      ),
    ].join('\n\n'),
  );
  const study = describeForkStudy(report).map((line) => `- ${escapeMarkdown(line)}`);
  return `${[`# ${forkReportTitle}`, study.join('\n'), ...tables].join('\n\n')}\n`;
}

/** The console shows only tables whose titles begin with one of these texts. */
const findingTitles = ['keep against', 'Statements that moved', 'Statements of speakers who were asked again'];

/** Renders the text for the console: the sentences, the effects over all statements, and whether speakers complied. */
export function renderForkFindings(report: ForkReport): string {
  const wide = listForkTables(report)
    .filter(({ title }) => findingTitles.some((beginning) => title.startsWith(beginning)))
    .map(
      ({ title, head, rows, texts }) =>
        `${sanitizeText(title)}\n${renderTable(
          head,
          rows.map((row) => row.map(sanitizeText)),
          texts,
        )}`,
    );
  return `${[...describeForkStudy(report).map(sanitizeText), '', wide.join('\n\n')].join('\n')}\n`;
}

/**
 * Renders the page as HTML, with a picture for each arm. It loads nothing, and can be sent and printed.
 *
 * @example writeFileSync('effects.html', renderForkHtml(report));
 */
export function renderForkHtml(report: ForkReport, pictures = drawEffects(report)): string {
  const tables = listForkTables(report).map(({ title, notes, head, rows, texts }) =>
    [
      `<h2>${escapeHtml(title)}</h2>`,
      ...notes.map((note) => `<p>${escapeHtml(note)}</p>`),
      renderHtmlTable([head, ...rows], undefined, texts, title),
    ].join('\n'),
  );
  const study = describeForkStudy(report).map((line) => `<li>${escapeHtml(line)}</li>`);
  const drawn = pictures.map((picture) => renderPictureHtml(picture, { isDefined: () => false }));
  const body = [
    `<h1>${escapeHtml(forkReportTitle)}</h1>`,
    `<ul>${study.join('\n')}</ul>`,
    `<div class="pictures">${drawn.join('\n')}</div>`,
    ...tables,
  ];
  return renderHtmlPage(forkReportTitle, `<main>\n${body.join('\n')}\n</main>`);
}

/** Renders the whole report for programs. */
export const renderForkJson = (report: ForkReport): string => `${JSON.stringify(report, null, 2)}\n`;

/** Renders one row for each effect, unrounded. */
export const renderForkCsv = ({ effects }: ForkReport): string => renderPictureCsv(effects.map(listColumns));

const listColumns = ({ outcome, listeners, arm, of, keep, other, isSelected, ...estimate }: Effect) => ({
  ...{ outcome, listeners, arm, is_selected: isSelected },
  role: of.role ?? null,
  claim: of.claim ?? null,
  round: of.round ?? null,
  speaker_model: of.speaker_model ?? null,
  listener_model: of.listener_model ?? null,
  ...{ keep, other, ...estimate },
});
