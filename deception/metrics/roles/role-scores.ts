// Scores of the Guard, the Hunter and the Witch. This file also exports what all role scores share: who held a role,
// and which acts the holder chose.
import { getShownSide } from '../../../state/roles/index.ts';
import { witch } from '../../../state/roles/witch.ts';
import { getSum, type Statistic, sum, type Sums } from '../../statistics/sums.ts';
import type { DeedRow, PlayerRow } from '../../tables/game-rows.ts';
import type { MatchTables } from '../../tables/match-tables.ts';
import { getOpponentCell } from '../breakdowns.ts';
import { createRatioFigure, type Metric, type MetricTally } from '../metric.ts';

export interface RoleHolder {
  player: PlayerRow;
  /** The holder's acts in order, including acts that were drawn at random because an answer was missing. */
  deeds: readonly DeedRow[];
}

export const listRoleHolders = ({ players, deeds }: MatchTables, role: string): RoleHolder[] =>
  players
    .filter((player) => player.role === role)
    .map((player) => ({
      player,
      deeds: deeds.filter(({ by, is_joint: isJoint }) => by === player.player && !isJoint),
    }));

/** Returns whether a player counts as a Werewolf. A player who only wins with the Werewolves does not count as one. */
export const isWerewolf = ({ role }: Pick<PlayerRow, 'role'>): boolean => getShownSide(role) === 'werewolves';

/** Returns whether a power was used by the player's own choice, and not drawn at random. */
export const isOwnUse = ({ target, is_drawn: isDrawn }: DeedRow) => target !== null && !isDrawn;

/** Returns the sums of one player who held a role; null if the player has no sums. */
export type SumRoleHolder = (holder: RoleHolder, match: MatchTables) => Sums | null;

/**
 * Creates a function that counts the holders of a role. Leaves out holders for whom the figure's denominator, the sum
 * `whole`, is 0.
 */
export const createHolderCount =
  (role: string, sumsOf: SumRoleHolder, whole: string) =>
  (match: MatchTables): MetricTally[] =>
    listRoleHolders(match, role).flatMap((holder) => {
      const sums = sumsOf(holder, match);
      if (sums === null || getSum(sums, whole) === 0) return [];
      const { model, team } = holder.player;
      return [{ cell: { model, ...getOpponentCell(match.match, team) }, sums }];
    });

/** Lists the scores of all holders who have a score. */
export const listHolderScores = ({ count, value }: Pick<Metric, 'count' | 'value'>, match: MatchTables) =>
  count(match).flatMap(({ sums }) => value(sums) ?? []);

/** Fields shared by metrics of one role. */
export const roleMetricBase = {
  section: 'roles',
  range: [0, 1],
  modelDimension: 'model',
  strata: [],
  breakdowns: [['model'], ['model', 'opponent']],
  hasBaseline: true,
  side: 'villagers',
} as const satisfies Partial<Metric>;

// The Guard's score: the players whom he guarded, over all his nights and over the nights on which he guarded anybody.

const guardRole = 'Guard';

/**
 * Computes the sums of a Guard. The night of the round in which he leaves counts too, because he acts in that night.
 * Nights on which his target was drawn at random do not count.
 */
const sumGuard: SumRoleHolder = ({ player, deeds }, { match }) => {
  const guarded = deeds.filter(isOwnUse);
  const drawn = deeds.filter((deed) => deed.is_drawn);
  return {
    village: guarded.filter(({ target_team: team }) => team === 'villagers').length,
    victims: guarded.filter((deed) => deed.is_on_victim).length,
    guarding: guarded.length,
    nights: (player.left_round ?? match.rounds) - drawn.length,
  };
};

const createGuardScore =
  (whole: string): Statistic =>
  (sums) => {
    const nights = getSum(sums, whole);
    return nights === 0 ? null : (getSum(sums, 'village') + getSum(sums, 'victims')) / (2 * nights);
  };

