// A match in a simulated world with occasional faults of disk, clock, network or processes. The long suites try every
// kind of step with every fault.
import { expect, it } from '@jest/globals';
import { drawFaults, playThroughFaults, playUndisturbed } from '../../tools/faults/fault-trial.ts';

it('a match in whose world something fails, in one process after another, ends as if nothing had been', async () => {
  const undisturbed = await playUndisturbed({ seed: 2, matches: 1 });
  let failed = 0;
  for (let seed = 0; seed < 12; seed++) {
    const result = await playThroughFaults(undisturbed, drawFaults(undisturbed, seed), seed);
    expect(result).toMatchObject({ faults: [] });
    failed += result.failed;
  }
  expect(failed).toBeGreaterThan(8);
});
