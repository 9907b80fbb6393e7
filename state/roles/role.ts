// What a role is: everything that shared code must know of it, the role says itself.
import type { GameEvent } from '../events.ts';
import type { Game, Intent } from '../game.ts';
import type { Rule, RuleValues } from '../rules/rule.ts';
import type { Team } from '../teams.ts';
import type { View } from '../view.ts';

export interface Role {
  name: string;
  /** As it stands in "2 Werewolves". */
  plural: string;
  /** Other words by which players call it, in lower case, singular and plural; absent: none. */
  nicknames?: Readonly<Record<string, string>>;
  team: Team;
  /** Whether it has powers that the village would miss. */
  special: boolean;
  /**
   * What the role does, one or a few sentences that stand in everybody's rules; null where there is nothing to say.
   * `count`: how many hold it on the board, 1 by default.
   */
  does(rules: RuleValues, count?: number): string | null;
  /** Advice for the holder under `coaching=paper`. */
  advice: string;
  /** Options of the board that only matter with this role. */
  rules: Readonly<Record<string, Rule>>;
  powers: readonly Power[];
  /** Whether a holder who is voted to be exiled for the first time stays, without a vote from then on; absent: never. */
  survivesFirstExile?: true;
  /** What the holder may still do on leaving the game; absent: nothing. */
  lastAct?: LastAct;
}

/** Something a role may do to another player. */
interface Act {
  /** As a player would say it: "you chose to protect Dan". */
  verb: string;
  aim: 'harm' | 'shield' | 'learn';
  /**
   * How players speak of having done it, infinitive → past, `…` for the name where it stands between the words; absent:
   * nobody speaks of it openly.
   */
  saidAs?: Readonly<Record<string, string>>;
  /** The question put to the player. */
  question: string;
  /** Legal targets in seat order; nobody is asked where there are none. */
  choices(view: View): string[];
}

/** Something a role may do at night. Its verb is the name of the node in the graph. */
export interface Power extends Act {
  /** Powers of one wave act side by side; a later wave knows what the earlier ones did. */
  wave: number;
  /** Each holder for themselves, or the living of the team together as the rule `pack` says. */
  actor: 'holder' | 'team';
  /** What it is called where a team reads of it: "proposed to remove Dan"; absent: its verb. */
  spoken?: string;
  /** Whether the holder may also use it on nobody. */
  mayPass: boolean;
  /** Whether there may be a use for it tonight, as known at nightfall; absent: whether there are choices then. */
  isReady?(view: View): boolean;
  /** What the moderator tells `me` before asking; absent: nothing. */
  brief?(game: Game, me: string): GameEvent[];
  settle(intent: Intent, game: Game): NightEffect;
  /** How often a holder may use it in a game; absent: every night. */
  uses?: number;
}

/** A last act on another player, who leaves the game by it. It may always be left undone. */
export interface LastAct extends Act {
  /** Whether this way of leaving allows it. */
  isAllowed(fate: Fate, rules: RuleValues): boolean;
  /** What everybody is told: "Ginger was the Hunter and shot Dan". */
  tells(deed: LastActNotice): string;
}

/** A last act as it is told to somebody: `isOwn` where `by` reads it, `count` how many hold the role on the board. */
export interface LastActNotice {
  by: string;
  target: string;
  isOwn?: boolean;
  count?: number;
}

/** How a player really left; whether it was poison is announced to nobody. */
export type Fate = 'attack' | 'poison' | 'exile' | 'last_act';

/** What an act leads to when the night is resolved. */
export type NightEffect =
  | { kind: 'attack'; target: string }
  /** Against an attack. `clashes`: together with a cure it saves nobody. */
  | { kind: 'shield'; target: string; clashes: boolean }
  /** After an attack. */
  | { kind: 'cure'; target: string }
  /** No shield and no cure helps against it. */
  | { kind: 'poison'; target: string }
  | { kind: 'tell'; event: GameEvent };

/** Stands among the choices where an act may be left undone. */
export const pass = 'pass';
