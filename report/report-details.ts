// All figures of a report, on pages by theme, which accompany the first page.
import { roundOutward } from '../deception/statistics/round-outward.ts';
import { isSameCell } from '../deception/comparison/comparison-schema.ts';
import { isOfModels, type MetricSection, metricSections } from '../deception/metrics/metric.ts';
import { isMixedSpread, isSpreadOfRule } from '../deception/summary/match-conditions.ts';
import type {
  DesignFigures,
  LeftOut,
  Report,
  ReportedFigure,
  ReportedMetric,
  ReportedSample,
  FigureSpread,
} from '../deception/summary/report-schema.ts';
import { isBoardSample } from '../deception/summary/build-report.ts';
import {
  escapeMarkdown,
  formatBriefFigure,
  formatCell,
  formatChance,
  formatCount,
  formatFigure,
  formatInterval,
  formatMethod,
  formatWhole,
  incomparableMark,
  pluralize,
  renderTable,
  missingPlaceholder,
  formatProbability,
} from './format.ts';
import { adjustmentNote } from './comparison-findings.ts';
import { renderForms } from './asked-forms.ts';
import { renderPeople } from './people-text.ts';
import { listRefusalCells } from './match-summary-markdown.ts';
import { formatCommandInFile } from '../state/command-in-file.ts';

// Figures: headlines side by side, and every metric with all its cells.

type Titles = ReadonlyMap<string, string>;

const indexTitles = (metrics: readonly ReportedMetric[]): Titles =>
  new Map(metrics.map(({ name, title }) => [name, title]));

/** Names the headlines that have no cases in this study, each with the condition that would give it cases. */
function renderUnfilled({ metrics }: Report): string[] {
  const empty = metrics.filter(
    ({ is_headline: isHeadline, figures }) => isHeadline && figures.every(({ value }) => value === null),
  );
  // Reports of earlier versions do not name the condition under which a figure would have cases.
  if (empty.length === 0 || empty.some(({ filled_by: by }) => by === undefined)) return [];
  const named = empty.map(
    ({ title, filled_by: by }) => `${escapeMarkdown(title)} (${by == null ? 'more matches' : `needs ${by}`})`,
  );
  return [`Without data here: ${named.join('; ')}.`];
}

/** Renders the headline figures in one table with a column for each sample, and their spread over variants. */
function renderHeadlines({ metrics, variants }: Report, samples: readonly ReportedSample[]): string[] {
  const titles = indexTitles(metrics);
  const rows = (samples[0]?.figures ?? []).map(({ metric, cell, comparable }) => [
    escapeMarkdown(titles.get(metric) ?? metric) + (comparable ? '' : ` ${incomparableMark}`),
    formatCell(cell),
    ...samples.map(({ figures }) => {
      const same = figures.find((other) => other.metric === metric && formatCell(other.cell) === formatCell(cell));
      return same ? formatBriefFigure(same) : missingPlaceholder;
    }),
    ...(variants
      ? [formatSpread(variants.figures.find((other) => other.metric === metric && isSameCell(other.cell, cell)))]
      : []),
  ]);
  return [
    renderTable(
      ['Figure', 'Of', ...samples.map(({ title }) => escapeMarkdown(title)), ...(variants ? ['Over variants'] : [])],
      [['Matches', '', ...samples.map(({ matches }) => formatCount(matches)), ...(variants ? [''] : [])], ...rows],
      2,
    ),
    [
      ...samples.map(({ title, definition }) => `- ${escapeMarkdown(title)}: ${escapeMarkdown(definition)}`),
      ...(variants
        ? [
            `- Over variants: least to greatest value over ${variants.names.join(', ')}, on the deals that all of them played.`,
          ]
        : []),
    ].join('\n'),
  ];
}

function formatSpread(figures: DesignFigures | undefined): string {
  const known = figures?.values.filter((value) => value !== null) ?? [];
  return known.length < 2
    ? missingPlaceholder
    : `${formatFigure(Math.min(...known))} to ${formatFigure(Math.max(...known))}`;
}

