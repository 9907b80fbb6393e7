// Chance baselines: values that follow from counting heads, and figures of mixtures worked out by hand.
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  ChanceBaseline,
  batchCount,
  createBaseline,
  createBaselineKey,
  createChanceFinder,
  getBatchRange,
  hashBaselineKey,
  selectWithBaseline,
  sumBatch,
} from '../../../deception/baseline/chance-baseline.ts';
import { metrics } from '../../../deception/metrics/index.ts';
import type { MetricCell } from '../../../deception/metrics/metric.ts';
import { computeChances, type SeatedModel, ModelSeatShares } from '../../../deception/summary/report-chances.ts';
import { CellSumsBuilder, getCellKey } from '../../../deception/summary/sufficient-statistics.ts';
import { boards } from '../../../state/boards.ts';
import type { Rule, RuleValue } from '../../../state/rules/rule.ts';
import { resolveBoardRules, rulebook } from '../../../state/rulebook.ts';
import { createGameTables } from '../metrics/game-row-builder.ts';
import { belief, tables } from '../metrics/row-builder.ts';

const findMetric = (name: string) => metrics.find((metric) => metric.name === name)!;

type Rules = Readonly<Record<string, RuleValue>>;

function computeBaselineOn(roles: Record<string, number>, rule: Rules, games: number, seed = 1) {
  const board = { name: 'own', roles };
  const ground = createBaselineKey({ board, rules: resolveBoardRules(board, 'wolf', rule) });
  const effort = { games, seed };
  const batch = (index: number) => sumBatch(selectWithBaseline(metrics), ground, getBatchRange(index, effort));
  return createBaseline(
    Array.from({ length: batchCount }, (_, index) => batch(index)),
    effort,
  );
}

/**
 * Two Werewolves among eight players. On the first day seven players are left, and each chooses among the six others.
 */
const plain = computeBaselineOn(
  { Werewolf: 2, Villager: 6 },
  { exile: 'plurality', exileTies: 'random', debateTurns: 1, beliefs: 'each-round', pack: 'one' },
  1200,
);

const findChance = (name: string, cell: MetricCell = {}) =>
  createChanceFinder()(findMetric(name), cell, [{ baseline: plain, matches: 1 }]);

describe('by chance', () => {
  it.each<[string, string, MetricCell, number]>([
    ["the village's first ballots hit a Werewolf in 2 of 6", 'irp_votes', { round: '1' }, 2 / 6],
    ["the village's first exiles hit a Werewolf in 2 of 7", 'vss_days', { round: '1' }, 2 / 7],
    ['all values of a bid are alike', 'bid_share', { scale: '10', bid: '3' }, 1 / 11],
    ['the highest bid is one of eleven', 'highest_bid_rate', {}, 1 / 11],
    ['a player is told right in one of two', 'irp_asked', { could_know: 'false' }, 1 / 2],
  ])('%s', (_, name, cell, known) => {
    const { value, se } = findChance(name, cell)!;
    expect(se).toBeGreaterThan(0);
    expect(se).toBeLessThan(0.015);
    expect(Math.abs(value - known)).toBeLessThan(4 * se);
  });

  it('one side or the other wins, whoever it is', () => {
    const [village, pack] = ['villagers', 'werewolves'].map((team) => findChance('win_rate', { team })!);
    expect(village!.value + pack!.value).toBeCloseTo(1);
    expect(findChance('win_rate', { team: 'villagers', model: 'openai:one', opponent: 'openai:two' })).toEqual(village);
  });

  it('a share of games has the error of independent games', () => {
    const { value, se } = findChance('win_rate', { team: 'villagers' })!;
    const known = Math.sqrt((value * (1 - value)) / plain.games);
    expect(se / known).toBeGreaterThan(0.6);
    expect(se / known).toBeLessThan(1.5);
  });

  it('nothing is told of what is not counted in the game, nor of what hardly ever happens', () => {
    expect(findChance('lie_rate', { kind: 'debate' })).toBeNull();
    expect(findChance('win_rate', { team: 'villagers', planet: 'Mars' })).toBeNull();
    expect(findChance('vss_days', { round: '9' })).toBeNull();
  });
});

