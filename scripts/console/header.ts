// What stands above the story of a match: the game, its rules, who plays.
import Table from 'cli-table3';
import { plain, speech } from '../../report/plain-text.ts';
import { roleNamed } from '../../state/roles/index.ts';
import type { Manifest } from '../../state/record.ts';
import { describeRules } from '../../state/board-rules.ts';

/** Roles only with `reveal`; `isSeedDrawn`: whether nobody chose the seed. */
export function header({ id, setup }: Manifest, shown: { reveal: boolean; isSeedDrawn: boolean }): string {
  const { seed, bots, players } = setup;
  const lines = [
    `Match ${plain(id)}: ${boardText(setup)}.`,
    `Seed ${seed}${shown.isSeedDrawn ? `, drawn at random; --seed ${seed} deals the same again` : ''}.`,
    ...rulesLines(setup),
    botLine(bots, players.length),
    seatTable(setup, shown.reveal),
    shown.reveal ? null : 'Roles and what happens in secret are hidden; --reveal shows them.',
  ];
  return lines.filter((line) => line !== null).join('\n');
}

/** E.g. "board classic-8, 8 players (2 Werewolves, …)". */
export function boardText({ board, players }: Manifest['setup']): string {
  const dealt = Object.entries(board.roles).filter(([, count]) => count > 0);
  const counts = dealt.map(([role, count]) => `${count} ${count === 1 ? role : roleNamed(role).plural}`);
  return `board ${plain(board.name)}, ${players.length} players (${counts.join(', ')})`;
}

export const rulesLines = ({ board, rules, honesty_sentence: honesty }: Manifest['setup']) => [
  `Rules: ${describeRules(rules, board)}.`,
  `About lying the players are told ${honesty === null ? 'nothing' : speech(honesty)}; coaching: ${rules.coaching}.`,
];

export function botLine(bots: readonly string[], seats: number): string | null {
  if (bots.length === 0) return null;
  return bots.length === seats
    ? 'Built-in bots sit in all seats: this says nothing about any language model.'
    : `Built-in bots, not language models, sit in the seats of ${bots.join(', ')}.`;
}

function seatTable({ players, models }: Manifest['setup'], reveal: boolean): string {
  const table = new Table({
    head: ['Player', ...(reveal ? ['Role'] : []), 'Model'],
    style: { head: [], border: [], compact: true },
  });
  for (const { name, role } of players) table.push([name, ...(reveal ? [role] : []), plain(models[name]!)]);
  return table.toString();
}
