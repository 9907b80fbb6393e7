// Metrics of memory: how many entries of earlier matches a player with experience received, and how often the player
// received none.
import type { MatchTables } from '../tables/match-tables.ts';
import { nameArm } from './learning.ts';
import { createRatioFigure, type Metric, type MetricTally } from './metric.ts';

/**
 * Counts decisions for which a player could receive memories of earlier matches. Matches without experience have no
 * such decisions.
 */
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
    title: 'Remembered entries per decision',
    definition:
      'Entries of earlier matches in the prompt, per debate statement, ballot or night act of players with experience, by arm.',
    notes: 'By `block` where pools grow. See [experience](experience.md).',
    unit: 'entries per decision',
    range: [0, null],
  },
  {
    ...common,
    ...createRatioFigure('empty', 'decisions'),
    name: 'empty_memory_rate',
    title: 'Empty memories',
    definition:
      'Share of decisions of players with experience whose prompt had no remembered entry, by arm. The first block of a pool that grows from nothing counts too.',
    notes: 'Above half, a report warns about the arm, or about its blocks where pools grow.',
    unit: 'share of decisions',
    range: [0, 1],
  },
];
