// Suspicion of the Seer around his reveal and of the Doctor after protecting, counted by hand.
import { describe, expect, it } from '@jest/globals';
import type { ClaimRow, Tables } from '../../../deception/tables/rows.ts';
import { figureIn, figuresOf, valueIn } from './figures.ts';
import { deed } from './game-row-builder.ts';
import { claimsToBeSeer, heardOf, said } from './heard-builder.ts';
import { match, tables } from './row-builder.ts';

const judged = { source: 'match', kind: 'debate' };
const when = (reveal: string) => ({ ...judged, reveal });

/** A match in which the Seer reveals himself in the second statement of round 2. */
const revealing = tables({
  ...heardOf(
    said('1.1', 'Sam', { round: 1 }, [0.2, 0.4]),
    said('1.2', 'Dan', { round: 1 }, [1]),
    said('2.1', 'Sam', { round: 2 }, [0.4]),
    said('2.2', 'Sam', { round: 2 }, [0.6, 0.8]),
    said('3.1', 'Sam', { round: 3 }, [0.9]),
  ),
  claims: [claimsToBeSeer('2.2', 'Sam', { round: 2 }), claimsToBeSeer('3.1', 'Sam', { round: 3, type: 'check' })],
});
const silent = tables(heardOf(said('1.1', 'Sam', { round: 1 }, [0.1]), said('2.1', 'Sam', { round: 2 }, [0.3, 0.1])));
/** He reveals himself a round later. */
const later = tables({
  ...heardOf(said('2.1', 'Sam', { round: 2 }, [0.5]), said('3.1', 'Sam', { round: 3 }, [0.7])),
  claims: [claimsToBeSeer('3.1', 'Sam', { round: 3, type: 'check', claimed_role: null })],
});

describe('suspicion of the Seer', () => {
  const figures = figuresOf('seer_suspicion', revealing, silent);

  it('is told before his first reveal, from that statement on, and where there is none', () => {
    expect(valueIn(figures, when('before'))).toBeCloseTo((0.2 + 0.4 + 0.4) / 3, 12);
    expect(valueIn(figures, when('after'))).toBeCloseTo((0.6 + 0.8 + 0.9) / 3, 12);
    expect(valueIn(figures, when('never'))).toBeCloseTo((0.1 + 0.3 + 0.1) / 3, 12);
  });

  it('has missing judgements in its bounds', () => {
    const figure = figureIn(figuresOf('seer_suspicion', tables(said('1.1', 'Sam', {}, [0.5, null]))), when('never'));
    expect(figure).toMatchObject({ value: 0.5, lowest: 0.25, highest: 0.75 });
  });

  const isReveal = (changes: Partial<ClaimRow>, rows: Partial<Tables> = {}) => {
    const claims = [claimsToBeSeer('1.1', 'Sam', changes)];
    const cells = figuresOf('seer_suspicion', tables({ ...said('1.1', 'Sam', {}, [0.5]), claims, ...rows }));
    return valueIn(cells, when('after')) === 0.5;
  };

  it('takes the claim of a check for a reveal', () => {
    expect(isReveal({ type: 'check', claimed_role: null, claimed_team: 'werewolves', object: 'Ginger' })).toBe(true);
  });

  it.each([
    ['a denial', { polarity: false }],
    ['an opinion', { is_hedged: true }],
    ['the claim of another role', { claimed_role: 'Villager' }],
    ["somebody else's check", { type: 'check', subject: 'Dan' }],
  ] as const)('takes %s for none', (_, changes) => {
    expect(isReveal(changes)).toBe(false);
  });

  it('goes by the claims behind the verdicts', () => {
    expect(isReveal({}, { match: match({ extractor: 'openai:judge' }) })).toBe(false);
  });
});

