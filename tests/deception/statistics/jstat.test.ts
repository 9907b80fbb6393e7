// Distributions behind intervals and tests, compared with scipy 1.17 (`beta.ppf`, `norm`, `binom.cdf`).
import { describe, expect, it } from '@jest/globals';
import jstat from 'jstat';

describe('the quantile of the beta distribution', () => {
  it.each([
    [0.025, 1, 10, 0.0025285785444617848, 2.5e-9],
    [0.975, 1, 10, 0.3084971078187607, 2.5e-9],
    [0.025, 7, 14, 0.15390920478454118, 2.5e-9],
    [0.975, 8, 13, 0.5921885345328282, 2.5e-9],
    [0.05, 3, 13, 0.05684686759024681, 2.5e-9],
    [0.005, 250.3, 19.7, 0.8805944985375026, 2.5e-9],
    [0.995, 40, 4961, 0.011609804356489941, 2.5e-9],
    [0.025, 13000, 7001, 0.6433432280295677, 2.5e-9],
    [0.5, 19, 1, 0.9641759979424951, 2.5e-9],
    [0.3, 0.6, 11.4, 0.010653685990589004, 3e-8],
    [0.9, 0.15, 2.85, 0.166165733307183, 3e-8],
    [0.137, 1.4, 0.21, 0.6444490330387188, 3e-8],
    [0.449, 0.86, 0.7, 0.5177662186122466, 3e-8],
  ])('at %d of (%d, %d), as exact intervals need it, is %d, give or take %d', (p, alpha, beta, expected, error) => {
    expect(Math.abs(jstat.beta.inv(p, alpha, beta) - expected)).toBeLessThan(error);
  });
});

describe('the normal distribution', () => {
  it.each([
    [0.5, 0],
    [0.8, 0.8416212335729143],
    [0.9, 1.2815515655446004],
    [0.95, 1.6448536269514722],
    [0.975, 1.959963984540054],
    [0.995, 2.5758293035489004],
    [0.9995, 3.2905267314919255],
  ])('has its quantile of %d at %d', (p, expected) => {
    expect(jstat.normal.inv(p, 0, 1)).toBeCloseTo(expected, 13);
  });

  it.each([
    [-7.9, 1.394517146659261e-15],
    [-4, 3.167124183311986e-5],
    [-2.5, 0.006209665325776132],
    [-1.96, 0.024997895148220435],
    [-0.3, 0.3820885778110474],
    [0, 0.5],
    [1, 0.8413447460685429],
  ])('lies below %d with the probability %d', (x, expected) => {
    expect(jstat.normal.cdf(x, 0, 1)).toBeCloseTo(expected, 15);
  });
});

describe("Student's t distribution", () => {
  it.each([
    [-1, 1, 0.25],
    [-2, 2, 0.5 - 1 / Math.sqrt(6)],
    [2.2621571627, 9, 0.975],
    [-2.0226909117, 39, 0.025],
    [-4.7809125, 9, 0.0005],
  ])('lies below %d, with %d degrees of freedom, with the probability %d', (t, freedom, expected) => {
    expect(Math.abs(jstat.studentt.cdf(t, freedom) - expected)).toBeLessThan(1e-7);
    expect(Math.abs(jstat.studentt.inv(expected, freedom) - t)).toBeLessThan(1e-5);
  });
});

describe('the binomial distribution', () => {
  it.each([
    [0, 40, 0.03, 0.2957122873991328],
    [3, 40, 0.03, 0.9686031959992241],
    [376, 400, 0.93, 0.8095231476947183],
    [360, 400, 0.93, 0.015478322514626185],
    [57, 1000, 0.05, 0.8610810536909475],
    [766, 1845, 0.4157, 0.49173908305576247],
    [60, 60, 0.95, 1],
    [-1, 60, 0.95, 0],
  ])('has at most %d successes of %d at the rate %d with the probability %d', (successes, trials, rate, expected) => {
    expect(Math.abs(jstat.binomial.cdf(successes, trials, rate) - expected)).toBeLessThan(2e-10);
  });
});

describe('the distribution of F', () => {
  it.each([
    [4.381, 1, 19, 0.0499941],
    [2.9, 5, 15, 0.0500691],
    [0.5, 5, 15, 0.7716194],
  ])('at %d with %d and %d degrees of freedom leaves %d above', (f, one, other, expected) => {
    expect(1 - jstat.centralF.cdf(f, one, other)).toBeCloseTo(expected, 6);
  });
});
