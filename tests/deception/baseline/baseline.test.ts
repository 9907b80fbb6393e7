// What chance gives: values that follow from counting heads, and figures of mixtures worked out by hand.
import { describe, expect, it } from '@jest/globals';
import { Baseline, baselineFrom, batches, matchesOf, withBaseline } from '../../../deception/baseline/baseline.ts';
import { batchOf } from '../../../deception/baseline/batch.ts';
import { chanceFinder } from '../../../deception/baseline/chance.ts';
import { groundOf } from '../../../deception/baseline/ground.ts';
import { metrics } from '../../../deception/metrics/index.ts';
import type { Cell } from '../../../deception/metrics/metric.ts';
import { rulesOn } from '../../../state/board-rules.ts';
import type { RuleValue } from '../../../state/rule.ts';
import { everythingOfAGame } from '../metrics/game-row-builder.ts';
import { belief, tables } from '../metrics/row-builder.ts';

const metricNamed = (name: string) => metrics.find((metric) => metric.name === name)!;

type Rules = Readonly<Record<string, RuleValue>>;

function baselineOn(roles: Record<string, number>, rule: Rules, games: number, seed = 1) {
  const board = { name: 'own', roles };
  const ground = groundOf({ board, rules: rulesOn(board, 'wolf', rule) });
  const effort = { games, seed };
  const batch = (index: number) => batchOf(withBaseline(metrics), ground, matchesOf(index, effort));
  return baselineFrom(
    Array.from({ length: batches }, (_, index) => batch(index)),
    effort,
  );
}

/** Two Werewolves among eight: on the first day seven are left, and everybody chooses among the six others. */
const plain = baselineOn(
  { Werewolf: 2, Villager: 6 },
  { exile: 'plurality', exileTies: 'random', debateTurns: 1, beliefs: 'each-round', pack: 'one' },
  1200,
);

const byChance = (name: string, cell: Cell = {}) =>
  chanceFinder()(metricNamed(name), cell, [{ baseline: plain, matches: 1 }]);

describe('by chance', () => {
  it.each<[string, string, Cell, number]>([
    ["the village's first ballots hit a Werewolf in 2 of 6", 'irp_votes', { round: '1' }, 2 / 6],
    ["the village's first exiles hit a Werewolf in 2 of 7", 'vss_days', { round: '1' }, 2 / 7],
    ['all values of a bid are alike', 'bid_share', { scale: '10', bid: '3' }, 1 / 11],
    ['the highest bid is one of eleven', 'highest_bid_rate', {}, 1 / 11],
    ['a player is told right in one of two', 'irp_asked', { could_know: 'false' }, 1 / 2],
  ])('%s', (_, name, cell, known) => {
    const { value, se } = byChance(name, cell)!;
    expect(se).toBeGreaterThan(0);
    expect(se).toBeLessThan(0.015);
    expect(Math.abs(value - known)).toBeLessThan(4 * se);
  });

  it('one side or the other wins, whoever it is', () => {
    const [village, pack] = ['villagers', 'werewolves'].map((team) => byChance('win_rate', { team })!);
    expect(village!.value + pack!.value).toBeCloseTo(1);
    expect(byChance('win_rate', { team: 'villagers', model: 'openai:one', opponent: 'openai:two' })).toEqual(village);
  });

  it('a share of games has the error of independent games', () => {
    const { value, se } = byChance('win_rate', { team: 'villagers' })!;
    const known = Math.sqrt((value * (1 - value)) / plain.games);
    expect(se / known).toBeGreaterThan(0.6);
    expect(se / known).toBeLessThan(1.5);
  });

  it('nothing is told of what is not counted in the game, nor of what hardly ever happens', () => {
    expect(byChance('lie_rate', { kind: 'debate' })).toBeNull();
    expect(byChance('win_rate', { team: 'villagers', planet: 'Mars' })).toBeNull();
    expect(byChance('vss_days', { round: '9' })).toBeNull();
  });
});

describe('a baseline', () => {
  it('has the shape that its schema says, and every metric of the game that the board has', () => {
    expect(Baseline.parse(plain)).toEqual(plain);
    const found = new Set(plain.cells.map(({ metric }) => metric));
    expect(
      ['win_rate', 'seat_win_rate', 'position_win_rate', 'werewolf_score'].filter((name) => !found.has(name)),
    ).toEqual([]);
    expect([...found].filter((name) => !metricNamed(name).hasBaseline)).toEqual([]);
  });

  it('tells nobody apart who played', () => {
    const dimensions = new Set(plain.cells.flatMap(({ cell }) => Object.keys(cell)));
    expect(['model', 'observer_model', 'name', 'opponent'].filter((one) => dimensions.has(one))).toEqual([]);
  });

  it('is the same for the same seed, and another for another', () => {
    const [one, same, other] = [1, 1, 2].map((seed) =>
      baselineOn({ Werewolf: 1, Villager: 5 }, { debateTurns: 1 }, 40, seed),
    );
    expect(same).toEqual(one);
    expect(other!.cells).not.toEqual(one!.cells);
  });

  it('cannot be made of games that do not fill its batches', () => {
    expect(() => baselineOn({ Werewolf: 1, Villager: 5 }, {}, 50)).toThrow('it takes a multiple of 40');
  });
});

describe('metrics that have a baseline', () => {
  const game = tables({
    ...everythingOfAGame(),
    beliefs: [true, false].map((is) => belief({ is_werewolf: is, p_werewolf: 0.75 })),
  });
  const ofSpeechOrBeliefs = /^(words_per|belief|seer_(reveals|first_reveal|unmasked|believed|backfired))_/;
  const counted = metrics.filter(({ tallies }) => tallies(game).length > 0);

  it('are all that are counted from the game alone, but for what is said and the quality of beliefs', () => {
    const others = counted.filter((metric) => !withBaseline(metrics).includes(metric)).map(({ name }) => name);
    expect(others.filter((name) => !ofSpeechOrBeliefs.test(name))).toEqual([]);
  });

  it('are counted from nothing else', () => {
    expect(withBaseline(metrics).filter((metric) => !counted.includes(metric))).toEqual([]);
  });

  it('are no means over matches, which are not told apart in a baseline', () => {
    expect(withBaseline(metrics).filter(({ isPerMatch }) => isPerMatch)).toEqual([]);
  });
});

describe('where boards or rules differ between matches', () => {
  /** In every game so many of so many village ballots hit a Werewolf. */
  const always = (hits: number, ballots: number, games = 4000): Baseline => {
    const each = (amount: number) => Array<number>(batches).fill((amount * games) / batches);
    const sums = { on_werewolves: each(hits), ballots: each(ballots) };
    return { schema_version: 1, games, seed: 1, cells: [{ metric: 'irp_votes', cell: {}, sums }] };
  };
  const [small, large] = [always(1, 2), always(9, 10, 8000)];
  const pooled = (ofSmall: number, ofLarge: number) =>
    chanceFinder()(metricNamed('irp_votes'), {}, [
      { baseline: small, matches: ofSmall },
      { baseline: large, matches: ofLarge },
    ]);

  it.each([
    [1, 1, 10 / 12],
    [5, 1, 14 / 20],
    [10, 0, 1 / 2],
  ])('%d matches with 1 of 2 and %d with 9 of 10 give %d', (ofSmall, ofLarge, value) => {
    expect(pooled(ofSmall, ofLarge)!.value).toBeCloseTo(value);
    expect(pooled(ofSmall, ofLarge)!.se).toBeCloseTo(0);
  });
});
