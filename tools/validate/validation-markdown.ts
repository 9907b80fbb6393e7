// The results of a validation as a page for researchers.
import { isPromiseBroken, namePromiseCell, type PromiseFinding } from './promised-precision.ts';
import { MIN_CLUSTERS } from '../../deception/statistics/bootstrap.ts';
import {
  countTrialsWithResult,
  isFailed,
  isPlantedRateMissed,
  type EvaluatedFinding,
  type EvaluatedPool,
  isPrecise,
  listWeakCoverage,
  MOST_PART_ERROR,
  type NullComparisons,
  promisedBounds,
  minPromisedDeals,
} from './measurement-validation.ts';
import { type CalledDifferent, type EqualAnswersSize, listBrokenAnswers } from './equal-answers.ts';
import { nameAnswer } from '../../report/answer-table-text.ts';
import { type Exchange, listBrokenNulls, listBrokenParts, type PartFindings } from './part-comparisons.ts';
import {
  isRatingPromiseBroken,
  ratingRepetitions,
  type EvaluatedRating,
  type RatingCoverage,
  type RatingTrial,
} from './rating-validation.ts';
import { type DeliveredPower, isPowerMissed } from './planned-power.ts';
import {
  escapeMarkdown,
  formatCell,
  formatWhole,
  pluralize,
  renderTable,
  missingPlaceholder,
} from '../../report/format.ts';

interface ValidationEffort {
  cells: readonly { name: string; deals: number }[];
  repetitions: number;
  resamples: { figure: number; test: number };
  comparisons: { resamples: number };
  partComparisons: { resamples: number };
  answers: EqualAnswersSize;
}

interface ValidationResults {
  pools: readonly EvaluatedPool[];
  findings: readonly EvaluatedFinding[];
  comparisons: readonly ComparedNothing[];
  parts: readonly (PartFindings & { cell: string })[];
  answers: readonly CalledDifferent[];
  power: readonly DeliveredPower[];
}

export interface ComparedNothing {
  cell: string;
  design: string;
  found: NullComparisons;
}

/**
 * Renders the page as Markdown: planted and found rates, results by sample size, and findings of comparisons of a bot
 * with itself. The p of every row is in `validation.json`.
 */
export function renderValidation(
  { pools, findings, comparisons, parts: ofParts, answers, power }: ValidationResults,
  {
    cells,
    repetitions,
    resamples,
    comparisons: { resamples: ofComparisons },
    partComparisons,
    answers: sizeOfAnswers,
  }: ValidationEffort,
): string {
  const failed = findings.filter(isFailed).length;
  const promised = findings.filter(({ p }) => p !== null).length;
  const ofFigures = findings.filter(({ kind }) => kind === 'figure');
  const ofArms = findings.filter(({ kind }) => kind === 'two arms');
  const samplesOfParts = findings.filter(({ kind }) => kind !== 'figure' && kind !== 'two arms');
  const parts = [
    '# Validation',
    `Made by \`npm run validate -- --out FOLDER\`, which gives exactly these digits. Two bots X and Y with planted rates played every deal in all four pairings: ${cells.map(({ name, deals }) => `“${name}”, ${deals} deals`).join('; ')}. Of ${pools.length} planted rates and differences, ${pools.filter(isPlantedRateMissed).length} are missed. Of ${promised} rows of samples with ${minPromisedDeals} deals or more, ${failed} are not as promised.`,
    [
      `- **Samples** were drawn with replacement, ${formatWhole(repetitions)} of each size, with ${resamples.figure} resamples for each interval and ${resamples.test} swaps for each test. With these numbers, quantiles are single resamples, and level and coverage equal those of larger numbers (Hall 1986).`,
      `- **Coverage** is the share of 95 % intervals that contain the figure of all matches. Promised with ${minPromisedDeals} or more deals: ${formatPromise(promisedBounds.coverage)}. **Level** is the share of p ≤ .05 if nothing differs. Promised: ${formatPromise(promisedBounds.rejection)}. With fewer deals, rows only show what was reached. Whether a row fails is decided by an exact test of its promise (Holm’s procedure over all rows with a promise).`,
      '- If some samples have no interval, because too few matches have data, shares count only the other samples, and their number is given.',
    ].join('\n'),
    '## What was planted',
    `Planted rates, if X and Y are the same bot, and planted parts of their difference. _Found_: the figure of all matches ± its standard error over matches, or over deals. A planted value counts as missed at p ≤ .05 (Holm’s procedure). ${describePrecision(pools)}`,
    renderTable(
      ['Bots', 'Figure', 'Part', 'Planted', 'Found'],
      pools.map((pool) => [
        ...[pool.cell, pool.metric, pool.part ?? missingPlaceholder].map(escapeMarkdown),
        pool.planted.toFixed(3),
        `${pool.found?.toFixed(3) ?? missingPlaceholder} ± ${pool.se?.toFixed(3) ?? missingPlaceholder}${isPlantedRateMissed(pool) ? ', missed' : ''}`,
      ]),
      3,
    ),
    ...renderSamples(
      '## Intervals of figures',
      'Coverage and mean width of the intervals.',
      ofFigures,
      ({ coverage }) =>
        `${formatTrialShare(coverage!.covered, coverage!)}, ${coverage!.mean_width?.toFixed(3) ?? missingPlaceholder}`,
    ),
    ...renderSamples(
      '## Two arms that do not differ',
      'Level of the p of one figure, with the arms of each deal in random order.',
      ofArms,
      ({ rejections }) => formatTrialShare(rejections!.rejected, rejections!),
    ),
    ...renderSamples(
      '## Parts of a crossed design',
      'Coverage of the part’s value over all deals. Brackets: share of p ≤ .05, which is the level if nothing was planted in that part, otherwise the power.',
      samplesOfParts,
      ({ coverage, rejections }) =>
        `${formatTrialShare(coverage!.covered, coverage!)} (${formatTrialShare(rejections!.rejected, rejections!, false)})`,
    ),
    ...renderComparisons(comparisons, ofComparisons),
    ...renderFalseFindings({ parts: ofParts, answers }, { partComparisons, answers: sizeOfAnswers }),
    ...renderDeliveredPower(power),
    ...renderWeakCoverage(findings),
  ];
  return `${parts.join('\n\n')}\n`;
}

