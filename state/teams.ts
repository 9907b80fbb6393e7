// The two teams: their names in prompts, how each wins, and whether its members know each other.
import { z } from 'zod';
import type { RuleValues } from './rules/rule.ts';

export const Team = z.enum(['villagers', 'werewolves']);
export type Team = z.infer<typeof Team>;

interface Side {
  /** The team's name in a sentence. */
  label: string;
  /** The team's members, as in "the other Werewolves". */
  members: string;
  /**
   * Returns the win condition that every player reads in the rules. `special`: the village's roles on the board that
   * have powers.
   */
  wins(rules: RuleValues, special: readonly string[]): string;
  /** Whether the team's members learn who they are before the first night. */
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
          : 'The Werewolves win as soon as they are at least half of the players left in the game.',
    acquainted: true,
  },
};