// Renders how the design of the study affects results: measuring rules, variants, biases by seat, name and order,
// drift.

function renderMeasuring({ measuring, metrics }: Report): string[] {
  const titles = indexTitles(metrics);
  const findTitle = (metric: string) => escapeMarkdown(titles.get(metric) ?? metric);
  return measuring.flatMap(({ a, b, deals, differences, not_compared: notCompared }) => [
    `### ${escapeMarkdown(a)} against ${escapeMarkdown(b)}`,
    `${pluralize(deals, 'deal')} that were played both ways, with everything else the same. In the first arm more is measured, and players read that in their rules. Differences are paired by deal; p comes from swapping the two arms within deals. ${adjustmentNote}`,
    renderTable(
      ['Figure', 'Of', 'Measured more', 'Less', 'Difference', '95 % interval', 'Deals', 'p', 'p (adjusted)'],
      differences.map((one) => [
        ...[findTitle(one.metric), formatCell(one.cell), formatFigure(one.a), formatFigure(one.b)],
        formatFigure(one.difference),
        one.low === null ? (one.reason ?? missingPlaceholder) : formatInterval(one),
        String(one.deals),
        ...[one.p, one.p_adjusted].map(formatProbability),
      ]),
      2,
    ),
    ...(notCompared.length === 0
      ? []
      : [`Not compared, because one of the two arms has no cases: ${notCompared.map(findTitle).join('; ')}.`]),
  ]);
}

function renderVariants({ variants, metrics }: Report): string[] {
  if (variants === null) return [];
  const titles = indexTitles(metrics);
  const shown = variants.figures.filter(({ spread }) => spread !== null);
  return [
    `${pluralize(variants.deals, 'deal')} that ${variants.names.map(escapeMarkdown).join(', ')} all played, with everything else the same. Spread: greatest minus least value. p: how often variants that change places at random within deals have such a spread (unadjusted).`,
    renderTable(
      ['Figure', 'Of', ...variants.names.map(escapeMarkdown), 'Spread', 'p'],
      shown.map(({ metric, cell, values, spread, p }) => [
        ...[escapeMarkdown(titles.get(metric) ?? metric), formatCell(cell), ...values.map(formatFigure)],
        ...[formatFigure(spread), p === null ? 'too few' : formatProbability(p)],
      ]),
      2,
    ),
  ];
}

function renderBiases({ biases }: Report): string[] {
  if (biases.every(({ p }) => p === null)) return [];
  const formatMean = (mean: Report['biases'][number]['most']) =>
    mean === null
      ? missingPlaceholder
      : `${escapeMarkdown(mean.label)} (${mean.value >= 0 ? '+' : ''}${formatFigure(mean.value)})`;
  return [
    'None of these labels should matter. Votes: the share of ballots for exile that a player with the label gets, compared with players of the same role in the same deal. Wins: how much more often the Werewolves win if one of them has the label. p: a permutation test of all labels together, adjusted by Holm’s procedure; labels change places within deals (for the speaking position, on the first day only), outcomes among deals. Under bidding, players choose when they speak, so the rows of the speaking position show only an association.',
    renderTable(
      ['Label', 'Of', 'Deals', 'Labels', 'Most', 'Least', 'p', 'p (Holm)'],
      biases.map(({ factor, outcome, deals, labels, most, least, p, p_adjusted: adjusted }) => [
        ...[factor, outcome, String(deals), String(labels), formatMean(most), formatMean(least)],
        ...[p, adjusted].map(formatProbability),
      ]),
      2,
    ),
  ];
}

