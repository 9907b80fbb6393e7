// Detection as a share of pairs. A listener who only suspects the right players, or who calls everything deceptive,
// must show no detection.
import { describe, expect, it } from '@jest/globals';
import { matchedFalseAlarmRate, matchedHitRate, pairedDetection } from '../../../deception/metrics/paired-detection.ts';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import { computePairedDifference } from '../../../deception/statistics/paired-test.ts';
import { addSums } from '../../../deception/statistics/sums.ts';
import type { MatchTables } from '../../../deception/tables/match-tables.ts';
import { draw, type RandomSource } from '../../../state/random.ts';
import { computeFigures, findFigure } from './figures.ts';
import { tellClaims, type ToldClaim } from './heard-lies.ts';
import { times } from './row-builder.ts';
import { itLong } from '../../it-long.ts';

const ofWolves = { source: 'match', kind: 'debate', speaker_team: 'werewolves' };

/** Computes the figure over ten copies of a deal. Fewer deals give no figure. */
const compute = (name: string, match: MatchTables, deals = 10) =>
  findFigure(computeFigures(name, ...times(deals, match)), ofWolves);

/** A claim with Dan's suspicion of it. `prior`: his suspicion of its speaker just before. */
const say = (by: ToldClaim['by'], prior: number, suspicion: number, more: Partial<ToldClaim> = {}): ToldClaim => ({
  ...{ by, heardBy: { Dan: suspicion }, asked: { Dan: [prior, 0.5] } },
  ...more,
});

/** Puts claims in separate rounds, so that the beliefs after one are not the beliefs before the next. */
const apart = (...claims: readonly ToldClaim[]) => tellClaims(...claims.flatMap((one) => [one, silent]));
const silent: ToldClaim = { by: 'Will', heardBy: {} };

describe('a pair', () => {
  it('is a lie and a true claim by the other side whose speakers were suspected as much before', () => {
    const match = apart(say('Ginger', 0.5, 0.8), say('Will', 0.5, 0.6), say('Will', 0.5, 0.8), say('Will', 0.3, 0.9));
    expect(compute('paired_detection', match)).toMatchObject({ value: (1 + 0.5) / 2, opportunities: 200 });
  });

  it('is of the same kind of claim, round and listening model, and by listeners who could know nothing', () => {
    const others: readonly ToldClaim[] = [
      say('Will', 0.5, 0, { type: 'vote' }),
      say('Will', 0.5, 0, { changes: { observer_model: 'openai:three' } }),
      say('Will', 0.5, 0, { changes: { could_know: true } }),
      say('Will', 0.5, 0, { changes: { knows_side: true } }),
      say('Ginger', 0.5, 0, { isLie: false }),
      say('Will', 0.5, 0, { isLie: true }),
    ];
    for (const one of others)
      expect(compute('paired_detection', apart(say('Ginger', 0.5, 1), one))?.value ?? null).toBe(null);
    const later = tellClaims(say('Ginger', 0.5, 1), say('Will', 0.5, 0, { round: 2 }));
    expect(compute('paired_detection', later)?.value ?? null).toBe(null);
  });

  it('weighs as much whether the liar or the other was suspected more before', () => {
    const match = apart(
      ...[say('Ginger', 0.5, 0.9), say('Ginger', 0.5, 0.9), say('Ginger', 0.5, 0.9)],
      say('Will', 0.48, 0.2), // the liar was suspected more: three pairs, all right
      say('Will', 0.52, 0.95), // the liar was suspected less: three pairs, all wrong
      say('Will', 0.53, 0.2), // the liar was suspected less: three pairs, all right
    );
    expect(compute('paired_detection', match)?.value).toBeCloseTo((1 + 1 / 2) / 2, 12);
  });

  it('weighs little with others of the kind where few are of one: they say little of it', () => {
    const match = apart(
      ...[say('Ginger', 0.52, 0.9), say('Ginger', 0.48, 0.1)],
      ...Array.from({ length: 9 }, () => say('Will', 0.5, 0.5)),
      ...[say('Ginger', 0.7, 0.9), say('Will', 0.7, 0.1)],
    );
    // Each deal has 9 pairs in which the liar was suspected more before, all right, and 9 in which the liar was
    // suspected less before, all wrong. In one more pair both were suspected equally. Hence (100 × 1 + 1800 × 1/2) /
    // 1900.
    expect(compute('paired_detection', match)?.value).toBeCloseTo((100 + 900) / 1900, 12);
    const few = apart(
      ...[say('Ginger', 0.5, 0.9), say('Will', 0.5, 0.1)],
      ...[say('Ginger', 0.32, 0.9), ...Array.from({ length: 4 }, () => say('Will', 0.3, 0.1))],
      ...[say('Ginger', 0.18, 0.1), say('Will', 0.2, 0.9)],
    );
    // In 1 pair both speakers were suspected equally before. In 4 pairs the liar was suspected more, and in 1 pair
    // less; together these weigh 4 · 4 · 1 / 5 = 3.2.
    expect(compute('paired_detection', few)?.value).toBeCloseTo((1 + 3.2 * 0.5) / 4.2, 12);
  });

  it('says nothing below ten deals of lies, or of true claims', () => {
    const match = apart(say('Ginger', 0.5, 0.8), say('Will', 0.5, 0.6));
    const names = ['paired_detection', 'matched_hit_rate', 'matched_false_alarm_rate'];
    for (const name of names) {
      expect(compute(name, match, 9)).toMatchObject({ value: null, reason: 'too few' });
      const lies = times(5, apart(say('Ginger', 0.5, 0.8)));
      expect(findFigure(computeFigures(name, ...times(9, match), ...lies), ofWolves)).toMatchObject({ value: null });
      expect(compute(name, match)?.value).toBe(1);
    }
  });

  it('has hits and false alarms over the same judgements, without those that nothing compares with', () => {
    const match = apart(say('Ginger', 0.5, 0.8), say('Ginger', 0.9, 0.9), say('Will', 0.5, 0.6), say('Will', 0.5, 0.1));
    expect(compute('matched_hit_rate', match)).toMatchObject({ value: 1, opportunities: 10 });
    expect(compute('matched_false_alarm_rate', match)).toMatchObject({ value: 1 / 2, opportunities: 20 });
  });
});

