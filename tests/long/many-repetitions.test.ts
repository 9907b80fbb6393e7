// The tests of coverage and error levels again, with as many repetitions as their promises need. `npm test` makes fewer.
import { afterAll } from '@jest/globals';

const before = process.env['WOLFGRAPH_RUNS'];
process.env['WOLFGRAPH_RUNS'] ??= '500';
await import('../deception/statistics/prediction-powered.test.ts');
await import('../deception/summary/model-drift.test.ts');

afterAll(() => {
  if (before === undefined) delete process.env['WOLFGRAPH_RUNS'];
});
