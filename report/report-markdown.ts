// The first page of a report over many matches, `report.md`: the table of answers, figures of pairs of models, counts,
// and links to the rest.
import { isMixedSpread } from '../deception/summary/match-conditions.ts';
import type { Report } from '../deception/summary/report-schema.ts';
import { listFormLines } from './asked-forms.ts';
import {
  escapeMarkdown,
  formatWhole,
  missingPlaceholder,
  pluralize,
  renderTable,
  sanitizeLines,
  sanitizeText,
} from './format.ts';
import { renderAnswers, tellAnswers } from './answer-table-markdown.ts';
import { detailsFolder, listDetailPages } from './report-details.ts';
import { describeErrorBounds } from './error-bounds-text.ts';
import { describeGold } from './gold-text.ts';
import {
  aboutHeard,
  formatCalled,
  formatFinding,
  formatShareWithInterval,
  turnHeadlines,
  headlines,
  isOfSeveralGames,
  listHeadToHead,
  listHeard,
  listModelFindings,
} from './report-findings.ts';

/** Maximum length of each list on the first page, which should have at most 120 lines. */
const most = { models: 12, notes: 8 };

/**
 * Renders the page as GitHub-flavored Markdown of at most 120 lines. `hasLeaderboard`: whether `leaderboard.md` is next
 * to it.
 *
 * @example
 * await writeFile('report.md', renderReport(buildReport(findings)));
 */
export function renderReport(report: Report, { hasLeaderboard = false } = {}): string {
  const pages = listDetailPages(report);
  return `${[
    ...renderAnswers(report.answers, {
      title: `Report on ${pluralize(report.matches, 'match', 'matches')}`,
      notices: listNotices(report),
    }),
    ...renderPairs(report),
    ...renderGold(report),
    '## What was counted',
    ...renderCounted(report),
    '## Other pages',
    [
      ...(hasLeaderboard
        ? ['- [The leaderboard](leaderboard.md): ratings and ranks, deception and detection, cost']
        : []),
      ...pages.map(({ file, title, about }) => `- [${title}](${detailsFolder}/${file}): ${about}`),
    ].join('\n'),
    'Every figure is in `report.json` and `figures.csv`; the tables next to them have the rows behind each figure. `docs/reference/metrics.md` of the project defines the figures.',
  ].join('\n\n')}\n`;
}

/** Lists the warnings to read first that the tables at the top do not have. */
export const listNotices = ({ bot_notice: bots, drift_notice: drift, answers }: Report): string[] =>
  [answers.length === 0 ? bots : null, drift].filter((notice) => notice !== null);

/** Returns the notice on how claims were read, unless a table at the top has it among its cautions. */
export const listFurtherNotices = ({ claims_notice: claims, answers }: Report): string[] =>
  claims === null || answers.some(({ cautions }) => cautions.includes(claims)) ? [] : [claims];

/**
 * Renders the gold sample or, without one, the lie rates corrected by measured errors. Empty if the report has neither.
 */
function renderGold(report: Report): string[] {
  const text = report.gold === null ? describeErrorBounds(report) : describeGold(report.gold);
  if (text === null) return [];
  const { title, about, tables } = text;
  return [
    `## ${title}`,
    escapeMarkdown(about),
    ...tables.flatMap(({ about: text, rows: [head = [], ...rows] }) => [
      escapeMarkdown(text),
      renderTable(
        head,
        rows.map((row) => row.map(escapeMarkdown)),
      ),
    ]),
  ];
}

/** Renders figures of pairs of models, and turns without a statement. */
function renderPairs(report: Report): string[] {
  const all = listModelFindings(report);
  const shown = all.slice(0, most.models);
  const rest = all.length - shown.length;
  const matrix = listHeadToHead(report);
  const parts = [
    ...renderHeard(report, shown.length),
    ...(isOfSeveralGames(report)
      ? [
          `Wins are counted separately by board and rules: [${detailsFolder}/headlines.md](${detailsFolder}/headlines.md), [${detailsFolder}/outcomes.md](${detailsFolder}/outcomes.md).`,
        ]
      : []),
    ...(matrix === null || matrix.models.length > most.models
      ? []
      : [
          'Wins of the Werewolves, by who played them (rows) and who played the village (columns):',
          renderTable(
            ['Werewolves', ...matrix.models.map(escapeMarkdown)],
            matrix.rows.map(({ model, cells }) => [
              escapeMarkdown(model),
              ...cells.map((cell) => (cell === null ? '–' : formatShareWithInterval(cell))),
            ]),
          ),
        ]),
    ...(shown.length === 0
      ? []
      : [
          'Turns of debates without a statement, as Werewolf:',
          renderTable(
            ['Model', ...turnHeadlines.map((name) => headlines[name].title)],
            shown.map(({ model, figures }) => [
              escapeMarkdown(model),
              ...turnHeadlines.map((name) => formatFinding(figures[name])),
            ]),
          ),
        ]),
    ...(rest > 0 ? [`${pluralize(rest, 'further model')}: ${detailsFolder}/ and figures.csv.`] : []),
  ];
  return parts.length === 0 ? [] : ['## Who heard whose lies, and silent turns', ...parts];
}