describe('the Seer against Seers of the same round', () => {
  it('counts after his reveal against those who have not revealed themselves by the end of it', () => {
    // round 2: 0.7 against 0.3, 0.1 and 0.5; round 3: nobody to compare with
    const figures = figuresOf('seer_reveal_difference', revealing, silent, later);
    expect(valueIn(figures, when('after'))).toBeCloseTo(0.7 - 0.3, 12);
    expect(figureIn(figures, when('after'))?.opportunities).toBe(2);
  });

  it('counts before his reveal against those who never do, each round by his judgements', () => {
    // round 1: two judgements, 0.3 against 0.1; round 2: one of `revealing` and one of `later`, 0.45 against 0.2
    const figures = figuresOf('seer_reveal_difference', revealing, silent, later);
    expect(valueIn(figures, when('before'))).toBeCloseTo((2 * (0.3 - 0.1) + 2 * (0.45 - 0.2)) / 4, 12);
  });

  it('is unknown where there is nobody to compare with', () => {
    expect(valueIn(figuresOf('seer_reveal_difference', revealing), when('after'))).toBeNull();
  });

  it('has in its bounds what is missing on either side', () => {
    const open = tables(said('2.1', 'Sam', { round: 2 }, [0.4, null]));
    const figures = figuresOf('seer_reveal_difference', revealing, open);
    const { value, lowest, highest } = figureIn(figures, when('after'))!;
    const near = (number: number): unknown => expect.closeTo(number, 12);
    expect([value, lowest, highest]).toEqual([near(0.7 - 0.4), near(0.7 - 1.4 / 2), near(0.7 - 0.4 / 2)]);
  });
});

describe('suspicion of the Doctor', () => {
  const attack = (target: string, is_fatal: boolean) => deed('Ginger', 'eliminate', target, { round: 2, is_fatal });
  const protect = (target: string | null, is_on_victim: boolean | null, is_fatal: boolean | null) =>
    deed('Nora', 'protect', target, { round: 2, by_role: 'Doctor', is_on_victim, is_fatal });
  const poison = (target: string) => deed('Wanda', 'poison', target, { round: 2, is_fatal: true });
  const heard = (...suspicions: number[]) =>
    heardOf(said('1.1', 'Nora', { round: 1 }, [1]), said('2.1', 'Nora', { round: 2 }, suspicions));
  const saved = tables({ ...heard(0.2, 0.6), deeds: [attack('Dan', false), protect('Dan', true, false)] });
  const failed = tables({ ...heard(0.7), deeds: [attack('Dan', true), protect('Will', false, false)] });

  it('is told on the day after a protection that saved somebody, and after one that did not', () => {
    const figures = figuresOf('doctor_suspicion', saved, failed);
    expect(valueIn(figures, { ...judged, protection: 'succeeded' })).toBeCloseTo(0.4, 12);
    expect(valueIn(figures, { ...judged, protection: 'failed' })).toBe(0.7);
  });

  it('is compared between Doctors of the same round', () => {
    const figures = figuresOf('doctor_protection_difference', saved, failed);
    expect(valueIn(figures, judged)).toBeCloseTo(0.4 - 0.7, 12);
    expect(figureIn(figures, judged)?.opportunities).toBe(2);
  });

  it.each([
    ['nobody was attacked', [protect('Dan', false, false)]],
    ['another saved the victim', [attack('Dan', false), protect('Will', false, false)]],
    [
      'he saved the victim, whom the Witch then poisoned',
      [attack('Dan', true), protect('Dan', true, true), poison('Dan')],
    ],
    [
      'the victim, whom he did not protect, was poisoned besides',
      [attack('Dan', true), protect('Will', false, false), poison('Dan')],
    ],
    ['he protected nobody', [attack('Dan', true), protect(null, null, null)]],
  ])('says nothing of a night in which %s', (_, deeds) => {
    expect(figuresOf('doctor_suspicion', tables({ ...heard(0.5), deeds }))).toEqual([]);
  });

  it('is of a failure where a third player was poisoned', () => {
    const apart = tables({
      ...heard(0.5),
      deeds: [attack('Dan', true), protect('Will', false, false), poison('Ginger')],
    });
    expect(valueIn(figuresOf('doctor_suspicion', apart), { ...judged, protection: 'failed' })).toBe(0.5);
  });

  it('is of a failure where the one he protected left all the same', () => {
    const clash = tables({ ...heard(0.5), deeds: [attack('Dan', true), protect('Dan', true, true)] });
    expect(valueIn(figuresOf('doctor_suspicion', clash), { ...judged, protection: 'failed' })).toBe(0.5);
  });
});
