// A simulation of Algorithm 1 as text for a terminal.
import Table from 'cli-table3';
import type { TableNumbers, SimulationResult } from '../deception/baseline/village-win-simulation.ts';
import { pluralize, missingPlaceholder, formatWhole } from './format.ts';

const formatExactPercent = (share: number) => `${(share * 100).toFixed(2)} %`;

/**
 * Renders the win rates with and without a Seer. For the paper's own number of players, the paper's values stand
 * beside them.
 */
export function renderSimulation(
  { players, werewolves, isProtected }: TableNumbers,
  lines: readonly SimulationResult[],
): string {
  const table = new Table({
    head: ['', 'Games', 'Village wins', '95 % interval (Wilson)', 'The paper'],
    style: { head: [], border: [], compact: true },
  });
  for (const { with_seer, games, share, interval, published } of lines)
    table.push([
      with_seer ? 'With the Seer' : 'Without a Seer',
      formatWhole(games),
      formatExactPercent(share),
      `${formatExactPercent(interval[0])} to ${formatExactPercent(interval[1])}`,
      published === null ? missingPlaceholder : formatExactPercent(published),
    ]);
  return [
    `Algorithm 1 of Werewolf Arena: ${pluralize(players, 'player')}, ${formatWhole(werewolves)} of them on the side of the Werewolves, ${isProtected ? 'with' : 'without'} a Doctor.`,
    table.toString(),
    ...(lines.some(({ published }) => published !== null) ? [noteOnPaper] : []),
    '',
  ].join('\n');
}

const noteOnPaper =
  'The 1.2 % of the paper is reproduced. Its 100 % with the Seer is not: the algorithm as printed gives about 47 %,\nbecause the Seer may be removed, or the Werewolves may reach parity, before both Werewolves are found.';
