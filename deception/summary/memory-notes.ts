// Notes in a report on experience arms whose players received few memories.
import { isExperienceGivenAtStart } from '../experience/describe-experience.ts';
import { memoryMetrics } from '../metrics/memories.ts';
import { computeRatio, getSum, sum } from '../statistics/sums.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { formatCommandInFile } from '../../state/command-in-file.ts';
import { compareText } from '../../state/text.ts';
import type { FoundFigure } from './report-schema.ts';

/** Share of decisions without a memory above which an arm says little about memory. */
const mostEmpty = 0.5;

type MemoryFigure = Pick<FoundFigure, 'metric' | 'cell' | 'value' | 'opportunities'>;

/**
 * Lists a warning for each experience arm in which more than half of the decisions were made without a memory. Arms
 * with a growing pool are checked by block. If no pool was given at the start, memories are empty in block 1 by design;
 * block 1 then causes a note instead of a warning.
 *
 * @example listMemoryNotes(figures) // ['Memories were empty before 80 of 90 decisions, more than half: pool of
 *   4316a3e68ad9 …']
 */
export function listMemoryNotes(figures: readonly MemoryFigure[]): string[] {
  const wanted = figures.filter(
    ({ metric, cell }) =>
      metric === emptyMemories.name &&
      Object.keys(cell).every((dimension) => dimension === 'experience' || dimension === 'block'),
  );
  const byArm = Map.groupBy(wanted, ({ cell }) => cell['experience']!);
  const told = [...byArm]
    .sort(([one], [other]) => compareText(one, other))
    .map(([arm, own]) => {
      const blocks = own.filter(({ cell }) => cell['block'] !== undefined).sort(compareBlocks);
      const empty = (blocks.length > 0 ? blocks : own).filter(({ value }) => (value ?? 0) > mostEmpty);
      const isByDesign = ({ cell }: MemoryFigure) => cell['block'] === '1' && !isExperienceGivenAtStart(arm);
      return { arm, hasEmptyStart: empty.some(isByDesign), wanting: empty.filter((one) => !isByDesign(one)) };
    });
  return [
    ...told.flatMap(({ arm, wanting }) => describeEmpty(arm, wanting)),
    ...(told.some(({ hasEmptyStart }) => hasEmptyStart)
      ? [
          'In block 1 of a pool that grows from nothing there is nothing to remember yet: its memories are empty by design.',
        ]
      : []),
  ];
}

/**
 * Measures the share of decisions without a memory in each experience arm. Arms with a growing pool are measured by
 * block. The result is the input of `listMemoryNotes`.
 *
 * @example listMemoryNotes(measureEmptyMemories(matches))
 */
export function measureEmptyMemories(matches: readonly MatchTables[]): MemoryFigure[] {
  const counted = matches.flatMap((tables) =>
    emptyMemories.count(tables).map(({ cell: { experience, block }, sums }) => ({
      cell: { experience: experience!, ...(block !== undefined && { block }) },
      sums,
    })),
  );
  return [...Map.groupBy(counted, ({ cell }) => JSON.stringify(cell)).values()].map((same) => {
    const total = (name: string) => sum(same.map(({ sums }) => getSum(sums, name)));
    const [empty, decisions] = [total('empty'), total('decisions')];
    return {
      ...{ metric: emptyMemories.name, cell: same[0]!.cell },
      ...{ value: computeRatio(empty, decisions), opportunities: decisions },
    };
  });
}

const emptyMemories = memoryMetrics.find(({ name }) => name === 'empty_memory_rate')!;

const compareBlocks = ({ cell: one }: MemoryFigure, { cell: other }: MemoryFigure) =>
  Number(one['block']) - Number(other['block']);

function describeEmpty(arm: string, empty: readonly MemoryFigure[]): string[] {
  if (empty.length === 0) return [];
  const counts = empty.map(({ cell, value, opportunities }) => {
    const decisions = opportunities ?? 0;
    const block = cell['block'] === undefined ? '' : ` of block ${cell['block']}`;
    return `${Math.round((value ?? 0) * decisions)} of ${decisions} decisions${block}`;
  });
  return [
    `Memories were empty before ${counts.join(', ')}, more than half, in the arm: ${arm}. Its comparison with other arms says little about memory${empty.some(({ cell }) => cell['block'] !== undefined) ? ' there' : ''}. Build the pool from more matches with this board and these rules, or lower threshold; ${formatCommandInFile('pool', 'find')} shows scores.`,
  ];
}
