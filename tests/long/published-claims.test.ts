// The figures of docs/evidence/published-claims.md: chance values compared with newly played games, and arithmetic on
// the papers' printed tables.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { createBaselineKey, sumBatch } from '../../deception/baseline/chance-baseline.ts';
import { metrics } from '../../deception/metrics/index.ts';
import { playRandomMatches } from '../../deception/play/random-matches.ts';
import { simulate } from '../../deception/baseline/village-win-simulation.ts';
import { computeShareBounds } from '../../deception/statistics/proportion.ts';
import { boards } from '../../state/boards.ts';
import { isEventOfType } from '../../state/events.ts';
import { resolveBoardRules } from '../../state/rulebook.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../docs/evidence/published-claims.md'), 'utf8');

/**
 * Figures of the page, such as `c: `win_rate` `team=werewolves` .963 ± .002`: letter of the rules, metric, cell, value
 * and half-width.
 */
const figures = [...page.matchAll(/\b([a-e]): `(\w+)`((?: `\w+=\w+`)*) (\d*\.\d+) ± (\d*\.\d+)/g)].map(
  ([text, letter, metric, cell, value, reach]) => ({
    ...{ text, letter: letter!, metric: metric!, value: Number(value), reach: Number(reach) },
    cell: Object.fromEntries([...cell!.matchAll(/`(\w+)=(\w+)`/g)].map(([, dimension, of]) => [dimension!, of!])),
  }),
);

/** The options of each letter, from its line under “The commands”. */
const lines = [...page.matchAll(/^- ([a-e]): `--board (\S+) --rules (\S+?)((?: --rule \S+?=\S+?)*)`$/gm)];

/** Number of games behind the page's values, and number of games played in this test. */
const [publishedGames, fewerGames] = [30_000, 100];

describe('values by chance', () => {
  it('stand for every letter, and every letter has its options', () => {
    expect(new Set(figures.map(({ letter }) => letter))).toEqual(new Set(lines.map(([, letter]) => letter)));
    expect(figures.length).toBe(page.match(/ ± \.\d/g)!.length - 4); // The rest are those of seats and of f.
  });

  it.each(lines.map(([, ...options]) => options as [string, string, string, string]))(
    'come out again in fewer games: %s, %s, %s%s',
    (letter, name, preset, rule) => {
      const own = Object.fromEntries(
        [...rule.matchAll(/ --rule (\S+)=(\S+)/g)].map(([, key, value]) => [key!, value!]),
      );
      const board = boards[name]!;
      const ground = createBaselineKey({ board, rules: resolveBoardRules(board, preset, own) });
      const mine = figures.filter((figure) => figure.letter === letter);
      const needed = metrics.filter((metric) => mine.some((figure) => figure.metric === metric.name));
      const totals = sumBatch(needed, ground, { from: 0, games: fewerGames, seed: 1 });
      const wrong = mine.filter(({ metric, cell, value, reach }) => {
        const total = totals.find((one) => one.metric === metric && isDeepStrictEqual(one.cell, cell));
        const found = needed.find((one) => one.name === metric)!.value(total!.sums)!;
        const error = ((reach + 0.0005) / 1.96) * Math.sqrt(publishedGames / fewerGames);
        return !(Math.abs(found - value) < 4 * error);
      });
      expect(wrong.map(({ text }) => text)).toEqual([]);
    },
  );
});

describe('Algorithm 1', () => {
  it('gives the shares of the page', () => {
    const table = { players: 8, werewolves: 2, isProtected: true };
    for (const [index, exact] of [1.16, 47.04].entries()) {
      const games = 50_000;
      const share = simulate(table, games, 1)[index]!.village_wins / games;
      expect(page).toContain(`exactly ${index === 0 ? exact.toFixed(3) : exact.toFixed(2)} %`);
      expect(Math.abs(share - exact / 100)).toBeLessThan(4 * Math.sqrt((exact / 100) * ((1 - exact / 100) / games)));
    }
  });
});

/** Whether a percentage with one decimal can be a share of `whole` cases. */
const isRoundedShare = (percent: number, whole: number) =>
  Array.from({ length: whole + 1 }, (_, part) => ((100 * part) / whole).toFixed(1)).includes(percent.toFixed(1));

