// All figures of a report, in pages by theme beside the first page.
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
  // Reports of earlier versions do not say which matches would give a figure cases.
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

// Renders the effects of the set's design: measuring, variants, and seats, names and order.

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

function renderDrift({ drift }: Report): string[] {
  if (drift.length === 0) return [];
  return [
    'Whether a model plays otherwise late in the study than early, as it may if its provider changes it meanwhile. Start times change places at random among matches of the same deal and arm, and among deals that were played in the same arms; p is adjusted by Holm’s procedure over this table.',
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
      `Lie rates are not corrected: the errors of whoever drew the claims are not known. \`${formatCommandInFile('validate', '--claims')}\` measures them, and \`--errors\` takes what it wrote.`,
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

function formatAccuracy(share: number, low: number, high: number): string {
  const outward = roundOutward({ low, high }, 3);
  return `${formatFigure(share)} [${formatFigure(outward.low)} to ${formatFigure(outward.high)}]`;
}

/** Describes on which statements sensitivity and specificity were measured. */
const describeReach = (reach: NonNullable<Report['reach']>) =>
  `Sensitivity and specificity of statements with a lie are of all debate statements. Those of other rates are of claims that both a reader and the extractor found: it draws ${formatReach(reach)} at all, one figure for all models, and no correction is made for those that it does not. A model’s rates are corrected by errors on its own statements alone.`;

function formatReach({ lies, truths }: NonNullable<Report['reach']>): string {
  const formatShare = ({ drawn, of }: typeof lies) => `${((100 * drawn) / of).toFixed(0)} % (${drawn} of ${of})`;
  return `${formatShare(lies)} of the lies and ${formatShare(truths)} of the truths`;
}

/** Returns the warning above rows that must not be compared between models. */
const describeIncomparable = (reach: Report['reach']) =>
  `${incomparableMark}${reach === null ? '' : ` Measured on labelled statements the rules draw ${formatReach(reach)}, of one model more than of another.`} Not to be compared between models.`;

/** Returns whether a model's rows also depend on the acts of other players. */
export const hasOthersFigures = ({
  is_own_deed: isOwn,
  figures,
}: Pick<ReportedMetric, 'is_own_deed' | 'figures'>): boolean =>
  !isOwn && figures.some(({ cell }) => Object.keys(cell).some(isOfModels));

/** Explanation above the rows of a metric that depends on other players too. */
export const aboutOthers =
  'Not of one model alone: a row that names a model holds what those did that it met in these matches, too, and ranks nobody. What is a model’s own part, `compare` tells of a crossed study.';

/** Renders a metric with its definition and a row for each cell. Cells without cases are in the JSON only. */
function renderMetric(metric: ReportedMetric, reach: Report['reach']): string[] {
  const { title, definition, unit, figures } = metric;
  const shown = figures.filter(({ reason, value }) => reason !== 'no data' || value !== null);
  return [
    `### ${escapeMarkdown(title)}`,
    `${definition} Unit: ${escapeMarkdown(unit)}.`,
    ...(hasOthersFigures(metric) ? [aboutOthers] : []),
    ...(shown.some(({ comparable }) => !comparable) ? [describeIncomparable(reach)] : []),
    shown.length === 0 ? 'There was nothing to count.' : renderFigureTable(shown),
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
    'By who was asked, for what, and who refused: a server by its policy, or the model in its own words. Records before schema 4 do not name servers.',
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

// The page.

export const sectionTitles: Record<MetricSection, string> = {
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
  /** Contents in a few words. */
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
      title: 'People beside models',
      about: 'their answers at the same tables',
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
  const origin = `Of the [report on ${pluralize(report.matches, 'match', 'matches')}](../report.md)${isWarned ? ', **which says first what these figures do not tell**' : ''}.`;
  return Object.fromEntries(
    listDetailPages(report).map(({ file, title, body }) => [
      `${detailsFolder}/${file}`,
      `${[`# ${title}`, origin, ...body].join('\n\n')}\n`,
    ]),
  );
}

const renderReadingGuide = ({ seed, resamples, baselines }: Report) =>
  [
    `- The match is the unit. A value is a ratio of sums over all matches; its 95 % interval comes from ${formatWhole(resamples)} resamples of matches with replacement (seed ${seed}), studentized. Where all matches are alike, or a share is near 0 or 1, it is exact; where each match is one trial it is Wilson's. Bounds are rounded to two digits of the interval's width: another seed can move the last of them by up to three.`,
    '- “too few”: fewer than 10 matches have anything to count, and no interval is given; without a value beside it, fewer than 10 matches have one of the things that the figure compares. “unstable”: the value is undefined in too many resamples.',
    '- Mean of matches: each match counts the same, however much was said in it; “of” so many matches that have a value.',
    '- Lowest and highest: the value if all that is missing had come out so. Figures without these columns have no such bounds.',
    '- †: not to be compared between models, since it is made of claims that no single judge drew (`comparable` in `report.json` and `figures.csv`).',
    '- ‡: with so few matches the 95 % interval of this figure covers less than 93 %, so it is too narrow (`covers` in `report.json` says how much; `docs/evidence/validation.md` of the project).',
    '- Coverage: the share of all statements, in the same row, with a claim that the record can decide. Rates of lies speak of no more than these.',
    ...(baselines.length === 0 ? [] : [describeChance(baselines)]),
    '- A dash stands for what is not known or cannot be computed; it is never a zero. Rows without anything to count stand in `report.json` alone.',
    '- Every figure is defined in `docs/reference/metrics.md` of the project, this page in `docs/reference/reports.md`.',
  ].join('\n');

const describeChance = (baselines: Report['baselines']) =>
  `- By chance: what the same figure would be had all its matches been played by chance, each on its own board under its own rules, ± its own error at 95 %; from ${formatWhole(baselines[0]!.games)} games for each of ${pluralize(baselines.length, 'board with its rules', 'boards with their rules')}. Only figures of the game itself have it.`;
