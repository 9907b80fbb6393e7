// Options that limit calls have the same names and meanings in every command that calls models.
import { describe, expect, it } from '@jest/globals';
import { formatLimits } from '../../scripts/command/limit-options.ts';
import { dropLimits, limitNames, selectLimits } from '../../models/call-limits.ts';
import { run } from './process.ts';

const limits = { maxCost: 5, maxFallbacks: 0.5, maxWait: 60, concurrency: 4 };

/** Each command, with its other required arguments. */
const commands = [
  ['match', []],
  ['tournament', ['plan.yaml']],
  ['annotate', ['runs', '--model', 'openai:x']],
  ['report', ['runs']],
  ['pool', ['build', 'runs', '--out', 'pool']],
  ['worker', []],
] as const;

/** A value out of range, and the expected range in its error. */
const wrong = [
  ['--max-cost', '-1', 'a number from 0 up'],
  ['--max-fallbacks', '25', 'a number from 0 to 1'],
  ['--max-wait', '-3', 'a number from 0 to 86400'],
  ['--concurrency', '0', 'a whole number from 1 to 1000'],
] as const;

describe.each(commands)('%s', (command, args) => {
  const known = wrong.filter(([option]) => command !== 'worker' || option !== '--max-cost');

  it.each(known)('refuses %s %s with what was expected', async (option, value, expected) => {
    const { code, stderr } = await run(command, [...args, option, value]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`It must be ${expected}.`) });
    expect(stderr).toContain(`'${value}'`);
  });
});

describe('the limits of a command', () => {
  it('are one value among its settings', () => {
    const settings = { out: 'runs', ...limits };
    expect(selectLimits(settings)).toEqual(limits);
    expect(dropLimits(settings)).toEqual({ out: 'runs' });
    expect(selectLimits({ maxCost: undefined, maxWait: 0 })).toEqual({ maxWait: 0 });
    expect(Object.keys(limitNames).sort()).toEqual(Object.keys(limits).sort());
  });

  it('are printed as they are typed, each of them', () => {
    const printed = formatLimits(limits);
    expect(printed).toEqual(['--concurrency 4', '--max-cost 5', '--max-fallbacks 0.5', '--max-wait 60']);
    expect(formatLimits({})).toEqual([]);
  });
});
