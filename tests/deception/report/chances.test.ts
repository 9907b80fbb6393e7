// What chance gives beside rows that say who played: worked out by hand on two boards.
import { describe, expect, it } from '@jest/globals';
import { batches, type Baseline } from '../../../deception/baseline/baseline.ts';
import { metrics } from '../../../deception/metrics/index.ts';
import type { Cell } from '../../../deception/metrics/metric.ts';
import { CellSumsBuilder, keyOf } from '../../../deception/report/cell-sums.ts';
import { chancesOf } from '../../../deception/report/chances.ts';
import { Seating, type Seat } from '../../../deception/report/seating.ts';

const games = 4000;

interface Counted {
  metric: string;
  cell?: Cell;
  /** What every game adds. */
  sums: Record<string, number>;
}

const baseline = (...cells: Counted[]): Baseline => ({
  ...{ schema_version: 1, games, seed: 1 },
  cells: cells.map(({ metric, cell = {}, sums }) => ({
    ...{ metric, cell },
    sums: Object.fromEntries(
      Object.entries(sums).map(([name, amount]) => [name, Array<number>(batches).fill((amount * games) / batches)]),
    ),
  })),
});

const seatsOf = (villagers: readonly string[], werewolves: readonly string[]): Seat[] => [
  ...villagers.map((model): Seat => ({ model, team: 'villagers', role: 'Villager' })),
  ...werewolves.map((model): Seat => ({ model, team: 'werewolves', role: 'Werewolf' })),
];

interface Match {
  ground: 'small' | 'large';
  seats: Seat[];
}

/** What chance gives for a cell that only some matches have anything of. */
function chanceOf(
  { metric, cell, of }: { metric: string; cell: Cell; of: readonly number[] },
  matches: readonly Match[],
  baselines: Record<Match['ground'], Baseline>,
) {
  const seating = new Seating();
  for (const { ground, seats } of matches) seating.add(ground, seats);
  const sums = new CellSumsBuilder();
  const key = { sample: 'all', metric, cell };
  const cluster = (unit: number) => ({ unit: String(unit), sums: {} });
  sums.add(key, of.map(cluster));
  matches.forEach(({ seats }, number) => {
    const [villagers, werewolves] = ['villagers', 'werewolves'].map(
      (side) => new Set(seats.filter(({ team }) => team === side).map(({ model }) => model)),
    );
    for (const [side, held] of Object.entries({ villagers, werewolves }))
      if (held!.size === 1)
        sums.add({ sample: 'all', metric: 'no_winner_rate', cell: { [side]: [...held!][0]! } }, [cluster(number)]);
  });
  const chances = chancesOf(
    metrics,
    sums.cells().map((one) => [one]),
    {
      ofMatches: new Map(matches.map(({ ground }, number) => [number, ground])),
      baselines: new Map(Object.entries(baselines)),
      seating,
    },
  );
  return chances.get(keyOf(key));
}

const alone = (ground: Match['ground']): Match => ({ ground, seats: seatsOf(['one', 'one', 'one'], ['one']) });

describe('the chance of a row by model', () => {
  const hunters = {
    small: baseline({ metric: 'hunter_usage', sums: { shots: 1, asked: 2 } }),
    large: baseline({ metric: 'hunter_usage', sums: { shots: 8, asked: 10 } }),
  };
  const matches = [alone('small'), alone('small'), alone('small'), alone('large')];

  it('is that of the whole where the model had all seats, whatever matches had anything to count', () => {
    const whole = chanceOf({ metric: 'hunter_usage', cell: {}, of: [0, 3] }, matches, hunters);
    const own = chanceOf({ metric: 'hunter_usage', cell: { model: 'one' }, of: [0, 3] }, matches, hunters);
    expect(whole!.value).toBeCloseTo((3 * 1 + 8) / (3 * 2 + 10), 12);
    expect(own!.value).toBeCloseTo(whole!.value, 12);
  });

  it('counts a match by the share of the seats of that side', () => {
    const mixed: Match[] = [
      { ground: 'small', seats: seatsOf(['one', 'two'], ['one']) },
      { ground: 'large', seats: seatsOf(['one', 'one'], ['two']) },
      { ground: 'large', seats: seatsOf(['two', 'two'], ['one']) },
    ];
    const { value } = chanceOf({ metric: 'hunter_usage', cell: { model: 'one' }, of: [1] }, mixed, hunters)!;
    expect(value).toBeCloseTo((0.5 * 1 + 8) / (0.5 * 2 + 10), 12);
  });

  it('is missing where a board has no baseline', () => {
    const { small } = hunters;
    const found = chanceOf({ metric: 'hunter_usage', cell: { model: 'one' }, of: [0] }, matches, {
      small,
    } as typeof hunters);
    expect(found).toBeUndefined();
  });
});

describe('the chance of a row by model of what both sides do', () => {
  const turns = baseline(
    { metric: 'turns_per_round', sums: { turns: 10, days: 10 } },
    { metric: 'turns_per_round', cell: { team: 'villagers' }, sums: { turns: 9, days: 6 } },
    { metric: 'turns_per_round', cell: { team: 'werewolves' }, sums: { turns: 1, days: 4 } },
  );
  const baselines = { small: turns, large: turns };
  const byModel = (model: string, matches: readonly Match[]) =>
    chanceOf({ metric: 'turns_per_round', cell: { model }, of: [0] }, matches, baselines)!.value;
  const against = (villagers: string, werewolves: string): Match => ({
    ground: 'small',
    seats: seatsOf([villagers, villagers, villagers], [werewolves]),
  });

  it('is that of the side that the model held', () => {
    expect(byModel('one', [against('one', 'two')])).toBeCloseTo(9 / 6, 12);
    expect(byModel('two', [against('one', 'two')])).toBeCloseTo(1 / 4, 12);
  });

  it('is of both, each as often as the model held it', () => {
    const matches = [against('one', 'two'), against('one', 'two'), against('two', 'one')];
    expect(byModel('one', matches)).toBeCloseTo((2 * 9 + 1) / (2 * 6 + 4), 12);
    expect(byModel('one', [against('one', 'one')])).toBeCloseTo(1, 12);
  });
});

describe('the chance of a row by the model that holds a side', () => {
  it('stands against all matches in which it held that side alone, those with nothing to count as well', () => {
    const vss = {
      small: baseline({ metric: 'vss_days', sums: { werewolves: 1, exiles: 2 } }),
      large: baseline({ metric: 'vss_days', sums: { werewolves: 9, exiles: 10 } }),
    };
    const matches: Match[] = [
      alone('small'),
      alone('large'),
      { ground: 'large', seats: seatsOf(['one', 'two'], ['one']) },
      { ground: 'large', seats: seatsOf(['two', 'two'], ['one']) },
    ];
    const found = chanceOf({ metric: 'vss_days', cell: { model: 'one' }, of: [0] }, matches, vss);
    expect(found!.value).toBeCloseTo(10 / 12, 12);
  });
});
