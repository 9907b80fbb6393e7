// Promises of the statistics, tested on many simulated tournaments: error levels under repeated looks, and fairness to
// entrants whose wins end sooner or who play uneven schedules.
import { describe, expect, it } from '@jest/globals';
import { findFinishedBlocks, nameScheduled } from '../../deception/ratings/finished-blocks.ts';
import type { LeaderboardMatch } from '../../deception/ratings/leaderboard-match.ts';
import { rateEntrants } from '../../deception/ratings/rate-entrants.ts';
import { evaluateStop } from '../../deception/ratings/stopping-rule.ts';
import { buildTraitLeaderboards } from '../../deception/ratings/trait-leaderboards.ts';
import { createResampling } from '../../deception/statistics/bootstrap.ts';
import { mean } from '../../deception/statistics/sums.ts';
import { estimateStop } from '../../deception/tournament/stop-forecast.ts';
import type { TournamentPlan } from '../../deception/tournament-plan/tournament-plan.ts';
import { rateMatch } from '../../deception/tournament/tournament-precision.ts';
import { listTournamentMatches, type TournamentMatch } from '../../deception/tournament-plan/tournament-schedule.ts';
import { TournamentScores } from '../../deception/tournament/tournament-stopping.ts';
import { draw, drawNormal } from '../../state/random.ts';
import type { Team } from '../../state/teams.ts';
import { createMatch, drawWinner } from '../deception/ratings/simulated-field.ts';
import { createTournamentPlan } from '../deception/tournament-plan/plans.ts';

describe('a stopping rule', () => {
  const chance = draw(1, 'sequential');
  /** Draws the difference between two entrants in each deal, if Werewolves win with these probabilities. */
  const drawDifferences = (deals: number, [one, other]: readonly [number, number]) =>
    Array.from({ length: deals }, () => (chance.fraction() < one ? 1 : 0) - (chance.fraction() < other ? 1 : 0));
  const judge = (differences: readonly number[]) =>
    evaluateStop([{ pair: ['x', 'y'], differences }], { alpha: 0.05, decide: true });

  it('rejects equals in at most 5 % under looking after each of 400 deals, where plain looking does in about 40 %', () => {
    for (const rate of [0.5, 0.88]) {
      const decided = Array.from({ length: 300 }, () => judge(drawDifferences(400, [rate, rate])).stopAt !== null);
      expect(decided.filter(Boolean).length / 300).toBeLessThanOrEqual(0.05);
    }
  });

  it('never misses the true difference in 95 % of tournaments, at any of 100 deals', () => {
    const isMissed = () => {
      const differences = drawDifferences(100, [0.8, 0.6]);
      return differences.some((_, at) => {
        const state = judge(differences.slice(0, at + 1)).pairs[0]!;
        return state.low > 0.2 || state.high < 0.2;
      });
    };
    expect(Array.from({ length: 30 }, isMissed).filter(Boolean).length).toBeLessThanOrEqual(4);
  });
});

