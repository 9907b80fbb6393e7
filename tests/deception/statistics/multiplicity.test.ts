// Adjusted p-values.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { benjaminiHochberg, holm } from '../../../deception/statistics/multiplicity.ts';

const close = (values: (number | null)[], expected: (number | null)[]) =>
  expect(values.map((value) => value && Number(value.toFixed(10)))).toEqual(expected);

describe('Holm', () => {
  it('multiplies the smallest of four by four, the next by three, and never falls', () => {
    // By hand: .005·4, .01·3, max(.03, .03·2), max(.06, .04·1).
    close(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
  });

  it('stops at 1', () => {
    close(holm([0.6, 0.7]), [1, 1]);
  });

  it('adjusts for all that were named: one without a test stays without p and counts as if its p were 1', () => {
    close(holm([null, 0.01, null]), [null, 0.03, null]);
    close(holm([0.01, null, 0.04]), [0.03, null, 0.08]);
    expect(holm([])).toEqual([]);
  });
});

describe('Benjamini and Hochberg', () => {
  it('is that of scipy 1.17 (`false_discovery_control`)', () => {
    close(benjaminiHochberg([0.01, 0.04, 0.03, 0.005, 0.5]), [0.025, 0.05, 0.05, 0.025, 0.5]);
  });

  it('leaves a missing test missing and does not count it', () => {
    close(benjaminiHochberg([0.01, null, 0.04]), [0.02, null, 0.04]);
    expect(benjaminiHochberg([])).toEqual([]);
  });

  it('finds the first four of the fifteen tests of Benjamini & Hochberg (1995, § 3)', () => {
    const published = [1e-4, 4e-4, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719];
    const values = [...published, 0.6528, 0.759, 1];
    expect(benjaminiHochberg(values).filter((p) => p !== null && p <= 0.05)).toHaveLength(4);
    expect(holm(values).filter((p) => p !== null && p <= 0.05)).toHaveLength(3);
  });
});

describe('both', () => {
  it('refuse what is no p-value', () => {
    expect(() => holm([1.5])).toThrow('A p-value is 1.5; it must lie in 0…1.');
  });

  it('never make a p-value smaller, and Holm is never below Benjamini and Hochberg', () => {
    const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
    fc.assert(
      fc.property(values, (ps) => {
        const [strict, lax] = [holm(ps), benjaminiHochberg(ps)];
        ps.forEach((p, i) => {
          expect(lax[i]).toBeGreaterThanOrEqual(p * (1 - 1e-12));
          expect(strict[i]).toBeGreaterThanOrEqual(lax[i]! * (1 - 1e-12));
        });
      }),
    );
  });
});