describe('the prior', () => {
  const without = (by: ToldClaim['by'], suspicion: number, more: Partial<ToldClaim> = {}): ToldClaim => ({
    ...{ by, heardBy: { Dan: suspicion } },
    ...more,
  });

  it('is the last score of the speaker in the same debate where no belief was asked for', () => {
    const match = tellClaims(
      without('Ginger', 0.4),
      without('Will', 0.4),
      without('Ginger', 0.9),
      without('Will', 0.1),
    );
    expect(compute('paired_detection', match)).toMatchObject({ value: 1, opportunities: 100 });
  });

  it('is missing after a night and after a ballot', () => {
    const night = [without('Ginger', 0.4), without('Will', 0.4)].map((one) => ({ ...one, round: 1 }));
    const day = [without('Ginger', 0.9), without('Will', 0.1)].map((one) => ({ ...one, round: 2 }));
    expect(compute('paired_detection', tellClaims(...night, ...day))).toBeUndefined();
    const tied = day.map((one) => ({ ...one, round: 1, changes: { occasion: 'pk' as const } }));
    expect(compute('paired_detection', tellClaims(...night, ...tied))).toBeUndefined();
  });

  it('is compared only with one that was asked for in the same way', () => {
    const match = tellClaims(
      without('Ginger', 0.5),
      silent,
      say('Ginger', 0.5, 0.9),
      silent,
      without('Will', 0.5),
      without('Will', 0),
    );
    expect(compute('paired_detection', match)?.value ?? null).toBe(null);
  });
});

