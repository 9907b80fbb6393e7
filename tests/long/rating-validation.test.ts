// The validation of ratings: a reduced run passes. It notices intervals that do not cover the truth, and tests that
// find differences between equal entrants.
import { describe, expect, it } from '@jest/globals';
import {
  isRatingPromiseBroken,
  evaluateRatings,
  measureRatings,
  ratingCells,
  type RatingFinding,
} from '../../tools/validate/rating-validation.ts';
import { renderRatingValidation } from '../../tools/validate/validation-markdown.ts';

const trial = { repetitions: 60, resamples: 39, seed: 1 };
const measure = (name: string) =>
  measureRatings(
    ratingCells.find((cell) => cell.name === name)!,
    trial,
  );

describe('ratings', () => {
  const found = [
    measure('4 entrants, 20 deals'),
    measure('4 equals, 20 deals'),
    measure('2 entrants, stopped once decided'),
    measure('4 entrants, 5 deals'),
  ];

  it('find planted strengths again, in a reduced run of what npm run validate -- --ratings does', () => {
    const judged = evaluateRatings(found);
    expect(judged.map(isRatingPromiseBroken)).toEqual([false, false, false, false]);
    const [four, equals, stopped, few] = judged;
    expect(four!.coverage.map(({ what }) => what)).toEqual(['score', 'as Werewolves', 'as the village', 'log-odds', 'difference']); // prettier-ignore
    expect(four!.told_apart).toBeGreaterThan(30);
    expect(equals!.told_apart).toBeLessThan(9);
    expect(stopped!.stopped).toBeGreaterThan(45);
    expect(few!.coverage.every(({ intervals }) => intervals === 0)).toBe(true);
    expect(few!.p).toBeNull();
  });

  it.each([
    '2 equals, 10 deals, Werewolves win 70 %',
    '2 equals, 12 deals, Werewolves win 85 %',
    '2 equals, 40 deals, Werewolves win 93 %',
    '2 equals, 100 deals, Werewolves win 97 %',
    '3 equals, 20 deals, Werewolves win 85 %',
    '4 equals, 20 deals, Werewolves win 93 %',
  ])('tell equals apart in at most 5 %%, and cover, where Werewolves win most: %s', (name) => {
    const [equals] = evaluateRatings([measure(name)]);
    expect(isRatingPromiseBroken(equals!)).toBe(false);
    expect(equals!.told_apart).toBeLessThan(8); // 5 % of 60 and two standard errors and a half
  });

  it.each([20, 50])('cover where one of two is better and never swept, on %d deals', (deals) => {
    const [swept] = evaluateRatings([measure(`2 entrants, ${deals} deals, 0.15 and 0 of them swept`)]);
    const difference = swept!.coverage.find(({ what }) => what === 'difference')!;
    expect(difference.intervals).toBe(trial.repetitions);
    expect(difference.covered).toBeGreaterThan(52);
  });

  it('of equals at mixed tables, where everybody sits in every seat once a deal, tell none apart that are looked at often', () => {
    const name = '4 equals at mixed tables, looked at after each of 100 deals';
    const [mixed] = evaluateRatings([measure(name)]);
    expect(isRatingPromiseBroken(mixed!)).toBe(false);
    expect(mixed!.coverage).toMatchObject([{ what: 'confidence sequence', intervals: trial.repetitions }]);
    expect(mixed!.told_apart).toBeLessThan(5);
  });

  it('of players of known skill find what these score by the rules of the game', () => {
    const cell = { ...ratingCells.find(({ entrants }) => 'skills' in entrants)!, deals: 20 };
    const { coverage, first_on_top: top } = measureRatings(cell, { ...trial, repetitions: 10 });
    expect(coverage[0]!.covered).toBeGreaterThan(7);
    expect(top).toBeGreaterThan(7);
  });

  it('are noticed where they cover too little, or tell equals apart', () => {
    const base: RatingFinding = { ...found[0]!, repetitions: 2000 };
    const narrow = { what: 'score', covered: 1800, intervals: 2000, mean_width: 0.1 } as const;
    const equals: RatingFinding = { ...found[1]!, repetitions: 2000, coverage: [], told_apart: 140 };
    const good: RatingFinding = { ...base, coverage: [{ ...narrow, covered: 1905 }] };
    const judged = evaluateRatings([{ ...base, coverage: [narrow] }, equals, good]);
    expect(judged.map(isRatingPromiseBroken)).toEqual([true, true, false]);
    const page = renderRatingValidation(judged, trial);
    expect(page).toContain('Of 3 kinds with a promise, 2 are not as promised.');
    expect(page).toContain('90.0 % (0.10)');
  });
});