/** Renders who heard whose lies, with hits and false alarms side by side. */
function renderHeard(report: Report, models: number): string[] {
  const all = listHeard(report);
  if (all.length === 0 || models > mostMatrix) return [];
  return [
    aboutHeard,
    renderTable(
      [
        'Lies of',
        'Heard by',
        'Lie found more deceptive',
        'Pairs',
        'Deals with a lie or true claim of a pair',
        'Lies called deceptive',
        'True claims called deceptive',
      ],
      all.map(({ speaker, listener, detection, hits, alarms }) => [
        ...[speaker, listener].map(escapeMarkdown),
        detection === null || detection.value === null
          ? (detection?.reason ?? missingPlaceholder)
          : formatShareWithInterval(detection),
        ...[formatWhole(detection?.opportunities ?? null), formatWhole(detection?.matches ?? null)],
        ...[hits, alarms].map(formatCalled),
      ]),
      2,
    ),
  ];
}

/** Maximum number of models whose pairs fit on the first page. */
const mostMatrix = 4;

function renderCounted(report: Report): string[] {
  const { matches, notes, plan_notice: planNotice, conditions, seeds, left_out: leftOut } = report;
  const lines = [
    `- ${pluralize(matches, 'match is', 'matches are')} counted, ${formatSealed(report)}${seeds.matches === 0 ? '' : `; ${pluralize(seeds.different, 'seed')}, ${seeds.lowest} to ${seeds.highest}`}.`,
    ...(leftOut.length === 0
      ? []
      : [
          `- **${pluralize(leftOut.length, 'record is', 'records are')} left out**: [which and why](${detailsFolder}/left-out.md).`,
        ]),
    ...[...listFurtherNotices(report), ...notes.slice(0, most.notes)].map((note) => `- **${escapeMarkdown(note)}**`),
    ...listFormLines(report).map((line) => `- ${escapeMarkdown(line)}`),
    `- ${escapeMarkdown(planNotice)}`,
    ...(conditions.some((one) => isMixedSpread(one, matches)) ? [] : ['- All conditions are the same in all matches.']),
    ...listRemembered(report).map((what) => `- Players remembered: ${escapeMarkdown(what)}.`),
  ];
  return [lines.join('\n')];
}

/** Describes players' memories if they are the same in all matches. If they differ, a note describes them. */
const listRemembered = ({ conditions, matches }: Pick<Report, 'conditions' | 'matches'>) =>
  conditions
    .filter((one) => one.name === 'experience' && !isMixedSpread(one, matches))
    .flatMap(({ values }) => values.map(({ value }) => value).filter((value) => value !== 'none'));

/**
 * Describes how many records are sealed, and why the others are not.
 *
 * @example formatSealed({ matches: 30, sealed: 30 }) // 'sealed 30 of 30'
 */
export const formatSealed = ({ matches, sealed }: Pick<Report, 'matches' | 'sealed'>) =>
  `sealed ${sealed} of ${matches}${sealed < matches ? ' (records of schema 1 have no seal, and prompts that were changed or removed break it)' : ''}`;

// Output on the console.

/** Maximum number of left-out records to list. Further records are only counted. */
const mostListed = 10;

/**
 * Renders the facts to know before reading a report: the number of matches, how they differ, and the records left
 * out.
 */
export function renderReportNotice(report: Report): string {
  const { matches, notes, left_out: leftOut } = report;
  const listed = leftOut.slice(0, mostListed);
  const rest = leftOut.length - listed.length;
  return [
    `${pluralize(matches, 'match is', 'matches are')} reported, ${formatSealed(report)}.`,
    ...listNotices(report),
    ...listFurtherNotices(report),
    ...notes,
    ...(leftOut.length === 0 ? [] : [`${pluralize(leftOut.length, 'record is', 'records are')} left out:`]),
    ...listed.map(({ folder, reason, message }) => `  ${folder} (${reason}): ${message}`),
    ...(rest === 0 ? [] : [`  and ${rest} more; all are listed in ${detailsFolder}/left-out.md.`]),
  ]
    .map((line) => `${/^ */.exec(line)![0]}${sanitizeText(line)}\n`)
    .join('');
}

/** Renders the findings for a terminal: the table of the first page, and the gold sample. */
export const renderReportFindings = (report: Report): string =>
  [tellAnswers(report.answers), ...renderGold(report).map((part) => `${sanitizeLines(part)}\n`)].join('');
