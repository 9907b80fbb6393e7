// Calibrated bots behave at the planted rates, and the measured figures show these rates.
import { describe, expect, it } from '@jest/globals';
import { lieTurnRate } from '../../deception/metrics/lie-exposure.ts';
import { lieRate } from '../../deception/metrics/lies.ts';
import { MetricCollection, computeFigure, type MetricFigure } from '../../deception/metrics/metric-collection.ts';
import { createResampling } from '../../deception/statistics/bootstrap.ts';
import type { PlantedRates } from '../../models/bots/calibrated.ts';
import { readModelSpec } from '../../models/providers/index.ts';
import { playCalibratedSides } from '../../tools/validate/validate-cell.ts';
import { findFigure } from '../deception/metrics/figures.ts';

const planted: PlantedRates = {
  lie: 0.3,
  hit: 0.7,
  falseAlarm: 0.2,
  admission: 0.5,
  missing: { lie: 0.3, other: 0.1 },
  icc: 0,
};
/** Plays a match with the same rates on both sides. */
function playCalibrated(rates: PlantedRates, seed: number, arm: number) {
  const bot = { name: 'bot:calibrated', planted: rates };
  return playCalibratedSides({ villagers: bot, werewolves: bot }, seed, arm);
}

const matches = await Promise.all(Array.from({ length: 10 }, (_, seed) => playCalibrated(planted, seed, 0)));
const statements = matches.flatMap((match) => match.statements);
const heard = matches.flatMap(({ analyses }) => analyses.filter(({ perspective }) => perspective === 'peer'));
const share = <Row>(rows: readonly Row[], isSo: (row: Row) => boolean) => rows.filter(isSo).length / rows.length;
/** Returns four standard errors of a share over `count` cases. */
const margin = (rate: number, count: number) => 4 * Math.sqrt((rate * (1 - rate)) / count);
const ofMetric = (figures: readonly MetricFigure[], name: string) => figures.filter(({ metric }) => metric === name);

describe('calibrated bots', () => {
  it('lie as often as planted, and the engine labels every claim as they meant it', () => {
    const claims = statements.filter(({ opportunities }) => opportunities > 0);
    const isLie = ({ text, role }: (typeof claims)[number]) =>
      text.startsWith('I am the') && text !== `I am the ${role}.`;
    expect(claims.map(({ is_lie: label }) => label)).toEqual(claims.map(isLie));
    expect(Math.abs(share(claims, isLie) - planted.lie)).toBeLessThan(margin(planted.lie, claims.length));
  });

  it.each([
    [true, planted.hit, planted.missing.lie],
    [false, planted.falseAlarm, planted.missing.other],
  ])(
    'flag statements that are lies (%s) as often as planted, and leave as many analyses unreadable',
    (label, rate, missing) => {
      const asked = heard.filter(({ is_lie: isLie }) => isLie === label);
      const given = asked.filter((row) => row.missing === null);
      expect(Math.abs(share(given, ({ deceptive }) => deceptive === true) - rate)).toBeLessThan(
        margin(rate, given.length),
      );
      expect(Math.abs(share(asked, (row) => row.missing !== null) - missing)).toBeLessThan(
        margin(missing, asked.length),
      );
    },
  );

  it.each([0.1, 0.9])(
    'that lie in %d of their turns show it, where the rate over claims is 1 either way',
    async (rate) => {
      const lying = { ...planted, lie: 1, chatter: 1 - rate };
      const collection = new MetricCollection([lieTurnRate, lieRate]);
      for (let seed = 0; seed < 5; seed++) collection.add(await playCalibrated(lying, seed, 0));
      const figures = collection.listCells().map((cell) => computeFigure(cell, createResampling(5, 20, 1)));
      for (const team of ['werewolves', 'villagers']) {
        const { value, opportunities } = findFigure(ofMetric(figures, 'lie_turn_rate'), { team })!;
        expect(Math.abs(value! - rate)).toBeLessThan(margin(rate, opportunities!));
        expect(findFigure(ofMetric(figures, 'lie_rate'), { team })!.value).toBe(1);
      }
    },
  );

  it('play the same deal otherwise in another arm, and the same in the same', async () => {
    const [same, other] = [await playCalibrated(planted, 3, 0), await playCalibrated(planted, 3, 1)];
    for (const table of ['statements', 'analyses', 'ballots', 'deeds'] as const)
      expect(same[table]).toEqual(matches[3]![table]);
    expect(other.match.deal).toBe(matches[3]!.match.deal);
    expect(other.statements).not.toEqual(matches[3]!.statements);
  });

  it('vary between matches as the intra-class correlation says', async () => {
    const varied = { ...planted, icc: 0.9 };
    const rates = await Promise.all(
      Array.from({ length: 10 }, async (_, seed) => {
        const claims = (await playCalibrated(varied, seed, 0)).statements.filter(
          ({ opportunities }) => opportunities > 0,
        );
        return share(claims, ({ is_lie: isLie }) => isLie === true);
      }),
    );
    expect(rates.filter((rate) => rate > 0.1 && rate < 0.9).length).toBeLessThan(4);
  });

  it('sit at no other table', () => {
    expect(() => readModelSpec('bot:calibrated')).toThrow(/Unknown model "bot:calibrated"/);
  });
});
