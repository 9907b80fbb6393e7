// Metrics of the village: identification precision (IRP), voting success (VSS), key-role survival (KSR) and
// effectiveness (KRE).
import { mean } from '../statistics/sums.ts';
import type { BeliefRow } from '../tables/analysis-rows.ts';
import type { BallotRow, GameTables, PlayerRow } from '../tables/game-rows.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { getOpponentCell } from './breakdowns.ts';
import { createRatioFigure, type Metric, type MetricTally } from './metric.ts';
import { guardScore, hunterScore, listHolderScores, witchScore } from './roles/role-scores.ts';
import { seerScore } from './roles/seer.ts';

/** Fields shared by most metrics of this file. */
const shared = {
  section: 'village',
  range: [0, 1],
  modelDimension: 'model',
  strata: [],
  hasBaseline: true,
  side: 'villagers',
} as const;

/** Lists the ballots that decided each day. After a tie, these are the ballots of the second vote. */
function listFinalBallots({ ballots }: Pick<GameTables, 'ballots'>): BallotRow[] {
  const again = new Set(ballots.filter(({ vote }) => vote === 'exile_again').map(({ round }) => round));
  return ballots.filter(({ vote, round }) => vote === (again.has(round) ? 'exile_again' : 'exile'));
}

/**
 * Lists the final ballots that villagers cast themselves. Excludes ballots that were drawn at random in a voter's
 * place.
 */
export const listVillageBallots = (match: Pick<GameTables, 'ballots'>): BallotRow[] =>
  listFinalBallots(match).filter((row) => row.voter_team === 'villagers' && !row.is_drawn);

// Identification precision by the village's votes.

/** Source: DSGBench (Tang et al. 2025), counted as in its code. */
export const identificationPrecisionByVotes: Metric = {
  ...shared,
  name: 'irp_votes',
  title: 'Village ballots on Werewolves',
  definition:
    'Share of village ballots for a Werewolf, in the last vote of each day (IRP of DSGBench and WereWolf-Plus).',
  notes:
    'By chance about the share of Werewolves among the other living players. DSGBench’s code also counts ballots of dead players and ballots left over from earlier days.',
  unit: 'share of ballots',
  breakdowns: [['model'], ['role'], ['model', 'role'], ['model', 'opponent'], ['round']],
  count: (match) =>
    listVillageBallots(match).map((row) => ({
      cell: {
        ...{ model: row.voter_model, role: row.voter_role, round: String(row.round) },
        ...getOpponentCell(match.match, 'villagers'),
      },
      sums: { on_werewolves: row.target_team === 'werewolves' ? 1 : 0, ballots: 1 },
    })),
  ...createRatioFigure('on_werewolves', 'ballots'),
};

// Identification precision by the village's answers to belief questions.

/** Source: WereWolf-Plus (2025), reconstructed. */
export const identificationPrecisionByBeliefs: Metric = {
  ...shared,
  name: 'irp_asked',
  title: 'Sides identified correctly when asked',
  definition:
    'Share of identifications as Werewolf or not that are correct, among players about whom village members were asked, by the last beliefs of each day.',
  notes:
    'Requires the rule `beliefs`. A `p_werewolf` over .5 says Werewolf, under .5 not. Observers who could know are a separate row. One half by chance, since random beliefs are uniform; but compare it with the share of players who are not Werewolves, which suspecting nobody gives.',
  unit: 'share of identifications',
  modelDimension: 'observer_model',
  strata: ['could_know'],
  breakdowns: [
    ...[['observer_model'], ['observer_role'], ['observer_model', 'observer_role']],
    ...[['observer_model', 'opponent'], ['round']],
  ],
  count: (match) =>
    listIdentifications(match).map((row) => ({
      cell: {
        could_know: String(row.could_know),
        observer_model: row.observer_model,
        observer_role: row.observer_role,
        round: String(row.round),
        ...getOpponentCell(match.match, 'villagers'),
      },
      sums: { right: row.p_werewolf > 0.5 === row.is_werewolf ? 1 : 0, identifications: 1 },
    })),
  ...createRatioFigure('right', 'identifications'),
};

/** Lists each villager's last beliefs of each day. A probability of exactly 0.5 identifies nobody. */
function listIdentifications({ beliefs }: MatchTables): BeliefRow[] {
  const getObserverDay = ({ observer, round }: BeliefRow) => `${round} ${observer}`;
  const last = new Map<string, number>();
  for (const row of beliefs) last.set(getObserverDay(row), Math.max(row.step, last.get(getObserverDay(row)) ?? 0));
  return beliefs.filter(
    (row) => row.observer_team === 'villagers' && row.step === last.get(getObserverDay(row)) && row.p_werewolf !== 0.5,
  );
}

// Share of the village's exiles that hit Werewolves (VSS).

/** Source: DSGBench (Tang et al. 2025) and WereWolf-Plus (2025), reconstructed. */
export const exilePrecisionByDays: Metric = {
  ...shared,
  name: 'vss_days',
  title: 'Exiles that hit a Werewolf',
  definition: 'Share of days with an exile that exiled a Werewolf (VSS of DSGBench and WereWolf-Plus).',
  unit: 'share of days',
  breakdowns: [['model'], ['model', 'opponent'], ['round']],
  isOfWholeSides: true,
  count: ({ match, rounds }) =>
    rounds
      .filter(({ exiled }) => exiled !== null)
      .map((row) => ({
        cell: {
          round: String(row.round),
          ...(match.villagers_model === null ? {} : { model: match.villagers_model }),
          ...getOpponentCell(match, 'villagers'),
        },
        sums: { werewolves: row.exiled_team === 'werewolves' ? 1 : 0, exiles: 1 },
      })),
  ...createRatioFigure('werewolves', 'exiles'),
};