function renderDrift({ drift }: Report): string[] {
  if (drift.length === 0) return [];
  return [
    'Whether a model plays differently late in the study than early, for example because its provider changed it in the meantime. p: a permutation test, in which start times change places among matches of the same deal and arm, and among deals that were played in the same arms; adjusted by Holm’s procedure over this table.',
    renderTable(
      ['Model', 'Of', 'Matches', 'Deals', 'First half', 'Second half', 'p', 'p (Holm)'],
      drift.map(
        ({ model, figure, matches, deals, first_half: first, second_half: second, p, p_adjusted: adjusted }) => [
          ...[escapeMarkdown(model), figure, String(matches), String(deals), formatFigure(first), formatFigure(second)],
          ...[p, adjusted].map(formatProbability),
        ],
      ),
      2,
    ),
  ];
}

/** Renders rates corrected for the extractor's errors, or a note that the errors are unknown. */
function renderCorrected({ metrics, corrected, reach }: Report): string[] {
  if (reach === null)
    return [
      `Lie rates are not corrected, because the extractor’s errors are not known. \`${formatCommandInFile('validate', '--claims')}\` measures them; \`report --errors FILE\` then corrects the rates.`,
    ];
  if (corrected.length === 0) return [];
  const titles = indexTitles(metrics);
  return [
    '### Corrected for the extractor’s errors (exploratory)',
    [
      'By Rogan and Gladen (1978), from errors measured on labeled statements. Players who speak differently may be misread differently.',
      describeReach(reach),
      'Their 95 % intervals come from resampling the moments of those statements, and widen the interval of the corrected figure. Clipped: the correction gave a value outside 0 to 1, which was set to 0 or 1.',
    ].join(' '),
    renderTable(
      ['Figure', 'Of', 'As found', 'Corrected', '95 % interval', 'Clipped', 'Sensitivity', 'Specificity'],
      corrected.map((one) => [
        escapeMarkdown(titles.get(one.metric) ?? one.metric),
        formatCell(one.cell),
        ...[one.found, one.value].map(formatFigure),
        formatInterval(one),
        one.is_clipped ? 'yes' : 'no',
        formatAccuracy(one.sensitivity, one.sensitivity_low, one.sensitivity_high),
        formatAccuracy(one.specificity, one.specificity_low, one.specificity_high),
      ]),
      2,
    ),
  ];
}

function formatAccuracy(share: number, low: number, high: number): string {
  const outward = roundOutward({ low, high }, 3);
  return `${formatFigure(share)} [${formatFigure(outward.low)} to ${formatFigure(outward.high)}]`;
}

/** Describes on which statements sensitivity and specificity were measured. */
const describeReach = (reach: NonNullable<Report['reach']>) =>
  `For the rate of statements with a lie, sensitivity and specificity are measured on all debate statements; for other rates, on claims that both a reader and the extractor found. The extractor finds ${formatReach(reach)} (one figure for all models), and the claims that it misses are not corrected for. A model’s rates are corrected only by errors on its own statements.`;

function formatReach({ lies, truths }: NonNullable<Report['reach']>): string {
  const formatShare = ({ drawn, of }: typeof lies) => `${((100 * drawn) / of).toFixed(0)} % (${drawn} of ${of})`;
  return `${formatShare(lies)} of the lies and ${formatShare(truths)} of the truths`;
}

/** Returns the warning above rows that must not be compared between models. */
const describeIncomparable = (reach: Report['reach']) =>
  `${incomparableMark}${reach === null ? '' : ` On labeled statements, the rules find ${formatReach(reach)}, and more for one model than for another.`} Do not compare these rows between models.`;

/** Returns whether a model's rows also depend on the acts of other players. */
export const hasOthersFigures = ({
  is_own_deed: isOwn,
  figures,
}: Pick<ReportedMetric, 'is_own_deed' | 'figures'>): boolean =>
  !isOwn && figures.some(({ cell }) => Object.keys(cell).some(isOfModels));

/** Explanation above the rows of a metric that depends on other players too. */
export const aboutOthers =
  'These figures do not depend on one model alone: a row that names a model also reflects the players that it met, and ranks nobody. `compare` on a crossed study separates a model’s own part.';