/** Source: WereWolf-Plus (2025), reconstructed. */
export const guardScore: Metric = {
  ...roleMetricBase,
  name: 'guard_score',
  title: 'Guard: nights alive',
  definition:
    'Half the share of nights guarding a village member plus half the share of nights guarding the Werewolves’ victim, over nights that the Guard lived to see (WereWolf-Plus).',
  notes: 'The last night is included. The Guard is a village member himself. Randomly chosen nights are left out.',
  unit: 'score',
  count: createHolderCount(guardRole, sumGuard, 'nights'),
  value: createGuardScore('nights'),
  opportunities: (sums) => getSum(sums, 'nights'),
};

export const guardScoreGuarding: Metric = {
  ...roleMetricBase,
  name: 'guard_score_guarding',
  title: 'Guard: nights guarding',
  definition: 'As `guard_score`, over the nights on which the Guard guarded somebody.',
  unit: 'score',
  count: createHolderCount(guardRole, sumGuard, 'guarding'),
  value: createGuardScore('guarding'),
  opportunities: (sums) => getSum(sums, 'guarding'),
};

export const guardUsage: Metric = {
  ...roleMetricBase,
  name: 'guard_usage',
  title: 'Guard: nights used',
  definition: 'Share of nights that the Guard lived to see on which he guarded somebody.',
  unit: 'share of nights',
  count: createHolderCount(guardRole, sumGuard, 'nights'),
  ...createRatioFigure('guarding', 'nights'),
};

// The Hunter's score: share of shots that hit a Werewolf, and how often he shot.

const hunterRole = 'Hunter';

const sumHunter: SumRoleHolder = ({ deeds }) => {
  const asked = deeds.filter((deed) => deed.is_last_act && !deed.is_drawn);
  const shots = asked.filter(isOwnUse);
  const hits = shots.filter(({ target_team: team }) => team === 'werewolves');
  return { hits: hits.length, shots: shots.length, asked: asked.length };
};

/** Source: WereWolf-Plus (2025), reconstructed. */
export const hunterScore: Metric = {
  ...roleMetricBase,
  name: 'hunter_score',
  title: 'Hunter: shots that hit',
  definition: 'Share of shots that hit a Werewolf (WereWolf-Plus).',
  unit: 'share of shots',
  count: createHolderCount(hunterRole, sumHunter, 'shots'),
  ...createRatioFigure('hits', 'shots'),
};

export const hunterUsage: Metric = {
  ...roleMetricBase,
  name: 'hunter_usage',
  title: 'Hunter: shots taken',
  definition: 'Share of the chances to shoot that Hunters used when they left the game.',
  unit: 'share of chances to shoot',
  count: createHolderCount(hunterRole, sumHunter, 'asked'),
  ...createRatioFigure('shots', 'asked'),
};

// The Witch's score: share of her potions that helped the village, and how many she used.

const potions = sum(witch.powers.map(({ uses }) => uses ?? 0));

const sumWitch: SumRoleHolder = ({ deeds }) => {
  const used = deeds.filter(isOwnUse);
  const good = used.filter(({ aim, target_team: team, is_fatal: isFatal }) =>
    aim === 'shield' ? team === 'villagers' && !isFatal : team === 'werewolves',
  );
  const drawn = deeds.filter(({ target, is_drawn: isDrawn }) => target !== null && isDrawn);
  return { good: good.length, used: used.length, potions: potions - drawn.length };
};

/** Source: WereWolf-Plus (2025), reconstructed. */
export const witchScore: Metric = {
  ...roleMetricBase,
  name: 'witch_score',
  title: 'Witch: potions that did good',
  definition: 'Share of used potions that saved a village member or poisoned a Werewolf (WereWolf-Plus).',
  notes:
    'The Witch is a village member herself. A player who left that night anyway (`is_fatal`) was not saved. It mostly measures the poison, since Werewolves attack only the village.',
  unit: 'share of potions used',
  count: createHolderCount(witch.name, sumWitch, 'used'),
  ...createRatioFigure('good', 'used'),
};

export const witchUsage: Metric = {
  ...roleMetricBase,
  name: 'witch_usage',
  title: 'Witch: potions used',
  definition: 'Share of Witches’ potions that were used.',
  notes: 'Each Witch has two.',
  unit: 'share of potions',
  count: createHolderCount(witch.name, sumWitch, 'potions'),
  ...createRatioFigure('used', 'potions'),
};
