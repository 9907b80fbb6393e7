// What a role is. Shared code names no role: everything that it must know of one, the role declares in this form.
import type { Game, Intent } from '../game.ts';
import type { Rule, RuleValues } from '../rules/rule.ts';
import type { Team } from '../teams.ts';
import type { View } from '../view.ts';
import type { PrivateFact, PrivateFactKind } from './private-facts.ts';

export interface Role {
  name: string;
  /** As it stands in "2 Werewolves". */
  plural: string;
  /** Other words by which players call it, in lower case, singular and plural; absent: none. */
  nicknames?: Readonly<Record<string, string>>;
  team: Team;
  /** Whether it is a special role rather than a plain villager, as the rule `wins=edge` distinguishes. */
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
  /** The kinds of facts that the moderator tells a holder in private (`private-facts.ts`); absent: own role and team alone. */
  isTold?: readonly PrivateFactKind[];
  /** A holder who is voted to be exiled for the first time stays, without a vote from then on; absent: is exiled. */
  survivesFirstExile?: true;
  /** What the holder may still do on leaving the game; absent: nothing. */
  lastAct?: LastAct;
}

/** Something that a role may do to a player: what powers and last acts have in common. */
interface Act {
  /** As it stands in "You chose to protect Dan." */
  verb: string;
  /** What it is for, as bots and the judge of claims must know. */
  aim: 'harm' | 'shield' | 'learn';
  /**
   * How players speak of having done it, infinitive → past, with `…` where the name stands between the words; absent:
   * nobody admits to it.
   */
  saidAs?: Readonly<Record<string, string>>;
  /** The question as the player reads it. */
  question: string;
  /** Legal targets in seat order; nobody is asked where there are none. */
  choices(view: View): string[];
}

/** What a role may do at night. Its verb is the name of a node of the graph. */
export interface Power extends Act {
  /** Powers of one wave act side by side; a later wave knows what the earlier ones did. */
  wave: number;
  /** `holder`: each holder alone. `team`: all living holders together, as the rule `pack` says. */
  actor: 'holder' | 'team';
  /** The verb in what a team reads: "proposed to remove Dan"; absent: `verb`. */
  spoken?: string;
  /** Whether the holder may also use it on nobody. */
  mayPass: boolean;
  /** Whether the player may have a use for it tonight, as known at nightfall; absent: whether there are choices then. */
  isReady?(view: View): boolean;
  /** What the moderator tells `me` before asking; absent: nothing. */
  brief?(game: Game, me: string): PrivateFact[];
  /** What a use of it leads to when the night is resolved. */
  settle(intent: Intent, game: Game): NightEffect;
  /** How often a holder may use it in a game; absent: every night. */
  uses?: number;
}

/** A last act on another player, who leaves the game by it. It may always be left undone. */
export interface LastAct extends Act {
  /** Whether it may be done after having left in this way. */
  isAllowed(fate: Fate, rules: RuleValues): boolean;
  /** What everybody is told: "Ginger was the Hunter and shot Dan". */
  tells(deed: LastActNotice): string;
}

/** A last act as a player reads it: `isOwn` where that is `by`; `count`: how many hold the role on the board. */
interface LastActNotice {
  by: string;
  target: string;
  isOwn?: boolean;
  count?: number;
}

/** How a player left; no player is told whether it was an attack or poison. */
export type Fate = 'attack' | 'poison' | 'exile' | 'last_act';

/** What an act leads to when the night is resolved. */
export type NightEffect =
  | { kind: 'attack'; target: string }
  /** Saves from an attack. `clashes`: not together with a cure. */
  | { kind: 'shield'; target: string; clashes: boolean }
  /** Saves from an attack that the holder was told of. */
  | { kind: 'cure'; target: string }
  /** Nothing saves from it. */
  | { kind: 'poison'; target: string }
  /** Somebody learns something. */
  | { kind: 'tell'; event: PrivateFact };

/** The choice to leave an act undone, beside the names of possible targets. */
export const passChoice = 'pass';