/**
 * Renders how often the first table of a report reports a difference between equal models. Returns parts of a page.
 *
 * @example renderEqualAnswers([{ question: 'lies', tested: 400, any: 9, comparisons: 400 }], equalAnswersSizes.whole).join('\n\n')
 */
export function renderEqualAnswers(rows: readonly CalledDifferent[], size: EqualAnswersSize): string[] {
  if (rows.length === 0) return [];
  const broken = new Set(listBrokenAnswers(rows));
  return [
    '## Answers about equal models',
    `The first table of \`report\`, \`compare\` and leaderboards, in crossed studies of \`bot:classic?salt=1\` and \`bot:classic?salt=2\`: ${size.deals} deals were played in all four pairings and read by \`--judge bot:meant\`, and ${formatWhole(size.repetitions)} studies of ${size.size} deals were drawn from them. In each deal the labels of the models were exchanged at random (${size.resamples} swaps for each p). Promised: the whole table, and so each question, reports a difference in at most 5 % of studies.`,
    renderTable(
      ['Question', 'Studies that could test it', 'Studies that call a difference', 'Kept'],
      rows.map((row) => [
        row.question === 'any' ? 'any of them' : nameAnswer(row.question),
        formatWhole(row.tested),
        `${formatWhole(row.any)}, ${((100 * row.any) / row.comparisons).toFixed(1)} %`,
        broken.has(row) ? 'no' : 'yes',
      ]),
      1,
    ),
  ];
}

/**
 * Renders the power of plans, as parts of a page.
 *
 * @example renderDeliveredPower([measureDeliveredPower({ pilot: 10, repetitions: 400, seed: 1 })]).join('\n\n')
 */
export const renderDeliveredPower = (power: readonly DeliveredPower[]): string[] =>
  power.length === 0 ? [] : renderPower(power);

const renderPower = (power: readonly DeliveredPower[]): string[] => [
  '## Power of planned studies',
  `Studies of two arms that were planned from pilots for a power of 80 %, ${formatWhole(power[0]?.repetitions ?? 0)} of each size: the share that found the planted difference, and the median number of deals. “As found”: planned for the spread that the pilot found. “Bound”: planned for the value that the spread stays below with probability .8, the default of \`plan\`. Promised: 80 % for the bound.`,
  renderTable(
    ['Pilot', 'As found', 'Deals', 'Bound', 'Deals', 'Kept'],
    power.map((one) => [
      pluralize(one.pilot, 'deal'),
      ...[formatExactPercent(one.found.estimate / one.repetitions), formatWhole(one.deals.estimate)],
      ...[formatExactPercent(one.found.bound / one.repetitions), formatWhole(one.deals.bound)],
      isPowerMissed(one) ? '**no**' : 'yes',
    ]),
  ),
];

