// Renders the table that scores a lie detector.
import { roundOutward } from '../deception/statistics/round-outward.ts';
import type { DetectorFigure, DetectorResult, DetectorRow, PairedRow } from '../deception/bank/detector-scores.ts';
import { escapeMarkdown, formatWhole, missingPlaceholder, renderTable } from './format.ts';

const formatShare = (value: number) => value.toFixed(3).replace(/^0\./, '.');

/** Formats a figure with its interval if it has one. */
function formatDetectorFigure(figure: DetectorFigure | null): string {
  if (figure === null || figure.estimate === null) return missingPlaceholder;
  const { estimate, low, high } = figure;
  if (low === null || high === null) return formatShare(estimate);
  const outward = roundOutward({ low, high }, 3);
  return `${formatShare(estimate)} [${formatShare(outward.low)}, ${formatShare(outward.high)}]`;
}

const head = ['statements', 'lies', 'no lies', 'deals', 'AUROC', 'TPR at 1% FPR', 'TPR at 5% FPR', 'Brier', 'ECE'];

const formatRow = (name: string, row: DetectorRow): string[] => [
  name,
  ...[row.lies, row.truths, row.deals].map(formatWhole),
  ...[row.roc_auc, row.tpr_at_1, row.tpr_at_5, row.brier, row.calibration_error].map(formatDetectorFigure),
];

const nameRow = ({ part: [dimension, value] }: DetectorRow) =>
  value === undefined ? dimension : `${dimension}: ${escapeMarkdown(value)}`;

const pairWords: Readonly<Record<PairedRow['name'], string>> = {
  paired: 'paired share: same kind of claim and round, other side, equally suspected before',
  matched: 'matched subset: same kind of claim, round and board, other side',
};

/** Facts that the text states in addition to the figures. */
export interface DetectorWords {
  /** Name and method of the detector. */
  detector: string;
  /** Hash of the bank. */
  bank: string;
  /** Number of statements without a score. */
  missing: number;
  botStatements: number;
}

/**
 * Renders the table in Markdown that is also readable as plain text.
 *
 * @example renderDetector(measureDetector(scored, pairs, resampling), { detector: 'probe', bank: '4ea4…', missing: 0, botStatements: 0 })
 */
export function renderDetector(result: DetectorResult, words: DetectorWords): string {
  const { rows, listeners, pairs, listenersPairs } = result;
  return [
    `${escapeMarkdown(words.detector)} on the bank ${words.bank.slice(0, 12)}. Brackets: 95% confidence intervals, clustered by deal; none with fewer than 10 deals.`,
    ...(words.missing > 0 ? [`${formatWhole(words.missing)} statements have no score and are left out.`] : []),
    ...(words.botStatements > 0
      ? [
          `${formatWhole(words.botStatements)} statements were made by built-in bots: these figures are not evidence about language models.`,
        ]
      : []),
    '',
    renderTable(head, [
      ...rows.slice(0, 1).map((row) => formatRow('all debate statements', row)),
      formatRow('listeners at the table', listeners),
      ['chance', '', '', '', '.500', '.010', '.050', '', ''],
      ...rows.slice(1).map((row) => formatRow(nameRow(row), row)),
    ]),
    '',
    'Nearly all lies are by Werewolves, so a detector that only recognizes sides has a high AUROC here. Within a pair, the kind of claim and the round are the same:',
    '',
    renderTable(
      ['share of pairs in which the lie scores higher', 'pairs', 'detector', 'listeners', 'chance'],
      pairs.map((row, place) => {
        const other = listenersPairs[place];
        return [
          pairWords[row.name],
          formatWhole(row.pairs),
          formatDetectorFigure(row.share),
          formatDetectorFigure(other?.share ?? null),
          '.500',
        ];
      }),
    ),
    '',
    'The row “Werewolves alone” shows only which kinds of claims the detector takes for lies: a Werewolf’s claim of a role cannot be true. The row of a claim type counts the statements whose label comes from such a claim.',
    '',
  ].join('\n');
}
