// Metrics of memory: how much players with experience were given of earlier matches, and how often nothing.
import type { MatchTables } from '../tables/match-tables.ts';
import { nameArm } from './learning.ts';
import { createRatioFigure, type Metric, type MetricTally } from './metric.ts';

/** Decisions before which somebody could remember; none of matches without experience. */
function countMemories(tables: MatchTables): MetricTally[] {
  const { experience_block: block } = tables.match;
  return tables.calls.flatMap(({ model, action, questions, remembered, without_memory: empty }) => {
    if (remembered === null || empty === null) return [];
    const cell = { experience: nameArm(tables), model, action, ...(block !== null && { block: String(block) }) };
    return [{ cell, sums: { remembered, empty, decisions: questions } }];
  });
}

const common = {
  section: 'reliability',
  modelDimension: 'model',
  strata: ['experience'],
  breakdowns: [['block'], ['model'], ['action']],
  count: countMemories,
} as const;

export const memoryMetrics: readonly Metric[] = [
  {
    ...common,
    ...createRatioFigure('remembered', 'decisions'),
    name: 'remembered_entries',
    title: 'Entries a decision',
    definition:
      'Entries of earlier matches in the prompts of debate statements, ballots and night acts of players with experience over all such decisions, in each arm.',
    unit: 'entries per decision',
    range: [0, null],
  },
  {
    ...common,
    ...createRatioFigure('empty', 'decisions'),
    name: 'empty_memory_rate',
    title: 'Empty memories',
    definition:
      'Decisions before which a player with experience remembered nothing over all before which it could, in each arm; the first block of a pool that grows from nothing counts too.',
    unit: 'share of decisions',
    range: [0, 1],
  },
];
