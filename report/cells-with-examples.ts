// Defines which cells of a report link to the examples that they count, in the table of models and in the tables under
// pictures.
import { type CountedCell, nameRatedCell } from '../deception/summary/figure-examples.ts';
import type { Report } from '../deception/summary/report-schema.ts';
import type { Picture, PictureRow } from './pictures/picture-drawing.ts';
import type { pictureNames } from './pictures/report-pictures.ts';
import { type HeadlineName, headlines } from './report-findings.ts';

/** A cell of a table that counts examples. */
export interface LinkedCell {
  counted: CountedCell;
  /** Name of the counted cases, e.g. "openai:x, round 2". */
  of: string;
  /** Singular and plural of the counted cases. */
  noun: readonly [one: string, many: string];
}

/** Singular and plural of everything that figures count. */
export const countedNouns = {
  statements: ['statement', 'statements'],
  judgements: ['judgment', 'judgments'],
  ballots: ['ballot', 'ballots'],
  beliefs: ['belief', 'beliefs'],
  matches: ['match', 'matches'],
  bids: ['bid', 'bids'],
} as const;

/** Nouns for the cases that the headline figures count. */
const headlineNouns: Readonly<Partial<Record<HeadlineName, LinkedCell['noun']>>> = {
  lied: countedNouns.statements,
};

/**
 * Returns the counted cell of a model's headline figure. Null if the figure counts no cases that a reader could look
 * at, such as cost.
 *
 * @example findHeadlineCell('lied', 'openai:x')?.of // 'openai:x: Statements with a provable lie, as Werewolf'
 */
export function findHeadlineCell(name: HeadlineName, model: string): LinkedCell | null {
  const noun = headlineNouns[name];
  if (noun === undefined) return null;
  const { title, of } = headlines[name];
  return { counted: of(model), of: `${model}: ${title}`, noun };
}

/**
 * A column of a picture's table. `count`: returns, for a row of the picture's `data`, the cell whose examples the
 * column counts.
 */
interface CountingColumn {
  column: number;
  count: (row: PictureRow, report: Report) => LinkedCell | null;
}

const heard = { source: 'match', kind: 'debate' };

const createHeadlineColumn = (column: number, name: HeadlineName): CountingColumn => ({
  column,
  count: ({ model }) => findHeadlineCell(name, String(model)),
});

/** Returns the cell's dimension that names the listener. Empty if the curve covers all listeners. */
const listOfListener = (label: PictureRow[string] | undefined) =>
  label === undefined || label === 'all' ? {} : { observer_model: String(label) };

const countCalibration = (metric: string, noun: LinkedCell['noun']): CountingColumn => ({
  column: 3,
  count: ({ model, from, to }, { curves }) => {
    const own = curves.filter((curve) => curve.metric === metric);
    const kind = own.some(({ cell }) => cell['kind'] === 'beliefs') ? 'beliefs' : 'debate';
    const strata = metric === 'belief_roc_auc' ? { source: 'match', kind } : { ...heard, could_know: 'false' };
    return {
      counted: { metric, cell: { ...strata, bin: Number(from).toFixed(1), ...listOfListener(model) } },
      of: `${String(model)}: ${Number(from).toFixed(1)} to ${Number(to).toFixed(1)}`,
      noun,
    };
  },
});

const countBidShares = (mentioned: CountedCell['cell']): CountingColumn => ({
  column: 2,
  count: ({ turn, bid, scale }) => ({
    counted: {
      metric: 'bid_share',
      cell: { scale: String(scale), bid: String(bid), turn: String(turn), ...mentioned },
    },
    of: `turn ${String(turn)}, bids of ${String(bid)}${'is_mentioned' in mentioned ? ', mentioned' : ''}`,
    noun: countedNouns.bids,
  }),
});

const sides: Readonly<Record<string, string>> = { Werewolves: 'werewolves', village: 'villagers' };

