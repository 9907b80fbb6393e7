// Power of plans: planning for the bound of the spread keeps the promise; planning for a small pilot's spread does not.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isPowerMissed, measureDeliveredPower, plannedPilots } from '../../../tools/validate/planned-power.ts';
import { renderDeliveredPower } from '../../../tools/validate/validation-markdown.ts';

describe('a plan from a pilot', () => {
  const power = plannedPilots.map((pilot) => measureDeliveredPower({ pilot, repetitions: 300, seed: 2 }));

  it('delivers the power of .8 that it promises, planned for the bound of the spread', () => {
    expect(power.map(isPowerMissed)).toEqual([false, false, false]);
    for (const { found, repetitions } of power) expect(found.bound / repetitions).toBeGreaterThan(0.8);
  });

  it('of ten deals falls short where it is planned for the spread that was found', () => {
    const [ten] = power;
    expect(ten!.found.estimate / ten!.repetitions).toBeLessThan(0.8);
    expect(isPowerMissed({ ...ten!, found: { ...ten!.found, bound: ten!.found.estimate - 20 } })).toBe(true);
    expect(ten!.deals.bound).toBeGreaterThan(1.4 * ten!.deals.estimate);
  });

  it('stands in docs/evidence/validation.md as the command measures it, in its form', () => {
    const page = readFileSync(path.join(import.meta.dirname, '../../../docs/evidence/validation.md'), 'utf8');
    const [heading, about] = renderDeliveredPower(power.map((one) => ({ ...one, repetitions: 4000 })));
    expect(page).toContain(`${heading!}\n\n${about!}`);
  });
});