/** Renders a metric with its definition and a row for each cell. Cells without cases are in the JSON only. */
function renderMetric(metric: ReportedMetric, reach: Report['reach']): string[] {
  const { title, definition, unit, figures } = metric;
  const shown = figures.filter(({ reason, value }) => reason !== 'no data' || value !== null);
  return [
    `### ${escapeMarkdown(title)}`,
    `${definition} Unit: ${escapeMarkdown(unit)}.`,
    ...(hasOthersFigures(metric) ? [aboutOthers] : []),
    ...(shown.some(({ comparable }) => !comparable) ? [describeIncomparable(reach)] : []),
    shown.length === 0 ? 'No cases in these matches.' : renderFigureTable(shown),
  ];
}

type FigureColumn = [head: string, of: (figure: ReportedFigure) => string];

const byChance: FigureColumn = ['By chance', formatChance];
const coverage: FigureColumn = ['Coverage', ({ coverage: value }) => formatFigure(value)];

function renderFigureTable(figures: readonly ReportedFigure[]): string {
  const [head, ...rows] = listFigureRows(figures, escapeMarkdown);
  return renderTable(head!, rows);
}

/**
 * Lists figures as rows of text, column names first. Cells with equal figures share a row. `escape`: escapes texts for
 * the page.
 */
export function listFigureRows(figures: readonly ReportedFigure[], escape: (text: string) => string): string[][] {
  const isBounded = figures.some(({ lowest, highest }) => lowest !== null || highest !== null);
  const columns: FigureColumn[] = [
    ['Value', ({ value }) => formatFigure(value)],
    ['95 % interval', formatInterval],
    ...(figures.some(({ chance }) => chance !== null) ? [byChance] : []),
    ['Method', formatMethod],
    ['Opportunities', ({ opportunities }) => formatCount(opportunities)],
    ...(figures.some(({ coverage: value }) => value !== null) ? [coverage] : []),
    ['Matches', ({ matches }) => formatCount(matches)],
    ['Mean of matches', ({ mean_of_matches: value }) => formatFigure(value)],
    ['of', ({ matches_with_value: value }) => formatCount(value)],
  ];
  if (isBounded)
    columns.push(['Lowest', ({ lowest }) => formatFigure(lowest)], ['Highest', ({ highest }) => formatFigure(highest)]);
  const rows = figures.map((figure) => ({
    of: formatCell(figure.cell, escape),
    texts: columns.map(([, of]) => of(figure)),
    contents: JSON.stringify([figure.value, figure.low, figure.high, figure.opportunities, figure.matches]),
  }));
  const groups = [...Map.groupBy(rows, ({ contents, texts }) => contents + texts.join('|')).values()];
  return [
    ['Of', ...columns.map(([head]) => head)],
    ...groups.map((same) => [same.map(({ of }) => of).join(' = '), ...same[0]!.texts]),
  ];
}

/** Renders which questions were refused, by whom, and why. Empty if none were refused. */
function renderRefusals({ refusals }: Report): string[] {
  if (refusals.length === 0) return [];
  return [
    '### Refused questions',
    'Who was asked, which question, and who refused: a server by its policy, or the model in its own words. Records before schema 4 do not name servers.',
    renderTable(['Role', 'Model', 'Question', 'By', 'For', 'Refusals'], refusals.map(listRefusalCells), 5),
  ];
}

// The matches of the report: their number, their conditions, and the records left out.