function renderSamples(
  heading: string,
  about: string,
  findings: readonly EvaluatedFinding[],
  format: (finding: EvaluatedFinding) => string,
): string[] {
  if (findings.length === 0) return [];
  const sizes = [...new Set(findings.map(({ size }) => size))];
  const hasParts = findings.some(({ kind }) => kind !== 'figure' && kind !== 'two arms');
  const rows = Map.groupBy(findings, ({ cell, metric, of, kind }) => JSON.stringify([cell, metric, of, kind]));
  return [
    heading,
    about,
    renderTable(
      ['Bots', 'Figure', ...(hasParts ? ['Part'] : []), ...sizes.map((size) => `${size} deals`)],
      [...rows.values()].map((own) => {
        const [{ cell, metric, of, kind }] = own as [EvaluatedFinding];
        return [
          escapeMarkdown(cell),
          `${escapeMarkdown(metric)}, ${formatCell(of)}`,
          ...(hasParts ? [kind] : []),
          ...sizes.map((size) => {
            const finding = own.find((one) => one.size === size);
            return finding ? `${format(finding)}${isFailed(finding) ? ', fails' : ''}` : missingPlaceholder;
          }),
        ];
      }),
      hasParts ? 3 : 2,
    ),
  ];
}

function renderComparisons(comparisons: readonly ComparedNothing[], resamples: number): string[] {
  if (comparisons.length === 0) return [];
  const isBroken = new Set(listBrokenNulls(comparisons).map(({ design, family }) => `${design} ${family}`));
  return [
    '## Whole comparisons of what does not differ',
    `Two names for the same bot, all rows of \`compare\` (${resamples} swaps). Promised after the adjustment: at most 5 % of comparisons report a difference in any row of a family. The promise holds for each family, so pages with several families report a difference more often. Whether a family fails is decided by an exact test (Holm’s procedure over all families).`,
    renderTable(
      ['Bots', 'Design', 'Deals', 'Comparisons', 'Rows tested', 'p ≤ .05', 'After adjustment'],
      comparisons.map(({ cell, design, found }) => [
        ...[cell, design].map(escapeMarkdown),
        String(found.deals),
        String(found.comparisons),
        formatWhole(found.rows),
        formatExactPercent(found.nominal / found.rows),
        `${found.adjusted}, ${((100 * found.adjusted) / found.rows).toFixed(3)} %`,
      ]),
      2,
    ),
    renderTable(
      ['Bots', 'Design', 'Family', 'Comparisons with any'],
      comparisons.flatMap(({ cell, design, found }) =>
        found.families.map(({ family, any, comparisons: of }) => [
          ...[cell, design, family].map(escapeMarkdown),
          `${any}, ${formatExactPercent(any / of)}${isBroken.has(`${design} ${family}`) ? ', fails' : ''}`,
        ]),
      ),
      3,
    ),
  ];
}

/** Describes how many planted parts are estimated so precisely that a bias of .05 would be noticed. */
function describePrecision(pools: readonly EvaluatedPool[]): string {
  const parts = pools.filter(({ part }) => part !== null);
  const precise = parts.filter(isPrecise).length;
  return `${precise} of ${parts.length} planted parts have a standard error of at most ${MOST_PART_ERROR.toFixed(3)}, so that a bias of .05 would be noticed with a probability of .8.`;
}

const exchangeTitles: Readonly<Record<Exchange, string>> = {
  werewolves: 'what the village’s model does',
  villagers: 'what the Werewolves’ model does',
  both: 'the interaction',
};

/**
 * Renders how often a difference is reported where none exists: by `compare`, in parts without a planted difference,
 * and by the table of answers, between equal models. Returns parts of a page.
 *
 * @example renderFalseFindings({ parts, answers }, { ...wholeSize, answers: equalAnswersSizes.whole }).join('\n\n')
 */
export const renderFalseFindings = (
  { parts, answers }: Pick<ValidationResults, 'parts' | 'answers'>,
  { partComparisons, answers: size }: Pick<ValidationEffort, 'partComparisons' | 'answers'>,
): string[] => [...renderPartComparisons(parts, partComparisons.resamples), ...renderEqualAnswers(answers, size)];

