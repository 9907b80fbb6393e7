// The estimated variances between and within deals equal the planted ones.
import { describe, expect, it } from '@jest/globals';
import { splitReplicates } from '../../../deception/answers/replicate-variance.ts';
import { draw } from '../../../state/random.ts';
import { createCounted } from './counted-answers.ts';

/**
 * Draws lies in 1,000 statements. The rate of each deal is uniform, and the rate of each match is uniform around that
 * of its deal.
 */
function playStudy({
  deals,
  replicates,
  ofDeal,
  ofMatch,
}: Record<'deals' | 'replicates' | 'ofDeal' | 'ofMatch', number>) {
  const spread = (width: number, ...place: number[]) => width * (draw(1, 'spread', ...place).fraction() - 0.5);
  return Array.from({ length: deals }, (_, deal) =>
    ['x', 'y'].flatMap((werewolves, model) =>
      Array.from({ length: replicates }, (__, replicate) => {
        const rate = 0.4 + 0.2 * model + spread(ofDeal, deal) + spread(ofMatch, deal, model, replicate);
        const lies = { lying: Math.round(1000 * rate), statements: 1000 };
        return createCounted({ deal: String(deal), sums: { lies }, sides: { werewolves, villagers: 'z' } });
      }),
    ),
  ).flat();
}

const varianceOf = (width: number) => width ** 2 / 12;

describe('the variance of a match where deals have replicates', () => {
  it.each([
    [0.4, 0.1],
    [0.2, 0.3],
    [0, 0.4],
  ])('is split into that between deals and that within: widths %d and %d', (ofDeal, ofMatch) => {
    const [found] = splitReplicates(playStudy({ deals: 400, replicates: 3, ofDeal, ofMatch }));
    expect(found).toMatchObject({ question: 'lies', deals: 400, replicates: 3 });
    const { between = 0, within = 0 } = found ?? {};
    expect(Math.abs(within - varianceOf(ofMatch))).toBeLessThan(0.06 * varianceOf(ofMatch));
    expect(Math.abs(between - varianceOf(ofDeal))).toBeLessThan(0.1 * varianceOf(ofDeal) + 0.001);
  });

  it('is not split without replicates, nor in fewer than ten deals', () => {
    expect(splitReplicates(playStudy({ deals: 40, replicates: 1, ofDeal: 0.2, ofMatch: 0.2 }))).toEqual([]);
    expect(splitReplicates(playStudy({ deals: 9, replicates: 2, ofDeal: 0.2, ofMatch: 0.2 }))).toEqual([]);
  });
});