/** Renders the differences between the matches first, and then what all matches have in common. */
function renderSample({
  matches,
  notes,
  plan_notice: planNotice,
  conditions,
  seeds,
  left_out: leftOut,
}: Report): string[] {
  const mixed = conditions.filter((one) => isMixedSpread(one, matches));
  const same = conditions.filter((one) => !mixed.includes(one));
  const rules = same.filter(isSpreadOfRule);
  return [
    [
      `- ${pluralize(matches, 'match is', 'matches are')} counted.`,
      ...(leftOut.length === 0
        ? []
        : [`- ${pluralize(leftOut.length, 'record is', 'records are')} left out, listed at the end.`]),
      ...(seeds.matches === 0 ? [] : [`- ${pluralize(seeds.different, 'seed')}, ${seeds.lowest} to ${seeds.highest}.`]),
      ...notes.map((note) => `- **${escapeMarkdown(note)}**`),
      `- ${escapeMarkdown(planNotice)}`,
    ].join('\n'),
    ...(mixed.length === 0
      ? ['All conditions are the same in all matches.']
      : ['### What differs', renderTable(['Condition', 'Value', 'Matches'], mixed.flatMap(createConditionRows), 2)]),
    '### What is the same in all matches',
    [
      ...same.filter((one) => !isSpreadOfRule(one)).map((one) => `- ${escapeMarkdown(one.name)}: ${formatValues(one)}`),
      ...(rules.length === 0
        ? []
        : [`- rules: ${rules.map((one) => `${escapeMarkdown(one.name.slice(5))} ${formatValues(one)}`).join(', ')}`]),
    ].join('\n'),
  ];
}

const formatValues = ({ values }: FigureSpread) => values.map(({ value }) => escapeMarkdown(value)).join('; ');

const createConditionRows = ({ name, values }: FigureSpread) =>
  values.map(({ value, matches }, at) => [
    at === 0 ? escapeMarkdown(name) : '',
    escapeMarkdown(value),
    formatWhole(matches),
  ]);

/** Renders a table of the records left out, with the reasons. */
export const renderLeftOut = (leftOut: readonly LeftOut[]): string[] =>
  leftOut.length === 0
    ? []
    : [
        renderTable(
          ['Folder', 'Why', 'What was found'],
          leftOut.map(({ folder, reason, message }) => [folder, reason, message].map(escapeMarkdown)),
          3,
        ),
      ];

// Titles of the sections of a report.

export const sectionTitles: Record<MetricSection, string> = {
  lies: 'Lies',
  accusations: 'Accusations and defenses',
  detection: 'Detection',
  'self-reports': 'Self-reports',
  perception: 'Perception',
  beliefs: 'Beliefs',
  agreement: 'Agreement',
  outcomes: 'Outcomes',
  seats: 'Seats',
  debate: 'The debate',
  roles: 'Special roles',
  village: 'The village',
  sheriff: 'The Sheriff',
  reliability: 'Reliability',
};

/** Folder of the pages, next to `report.md`. */
export const detailsFolder = 'details';

/** Names of all pages that a report may have, depending on its data. */
export const detailFiles: readonly string[] = [
  ...['sample', 'headlines', 'design', ...metricSections, 'people', 'left-out', 'how-to-read'].map(
    (name) => `${name}.md`,
  ),
];

/** A page of details. */
export interface DetailPage {
  file: string;
  title: string;
  /** Contents of the page in a few words. */
  about: string;
  body: string[];
}

/** Lists the pages with something to show, in the order in which the first page names them. */
export function listDetailPages(report: Report): DetailPage[] {
  const boards = report.samples.filter(isBoardSample);
  const variants = report.samples.filter((sample) => !isBoardSample(sample));
  const design: [string, string[]][] = [
    ['What measuring changed', renderMeasuring(report)],
    ['Between variants', renderVariants(report)],
    ['Seats, names and order', renderBiases(report)],
    ['Drift', renderDrift(report)],
  ];
  const sections = metricSections.map((section): DetailPage => {
    const metrics = report.metrics.filter((metric) => metric.section === section);
    const titles = metrics.slice(0, 3).map(({ title }) => escapeMarkdown(title));
    return {
      ...{ file: `${section}.md`, title: sectionTitles[section] },
      about: `${titles.join(', ')}${metrics.length > 3 ? ' and more' : ''}`,
      body: [
        ...metrics.flatMap((metric) => renderMetric(metric, report.reach)),
        ...(section === 'reliability' ? [...renderForms(report), ...renderRefusals(report)] : []),
      ],
    };
  });
  const pages: DetailPage[] = [
    { file: 'sample.md', title: 'The sample', about: 'conditions, seeds, models', body: renderSample(report) },
    {
      file: 'headlines.md',
      title: 'Headlines',
      about: 'every headline figure of the whole, its parts and boards, and corrected lie rates',
      body: [
        ...renderHeadlines(report, variants),
        ...renderUnfilled(report),
        ...renderCorrected(report),
        ...(boards.length === 0 ? [] : ['### By board', ...renderHeadlines(report, boards)]),
      ],
    },
    {
      file: 'design.md',
      title: 'The design',
      about: 'what measuring changed, variants, seats, names and order',
      body: design.flatMap(([title, body]) => (body.length === 0 ? [] : [`## ${title}`, ...body])),
    },
    ...sections,
    {
      file: 'people.md',
      title: 'People and models',
      about: 'answers of people and of models in the same matches',
      body: renderPeople(report),
    },
    {
      file: 'left-out.md',
      title: 'Records left out',
      about: 'which and why',
      body: renderLeftOut(report.left_out),
    },
    {
      file: 'how-to-read.md',
      title: 'How to read the figures',
      about: 'intervals, chance, missing data, marks',
      body: [renderReadingGuide(report)],
    },
  ];
  return pages.filter(({ body }) => body.length > 0);
}