function renderPartComparisons(parts: ValidationResults['parts'], resamples: number): string[] {
  if (parts.length === 0) return [];
  const broken = new Set(listBrokenParts(parts));
  return [
    '## Comparisons in which one part differs',
    `**Promised: at most 5 % of comparisons report a difference in a part without one, whatever differs in other parts.** X and Y differ as planted. In each deal the labels of one side, or of both sides together, are exchanged at random. This keeps the difference in one part and removes it from all others. All headlines and finer cells of \`compare\` are tested (${resamples} swaps). Whether a family fails is decided by an exact test (Holm’s procedure over all rows).`,
    renderTable(
      ['Bots', 'What stays', 'Family', 'Deals', 'Comparisons', 'Headlines tested', 'Comparisons that print any'],
      parts.map((one) => [
        escapeMarkdown(one.cell),
        exchangeTitles[one.exchanged],
        one.family,
        ...[one.deals, one.comparisons, one.tested].map(formatWhole),
        `${one.any}, ${formatExactPercent(one.any / one.comparisons)}${broken.has(one) ? ', fails' : ''}`,
      ]),
      3,
    ),
  ];
}

function renderWeakCoverage(findings: readonly EvaluatedFinding[]): string[] {
  const weak = listWeakCoverage(findings);
  return [
    '## Marked in reports',
    weak.length === 0
      ? 'No figure: all reach 93 % with every number of deals.'
      : 'Intervals with a coverage below 93 % in any cell of the grid. `report` and `compare` mark such figures for this number of deals with data, and for larger numbers below the next size of the table (`deception/metrics/weak-coverage.ts`).',
    ...(weak.length === 0
      ? []
      : [
          renderTable(
            ['Figure', 'Interval of', 'Deals', 'Coverage'],
            weak.map(({ metric, of, deals, coverage }) => [
              escapeMarkdown(metric),
              of,
              String(deals),
              formatExactPercent(coverage),
            ]),
            2,
          ),
        ]),
  ];
}

const formatExactPercent = (value: number) => `${(value * 100).toFixed(1)} %`;

const formatPromise = ([low, high]: readonly [number, number]) =>
  `${formatExactPercent(low)} to ${formatExactPercent(high)}`;

function nameSize(repetitions: number): string {
  if (repetitions === ratingRepetitions.whole) return '';
  return repetitions === ratingRepetitions.quick ? ' --quick' : ` --repetitions ${repetitions}`;
}

function formatTrialShare(count: number, trials: { repetitions: number; without: number }, isNumbered = true): string {
  const withResult = countTrialsWithResult(trials);
  if (withResult === 0) return missingPlaceholder;
  return formatExactPercent(count / withResult) + (trials.without === 0 || !isNumbered ? '' : ` of ${withResult}`);
}

// Renders how well ratings keep their promises: docs/evidence/rating-validation.md.

const columns: readonly (readonly [RatingCoverage['what'], string])[] = [
  ['score', 'Score'],
  ['as Werewolves', 'As Werewolves'],
  ['as the village', 'As the village'],
  ['log-odds', 'Log-odds'],
  ['difference', 'Difference'],
];

/**
 * Renders the page as GitHub-flavored Markdown.
 *
 * @example await writeFile('rating-validation.md', renderRatingValidation(evaluateRatings(found), trial));
 */