/** Columns that count examples, by picture. Tables under other pictures link to no examples. */
const countingColumns: Readonly<Partial<Record<(typeof pictureNames)[number], readonly CountingColumn[]>>> = {
  'lies-told': [createHeadlineColumn(1, 'lied')],
  ratings: [
    {
      column: 1,
      count: ({ entrant, condition }) => ({
        counted: nameRatedCell(String(entrant), condition === null ? null : String(condition)),
        of: `${String(entrant)}${condition === null ? '' : `, ${String(condition)}`}, rated`,
        noun: countedNouns.matches,
      }),
    },
  ],
  'head-to-head': [
    {
      column: 2,
      count: ({ werewolves, village }) => ({
        counted: {
          metric: 'win_rate',
          cell: { team: 'werewolves', model: String(werewolves), opponent: String(village) },
        },
        of: `${String(werewolves)} as Werewolves, ${String(village)} as village`,
        noun: countedNouns.matches,
      }),
    },
  ],
  'lies-by-round': [
    {
      column: 2,
      count: ({ side, round }) => ({
        counted: { metric: 'lie_turn_rate', cell: { team: sides[String(side)] ?? '', round: String(round) } },
        of: `lies of the ${String(side)} in round ${String(round)}`,
        noun: countedNouns.statements,
      }),
    },
  ],
  'suspicion-by-round': [
    {
      column: 2,
      count: ({ role, round }) => ({
        counted: {
          metric: 'perceived_suspicion',
          cell: { ...heard, speaker_role: String(role), round: String(round) },
        },
        of: `${String(role)}, round ${String(round)}`,
        noun: countedNouns.judgements,
      }),
    },
  ],
  'deception-types': [
    {
      column: 1,
      count: ({ type }) => ({
        counted: { metric: 'self_type_share', cell: { kind: 'debate', team: 'werewolves', type: String(type) } },
        of: String(type),
        noun: countedNouns.statements,
      }),
    },
  ],
  'calibration-of-suspicion': [countCalibration('suspicion_roc_auc', countedNouns.judgements)],
  'calibration-of-beliefs': [countCalibration('belief_roc_auc', ['belief', 'beliefs'])],
  bids: [
    {
      column: 2,
      count: ({ bidders, turn }) => ({
        counted: {
          metric: 'bid_height',
          cell: { turn: String(turn), is_mentioned: String(bidders === 'mentioned') },
        },
        of: `turn ${String(turn)}, ${String(bidders)}`,
        noun: countedNouns.bids,
      }),
    },
  ],
  'bid-shares': [countBidShares({})],
  'bid-shares-mentioned': [countBidShares({ is_mentioned: 'true' })],
  'bid-density': [
    {
      column: 3,
      count: ({ model, side, bid, scale }) => ({
        counted: {
          metric: 'bid_share',
          cell: { scale: String(scale), bid: String(bid), model: String(model), team: String(side) },
        },
        of: `${String(model)}, ${side === 'werewolves' ? 'Werewolves' : 'village'}: bids of ${String(bid)}`,
        noun: countedNouns.bids,
      }),
    },
  ],
  turns: [
    {
      column: 1,
      count: ({ model, side }) => ({
        counted: { metric: 'turns_per_round', cell: { model: String(model), team: String(side) } },
        of: `${String(model)}, ${side === 'werewolves' ? 'Werewolves' : 'village'}`,
        noun: ['day of a player', 'days of players'],
      }),
    },
  ],
  'voting-entropy': [
    {
      column: 3,
      count: ({ round, what, turns_before: index }) =>
        what === 'entropy'
          ? {
              counted: { metric: 'voting_entropy', cell: { round: String(round), index: String(index) } },
              of: `round ${String(round)}, turn ${String(index)}`,
              noun: ['poll', 'polls'],
            }
          : null,
    },
  ],
  learning: [
    {
      column: 2,
      count: ({ arm, block }) => ({
        counted: { metric: 'learning_votes', cell: { experience: String(arm), block: String(block) } },
        of: `${String(arm)}, block ${String(block)}`,
        noun: ['ballot on a Werewolf', 'ballots on Werewolves'],
      }),
    },
  ],
};

/**
 * Lists, for each row of a picture's table except the header, a map from column to the cell whose examples it counts.
 *
 * @example listLinkedCells(picture, report)[0]?.get(1)?.counted.metric // 'lie_turn_rate'
 */
export function listLinkedCells({ name, table, data }: Picture, report: Report): Map<number, LinkedCell>[] {
  const columns = (countingColumns as Readonly<Record<string, readonly CountingColumn[]>>)[name] ?? [];
  // The table leaves out rows of data without a value, such as the first point of a ROC curve.
  const rows = data.filter((row) => row['threshold'] !== null && row['value'] !== null);
  if (rows.length !== table.length - 1) return table.slice(1).map(() => new Map<number, LinkedCell>());
  return rows.map(
    (row) =>
      new Map(
        columns.flatMap(({ column, count }) => {
          const cell = count(row, report);
          return cell === null ? [] : [[column, cell] as const];
        }),
      ),
  );
}
