// The Possessed: wins with the Werewolves, but is human in every other respect and does not know them.
import type { Role } from './role.ts';

export const possessed: Role = {
  name: 'Possessed',
  plural: 'Possessed',
  isLocal: true,
  renamedAs: { possessed: 'bribed' },
  team: 'werewolves',
  countsAs: 'villagers',
  special: true,
  does: (_rules, count = 1) =>
    `${count > 1 ? 'Each' : 'The'} Possessed wins with the Werewolves, but is no Werewolf: the Werewolves and the Possessed do not know each other, the Possessed does not count as a Werewolf when it is checked whether a side has won, and to a player who learns only somebody's side the Possessed is on the side of the village.`,
  advice:
    'Nobody knows that you play for the Werewolves, not even they. Mislead the village: claim a role that you do not have, report results that you never had, and draw votes away from those who seem to be Werewolves. Beware: you do not know them, so a false result can hit one of your own side.',
  rules: {},
  powers: [],
};
