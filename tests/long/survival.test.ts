// A match in a simulated world in which each use of disk, clock, network and processes fails. Running the command again
// must end the match as if nothing had failed.
import { describe, expect, it } from '@jest/globals';
import {
  drawFaults,
  formatFaults,
  listEveryFault,
  playUndisturbed,
  type Scenario,
  playThroughFaults,
  normalizeFileName,
  type Undisturbed,
} from '../../tools/faults/fault-trial.ts';
import type { PlannedFault } from '../../tools/faults/simulated-world.ts';
import { draw } from '../../state/random.ts';

/** Runs trials. Returns those with errors, the number of steps that failed, and the faults that never happened. */
async function findWrong(scenario: Scenario, plans: readonly { plan: PlannedFault[]; seed: number }[]) {
  const undisturbed = await playUndisturbed(scenario);
  const wrong: unknown[] = [];
  let failed = 0;
  const unharmed: string[] = [];
  for (const { plan, seed } of plans) {
    const result = await playThroughFaults(undisturbed, plan, seed);
    failed += result.failed;
    if (result.failed === 0) unharmed.push(...plan.map((fault) => nameKind(undisturbed, fault)));
    if (result.faults.length > 0) wrong.push({ ...result, plan: formatFaults(plan), seed });
  }
  return { wrong, failed, unharmed };
}

function nameKind(undisturbed: Undisturbed, { step, way }: PlannedFault): string {
  const { kind, file } = undisturbed.steps[step]!;
  return `${kind} ${normalizeFileName(file ?? '')} ${way}`;
}

/**
 * Faults after which the command may still succeed, because they happen when the match is over and sealed. The last
 * step removes the lock; a run with other timing may have fewer steps and never reach that one.
 */
const forgiven = [
  'write deception_summary.json.new tear',
  ...['io', 'kill', 'killAfter'].map((way) => `remove lock.json ${way}`),
];

/** Draws one fault for each kind of step, file and failure, at a random place. */
function drawEveryKindOfFault(undisturbed: Undisturbed): PlannedFault[] {
  return [...Map.groupBy(listEveryFault(undisturbed), (fault) => nameKind(undisturbed, fault))].map(([kind, same]) =>
    draw(1, kind).pick(same),
  );
}

const listSeeds = (count: number) => Array.from({ length: count }, (_, seed) => seed);

describe('a match whose disk, clock, network or process fails', () => {
  it('once, at each kind of step in each way it can, ends as if nothing had been', async () => {
    const undisturbed = await playUndisturbed({ seed: 1, matches: 1 });
    const plans = drawEveryKindOfFault(undisturbed).map((fault, seed) => ({ plan: [fault], seed }));
    const { wrong, failed, unharmed } = await findWrong(undisturbed, plans);
    expect(wrong).toEqual([]);
    expect(unharmed.filter((kind) => !forgiven.includes(kind))).toEqual([]);
    expect(failed).toBeGreaterThan(100);
  });

  it('by a power cut, whatever it leaves of what was not flushed, ends as if nothing had been', async () => {
    const undisturbed = await playUndisturbed({ seed: 1, matches: 1 });
    const last = undisturbed.steps.findLastIndex(({ kind }) => kind === 'call');
    const plans = listSeeds(12).map((seed) => ({ plan: [{ step: last, way: 'cut' as const }], seed }));
    expect((await findWrong(undisturbed, plans)).wrong).toEqual([]);
  });

  it('and that is taken over while it stands still leaves the files of whoever took it alone', async () => {
    const undisturbed = await playUndisturbed({ seed: 1, matches: 1 });
    const find = (wanted: string) => undisturbed.steps.findIndex(({ kind }) => kind === wanted);
    const plan: PlannedFault[] = [
      { step: undisturbed.steps.length - 40, way: 'kill' },
      { step: find('repeat'), way: 'freeze' },
    ];
    const plans = listSeeds(4).map((seed) => ({ plan, seed }));
    expect((await findWrong(undisturbed, plans)).wrong).toEqual([]);
  });

  it('again and again, in one process after another, ends as if nothing had been', async () => {
    const undisturbed = await playUndisturbed({ seed: 2, matches: 1 });
    const plans = listSeeds(25).map((seed) => ({ plan: drawFaults(undisturbed, seed), seed }));
    expect((await findWrong(undisturbed, plans)).wrong).toEqual([]);
  });

  it('in a set ends the set as if nothing had been', async () => {
    const undisturbed = await playUndisturbed({ seed: 3, matches: 3 });
    const plans = listSeeds(6).map((seed) => ({ plan: drawFaults(undisturbed, seed), seed }));
    expect((await findWrong(undisturbed, plans)).wrong).toEqual([]);
  });

  it('under the command that a user types ends as if nothing had been', async () => {
    const undisturbed = await playUndisturbed({ seed: 4, matches: 2, isCommand: true });
    const plans = listSeeds(6).map((seed) => ({ plan: drawFaults(undisturbed, seed), seed }));
    expect((await findWrong(undisturbed, plans)).wrong).toEqual([]);
  });
});