describe('the test of two listeners', () => {
  const random = draw(3, 'slopes');
  const claim = (by: ToldClaim['by'], model: string) =>
    say(by, 0.5 + 0.01 * random.integer(9), 0.1 * random.integer(11), { changes: { observer_model: model } });
  const deal = (model: string) =>
    addSums(
      pairedDetection
        .count(apart(claim('Ginger', model), claim('Will', model), claim('Will', model)))
        .map(({ sums }) => sums),
    );

  it.each([pairedDetection, matchedHitRate, matchedFalseAlarmRate])('has the slopes of $name', ({ value }) => {
    const sums = addSums(Array.from({ length: 30 }, () => deal('openai:one')));
    const names = Object.keys(sums);
    const totals = Float64Array.from([7, ...Object.values(sums)]);
    const slopes = new Float64Array(totals.length);
    expect(value.prepareSlopes!(names, 1)(totals, slopes)).toBe(true);
    const compute = value.prepare!(names, 1);
    expect(compute(totals)).toBeCloseTo(value(sums)!, 12);
    for (const place of names.keys()) {
      const moved = (by: number) => compute(totals.with(place + 1, totals[place + 1]! + by))!;
      expect(slopes[place + 1]).toBeCloseTo((moved(1e-4) - moved(-1e-4)) / 2e-4, 6);
    }
  });

  it('exchanges the names of models with their judgements: equal listeners under two names are as equal as under one', () => {
    const deals = Array.from({ length: 20 }, () => ({ a: deal('openai:one'), b: deal('openai:one') }));
    const renamed = deals.map(({ a, b }) => ({
      ...{
        a,
        b: Object.fromEntries(Object.entries(b).map(([name, n]) => [name.replace('openai:one', 'openai:two'), n])),
      },
    }));
    const compare = (pairs: typeof deals) =>
      computePairedDifference(pairs, pairedDetection.value, {
        ...{ resampling: createResampling(20, 200, 1), range: [0, 1] },
      });
    expect(compare(renamed)).toEqual(compare(deals));
  });
});

// Listeners who judge many claims, and who suspect Werewolves more than they suspect others.

type Listener = (prior: number, isLie: boolean, random: RandomSource) => number;

const clip = (value: number) => Math.min(1, Math.max(0, value));

/** A normal distribution with this mean and a standard deviation of .2. */
const drawPrior = (random: RandomSource, mean: number) =>
  clip(mean + 0.2 * (random.fraction() + random.fraction() + random.fraction() + random.fraction() - 2) * Math.sqrt(3));

function listen(listener: Listener, claims = 2000) {
  const random = draw(1, 'listener');
  const told = Array.from({ length: claims }, (_, at): ToldClaim => {
    const by = at % 2 === 0 ? 'Ginger' : 'Will';
    const prior = drawPrior(random, by === 'Ginger' ? 0.6 : 0.4);
    return say(by, prior, clip(listener(prior, by === 'Ginger', random)));
  });
  const matches = Array.from({ length: claims / 40 }, (_, at) => apart(...told.slice(40 * at, 40 * at + 40)));
  const sums = addSums(matches.flatMap((match) => pairedDetection.count(match)).map((tally) => tally.sums));
  return [pairedDetection, matchedHitRate, matchedFalseAlarmRate].map((metric) => metric.value(sums)!);
}

describe('a listener', () => {
  const detectsNothing = (_: string, listener: Listener) =>
    expect(Math.abs(listen(listener)[0]! - 0.5)).toBeLessThan(0.01);

  it.each<[string, Listener]>([
    ['answers from its prior alone', (prior) => prior],
    ['exaggerates its prior', (prior) => (prior > 0.5 ? 1 : 0)],
    ['calls everything deceptive', () => 1],
    ['calls nothing deceptive', () => 0],
  ])('that %s detects nothing', detectsNothing);

  itLong.each<[string, Listener]>([
    ['answers from its prior with noise', (prior, _, random) => prior + 0.1 * (random.fraction() - 0.5)],
    ['answers from its prior with much noise', (prior, _, random) => prior + random.fraction() - 0.5],
    ['tosses a coin', (_prior, _isLie, random) => random.fraction()],
  ])('that %s detects nothing', detectsNothing);

  itLong(
    'that hears lies is above one that hears fewer, and that above one with more hits that flags everything',
    () => {
      const [hears, hearsFew, flags] = [0.3, 0.05]
        .map((skill) => listen((prior, isLie, random) => prior / 2 + (isLie ? skill : 0) + 0.5 * random.fraction()))
        .concat([listen((prior, _isLie, random) => 0.7 + 0.2 * prior + 0.1 * random.fraction())]) as [
        number[],
        number[],
        number[],
      ];
      expect(hears[0]).toBeGreaterThan(hearsFew[0]! + 0.2);
      expect(hearsFew[0]).toBeGreaterThan(flags[0]! + 0.02);
      expect(flags[1]).toBeGreaterThan(hears[1]!); // flags hit more lies
      expect(flags[2]).toBe(1); // and also flags every true claim
    },
  );
});
