// What ratings hold of what they promise, as a page: docs/rating-validation.md.
import {
  isBroken,
  type JudgedRating,
  type RatingCoverage,
  type RatingTrial,
} from '../deception/validation/rating-validation.ts';
import { MIN_DEALS_FOR_COVERAGE } from '../deception/ratings/rank-ranges.ts';
import { escapeMarkdown, formatWhole, missingPlaceholder, renderTable } from './format.ts';

const columns: readonly (readonly [RatingCoverage['what'], string])[] = [
  ['score', 'Score'],
  ['as Werewolves', 'As Werewolves'],
  ['as the village', 'As the village'],
  ['log-odds', 'Log-odds'],
  ['difference', 'Difference'],
];

/**
 * The page as GitHub-flavoured Markdown.
 *
 * @example await writeFile('rating-validation.md', renderRatingValidation(judgeRatings(found), trial));
 */
export function renderRatingValidation(
  findings: readonly JudgedRating[],
  { repetitions, resamples }: RatingTrial,
): string {
  const promised = findings.filter(({ isPromised }) => isPromised);
  const broken = promised.filter(isBroken).length;
  const fixed = findings.filter(({ cell }) => cell.stop === undefined);
  const stopped = findings.filter(({ cell }) => cell.stop !== undefined);
  const parts = [
    '# Validation of ratings',
    `Made by \`npm run validate -- --ratings --out FOLDER\`, to the digit: ${formatWhole(repetitions)} simulated tournaments of each kind, with ${resamples} resamples behind each interval (with so many, quantiles are single resamples, and coverage is that of more: Hall 1986). Of ${promised.length} kinds with a promise ${broken} ${broken === 1 ? 'is' : 'are'} not as promised.`,
    `Planted are strengths in the [model](ratings.md#the-model), with matches of a deal that end alike (a Gaussian copula, which leaves the planted chances as they are), and players of known skill who vote and act by the rules of the game, whose true scores are those of a pool of deals.`,
    [
      `- **Promised** from ${MIN_DEALS_FOR_COVERAGE} deals on: 95 % intervals cover in 95 % of tournaments, within what chance leaves of so many (exact tests, Holm’s procedure over all kinds); equals are told apart in at most 5 %. With fewer deals it is shown what is reached; under ten nothing is rated.`,
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
        const count = 'skills' in cell.entrants ? cell.entrants.skills.length : cell.entrants.length;
        return `in ${formatShare(top, all)} of tournaments the first of ${count}`;
      })
      .join('; ')}.`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function formatCoverage({ coverage, repetitions }: JudgedRating, wanted: RatingCoverage['what']): string {
  const own = coverage.find(({ what }) => what === wanted);
  if (!own || own.intervals === 0) return missingPlaceholder;
  const width = wanted === 'score' ? ` (${own.mean_width!.toFixed(2)})` : '';
  return `${formatShare(own.covered, own.intervals)}${own.intervals === repetitions ? '' : ` of ${formatWhole(own.intervals)}`}${width}`;
}

const formatShare = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;

const formatKept = (finding: JudgedRating) =>
  finding.isPromised ? (isBroken(finding) ? 'no' : 'yes') : missingPlaceholder;
