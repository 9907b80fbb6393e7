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
    `Made by \`npm run validate -- --out FOLDER\`, to the digit. Two bots X and Y with planted rates played every deal in all four ways: ${cells.map(({ name, deals }) => `“${name}”, ${deals} deals`).join('; ')}. Of ${pools.length} planted rates and differences ${pools.filter(isPlantedRateMissed).length} are missed; of ${promised} rows of samples with ${minPromisedDeals} deals or more ${failed} are not as promised.`,
    [
      `- **Samples** were drawn with replacement, ${formatWhole(repetitions)} of each size, with ${resamples.figure} resamples behind each interval and ${resamples.test} swaps behind each test: with so many, quantiles are single resamples, and level and coverage are those of more (Hall 1986).`,
      `- **Coverage** is the share of 95 % intervals that hold the figure of all matches; promised from ${minPromisedDeals} deals on are ${formatPromise(promisedBounds.coverage)}. **Level** is the share of p ≤ .05 where nothing differs; promised are ${formatPromise(promisedBounds.rejection)}. With fewer deals it is shown what is reached. A row fails by an exact test of the promise (Holm’s procedure over all rows with one).`,
      '- Where some samples have no interval, for want of matches with data, shares are of the others, whose number is given.',
    ].join('\n'),
    '## What was planted',
    `In rates, where X and Y are the same bot, and in the parts of their difference. Found is the figure of all matches ± its standard error over matches, or deals; missed at p ≤ .05 (Holm’s procedure). ${describePrecision(pools)}`,
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
      'Coverage, and the mean width of the intervals.',
      ofFigures,
      ({ coverage }) =>
        `${formatTrialShare(coverage!.covered, coverage!)}, ${coverage!.mean_width?.toFixed(3) ?? missingPlaceholder}`,
    ),
    ...renderSamples(
      '## Two arms that do not differ',
      'Level of the p of one figure, the arms of each deal in a random order.',
      ofArms,
      ({ rejections }) => formatTrialShare(rejections!.rejected, rejections!),
    ),
    ...renderSamples(
      '## Parts of a crossed design',
      'Coverage of the part of all deals, and in brackets the share of p ≤ .05: the level where nothing was planted in that part, else the power.',
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
    `The table with which \`report\`, \`compare\` and leaderboards begin, over crossed studies of \`bot:classic?salt=1\` and \`bot:classic?salt=2\`: ${size.deals} deals were played in all four ways, read by \`--judge bot:meant\`, and ${formatWhole(size.repetitions)} studies of ${size.size} deals drawn from them, with the labels of the models exchanged in each deal at random (${size.resamples} swaps behind each p). Promised for the whole table, and so for each question, is a difference in at most 5 % of studies.`,
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
  `Studies of two arms that were planned from pilots for a power of 80 %, ${formatWhole(power[0]?.repetitions ?? 0)} of each size: the share that found the planted difference, and the median number of deals. “As found” is planned for the spread that the pilot found, “bound” for what the spread does not exceed with probability .8, as \`plan\` does unless it is told otherwise. Promised are 80 % for the bound.`,
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
    `Two names for the same bot, all rows of \`compare\` (${resamples} swaps). Promised after the adjustment: any row of a family in at most 5 % of comparisons. The promise is for each family, so a page with several families prints something more often. A family fails by an exact test (Holm’s procedure over all families).`,
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
  return `Of ${parts.length} planted parts ${precise} have a standard error of at most ${MOST_PART_ERROR.toFixed(3)}: a bias of .05 would be noticed with a probability of .8.`;
}

const exchangeTitles: Readonly<Record<Exchange, string>> = {
  werewolves: 'what the village’s model does',
  villagers: 'what the Werewolves’ model does',
  both: 'the interaction',
};

