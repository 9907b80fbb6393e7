// Who may sit at the table: the pool of 17 names of Werewolf Arena, and what a name may look like.
import { z } from 'zod';

export const namePool = [
  'Derek', 'Scott', 'Jacob', 'Isaac', 'Hayley', 'David', 'Tyler', 'Ginger', 'Jackson',
  'Mason', 'Dan', 'Bert', 'Will', 'Sam', 'Paul', 'Leah', 'Harold',
] as const; // prettier-ignore

/** One capitalised word of 2 to 20 Latin letters, so that no name can be taken for speech, a role or a number. */
export const PlayerName = z
  .string()
  .regex(/^\p{Script=Latin}{2,20}$/u, 'a name is one word of 2 to 20 Latin letters')
  .regex(/^\p{Lu}/u, 'a name starts with a capital letter');