export function renderRatingValidation(
  findings: readonly EvaluatedRating[],
  { repetitions, resamples }: RatingTrial,
): string {
  const promised = findings.filter(({ isPromised }) => isPromised);
  const broken = promised.filter(isRatingPromiseBroken).length;
  const fixed = findings.filter(({ cell }) => cell.stop === undefined);
  const stopped = findings.filter(({ cell }) => cell.stop !== undefined);
  const parts = [
    '# Validation of ratings',
    `Made by \`npm run validate -- --ratings${nameSize(repetitions)} --out FOLDER\`, which gives exactly these digits: ${formatWhole(repetitions)} simulated tournaments of each kind, with ${resamples} resamples for each interval (with this number, quantiles are single resamples, and coverage equals that of larger numbers: Hall 1986). Of ${promised.length} kinds with a promise, ${broken} ${broken === 1 ? 'is' : 'are'} not as promised.`,
    `Some tournaments have planted strengths in the [model](ratings.md#the-model); matches of the same deal tend to end alike (by a Gaussian copula, which does not change the planted probabilities). In others, players of known skill vote and act by the rules of the game; their true scores are measured on many deals.`,
    [
      `- **Promised** from ${MIN_CLUSTERS} deals on: 95 % intervals contain the true value in at least 93 % of tournaments, equal entrants differ significantly in at most 5 %, and the test reports a lack of fit in at most 5 %. Deviations within chance are allowed (exact tests, Holm’s procedure over all kinds). Intervals of rare events are exact and cover more often. With fewer deals nothing is rated.`,
      '- Each tournament counts for one entrant and one pair, chosen in turn, so that the counted cases are independent.',
      '- If some tournaments have no interval, shares count only the others, and their number is given. Log-odds are not given if an entrant won or lost fewer than three matches on a side. The remaining log-odds are then a selection, and the promise does not apply to them.',
    ].join('\n'),
    '## Intervals',
    'Coverage of 95 % intervals; brackets: mean width of the intervals of the score. _Differ_: tournaments in which any two entrants differed significantly (Holm at .05). _Misfit_: tournaments whose test reported a lack of fit although the model fits (p ≤ .05).',
    renderTable(
      ['Tournament', ...columns.map(([, title]) => title), 'Differ', 'Misfit', 'Kept'],
      fixed.map((finding) => [
        escapeMarkdown(finding.cell.name),
        ...columns.map(([what]) => formatCoverage(finding, what)),
        formatShare(finding.told_apart, finding.repetitions),
        finding.fits_tested === 0 ? missingPlaceholder : formatShare(finding.misfits, finding.fits_tested),
        formatKept(finding),
      ]),
    ),
    '## Looking after every deal',
    'Coverage of the confidence sequence at the deal at which the tournament stopped. _Stopped_: tournaments that stopped before their last deal. _Deals_: median number of deals. _Differ_: tournaments in which any two entrants differed significantly.',
    renderTable(
      ['Tournament', 'Coverage', 'Stopped', 'Deals', 'Differ', 'Kept'],
      stopped.map((finding) => [
        escapeMarkdown(finding.cell.name),
        formatCoverage(finding, 'confidence sequence'),
        ...[formatShare(finding.stopped, finding.repetitions), formatWhole(finding.deals)],
        ...[formatShare(finding.told_apart, finding.repetitions), formatKept(finding)],
      ]),
    ),
    '## Equals',
    `Equal entrants, of which the first plays the Werewolves in more than its share of matches, although Werewolves win more often: ${findings
      .filter(({ cell }) => cell.unbalanced !== undefined)
      .map(({ cell, first_on_top: top, repetitions: all }) => {
        const count = Array.isArray(cell.entrants) ? cell.entrants.length : 2;
        return `in ${formatShare(top, all)} of tournaments the first of ${count} is on top`;
      })
      .join('; ')}.`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/**
 * Renders the part of the page on the precision that dry runs promise.
 *
 * @example renderPromises(promiseCells.map(measurePromise))
 */
export function renderPromises(findings: readonly PromiseFinding[]): string {
  const write = (value: number) => `± ${value.toFixed(3).replace(/^0/, '')}`;
  const rows = findings.map((finding) => [
    namePromiseCell(finding.cell),
    write(finding.promised),
    write(finding.reached),
    isPromiseBroken(finding) ? 'no' : 'yes',
  ]);
  const [{ tournaments } = { tournaments: 0 }] = findings;
  return [
    '## Promised precision',
    '',
    `Half-widths of 95 % intervals for the difference of two scores. _Promised_: by a dry run. _Reached_: mean of ${tournaments} simulated tournaments of equal entrants. Kept: within 15 %.`,
    '',
    renderTable(['Tournament', 'Promised', 'Reached', 'Kept'], rows),
    '',
  ].join('\n');
}

function formatCoverage({ coverage, repetitions }: EvaluatedRating, wanted: RatingCoverage['what']): string {
  const own = coverage.find(({ what }) => what === wanted);
  if (!own || own.intervals === 0) return missingPlaceholder;
  const width = wanted === 'score' ? ` (${own.mean_width!.toFixed(2)})` : '';
  return `${formatShare(own.covered, own.intervals)}${own.intervals === repetitions ? '' : ` of ${formatWhole(own.intervals)}`}${width}`;
}

const formatShare = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;

const formatKept = (finding: EvaluatedRating) =>
  finding.isPromised ? (isRatingPromiseBroken(finding) ? 'no' : 'yes') : missingPlaceholder;
