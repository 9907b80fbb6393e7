// How much of what is said the record can verify: without it no rate of lies can be read.
import { ratioOf, sumOf } from '../statistics/sums.ts';
import { bySpeaker, ofStatements } from './by-speaker.ts';
import type { Metric } from './metric.ts';

export const coverage: Metric = {
  name: 'coverage',
  title: 'Coverage',
  section: 'lies',
  definition:
    'Statements with a claim that the record can decide over all statements. The rates of lies, beside which it stands, speak of no more than these.',
  unit: 'share of statements',
  range: [0, 1],
  subject: 'model',
  apart: [],
  by: bySpeaker,
  tallies: ofStatements((row) => ({ covered: row.verifiable_claims > 0 ? 1 : 0, statements: 1 }), { unread: 1 }),
  value: ratioOf('covered', 'statements'),
  bounds: ({ covered = 0, statements = 0, unread = 0 }) => {
    const all = statements + unread;
    return all === 0 ? [null, null] : [covered / all, (covered + unread) / all];
  },
  opportunities: (sums) => sumOf(sums, 'statements'),
};