describe('a baseline', () => {
  it('has the shape that its schema says, and every metric of the game that the board has', () => {
    expect(ChanceBaseline.parse(plain)).toEqual(plain);
    const found = new Set(plain.cells.map(({ metric }) => metric));
    expect(
      ['win_rate', 'seat_win_rate', 'position_win_rate', 'werewolf_score'].filter((name) => !found.has(name)),
    ).toEqual([]);
    expect([...found].filter((name) => !findMetric(name).hasBaseline)).toEqual([]);
  });

  it('tells nobody apart who played', () => {
    const dimensions = new Set(plain.cells.flatMap(({ cell }) => Object.keys(cell)));
    expect(['model', 'observer_model', 'name', 'opponent'].filter((one) => dimensions.has(one))).toEqual([]);
  });

  it('is the same for the same seed, and another for another', () => {
    const [one, same, other] = [1, 1, 2].map((seed) =>
      computeBaselineOn({ Werewolf: 1, Villager: 5 }, { debateTurns: 1 }, 40, seed),
    );
    expect(same).toEqual(one);
    expect(other!.cells).not.toEqual(one!.cells);
  });

  it('cannot be made of games that do not fill its batches', () => {
    expect(() => computeBaselineOn({ Werewolf: 1, Villager: 5 }, {}, 50)).toThrow(
      'the number of games must be a multiple of 40',
    );
  });
});

describe('metrics that have a baseline', () => {
  const game = tables({
    ...createGameTables(),
    beliefs: [true, false].map((is) => belief({ is_werewolf: is, p_werewolf: 0.75 })),
  });
  const ofSpeechOrBeliefs =
    /^(words_per|belief|seer_(reveals|first_reveal|first_claim|unmasked|believed|backfired)|false_power|counter|silent|refused)_/;
  const counted = metrics.filter(({ count }) => count(game).length > 0);

  it('are all that are counted from the game alone, but for what is said and the quality of beliefs', () => {
    const others = counted.filter((metric) => !selectWithBaseline(metrics).includes(metric)).map(({ name }) => name);
    expect(others.filter((name) => !ofSpeechOrBeliefs.test(name))).toEqual([]);
  });

  it('are counted from nothing else', () => {
    expect(selectWithBaseline(metrics).filter((metric) => !counted.includes(metric))).toEqual([]);
  });

  it('are no means over matches, which are not told apart in a baseline', () => {
    expect(selectWithBaseline(metrics).filter(({ isPerMatch }) => isPerMatch)).toEqual([]);
  });
});

describe('where boards or rules differ between matches', () => {
  /** Creates a baseline in which every game has the given number of village ballots, of which `hits` hit a Werewolf. */
  const createConstantBaseline = (hits: number, ballots: number, games = 4000): ChanceBaseline => {
    const each = (amount: number) => Array<number>(batchCount).fill((amount * games) / batchCount);
    const sums = { on_werewolves: each(hits), ballots: each(ballots) };
    return { schema_version: 1, games, seed: 1, cells: [{ metric: 'irp_votes', cell: {}, sums }] };
  };
  const [small, large] = [createConstantBaseline(1, 2), createConstantBaseline(9, 10, 8000)];
  const findPooledChance = (ofSmall: number, ofLarge: number) =>
    createChanceFinder()(findMetric('irp_votes'), {}, [
      { baseline: small, matches: ofSmall },
      { baseline: large, matches: ofLarge },
    ]);

  it.each([
    [1, 1, 10 / 12],
    [5, 1, 14 / 20],
    [10, 0, 1 / 2],
  ])('%d matches with 1 of 2 and %d with 9 of 10 give %d', (ofSmall, ofLarge, value) => {
    expect(findPooledChance(ofSmall, ofLarge)!.value).toBeCloseTo(value);
    expect(findPooledChance(ofSmall, ofLarge)!.se).toBeCloseTo(0);
  });
});

// The key under which a baseline is cached: the parts of board and rules that influence random matches.

const board = boards['plus-12-sheriff']!;
const rules = resolveBoardRules(board, 'plus');
const hashWith = (changes: Readonly<Record<string, RuleValue>>) =>
  hashBaselineKey({ board, rules: { ...rules, ...changes } });

/** Returns a value of the rule other than this one. */
function chooseOtherValue({ schema }: Rule, value: RuleValue): RuleValue {
  const { enum: named = [] } = z.toJSONSchema(schema) as { enum?: RuleValue[] };
  return [...named, true, false, 2, 7].find((one) => one !== value && schema.safeParse(one).success)!;
}

/**
 * Rules that do not influence random matches: words, memory and temperatures. Rules about analysis do influence them.
 */
const nothingToChance = [
  'maxWords',
  'memory',
  'historyK',
  'historyRetriever',
  'thoughts',
  'disclose',
  'honesty',
  'coaching',
  'choiceTemperature',
  'talkTemperature',
  'analysis',
  'analyzeBallots',
  'questions',
  'questionOrder',
  'peerSuspects',
  'selfReport',
  'scores',
];