describe('Werewolf Arena, by its own figures', () => {
  it('cannot tell balance from five games', () => {
    expect(computeShareBounds(2 / 5, 5).map((bound) => bound.toFixed(2))).toEqual(['0.05', '0.85']);
  });

  it('has the turns of both sides add up to the eight of a day', () => {
    expect(3.13 + 4.86).toBeCloseTo(8, 1);
    expect(1.75 + 6.25).toBeCloseTo(8, 1);
  });

  /** Table 1: percent unmasked, believed, backfired. */
  it.each([
    ['Gemini 1.5 Pro', [61.1, 54.5, 5.6], 18, 11],
    ['GPT-3.5', [38.5, 20.0, 23.1], 13, 5],
  ] as const)('divides what backfired by all reveals: %s', (_model, [unmasked, believed, backfired], all, right) => {
    expect(((100 * right) / all).toFixed(1)).toBe(unmasked.toFixed(1));
    expect(isRoundedShare(believed, right)).toBe(true);
    expect([1, 2, 3].map((times) => isRoundedShare(backfired, times * right))).toEqual([false, false, false]);
    expect(isRoundedShare(backfired, all)).toBe(true);
  });

  it('has a model more often believed than GPT-4', () => {
    const believed = { 'Gemini 1.5 Pro': 54.5, 'Gemini Pro': 75, 'Gemini Flash': 0, 'GPT-4': 66.7, 'GPT-4o': 90.9 };
    const inOrder = Object.entries(believed).sort(([, one], [, other]) => other - one);
    expect(inOrder.slice(0, 3).map(([model]) => model)).toEqual(['GPT-4o', 'Gemini Pro', 'GPT-4']);
  });
});

const countChanges = (pairs: readonly (readonly [before: number, after: number])[]) => ({
  rise: pairs.filter(([before, after]) => after > before).length,
  fall: pairs.filter(([before, after]) => after < before).length,
  stay: pairs.filter(([before, after]) => after === before).length,
});

describe('WereWolf-Plus, by its own tables', () => {
  /** Table 3: without and with the experience pool, in the order of the table's rows. */
  const good = [[0.007, 0], [0, 0.093], [0.025, 0], [0.052, 0.034], [0.045, 0.036], [0.058, 0.074]] as const; // prettier-ignore
  const bad = [[0.053, 0.04], [0, 0.2], [0, 0], [0.032, 0], [0, 0], [0, 0.062]] as const; // prettier-ignore
  const vss = [[0.91, 0.92], [0.43, 0.52], [0.65, 0.84], [0.13, 0], [0.54, 0.58], [0.64, 1]] as const; // prettier-ignore

  it('has the influence of Sheriffs fall more often than rise with experience', () => {
    expect(countChanges([...good, ...bad])).toEqual({ rise: 4, fall: 6, stay: 2 });
  });

  it('has VSS fall once of six times, and once of two in Table 4', () => {
    expect(countChanges(vss)).toEqual({ rise: 5, fall: 1, stay: 0 });
    expect(countChanges([[0.37, 0.42], [0.91, 0.65]])).toEqual({ rise: 1, fall: 1, stay: 0 }); // prettier-ignore
  });

  it('has the influence of all Sheriffs without experience below lots', () => {
    const lots = figures.filter(({ metric }) => metric === 'sheriff_influence').map(({ value }) => value);
    expect(lots).toHaveLength(2);
    expect(Math.max(...[...good, ...bad].map(([without]) => without))).toBeLessThan(Math.min(...lots));
  });

  /** Table 2: Seer, Witch, Hunter, Guard. */
  it('has Deepseek-V3 ahead in six of eight scores of special roles', () => {
    const doubao = [[0.43, 0.36], [0.18, 0.41], [0.25, 1], [0.49, 0.53]] as const; // prettier-ignore
    const mini = [[0.27, 0.39], [0.18, 0.36], [0.86, 0.67], [0.36, 0.53]] as const; // prettier-ignore
    expect(countChanges([...doubao, ...mini])).toEqual({ rise: 6, fall: 2, stay: 0 });
  });
});

describe('matches played by chance', () => {
  /**
   * The published values are for 100,000 games each. Everybody votes for any other player, and the Doctor may protect
   * himself.
   */
  it.each([
    ['most votes exile and a draw decides ties', { exile: 'plurality', exileTies: 'random' }, 0.777],
    ['most votes exile and a tie exiles nobody', { exile: 'plurality', exileTies: 'nobody' }, 0.871],
    ['more than half of the living exile', { exile: 'majority' }, 0.964],
  ])('are won by the Werewolves as often as is known where %s', (_name, rule, published) => {
    const games = 400; // three standard errors are .06 at most, and the rates differ by .09
    const board = boards['classic-8']!;
    const rules = resolveBoardRules(board, 'wolf', { ...rule, debateTurns: 1, pack: 'one', maxRounds: 50 });
    const won = [...playRandomMatches({ board, rules }, games, 1)].filter(
      ({ events }) => events.find(isEventOfType('ended'))?.winner === 'werewolves',
    ).length;
    const error = Math.sqrt((published * (1 - published)) / games);
    expect(Math.abs(won / games - published)).toBeLessThan(0.003 + 3 * error);
  });
});
