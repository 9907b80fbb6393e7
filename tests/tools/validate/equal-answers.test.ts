// The check notices a table of answers that reports differences between equal models too often.
import { expect, it } from '@jest/globals';
import { listBrokenAnswers } from '../../../tools/validate/equal-answers.ts';

it('equal models that are called different too often are noticed', () => {
  const row = (any: number) => ({ question: 'lies' as const, tested: 400, any, comparisons: 400 });
  expect(listBrokenAnswers([row(20), row(36)])).toEqual([row(36)]);
});