describe('the hash of a baseline', () => {
  it.each(Object.entries(rulebook))('minds %s, unless that is nothing to chance', (name, rule) => {
    const changed = { [name]: chooseOtherValue(rule, rules[name]!) };
    expect(rule.schema.safeParse(changed[name]).success).toBe(true);
    expect(hashWith(changed) === hashWith({})).toBe(nothingToChance.includes(name));
  });

  it('is the same however often beliefs are asked for, if they are', () => {
    expect(hashWith({ beliefs: 'each-statement' })).toBe(hashWith({ beliefs: 'each-round' }));
  });

  it('minds who sits at the table, not what the board is called or the order of its roles', () => {
    const renamed = {
      name: 'other',
      roles: Object.fromEntries(Object.entries({ ...board.roles, Doctor: 0 }).reverse()),
    };
    expect(hashBaselineKey({ board: renamed, rules })).toBe(hashWith({}));
    expect(hashBaselineKey({ board: { roles: { ...board.roles, Villager: 5 } }, rules })).not.toBe(hashWith({}));
  });

  it('takes rules that a record does not name yet at their defaults', () => {
    const { bidScale, ...older } = rules;
    expect(hashBaselineKey({ board, rules: older })).toBe(hashWith({ bidScale }));
  });
});

// Chance baselines beside rows of players' models, calculated by hand on two boards.

const games = 4000;

interface Counted {
  metric: string;
  cell?: MetricCell;
  /** Sums that every game contributes. */
  sums: Record<string, number>;
}

const createBaselineOf = (...cells: Counted[]): ChanceBaseline => ({
  ...{ schema_version: 1, games, seed: 1 },
  cells: cells.map(({ metric, cell = {}, sums }) => ({
    ...{ metric, cell },
    sums: Object.fromEntries(
      Object.entries(sums).map(([name, amount]) => [
        name,
        Array<number>(batchCount).fill((amount * games) / batchCount),
      ]),
    ),
  })),
});

const createSeats = (villagers: readonly string[], werewolves: readonly string[]): SeatedModel[] => [
  ...villagers.map((model): SeatedModel => ({ model, team: 'villagers', role: 'Villager' })),
  ...werewolves.map((model): SeatedModel => ({ model, team: 'werewolves', role: 'Werewolf' })),
];

interface Match {
  ground: 'small' | 'large';
  seats: SeatedModel[];
}

/** Returns the chance baseline of a cell that only some matches have data for. */
function findChanceOf(
  { metric, cell, of }: { metric: string; cell: MetricCell; of: readonly number[] },
  matches: readonly Match[],
  baselines: Record<Match['ground'], ChanceBaseline>,
) {
  const seating = new ModelSeatShares();
  for (const { ground, seats } of matches) seating.add(ground, seats);
  const sums = new CellSumsBuilder();
  const key = { sample: 'all', metric, cell };
  for (const unit of of) sums.open([key]).add(unit, {});
  matches.forEach(({ seats }, number) => {
    const [villagers, werewolves] = ['villagers', 'werewolves'].map(
      (side) => new Set(seats.filter(({ team }) => team === side).map(({ model }) => model)),
    );
    for (const [side, held] of Object.entries({ villagers, werewolves }))
      if (held!.size === 1)
        sums.open([{ sample: 'all', metric: 'no_winner_rate', cell: { [side]: [...held!][0]! } }]).add(number, {});
  });
  const chances = computeChances(
    metrics,
    sums.take().map((one) => [one]),
    {
      baselineKeys: new Map(matches.map(({ ground }, number) => [number, ground])),
      baselines: new Map(Object.entries(baselines)),
      seating,
    },
  );
  return chances.get(getCellKey(key));
}

const createLoneMatch = (ground: Match['ground']): Match => ({
  ground,
  seats: createSeats(['one', 'one', 'one'], ['one']),
});

