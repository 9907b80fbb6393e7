// The Idiot: survives the first exile, but loses the vote.
import type { Role } from './role.ts';

export const idiot: Role = {
  name: 'Idiot',
  plural: 'Idiots',
  team: 'villagers',
  special: true,
  does: (_rules, count = 1) =>
    `The first time that ${count > 1 ? 'an' : 'the'} Idiot is voted out, nobody is exiled: everybody is told the role, and the Idiot stays in the game and still speaks, but can no longer vote and does not count among the voters.`,
  advice:
    'One exile does you no harm but costs you your vote, and shows everybody who you are: from then on the village can trust what you say. Do not let yourself be exiled for nothing; drawing the votes of a day on you keeps them from somebody who matters more.',
  rules: {},
  survivesFirstExile: true,
  powers: [],
};
