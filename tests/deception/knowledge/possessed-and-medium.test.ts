// Knowledge around the Possessed and the Medium. Each of these roles is the observer once.
import { expect, it } from '@jest/globals';
import { createTableKnowledge } from '../../../deception/knowledge/player-knowledge.ts';
import { isOnTeam } from '../../../deception/knowledge/propositions.ts';
import { readBoard } from '../../../state/boards.ts';
import type { GameEvent } from '../../../state/events.ts';
import { resolveBoardRules } from '../../../state/rulebook.ts';

const board = readBoard({
  name: 'recorded',
  roles: { Werewolf: 1, Possessed: 1, Seer: 1, Medium: 1, Villager: 2 },
  names: ['Ann', 'Bob', 'Cleo', 'Dan', 'Eve', 'Finn'],
});
const players = ['Ann', 'Bob', 'Cleo', 'Dan', 'Eve', 'Finn']; // Werewolf, Possessed, Seer, Medium, Villager, Villager
const rules = resolveBoardRules(board, 'wolf', { checkTells: 'team', reveal: 'none' });
const dealt = Object.keys(board.roles).flatMap((role) => Array<string>(board.roles[role] ?? 0).fill(role));
const deal: GameEvent[] = [
  ...players.map((player, seat) => ({
    ...{ round: 0, phase: 'night' as const, audience: [player], type: 'dealt' as const, player, role: dealt[seat]! },
  })),
  { round: 0, phase: 'night', audience: ['Ann'], type: 'acquainted', players: ['Ann'], team: 'werewolves' },
];
const learn = (by: string, about: string, team: 'villagers' | 'werewolves'): GameEvent => ({
  ...{ round: 1, phase: 'night', audience: [by], type: 'learned', by, about, team },
});

function createKnowledge(events: readonly GameEvent[]) {
  const table = createTableKnowledge({ board, rules, players });
  for (const event of [...deal, ...events]) table.see(event);
  return (name: string) => table.of(name);
}

it('a Possessed knows to be human, and nobody else', () => {
  const of = createKnowledge([]);
  expect(of('Bob').evaluate(isOnTeam('Bob', 'werewolves'))).toBe('false');
  expect(of('Bob').evaluate(isOnTeam('Ann', 'werewolves'))).toBe('unknown');
  expect(of('Ann').listPossibleRoles('Bob')).toEqual(['Possessed', 'Seer', 'Medium', 'Villager']);
});

it('a check that finds a human does not exclude the Possessed', () => {
  const of = createKnowledge([learn('Cleo', 'Bob', 'villagers')]);
  expect(of('Cleo').listPossibleRoles('Bob')).toEqual(['Possessed', 'Medium', 'Villager']);
});

it('a Medium knows what the last exile was', () => {
  const of = createKnowledge([learn('Dan', 'Ann', 'werewolves')]);
  expect(of('Dan').evaluate(isOnTeam('Ann', 'werewolves'))).toBe('true');
  expect(of('Eve').evaluate(isOnTeam('Ann', 'werewolves'))).toBe('unknown');
});
