// The Idiot: survives the first exile, at the price of the vote.
import type { Role } from './role.ts';

export const idiot: Role = {
  name: 'Idiot',
  plural: 'Idiots',
  team: 'villagers',
  special: true,
  does: (_rules, count = 1) =>
    `${count > 1 ? 'An' : 'The'} Idiot who is voted to be exiled for the first time is not: everybody is told the role, and the Idiot stays in the game, still speaks, but has no vote any more and no longer counts among those who vote.`,
  advice:
    'One exile does you no harm but costs you your vote, and shows everybody who you are: from then on the village can trust what you say. Do not let yourself be exiled for nothing; drawing the votes of a day on you keeps them from somebody who matters more.',
  rules: {},
  survivesFirstExile: true,
  powers: [],
};
