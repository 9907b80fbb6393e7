// What a role is: everything that shared code must know of it, the role says itself.
import type { GameEvent } from './event.ts';
import type { Game } from './game.ts';
import type { Intent } from './rows.ts';
import type { Rule, RuleValues } from './rule.ts';
import type { Team } from './teams.ts';
import type { View } from './view.ts';

export interface Role {
  name: string;
  /** As it stands in "2 Werewolves". */
  plural: string;
  team: Team;
  /** Whether it has powers that the village would miss. */
  special: boolean;
  /** What the role does, one sentence that stands in everybody's rules; null where there is nothing to say. */
  does(rules: RuleValues): string | null;
  /** Advice for the holder under `coaching=paper`. */
  advice: string;
  /** Options of the board that only matter with this role. */
  rules: Readonly<Record<string, Rule>>;
  powers: readonly Power[];
}

/** Something a role may do at night. Its verb is the name of the node in the graph. */
export interface Power {
  verb: string;
  /** Powers of one wave act side by side; a later wave knows what the earlier ones did. */
  wave: number;
  aim: 'harm' | 'shield' | 'learn';
  /** Each holder for themselves, or the living of the team together as the rule `pack` says. */
  actor: 'holder' | 'team';
  /** The question put to the player. */
  question: string;
  /** Legal targets in seat order; nobody is asked where there are none. */
  choices(view: View): string[];
  settle(intent: Intent, game: Game): NightEffect;
}

/** What an act leads to when the night is resolved. */
export type NightEffect =
  { kind: 'attack'; target: string } | { kind: 'shield'; target: string } | { kind: 'tell'; event: GameEvent };
