// How often the exchange test finds a difference among equals.
import { expect, it } from '@jest/globals';
import { createResampling } from '../../deception/statistics/bootstrap.ts';
import { testExchanges } from '../../deception/statistics/exchange-test.ts';
import { draw } from '../../state/random.ts';

const resampling = createResampling(200, 99, 1);

it('the exchange test finds a difference among equals in at most 5 %, however few units tell of it', () => {
  const chance = draw(2, 'equals');
  for (const share of [0.1, 0.3, 1]) {
    const samples = Array.from({ length: 600 }, () =>
      Array.from({ length: 20 }, () => (chance.fraction() < share ? (chance.fraction() < 0.5 ? 1 : -1) : 0)),
    );
    const found = samples.filter((leads) => (testExchanges(leads, resampling).p ?? 1) <= 0.05);
    expect(found.length / samples.length).toBeLessThan(0.07);
  }
});
