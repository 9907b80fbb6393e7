// Keyed draws: chance that can be repeated.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { draw } from '../../state/draw.ts';

const many = 20_000;
const counts = (values: readonly (string | number)[]) =>
  [...Map.groupBy(values, (value) => value).values()].map((same) => same.length);

describe('a draw', () => {
  it('is the same for the same seed and key', () => {
    fc.assert(
      fc.property(fc.integer(), fc.array(fc.oneof(fc.string(), fc.integer())), (seed, key) => {
        const [one, other] = [draw(seed, ...key), draw(seed, ...key)];
        const some = (drawn: typeof one) => [drawn.integer(1000), drawn.fraction(), drawn.shuffle([1, 2, 3, 4, 5])];
        expect(some(one)).toEqual(some(other));
      }),
    );
  });

  it('does not depend on what was drawn before under another key', () => {
    const alone = draw(1, 'tie', 2).integer(1e6);
    draw(1, 'seats').shuffle([1, 2, 3]);
    expect(draw(1, 'tie', 2).integer(1e6)).toBe(alone);
  });

  it.each([
    ['another seed', draw(2, 'tie', 1)],
    ['another word', draw(1, 'pick', 1)],
    ['another number', draw(1, 'tie', 2)],
    ['a number as text', draw(1, 'tie', '1')],
    ['the same text cut elsewhere', draw(1, 'ti', 'e1')],
    ['one more part', draw(1, 'tie', 1, 0)],
  ])('is another one for %s', (_what, other) => {
    expect(other.integer(1e9)).not.toBe(draw(1, 'tie', 1).integer(1e9));
  });

  it('goes on from call to call', () => {
    const one = draw(1, 'x');
    expect(new Set(Array.from({ length: 100 }, () => one.integer(1e9))).size).toBe(100);
  });

  it('gives every number below the bound equally often, over keys and over calls', () => {
    const overKeys = Array.from({ length: many }, (_, key) => draw(1, key).integer(8));
    const one = draw(1, 'calls');
    const overCalls = Array.from({ length: many }, () => one.integer(8));
    for (const drawn of [overKeys, overCalls]) {
      expect(Math.min(...drawn)).toBe(0);
      expect(Math.max(...drawn)).toBe(7);
      for (const count of counts(drawn)) expect(count / many).toBeCloseTo(1 / 8, 1.7);
    }
  });

  it('shows no pattern between neighbouring keys', () => {
    const pairs = Array.from({ length: many }, (_, key) => `${draw(1, key).integer(3)}${draw(1, key + 1).integer(3)}`);
    const found = counts(pairs);
    expect(found).toHaveLength(9);
    for (const count of found) expect(count / many).toBeCloseTo(1 / 9, 1.7);
  });

  it('draws fractions from 0 up to but not 1', () => {
    const one = draw(3);
    const fractions = Array.from({ length: many }, () => one.fraction());
    expect(fractions.every((fraction) => fraction >= 0 && fraction < 1)).toBe(true);
    expect(fractions.reduce((sum, fraction) => sum + fraction) / many).toBeCloseTo(0.5, 1.7);
  });

  it('picks one of the items', () => {
    expect(draw(1).pick(['only'])).toBe('only');
    const picked = Array.from({ length: many }, (_, key) => draw(4, key).pick(['a', 'b', 'c']));
    for (const count of counts(picked)) expect(count / many).toBeCloseTo(1 / 3, 1.7);
  });

  it('has nothing to pick from nothing', () => {
    expect(() => draw(1, 'tie', 2).pick([])).toThrow(new RangeError('Nothing to draw from for ["tie",2].'));
  });

  it('shuffles into every order equally often and leaves the items alone', () => {
    const items = [1, 2, 3];
    const orders = Array.from({ length: many }, (_, key) => draw(5, key).shuffle(items).join(''));
    expect(items).toEqual([1, 2, 3]);
    expect(new Set(orders).size).toBe(6);
    for (const count of counts(orders)) expect(count / many).toBeCloseTo(1 / 6, 1.7);
  });
});