describe('ratings', () => {
  const two = { ann: { model: 'bot:classic' }, bob: { model: 'bot:random' } };
  const schedule = listTournamentMatches(createTournamentPlan({ entrants: two, format: 'head-to-head', deals: 200 }));

  const record = (match: TournamentMatch, winner: Team): LeaderboardMatch => ({
    ...{ rated: rateMatch(match, winner), block: match.block, place: nameScheduled(match), condition: match.condition },
    ...{ board: match.board.name, extractor: 'rules', bots: [], cells: [], spent: new Map() },
  });

  /**
   * Plays with this many matches at a time until the cap on finished matches is reached. Matches that ann wins end
   * sooner than others.
   */
  function playUntilCap(inFlight: number, cap: number, run: number): LeaderboardMatch[] {
    const chance = draw(run, 'short wins');
    const underWay: { match: TournamentMatch; winner: Team; ends: number }[] = [];
    const found: LeaderboardMatch[] = [];
    let next = 0;
    const start = (now: number) => {
      const match = schedule[next++]!;
      const isWon = chance.fraction() < 0.5;
      const winner = (match.sides!.werewolves === 'ann') === isWon ? 'werewolves' : 'villagers';
      underWay.push({ match, winner, ends: now + (isWon ? 1 : 2) * (0.8 + 0.4 * chance.fraction()) });
    };
    while (next < inFlight) start(0);
    while (found.length < cap) {
      const [first] = underWay.sort((one, other) => one.ends - other.ends).splice(0, 1);
      found.push(record(first!.match, first!.winner));
      start(first!.ends);
    }
    return found;
  }

  const scoreAnn = (matches: readonly LeaderboardMatch[]) =>
    mean(
      matches.map(({ rated: { winner, seats } }) =>
        seats.some(({ entrant, team }) => entrant === 'ann' && team === winner) ? 1 : 0,
      ),
    );

  it('of a tournament that was cut short do not favour whose wins are short', () => {
    const runs = Array.from({ length: 300 }, (_, run) => playUntilCap(32, 60, run));
    const all = mean(runs.flatMap((found) => scoreAnn(found) ?? []))!;
    const rated = mean(runs.flatMap((found) => scoreAnn(findFinishedBlocks(found, schedule).blocks.flat()) ?? []))!;
    expect(all).toBeGreaterThan(0.54); // although both entrants are equal
    expect(rated).toBeGreaterThan(0.47);
    expect(rated).toBeLessThan(0.53);
  });

  it('of an uneven schedule of equals put nobody on top: who sits more often with the side that wins gains nothing by it', () => {
    const names = ['ann', 'bob', 'cas', 'dan'];
    const field = Object.fromEntries(names.map((name) => [name, [0, 0] as const]));
    const found = Array.from({ length: 60 }, (_, run) => {
      const chance = draw(run, 'unbalanced');
      const matches = Array.from({ length: 20 }, (_, deal) =>
        Array.from({ length: 8 }, () => {
          const pack = chance.fraction() < 0.55 ? 'ann' : chance.pick(names);
          const village = chance.pick(names.filter((name) => name !== pack));
          const sides = { werewolves: [pack, pack], villagers: [village, village, village] };
          return createMatch(deal, sides.werewolves, sides.villagers, drawWinner(field, sides, { beta: 0.8, chance }));
        }),
      ).flat();
      const { entrants } = rateEntrants(matches, { resampling: createResampling(1000, 39, 1) });
      const best = entrants.toSorted((one, other) => other.score.value! - one.score.value!)[0]!.entrant;
      return { isAnnBest: best === 'ann', isAlone: entrants.some(({ ranks }) => ranks?.[1] === 1) };
    });
    expect(found.filter(({ isAnnBest }) => isAnnBest).length).toBeLessThan(27); // 15 ± 3.4 expected
    expect(found.filter(({ isAlone }) => isAlone).length).toBeLessThanOrEqual(6);
  });

  it('tell equals apart by a trait in at most 5 % though it may stop at each of many looks, where plain intervals do in more', () => {
    const chance = draw(1, 'equal traits');
    const resampling = createResampling(60, 39, 1);
    const apart = { plain: 0, anyTime: 0 };
    for (let run = 0; run < 60; run++) {
      const counted = Array.from({ length: 60 }, (_, deal) => ({
        ...{ rated: { deal: `d${deal}` }, extractor: 'openai:judge' },
        cells: ['ann', 'bob'].map((entrant) => ({
          metric: 'belief_brier',
          cell: { source: 'match', kind: 'beliefs', observer_model: entrant },
          sums: { squares: chance.fraction() < 0.4 ? 8 : 0, positives: 2, scores: 8 },
        })),
      }));
      const isToldApart = (anyTimeAlpha: number | null) =>
        Array.from({ length: 26 }, (_, look) => 10 + 2 * look).some((deals) => {
          const options = {
            entrants: ['ann', 'bob'],
            resampling,
            isCrossed: true,
            anyTimeAlpha,
            findChance: () => null,
          };
          const [board] = buildTraitLeaderboards(counted.slice(0, deals), options).boards;
          return board!.rows[0]!.ranks?.[1] === 1;
        });
      if (isToldApart(null)) apart.plain++;
      if (isToldApart(0.05)) apart.anyTime++;
    }
    expect(apart.plain).toBeGreaterThan(3); // of 60 simulations
    expect(apart.anyTime).toBeLessThanOrEqual(3);
  });
});

describe('the forecast of a stopping rule', () => {
  const two = { one: { model: 'bot:classic' }, two: { model: 'bot:random' } };
  const decide = { decide: true as const, alpha: 0.05 };

  /**
   * Simulates tournaments of two entrants, of which the first is stronger by `lead` log-odds. Returns the number of
   * deals after which the real rule ends them.
   */
  function playRuns(plan: TournamentPlan, lead: number, runs: number): number[] {
    const matches = listTournamentMatches(plan);
    return Array.from({ length: runs }, (_, run) => {
      const chance = draw(run, 'real rule');
      const scores = new TournamentScores(plan, matches);
      const effects = Array.from({ length: plan.deals }, () => drawNormal(chance));
      for (const match of matches) {
        const sign =
          match.sides!.werewolves === match.sides!.villagers ? 0 : match.sides!.werewolves === 'one' ? 1 : -1;
        const chanceOfPack = 1 / (1 + Math.exp(-effects[match.deal - 1]! - sign * lead));
        scores.record(match, chance.fraction() < chanceOfPack ? 'werewolves' : 'villagers');
      }
      return scores.evaluate()!.decidedDeals ?? plan.deals;
    }).sort((a, b) => a - b);
  }

  it.each([
    ['one condition', {}],
    ['two conditions that are judged apart', { conditions: { honesty: ['unsaid', 'forbidden'] } }],
    [
      'two conditions that are pooled',
      { conditions: { honesty: ['unsaid', 'forbidden'] }, stop: { ...decide, pooled: true as const } },
    ],
    ['matches of each against itself, which do not count', { selfPlay: true }],
  ])('is when the rule does end tournaments of that true difference, with %s', (_, changes) => {
    const plan = createTournamentPlan({
      ...{ entrants: two, format: 'head-to-head', deals: 150, stop: decide },
      ...changes,
    });
    const row = estimateStop(plan)!.find(({ difference }) => difference === 0.3)!;
    // If deals vary by 1 in log-odds, the stronger Werewolves win .65 of their matches and the weaker .35.
    const ends = playRuns(plan, 0.726, 40);
    expect(Math.abs(row.half! / ends[19]! - 1)).toBeLessThan(0.3);
    expect(Math.abs(row.ended - ends.filter((end) => end < 150).length / 40)).toBeLessThan(0.15);
  });

  it('of a precision is when the rule reaches it among equals', () => {
    const plan = createTournamentPlan({
      ...{ entrants: two, format: 'head-to-head', deals: 120, stop: { precision: 0.25, alpha: 0.05 } },
    });
    const [row, ...others] = estimateStop(plan)!;
    expect(others).toEqual([]);
    expect(Math.abs(row!.half! / playRuns(plan, 0, 20)[9]! - 1)).toBeLessThan(0.15);
  });
});
