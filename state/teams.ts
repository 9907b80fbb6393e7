// The two teams: what they are called in prompts, how each wins, and whether its players know each other.
import { z } from 'zod';
import type { RuleValues } from './rules/rule.ts';

export const Team = z.enum(['villagers', 'werewolves']);
export type Team = z.infer<typeof Team>;

interface Side {
  /** As it stands in a sentence. */
  label: string;
  /** Its players, as they stand in "the other Werewolves". */
  members: string;
  /** Told to every player as part of the rules. `special`: the roles of the village on the board that have powers. */
  wins(rules: RuleValues, special: readonly string[]): string;
  /** Whether its players are told who they are before the first night. */
  acquainted: boolean;
}

export const teams: Record<Team, Side> = {
  villagers: {
    label: 'the village',
    members: 'villagers',
    wins: () => 'The village wins as soon as no Werewolf is left in the game.',
    acquainted: false,
  },
  werewolves: {
    label: 'the Werewolves',
    members: 'Werewolves',
    wins: ({ wins }, special) =>
      wins === 'majority'
        ? 'The Werewolves win as soon as more Werewolves than other players are left in the game.'
        : wins === 'edge'
          ? `The Werewolves win as soon as no player of the village with a special role (${special.join(', ')}) is left in the game, or none without one.`
          : 'The Werewolves win as soon as at least as many Werewolves as other players are left in the game.',
    acquainted: true,
  },
};