/**
 * Renders the pages as GitHub-flavored Markdown. Returns the text of each page by its path, relative to `report.md`.
 *
 * @example renderReportDetails(report)['details/lies.md']
 */
export function renderReportDetails(report: Report): Record<string, string> {
  const isWarned = report.bot_notice !== null || report.drift_notice !== null || report.claims_notice !== null;
  const origin = `Part of the [report on ${pluralize(report.matches, 'match', 'matches')}](../report.md)${isWarned ? ', **whose warnings come first**' : ''}.`;
  return Object.fromEntries(
    listDetailPages(report).map(({ file, title, body }) => [
      `${detailsFolder}/${file}`,
      `${[`# ${title}`, origin, ...body].join('\n\n')}\n`,
    ]),
  );
}

const renderReadingGuide = ({ seed, resamples, baselines }: Report) =>
  [
    `- The match is the unit. A value is a ratio of sums over all matches; its 95 % interval comes from ${formatWhole(resamples)} resamples of matches with replacement (seed ${seed}), studentized. If all matches are alike, or a share is near 0 or 1, the interval is exact; if each match is one trial, it is Wilson’s. Bounds are rounded to two digits of the interval’s width; another seed can change the last digit by up to three.`,
    '- “too few”: fewer than 10 matches have cases, so no interval is given; if the value is missing too, fewer than 10 matches have one of the two things that the figure compares. “unstable”: the value is undefined in too many resamples.',
    '- Mean of matches: each match counts the same, however much was said in it. “of”: the number of matches with a value.',
    '- Lowest and highest: the value if every missing case counted against the figure, or for it. Figures without these columns have no such bounds.',
    '- †: do not compare this figure between models, because no single judge extracted its claims (`comparable` in `report.json` and `figures.csv`).',
    '- ‡: with so few matches, the 95 % interval of this figure contains the true value in less than 93 % of studies, so it is too narrow (`covers` in `report.json` says in how many; see `docs/evidence/validation.md` of the project).',
    '- Coverage: the share of all statements, in the same row, with a claim that the record can decide. Rates of lies cover only these statements.',
    ...(baselines.length === 0 ? [] : [describeChance(baselines)]),
    '- A dash marks a value that is not known or cannot be computed; it is never a zero. Rows without cases are only in `report.json`.',
    '- `docs/reference/metrics.md` of the project defines every figure; `docs/reference/reports.md` explains this page.',
  ].join('\n');

const describeChance = (baselines: Report['baselines']) =>
  `- By chance: the same figure if all its matches had been played at random, each on its own board under its own rules, ± its own 95 % error; from ${formatWhole(baselines[0]!.games)} games for each of ${pluralize(baselines.length, 'board with its rules', 'boards with their rules')}. Only figures of the game itself have this baseline.`;
