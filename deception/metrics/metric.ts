// A metric: what each match adds to it, and what follows from the sums.
import { z } from 'zod';
import type { Team } from '../../state/teams.ts';
import type { Statistic as FigureOf, Sums } from '../statistics/sums.ts';
import type { MatchRow, MatchTables } from '../tables/row-schemas.ts';

/** What a figure is of, e.g. `{ kind: 'debate', team: 'werewolves' }`; dimension → value. */
export type Cell = Readonly<Record<string, string>>;

/** What one match adds to the finest cell that the metric tells apart. Several of the same cell are added up. */
export interface Tally {
  cell: Cell;
  sums: Sums;
}

/** Where in a report it stands, in their order. */
export const sections = [
  'lies',
  'accusations',
  'detection',
  'self-reports',
  'perception',
  'beliefs',
  'agreement',
  'outcomes',
  'seats',
  'debate',
  'roles',
  'village',
  'sheriff',
  'reliability',
] as const;
export type Section = (typeof sections)[number];

export interface Metric {
  /** In snake_case, unique. */
  name: string;
  title: string;
  section: Section;
  /** What it is, in a sentence, with its source where it has one. */
  definition: string;
  unit: string;
  /** Its least and greatest value; null where nothing bounds it from above, as a mean of counts. */
  range: readonly [least: number, most: number | null];
  /** Whether it is among the first that a reader sees, and shown for the variants of the sample too. */
  isHeadline?: boolean;
  /** The dimension that names the model of which it says something; absent where that is the match. */
  modelDimension?: string;
  /** Dimensions that are never pooled: every cell has them, e.g. `kind`. */
  strata: readonly string[];
  /** Besides those, the dimensions by which cells are made: each list gives one table. The whole is always made. */
  breakdowns: readonly (readonly string[])[];
  /** Metrics that count the same things share one function: it is then called once a match. */
  count: (match: MatchTables) => Tally[];
  value: FigureOf;
  /** What it is a share of, or how many things it is a mean over. */
  opportunities: FigureOf;
  /** The name of the metric that says, cell by cell, how much of what was said it speaks of. */
  coveredBy?: string;
  /** Its least and greatest value had everything that is missing come out so; absent where nothing can be missing, or nothing is known of how far that goes. */
  bounds?: (sums: Sums, cell: Cell) => readonly [low: number | null, high: number | null];
  /**
   * Whether it has a value in matches played by chance too: it is counted from the game's own tables, from who won, or
   * from beliefs that were asked for, and not from what was said or made of it.
   */
  hasBaseline?: boolean;
  /** The only side of which it counts anything; absent where that is both, or neither. */
  side?: Team;
  /** Whether a model in its cells is one that holds a whole side, and not one that has seats. */
  isOfWholeSides?: boolean;
  /** Every match that has a cell adds 1 to its sum `matches`, so that a figure can be a mean over matches. */
  isPerMatch?: boolean;
  /** Each match counts once, for or against: `for` over `for` + `against`. Its interval is Wilson's. */
  isOfMatches?: boolean;
}

/** Dimensions that say who sat there. By chance nobody is anybody. */
export const whoPlayed: ReadonlySet<string> = new Set([
  'model',
  'opponent',
  'villagers',
  'werewolves',
  'observer_model',
  'name',
]);

/** The range as intervals take it, from both sides or not at all. */
export const getClosedRange = ([least, most]: Metric['range']): readonly [number, number] | undefined =>
  most === null ? undefined : [least, most];

// The rules of a match as metrics ask for them, read from its row.

const Asked = z.object({
  exile: z.enum(['majority', 'plurality']).default('majority'),
  sheriffWeight: z.number().default(1),
  debateOrder: z.enum(['bidding', 'round-robin']).default('bidding'),
});

/** What is not said stands at its default. */
export const parseRowRules = ({ rules }: MatchRow) => Asked.parse(JSON.parse(rules));
