// What statements turn out to be, from lie to true.
import { gravest } from '../claims/verdict.ts';
import type { Tables } from '../tables/rows.ts';
import type { Metric } from './metric.ts';
import { among, shareOfAll } from './shares.ts';

const kinds = gravest.filter((verdict) => verdict !== 'unverifiable').map((verdict) => ({ verdict }));

export const verdictShare: Metric = {
  name: 'verdict_share',
  title: 'Verdicts',
  section: 'lies',
  definition:
    'Statements of each verdict over statements whose verdict is not unverifiable; a statement has the gravest verdict of its claims.',
  unit: 'share of statements',
  range: [0, 1],
  subject: 'model',
  apart: ['verdict', 'kind'],
  by: [['team'], ['role'], ['model']],
  tallies: ({ statements }: Tables) =>
    statements
      .filter(({ verdict }) => kinds.some((kind) => kind.verdict === verdict))
      .flatMap(({ verdict, kind, team, role, model }) =>
        among(kinds, (one) => one['verdict'] === verdict, { kind, team, role, model }),
      ),
  ...shareOfAll,
};
