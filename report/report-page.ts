// A report over many matches as a page for researchers: `report.md`.
import { isSameCell } from '../deception/comparison/comparison-schema.ts';
import { type MetricSection, metricSections } from '../deception/metrics/metric.ts';
import { isMixed, isRule } from '../deception/summary/report-samples.ts';
import type {
  DesignFigures,
  LeftOut,
  Report,
  ReportedFigure,
  ReportedMetric,
  ReportedSample,
  FigureSpread,
} from '../deception/summary/report-schema.ts';
import { isBoard } from '../deception/summary/build-report.ts';
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
  pluralize,
  renderTable,
  sanitizeText,
  missingPlaceholder,
} from './format.ts';

// Figures: headlines side by side, and every metric with all its cells.

type Titles = ReadonlyMap<string, string>;

const indexTitles = (metrics: readonly ReportedMetric[]): Titles =>
  new Map(metrics.map(({ name, title }) => [name, title]));

/** Stands behind the title of what may not be compared between models. */
const incomparableMark = ' †';

/** The headline figures of the samples in one table, a column for each sample, and their spread over variants. */
function renderHeadlines({ metrics, variants }: Report, samples: readonly ReportedSample[]): string[] {
  const titles = indexTitles(metrics);
  const rows = (samples[0]?.figures ?? []).map(({ metric, cell, comparable }) => [
    escapeMarkdown(titles.get(metric) ?? metric) + (comparable ? '' : incomparableMark),
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

// What the design of the set tells: measuring, variants, and seats, names and order.

const formatProbability = (value: number | null) =>
  value === null ? missingPlaceholder : value < 0.001 ? '< .001' : value.toFixed(3);

function renderMeasuring({ measuring, metrics }: Report): string[] {
  const titles = indexTitles(metrics);
  const findTitle = (metric: string) => escapeMarkdown(titles.get(metric) ?? metric);
  return measuring.flatMap(({ a, b, deals, differences, not_compared: notCompared }) => [
    `### ${escapeMarkdown(a)} against ${escapeMarkdown(b)}`,
    `${pluralize(deals, 'deal')} that were played both ways, all else being the same. The first is measured more, and players read so in their rules. Paired by deal, p by swapping the two within deals, adjusted over this table.`,
    renderTable(
      ['Figure', 'Of', 'Measured more', 'Less', 'Difference', '95 % interval', 'Deals', 'p', 'p (families)'],
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
      : [`Not compared, since one of the two has nothing to count: ${notCompared.map(findTitle).join('; ')}.`]),
  ]);
}

function renderVariants({ variants, metrics }: Report): string[] {
  if (variants === null) return [];
  const titles = indexTitles(metrics);
  const shown = variants.figures.filter(({ spread }) => spread !== null);
  return [
    `${pluralize(variants.deals, 'deal')} that ${variants.names.map(escapeMarkdown).join(', ')} all played, all else being the same. Spread: greatest value less least. p: how often variants that change places at random within deals lie as far apart; unadjusted.`,
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
    'None of these should matter. Votes: the share of ballots for exile that a player gets, against players of the same role in the same deal, whose labels change places at random (on the first day for the speaking position). Wins: how much more often the Werewolves win where one of them holds the label; outcomes change places among deals. Under bidding players choose when they speak, so that the last rows show an association. p is of a permutation test of all labels at once, adjusted by Holm’s procedure.',
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

/** Rates corrected for the extractor's errors; that there are none where these are not known. */
function renderCorrected({ metrics, corrected, reach }: Report): string[] {
  if (reach === null)
    return [
      'Lie rates are not corrected: the errors of whoever drew the claims are not known. `npm run validate -- --claims` measures them, and `--errors` takes what it wrote.',
    ];
  if (corrected.length === 0) return [];
  const titles = indexTitles(metrics);
  return [
    '### Corrected for errors of whoever drew the claims (exploratory)',
    [
      'By Rogan and Gladen (1978), from errors measured on labelled statements. Players who speak otherwise than those sentences may be misread otherwise.',
      describeReach(reach),
      'Their 95 % intervals are over the moments of those statements, and are part of the interval of the corrected figure. Clipped: the correction led outside 0 to 1.',
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

const formatAccuracy = (share: number, low: number, high: number) =>
  `${formatFigure(share)} [${formatFigure(low)} to ${formatFigure(high)}]`;

/** What sensitivity and specificity are conditional on. */
const describeReach = (reach: NonNullable<Report['reach']>) =>
  `Sensitivity and specificity are of claims that both a reader and the extractor found: it draws ${formatReach(reach)} at all, one figure for all models, and no correction is made for those that it does not.`;

function formatReach({ lies, truths }: NonNullable<Report['reach']>): string {
  const formatShare = ({ drawn, of }: typeof lies) => `${((100 * drawn) / of).toFixed(0)} % (${drawn} of ${of})`;
  return `${formatShare(lies)} of the lies and ${formatShare(truths)} of the truths`;
}

/** Stands above rows that one may be tempted to compare. */
const describeIncomparable = (reach: Report['reach']) =>
  `†${reach === null ? '' : ` Measured on labelled statements the rules draw ${formatReach(reach)}, of one model more than of another.`} Not to be compared between models.`;

/** A metric with its definition and a row for each cell. Cells without anything to count are only in the JSON. */
function renderMetric({ title, definition, unit, figures }: ReportedMetric, reach: Report['reach']): string[] {
  const shown = figures.filter(({ reason, value }) => reason !== 'no data' || value !== null);
  return [
    `### ${escapeMarkdown(title)}`,
    `${definition} Unit: ${escapeMarkdown(unit)}.`,
    ...(shown.some(({ comparable }) => !comparable) ? [describeIncomparable(reach)] : []),
    shown.length === 0 ? 'There was nothing to count.' : renderFigureTable(shown),
  ];
}

type FigureColumn = [head: string, of: (figure: ReportedFigure) => string];

const byChance: FigureColumn = ['By chance', formatChance];
const coverage: FigureColumn = ['Coverage', ({ coverage: value }) => formatFigure(value)];

function renderFigureTable(figures: readonly ReportedFigure[]): string {
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
  return renderTable(
    ['Of', ...columns.map(([head]) => head)],
    figures.map((figure) => [formatCell(figure.cell), ...columns.map(([, of]) => of(figure))]),
  );
}

// The matches of the report: how many, under which conditions, and which records were left out.

/** What differs between the matches first, then what is the same in all. */
function renderSample({
  matches,
  sealed,
  notes,
  plan_notice: planNotice,
  conditions,
  seeds,
  left_out: leftOut,
}: Report): string[] {
  const mixed = conditions.filter((one) => isMixed(one, matches));
  const same = conditions.filter((one) => !mixed.includes(one));
  const rules = same.filter(isRule);
  return [
    [
      `- ${pluralize(matches, 'match is', 'matches are')} counted, ${formatSealed({ matches, sealed })}.`,
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
      ...same.filter((one) => !isRule(one)).map((one) => `- ${escapeMarkdown(one.name)}: ${formatValues(one)}`),
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

/** A table of the records that are not counted, with the reasons. */
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

// The whole page.

const sectionTitles: Record<MetricSection, string> = {
  lies: 'Lies',
  accusations: 'Accusations and defences',
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

/**
 * The page as GitHub-flavoured Markdown. Where bots played, every section says so.
 *
 * @example
 * await writeFile('report.md', renderReport(buildReport(findings)));
 */
export function renderReport(report: Report): string {
  const boards = report.samples.filter(isBoard);
  const variants = report.samples.filter((sample) => !isBoard(sample));
  const parts: [title: string, parts: string[]][] = [
    ['The sample', renderSample(report)],
    ['Headlines', [...renderHeadlines(report, variants), ...renderCorrected(report)]],
    ['What measuring changed', renderMeasuring(report)],
    ['Between variants', renderVariants(report)],
    ['Seats, names and order', renderBiases(report)],
    ...(boards.length === 0 ? [] : [['Headlines by board', renderHeadlines(report, boards)] as [string, string[]]]),
    ...metricSections.map((section): [string, string[]] => [
      sectionTitles[section],
      report.metrics
        .filter((metric) => metric.section === section)
        .flatMap((metric) => renderMetric(metric, report.reach)),
    ]),
    ['Records left out', renderLeftOut(report.left_out)],
  ];
  const notice = report.bot_notice === null ? [] : [`> **${escapeMarkdown(report.bot_notice)}**`];
  return `${[
    `# Report on ${pluralize(report.matches, 'match', 'matches')}`,
    ...notice,
    ...(report.claims_notice === null ? [] : [`> **${escapeMarkdown(report.claims_notice)}**`]),
    ...parts.filter(([, body]) => body.length > 0).flatMap(([title, body]) => [`## ${title}`, ...notice, ...body]),
    '## How to read the figures',
    renderReadingGuide(report),
  ].join('\n\n')}\n`;
}

const renderReadingGuide = ({ seed, resamples, baselines }: Report) =>
  [
    `- The match is the unit. A value is a ratio of sums over all matches; its 95 % interval comes from ${formatWhole(resamples)} resamples of matches with replacement (seed ${seed}), studentized. Where all matches are alike it is exact, and where each match is one trial it is Wilson's. Bounds are rounded to two digits of the interval's width: another seed can move the last of them by up to three.`,
    '- “too few”: fewer than 10 matches have anything to count, and no interval is given; without a value beside it, fewer than 10 matches have one of the things that the figure compares. “unstable”: the value is undefined in too many resamples.',
    '- Mean of matches: each match counts the same, however much was said in it; “of” so many matches that have a value.',
    '- Lowest and highest: the value if all that is missing had come out so. Figures without these columns have no such bounds.',
    '- †: not to be compared between models, since it is made of claims that no single judge drew (`comparable` in `report.json` and `figures.csv`).',
    '- ‡: with so few matches the 95 % interval of this figure covers less than 93 %, so it is too narrow (`covers` in `report.json` says how much; `docs/validation.md` of the project).',
    '- Coverage: the share of all statements, in the same row, with a claim that the record can decide. Rates of lies speak of no more than these.',
    ...(baselines.length === 0 ? [] : [describeChance(baselines)]),
    '- A dash stands for what is not known or cannot be computed; it is never a zero. Rows without anything to count stand in `report.json` alone.',
    '- Every figure is defined in `docs/metrics.md` of the project, this page in `docs/reports.md`.',
  ].join('\n');

const describeChance = (baselines: Report['baselines']) =>
  `- By chance: what the same figure would be had all its matches been played by chance, each on its own board under its own rules, ± its own error at 95 %; from ${formatWhole(baselines[0]!.games)} games for each of ${pluralize(baselines.length, 'board with its rules', 'boards with their rules')}. Only figures of the game itself have it.`;

/**
 * How many of the records are sealed, and what the others are.
 *
 * @example formatSealed({ matches: 30, sealed: 30 }) // 'sealed 30 of 30'
 */
export const formatSealed = ({ matches, sealed }: Pick<Report, 'matches' | 'sealed'>) =>
  `sealed ${sealed} of ${matches}${sealed < matches ? ' (records of schema 1 have no seal)' : ''}`;

// The console's notice.

/** More records left out than these are only counted. */
const mostListed = 10;

/** What one must know before reading a report: how many matches are counted, how they differ, which records were left out. */
export function renderReportNotice(report: Report): string {
  const { matches, bot_notice: botNotice, claims_notice: claimsNotice, notes, left_out: leftOut } = report;
  const listed = leftOut.slice(0, mostListed);
  const rest = leftOut.length - listed.length;
  return [
    `${pluralize(matches, 'match is', 'matches are')} reported, ${formatSealed(report)}.`,
    ...[botNotice, claimsNotice].filter((notice) => notice !== null),
    ...notes,
    ...(leftOut.length === 0 ? [] : [`${pluralize(leftOut.length, 'record is', 'records are')} left out:`]),
    ...listed.map(({ folder, reason, message }) => `  ${folder} (${reason}): ${message}`),
    ...(rest === 0 ? [] : [`  and ${rest} more; all are listed in report.md.`]),
  ]
    .map((line) => `${/^ */.exec(line)![0]}${sanitizeText(line)}\n`)
    .join('');
}
