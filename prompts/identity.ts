// Who a player is: name, role, side, aim and persona.
import { specialRoles } from '../state/board-rules.ts';
import { roleNamed } from '../state/roles/index.ts';
import { teams } from '../state/teams.ts';
import type { View } from '../state/view.ts';
import { oneLine } from '../state/words.ts';
import { untagged } from './quote.ts';

export function identityText({ me, role: name, persona, rules, board }: View): string {
  const role = roleNamed(name);
  const side = teams[role.team];
  return [
    `You are ${me}`,
    `Your role is ${role.name}; you are on the side of ${side.label}. ${role.does(rules, board.roles[name]) ?? 'You have no power at night.'}`,
    `Your aim: ${side.wins(rules, specialRoles(board))}`,
    ...(rules.coaching === 'paper' ? [`Advice: ${role.advice}`] : []),
    ...(persona === undefined ? [] : [`Your character: ${untagged(oneLine(persona))}`]),
    'Stay in the game: speak as a player, in plain English.',
  ].join('\n');
}
