// What the scores of roles share: who held a role, what they did by their own choice, and what that adds up to.
import { getSum, type Sums } from '../../statistics/sums.ts';
import type { DeedRow, MatchTables, PlayerRow } from '../../tables/row-schemas.ts';
import type { Metric, Tally } from '../metric.ts';

export interface Holder {
  player: PlayerRow;
  /** Their own, in order, those drawn in their stead included. */
  deeds: readonly DeedRow[];
}

export const listRoleHolders = ({ players, deeds }: MatchTables, role: string): Holder[] =>
  players
    .filter((player) => player.role === role)
    .map((player) => ({
      player,
      deeds: deeds.filter(({ by, is_joint: isJoint }) => by === player.player && !isJoint),
    }));

/** A power that was used by the player's own choice. */
export const isOwnUse = ({ target, is_drawn: isDrawn }: DeedRow) => target !== null && !isDrawn;

/** What each holder adds; null: nothing. */
export type SumHolder = (holder: Holder, match: MatchTables) => Sums | null;

/** Of those who have anything of the sum that the figure is a share of. */
export const createHolderCount =
  (role: string, sumsOf: SumHolder, whole: string) =>
  (match: MatchTables): Tally[] =>
    listRoleHolders(match, role).flatMap((holder) => {
      const sums = sumsOf(holder, match);
      return sums === null || getSum(sums, whole) === 0 ? [] : [{ cell: { model: holder.player.model }, sums }];
    });

/** The score of every single holder who has one. */
export const listHolderScores = ({ tallies, value }: Pick<Metric, 'tallies' | 'value'>, match: MatchTables) =>
  tallies(match).flatMap(({ sums }) => value(sums) ?? []);

/** What metrics of one role have in common. */
export const ofRole = {
  section: 'roles',
  range: [0, 1],
  subject: 'model',
  apart: [],
  by: [['model']],
  hasBaseline: true,
  side: 'villagers',
} as const satisfies Partial<Metric>;
