// Tests whether seats, names or speaking order are related to votes and wins among players of the same role. In a fair
// set of matches they are not.
import { getDealKey } from '../design/schedule.ts';
import { MIN_CLUSTERS } from '../statistics/bootstrap.ts';
import {
  type LabelledOutcome,
  type LabelledScores,
  type LabelTest,
  testLabelsBetween,
  testLabelsWithin,
} from '../statistics/label-permutation.ts';
import { adjustHolm } from '../statistics/adjusted-p-values.ts';
import type { PlayerRow } from '../tables/game-rows.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { mapToDealtNames } from '../../state/variants.ts';
import type { Report } from './report-schema.ts';

const biasFactors = ['seat', 'name', 'speaking position'] as const;
type BiasFactor = (typeof biasFactors)[number];

/** A player's seat, votes and result. */
interface SeatedPlayer {
  /** The player's place in the deal. It is the same in all variants of the deal. */
  dealt: string;
  role: string;
  isWerewolf: boolean;
  labels: Readonly<Record<BiasFactor, string | null>>;
  /**
   * Mean share of the exile ballots that are against the player, over the days on which votes for the player were
   * possible.
   */
  votes: number | null;
  /** Share of the first day's ballots that were against the player. */
  firstVotes: number | null;
}

/** Data of a match that the tests need. */
export interface SeatedMatch {
  deal: string;
  /** All other conditions: board, rules, models and variant. */
  arm: string;
  /** 1 if the Werewolves won, 0 if they lost; null for a draw. */
  werewolvesWon: number | null;
  players: readonly SeatedPlayer[];
}

/** Returns the data of a match for the tests; null for an imported match, whose seats may depend on roles. */
export function createSeatedMatch(
  { match, players, ballots }: MatchTables,
  setup: Parameters<typeof mapToDealtNames>[0],
): SeatedMatch | null {
  if (match.imported !== null) return null;
  const dealtNames = mapToDealtNames(setup);
  const cast = ballots.filter(({ vote, is_drawn: isDrawn }) => vote === 'exile' && !isDrawn);
  const byRound = [...Map.groupBy(cast, ({ round }) => round)].sort(([one], [other]) => one - other);
  const isThere = ({ left_round: left, left_cause: cause }: PlayerRow, round: number) =>
    left === null || left > round || (left === round && cause === 'exile');
  const measureVotes = (player: PlayerRow, rounds: typeof byRound) => {
    const shares = rounds
      .filter(([round]) => isThere(player, round))
      .map(([, own]) => own.filter(({ target }) => target === player.player).length / own.length);
    return shares.length === 0 ? null : shares.reduce((total, share) => total + share, 0) / shares.length;
  };
  return {
    deal: getDealKey(match),
    arm: JSON.stringify([
      match.board,
      match.rules,
      match.villagers_model,
      match.werewolves_model,
      match.variant,
      match.experience,
    ]),
    werewolvesWon: match.winner === null ? null : match.winner === 'werewolves' ? 1 : 0,
    players: players.map((player) => ({
      dealt: dealtNames.get(player.player)!,
      role: player.role,
      isWerewolf: player.team === 'werewolves',
      labels: {
        seat: String(player.seat),
        name: player.player,
        'speaking position': player.speaking_position === null ? null : String(player.speaking_position),
      },
      votes: measureVotes(player, byRound),
      firstVotes: measureVotes(
        player,
        byRound.filter(([round]) => round === 1),
      ),
    })),
  };
}

/**
 * Runs one omnibus test for each of seat, name and speaking position on the first day, for votes and for wins. The test
 * of exile votes permutes labels among players of the same role in the same deal. The test of wins permutes outcomes
 * among deals that were played in the same way. p is adjusted by Holm's procedure over all tests; null with fewer than
 * ten deals.
 *
 * @example testBiases(matches, { resamples: 2000, seed: 1 }).filter(({ p_adjusted: p }) => p !== null && p <= 0.05)
 */
export function testBiases(
  matches: readonly SeatedMatch[],
  { resamples: permutations, seed }: { resamples: number; seed: number },
): Report['biases'] {
  const byDeal = [...Map.groupBy(matches, ({ deal }) => deal).values()];
  const isEnough = byDeal.length >= MIN_CLUSTERS;
  const rows = biasFactors.flatMap((factor) =>
    (['votes', 'wins'] as const).map((outcome) => {
      const test = !isEnough
        ? null
        : outcome === 'votes'
          ? testLabelsWithin(
              byDeal.flatMap((deal) => listBlocks(deal, factor)),
              { permutations, seed },
            )
          : testLabelsBetween(groupDeals(byDeal, factor), { permutations, seed });
      return createBiasRow(factor, outcome, byDeal.length, test);
    }),
  );
  const adjusted = adjustHolm(rows.map(({ p }) => p));
  return rows.map((row, at) => ({ ...row, p_adjusted: adjusted[at]! }));
}

const createBiasRow = (factor: BiasFactor, outcome: 'votes' | 'wins', deals: number, test: LabelTest | null) => ({
  ...{ factor, outcome, deals, labels: test?.labels ?? 0, statistic: test?.statistic ?? null },
  ...{ p: test?.p ?? null, most: test?.most ?? null, least: test?.least ?? null },
});

/**
 * Lists one block for each role of a deal. A block holds the role's players in all matches of the deal, always in the
 * same order.
 */
function listBlocks(matches: readonly SeatedMatch[], factor: BiasFactor): LabelledScores[][] {
  const roles = new Set(matches[0]!.players.map(({ role }) => role));
  return [...roles].map((role) =>
    matches.map(({ players }) => {
      const own = players.filter((player) => player.role === role).sort(compareDealt);
      return {
        scores: own.map(({ votes, firstVotes }) => (factor === 'speaking position' ? firstVotes : votes)),
        labels: own.map(({ labels }) => labels[factor]),
      };
    }),
  );
}

const compareDealt = (one: SeatedPlayer, other: SeatedPlayer) => (one.dealt < other.dealt ? -1 : 1);

/**
 * Groups deals that were played in the same arms. Each match is reduced to its outcome and the labels of its players,
 * with 1 for a Werewolf's label and 0 for a villager's.
 */
function groupDeals(byDeal: readonly (readonly SeatedMatch[])[], factor: BiasFactor): LabelledOutcome[][][] {
  const won = byDeal.map((matches) =>
    matches
      .flatMap(({ werewolvesWon: outcome, ...match }) => (outcome === null ? [] : [{ ...match, outcome }]))
      .sort((one, other) => (one.arm < other.arm ? -1 : 1)),
  );
  const groups = Map.groupBy(
    won.filter(({ length }) => length > 0),
    (matches) => JSON.stringify(matches.map(({ arm }) => arm)),
  );
  return [...groups.values()].map((deals) =>
    deals.map((matches) =>
      matches.map(({ outcome, players }) => ({
        outcome,
        held: Object.fromEntries(
          players.flatMap(({ labels, isWerewolf }) => {
            const label = labels[factor];
            return label === null ? [] : [[label, isWerewolf ? 1 : 0]];
          }),
        ),
      })),
    ),
  );
}
