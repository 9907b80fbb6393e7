// How often the table of answers reports a difference between equal models.
import { describe, expect, it } from '@jest/globals';
import {
  equalAnswersSizes,
  listBrokenAnswers,
  measureEqualAnswers,
  playEqualModels,
} from '../../tools/validate/equal-answers.ts';

const played = playEqualModels(equalAnswersSizes.quick.deals, 1);

describe('equal models', () => {
  it('play a crossed study of their own, which answers every question of the table', async () => {
    const pool = await played;
    expect(pool).toHaveLength(4 * equalAnswersSizes.quick.deals);
    const arms = pool.map(({ deal, sides }) => JSON.stringify([deal, sides]));
    expect(new Set(arms).size).toBe(pool.length);
    const lies = (village: string) =>
      pool.filter(({ sides }) => sides.werewolves === sides.villagers && sides.villagers === village).map(({ sums }) => sums.lies); // prettier-ignore
    expect(lies('x')).not.toEqual(lies('y')); // each model's lies are drawn with its own salt
  });

  it('are called different in no more studies than promised', async () => {
    const rows = measureEqualAnswers(await played, equalAnswersSizes.quick, 1);
    expect(rows.map(({ question }) => question)).toEqual(expect.arrayContaining(['lies', 'believed', 'any']));
    expect(rows.every(({ tested }) => tested > 0)).toBe(true);
    expect(listBrokenAnswers(rows)).toEqual([]);
  });
});