/**
 * Renders how often a difference is reported between equal things: by `compare` if another part was planted, and by the
 * table of answers about equal models. Returns parts of a page.
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
    `**Promised: at most 5 % of comparisons print anything about a part in which nothing differs, whatever else does.** X and Y differ as planted; in each deal the labels of one side, or of both sides at once, are exchanged at random. That leaves one part as it is and nothing of the others. All headlines and finer cells of \`compare\` are tested (${resamples} swaps). A family fails by an exact test (Holm’s procedure over all rows).`,
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
      : 'Intervals that cover less than 93 %, in any cell of the grid; `report` and `compare` mark such figures from as many deals with data on, up to the next size (`deception/metrics/weak-coverage.ts`).',
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
    `Made by \`npm run validate -- --ratings${nameSize(repetitions)} --out FOLDER\`, to the digit: ${formatWhole(repetitions)} simulated tournaments of each kind, with ${resamples} resamples behind each interval (with so many, quantiles are single resamples, and coverage is that of more: Hall 1986). Of ${promised.length} kinds with a promise ${broken} ${broken === 1 ? 'is' : 'are'} not as promised.`,
    `Planted are strengths in the [model](ratings.md#the-model), with matches of a deal that end alike (a Gaussian copula, which leaves the planted chances as they are), and players of known skill who vote and act by the rules of the game, whose true scores are those of a pool of deals.`,
    [
      `- **Promised** from ${MIN_CLUSTERS} deals on: 95 % intervals cover in at least 93 % of tournaments, equals are told apart in at most 5 %, and the model is found not to fit in at most 5 %, within what chance leaves of so many (exact tests, Holm’s procedure over all kinds). Intervals of rare events are exact and cover in more. With fewer deals nothing is rated.`,
      '- Of each tournament one entrant and one pair count, in turn, so that what is counted is independent.',
      '- Where some tournaments have no interval, shares are of the others, whose number is given. Log-odds are withheld where somebody won or lost fewer than three matches on a side; those that are told are then a selection, and not held to the promise.',
    ].join('\n'),
    '## Intervals',
    'Coverage of 95 % intervals, in brackets the mean width of those of the score; tournaments in which any two were told apart (Holm at .05), and in which the model was found not to fit though it does (p ≤ .05).',
    renderTable(
      ['Tournament', ...columns.map(([, title]) => title), 'Told apart', 'Misfit', 'Kept'],
      fixed.map((finding) => [
        escapeMarkdown(finding.cell.name),
        ...columns.map(([what]) => formatCoverage(finding, what)),
        formatShare(finding.told_apart, finding.repetitions),
        finding.fits_tested === 0 ? missingPlaceholder : formatShare(finding.misfits, finding.fits_tested),
        formatKept(finding),
      ]),
    ),
    '## Looking after every deal',
    'Coverage of the confidence sequence at the deal at which the tournament stopped; how many stopped before the last, the median number of deals, and tournaments in which any two were told apart.',
    renderTable(
      ['Tournament', 'Coverage', 'Stopped', 'Deals', 'Told apart', 'Kept'],
      stopped.map((finding) => [
        escapeMarkdown(finding.cell.name),
        formatCoverage(finding, 'confidence sequence'),
        ...[formatShare(finding.stopped, finding.repetitions), formatWhole(finding.deals)],
        ...[formatShare(finding.told_apart, finding.repetitions), formatKept(finding)],
      ]),
    ),
    '## Equals',
    `Who is on top among equals, where the first sits with the Werewolves half of the time and more, though these win more often: ${findings
      .filter(({ cell }) => cell.unbalanced !== undefined)
      .map(({ cell, first_on_top: top, repetitions: all }) => {
        const count = Array.isArray(cell.entrants) ? cell.entrants.length : 2;
        return `in ${formatShare(top, all)} of tournaments the first of ${count}`;
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
    `Half-widths of 95 % intervals for the difference of two scores: what a dry run promises, and the mean of ${tournaments} simulated tournaments of equals. Kept: within 15 %.`,
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