describe('the chance of a row by model', () => {
  const hunters = {
    small: createBaselineOf({ metric: 'hunter_usage', sums: { shots: 1, asked: 2 } }),
    large: createBaselineOf({ metric: 'hunter_usage', sums: { shots: 8, asked: 10 } }),
  };
  const matches = [
    createLoneMatch('small'),
    createLoneMatch('small'),
    createLoneMatch('small'),
    createLoneMatch('large'),
  ];

  it('is that of the whole where the model had all seats, whatever matches had anything to count', () => {
    const whole = findChanceOf({ metric: 'hunter_usage', cell: {}, of: [0, 3] }, matches, hunters);
    const own = findChanceOf({ metric: 'hunter_usage', cell: { model: 'one' }, of: [0, 3] }, matches, hunters);
    expect(whole!.value).toBeCloseTo((3 * 1 + 8) / (3 * 2 + 10), 12);
    expect(own!.value).toBeCloseTo(whole!.value, 12);
  });

  it('counts a match by the share of the seats of that side', () => {
    const mixed: Match[] = [
      { ground: 'small', seats: createSeats(['one', 'two'], ['one']) },
      { ground: 'large', seats: createSeats(['one', 'one'], ['two']) },
      { ground: 'large', seats: createSeats(['two', 'two'], ['one']) },
    ];
    const { value } = findChanceOf({ metric: 'hunter_usage', cell: { model: 'one' }, of: [1] }, mixed, hunters)!;
    expect(value).toBeCloseTo((0.5 * 1 + 8) / (0.5 * 2 + 10), 12);
  });

  it('counts only matches against the opponent in a row by model and opponent', () => {
    const mixed: Match[] = [
      { ground: 'small', seats: createSeats(['one', 'one'], ['two']) },
      { ground: 'large', seats: createSeats(['one', 'one'], ['three']) },
      { ground: 'large', seats: createSeats(['one', 'one'], ['two', 'three']) },
    ];
    const findAgainst = (opponent: string) =>
      findChanceOf({ metric: 'hunter_usage', cell: { model: 'one', opponent }, of: [0, 1, 2] }, mixed, hunters)?.value;
    expect(findAgainst('two')).toBeCloseTo(1 / 2, 12);
    expect(findAgainst('three')).toBeCloseTo(8 / 10, 12);
  });

  it('is missing where a board has no baseline', () => {
    const { small } = hunters;
    const found = findChanceOf({ metric: 'hunter_usage', cell: { model: 'one' }, of: [0] }, matches, {
      small,
    } as typeof hunters);
    expect(found).toBeUndefined();
  });
});

describe('the chance of a row by model of what both sides do', () => {
  const turns = createBaselineOf(
    { metric: 'turns_per_round', sums: { turns: 10, days: 10 } },
    { metric: 'turns_per_round', cell: { team: 'villagers' }, sums: { turns: 9, days: 6 } },
    { metric: 'turns_per_round', cell: { team: 'werewolves' }, sums: { turns: 1, days: 4 } },
  );
  const baselines = { small: turns, large: turns };
  const findChanceByModel = (model: string, matches: readonly Match[]) =>
    findChanceOf({ metric: 'turns_per_round', cell: { model }, of: [0] }, matches, baselines)!.value;
  const createMatchAgainst = (villagers: string, werewolves: string): Match => ({
    ground: 'small',
    seats: createSeats([villagers, villagers, villagers], [werewolves]),
  });

  it('is that of the side that the model held', () => {
    expect(findChanceByModel('one', [createMatchAgainst('one', 'two')])).toBeCloseTo(9 / 6, 12);
    expect(findChanceByModel('two', [createMatchAgainst('one', 'two')])).toBeCloseTo(1 / 4, 12);
  });

  it('is of both, each as often as the model held it', () => {
    const matches = [
      createMatchAgainst('one', 'two'),
      createMatchAgainst('one', 'two'),
      createMatchAgainst('two', 'one'),
    ];
    expect(findChanceByModel('one', matches)).toBeCloseTo((2 * 9 + 1) / (2 * 6 + 4), 12);
    expect(findChanceByModel('one', [createMatchAgainst('one', 'one')])).toBeCloseTo(1, 12);
  });
});

describe('the chance of a row by the model that holds a side', () => {
  it('stands against all matches in which it held that side alone, those with nothing to count as well', () => {
    const vss = {
      small: createBaselineOf({ metric: 'vss_days', sums: { werewolves: 1, exiles: 2 } }),
      large: createBaselineOf({ metric: 'vss_days', sums: { werewolves: 9, exiles: 10 } }),
    };
    const matches: Match[] = [
      createLoneMatch('small'),
      createLoneMatch('large'),
      { ground: 'large', seats: createSeats(['one', 'two'], ['one']) },
      { ground: 'large', seats: createSeats(['two', 'two'], ['one']) },
    ];
    const found = findChanceOf({ metric: 'vss_days', cell: { model: 'one' }, of: [0] }, matches, vss);
    expect(found!.value).toBeCloseTo(10 / 12, 12);
  });
});