export const exilePrecisionByBallots: Metric = {
  ...shared,
  name: 'vss_ballots',
  title: 'Exiling ballots that hit a Werewolf',
  definition: 'Share of village ballots for the player exiled that day that hit a Werewolf.',
  unit: 'share of ballots',
  breakdowns: [['model'], ['role'], ['model', 'role'], ['model', 'opponent'], ['round']],
  count: countExilingBallots,
  ...createRatioFigure('werewolves', 'ballots'),
};

function countExilingBallots(match: MatchTables): MetricTally[] {
  const exiled = new Map(match.rounds.map((row) => [row.round, row.exiled]));
  return listVillageBallots(match)
    .filter(({ round, target }) => exiled.get(round) === target)
    .map((row) => ({
      cell: {
        ...{ model: row.voter_model, role: row.voter_role, round: String(row.round) },
        ...getOpponentCell(match.match, 'villagers'),
      },
      sums: { werewolves: row.target_team === 'werewolves' ? 1 : 0, ballots: 1 },
    }));
}

// The players with key roles in a match, i.e. village roles that have powers.

const listKeyPlayers = ({ players }: MatchTables): PlayerRow[] =>
  players.filter((player) => player.team === 'villagers' && player.is_special);

/** Returns whether the match ended, so that its survivors are known. */
export const hasEnded = ({ match }: MatchTables) => match.end_reason !== null;

/** Source: WereWolf-Plus (2025), reconstructed. */
export const keyRoleEffectiveness: Metric = {
  ...shared,
  name: 'kre',
  title: 'Effectiveness of key roles',
  definition:
    'Half the share of key roles that are alive at the end plus half the mean of their scores, per match (WereWolf-Plus’s KRE).',
  notes:
    '½ · `ksr_end` + ½ · (mean of `seer_score`, `witch_score`, `hunter_score`, `guard_score` over all holders who have one). No figure without such a score or an end; a Doctor has no score but counts among those alive. One of the paper’s six rows contradicts this reconstruction: Deepseek-V3 against GPT-4o-mini (.77 beside scores of .39, .36, .67, .53).',
  unit: 'score',
  breakdowns: [['model'], ['model', 'opponent']],
  count: (match) => {
    const value = computeEffectiveness(match);
    const { villagers_model: model } = match.match;
    const cell = { ...(model === null ? {} : { model }), ...getOpponentCell(match.match, 'villagers') };
    return value === null ? [] : [{ cell, sums: { value, matches: 1 } }];
  },
  isOfWholeSides: true,
  ...createRatioFigure('value', 'matches'),
};

/**
 * Computes the effectiveness of a match. Null if no key role has a score, because then nothing is known about the use
 * of powers.
 */
function computeEffectiveness(match: MatchTables): number | null {
  const survival = mean(listKeyPlayers(match).map(({ survived }) => (survived ? 1 : 0)));
  const skill = mean(
    [seerScore, witchScore, hunterScore, guardScore].flatMap((score) => listHolderScores(score, match)),
  );
  return !hasEnded(match) || survival === null || skill === null ? null : survival / 2 + skill / 2;
}

const survivalBase = {
  ...shared,
  unit: 'share of players',
  breakdowns: [['model'], ['role'], ['model', 'role'], ['model', 'opponent']],
  ...createRatioFigure('alive', 'dealt'),
} as const;

const countSurvivors = (match: MatchTables, isAlive: (player: PlayerRow) => boolean): MetricTally[] =>
  listKeyPlayers(match).map((player) => ({
    cell: { model: player.model, role: player.role, ...getOpponentCell(match.match, 'villagers') },
    sums: { alive: isAlive(player) ? 1 : 0, dealt: 1 },
  }));

export const keyRoleSurvivalAtEnd: Metric = {
  ...survivalBase,
  name: 'ksr_end',
  title: 'Key roles alive at the end',
  definition: 'Share of the village’s key roles (those with powers) that are alive at the end.',
  notes: 'Key roles are the village’s `is_special`. Only ended matches count.',
  count: (match) => (hasEnded(match) ? countSurvivors(match, ({ survived }) => survived) : []),
};

/** Source: DSGBench (Tang et al. 2025). */
export const keyRoleSurvivalAfterLastExile: Metric = {
  ...survivalBase,
  name: 'ksr_last_exile',
  title: 'Key roles alive after the last exile',
  definition:
    'Share of the village’s key roles (those with powers) that are alive after the match’s last exile (DSGBench’s KSR).',
  notes: 'Before a shot of the exiled Hunter.',
  count: (match) => {
    const exiles = match.players.flatMap(({ left_cause: cause, left_place: place }) =>
      cause === 'exile' && place !== null ? [place] : [],
    );
    if (!hasEnded(match) || exiles.length === 0) return [];
    const last = Math.max(...exiles);
    return countSurvivors(match, ({ left_place: place }) => place === null || place > last);
  },
};
