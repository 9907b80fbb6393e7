// What is told of a set of matches: the command that goes on, errors once, the cap where it matters.
import { describe, expect, it } from '@jest/globals';
import { capText } from '../../scripts/console/estimate-text.ts';
import { goOnCommand, sameCommand, withHigherCap } from '../../scripts/console/next-steps.ts';
import { SetErrors } from '../../scripts/console/set-errors.ts';

describe('the command that goes on', () => {
  it('is the one that was typed, safe to paste', () => {
    expect(sameCommand(['--model', 'openai:a?priceIn=1', '--matches', '3'])).toBe(
      "npm run match -- --model 'openai:a?priceIn=1' --matches 3",
    );
  });

  it.each([
    [['--max-cost', '4', '--matches', '3']],
    [['--max-cost=4', '--matches', '3']],
    [['--matches', '3']], // the cap stood in a file
  ])('after a reached cap leaves room for another: %j', (argv) => {
    expect(withHigherCap(argv)).toBe('npm run match -- --matches 3 --max-cost …');
  });
});

describe('the command that goes on with one match', () => {
  it('is its id, and where it lies', () => {
    expect(goOnCommand('one', 'runs')).toBe('npm run match -- --id one');
    expect(goOnCommand('one', 'my runs')).toBe("npm run match -- --id one --out 'my runs'");
  });

  it('keeps its cap and its calls under way, which no record keeps', () => {
    expect(goOnCommand('one', 'runs', { maxCost: 0.02, concurrency: 1 })).toBe(
      'npm run match -- --id one --concurrency 1 --max-cost 0.02',
    );
    expect(goOnCommand('one', 'runs', { maxCost: 0 })).toBe('npm run match -- --id one --max-cost 0');
  });

  it('after a reached cap leaves room for another', () => {
    expect(goOnCommand('one', 'runs', { maxCost: 0.02, concurrency: 1, isCapReached: true })).toBe(
      'npm run match -- --id one --concurrency 1 --max-cost …',
    );
  });
});

describe('the warning of a cap', () => {
  it('comes where what is left would not be paid, and never where nothing is left', () => {
    expect(capText({ matches: 2, cost: 3 }, { maxCost: 5, spent: 2.5 })).toContain('USD 5');
    expect(capText({ matches: 2, cost: 3 }, { maxCost: 5, spent: 1.5 })).toBeNull();
    expect(capText({ matches: 0, cost: 0 }, { maxCost: 5, spent: 6 })).toBeNull();
  });
});

describe('an error of several matches', () => {
  it('is new once', () => {
    const errors = new SetErrors();
    const failed = (id: string, words: string) => errors.add({ id, folder: null, error: new Error(words) });
    expect([failed('one', 'one is bad'), failed('two', 'two is bad'), failed('two', 'Other.')]).toEqual([
      true,
      false,
      true,
    ]);
    expect(errors.lines()).toHaveLength(2);
  });
});
