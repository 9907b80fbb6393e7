// Order of suites for trying mutants: Jest runs them in the order in which they are named.
import Sequencer from '@jest/test-sequencer';

const order = (process.env['MUTANT_SUITES'] ?? '').split('\n');

/** Keeps the given order. Jest's own sequencer sorts by size and earlier durations. */
export default class NamedOrder extends Sequencer {
  sort(tests) {
    const find = ({ path }) => order.findIndex((suite) => path.endsWith(`/${suite}`));
    return [...tests].sort((one, other) => find(one) - find(other));
  }
}
