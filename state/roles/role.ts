// The form in which a role declares everything that shared code must know about it. Shared code names no role.
import type { Game, Intent } from '../game.ts';
import type { Rule, RuleValues } from '../rules/rule.ts';
import type { Team } from '../teams.ts';
import type { View } from '../view.ts';
import type { PrivateFact, PrivateFactKind } from './private-facts.ts';

export interface Role {
  name: string;
  /** Plural of the name, as in "2 Werewolves". */
  plural: string;
  /** Names in records of other programs, besides the role's own name in capitals. */
  recordedAs?: readonly string[];
  /**
   * Set if the role's name is also an ordinary word ("a medium risk"). On boards without the role, players' words then
   * never refer to the role. The hash of the wording of all prompts leaves the role out.
   */
  isLocal?: true;
  /** Words about a local role and their counterparts in the renamed game, in lower case. */
  renamedAs?: Readonly<Record<string, string>>;
  /** Other words that players use for the role, in lower case, singular and plural. */
  nicknames?: Readonly<Record<string, string>>;
  team: Team;
  /**
   * Side to which holders belong in checks, in the team that knows its members and attacks together, and in the counts
   * that end the game. Absent if it is the side with which they win.
   */
  countsAs?: Team;
  /** Whether this is a special role rather than a plain villager. The rule `wins=edge` needs the distinction. */
  special: boolean;
  /**
   * Describes the role in one or a few sentences of everybody's rules; null if there is nothing to say. `count`: number
   * of holders on the board, 1 by default.
   */
  does(rules: RuleValues, count?: number): string | null;
  /** Advice for the holder under `coaching=paper`. */
  advice: string;
  /** Rules that matter only on boards with this role. */
  rules: Readonly<Record<string, Rule>>;
  powers: readonly Power[];
  /**
   * Kinds of facts that the moderator tells a holder in private (`private-facts.ts`), besides the holder's own role and
   * team.
   */
  isTold?: readonly PrivateFactKind[];
  /** If true, a holder who is voted out for the first time stays in the game, but has no vote from then on. */
  survivesFirstExile?: true;
  /** The last act that the holder may do on leaving the game. */
  lastAct?: LastAct;
}

/** An act on a player: the common part of powers and last acts. */
interface Act {
  /** The verb, as in "You chose to protect Dan." */
  verb: string;
  /** Purpose of the act, for bots and the judge of claims. */
  aim: 'harm' | 'shield' | 'learn';
  /**
   * Verbs by which players say that they used the act, infinitive → past. `…` marks the place of the target's name if
   * the name stands between the words. Absent for acts that nobody admits.
   */
  saidAs?: Readonly<Record<string, string>>;
  /** The question that the player reads; empty if nobody is asked. */
  question: string;
  /** Lists legal targets in seat order. If there are none, nobody is asked. */
  choices(view: View): string[];
}

/** A power that a role may use at night. Its verb is the name of a node of the graph. */
export interface Power extends Act {
  /**
   * Wave of the night. Powers of one wave are used at the same time. Holders of powers in a later wave know what was
   * done in earlier ones.
   */
  wave: number;
  /**
   * `holder`: each holder decides alone. `team`: all living holders decide together, under the rule `pack`.
   * `moderator`: nobody is asked; when a night is resolved, the moderator uses the power for each living holder on all
   * its choices.
   */
  actor: 'holder' | 'team' | 'moderator';
  /** The verb as a team reads it ("proposed to remove Dan"), if it is not `verb`. */
  spoken?: string;
  /** Whether the holder may decide to use it on nobody. */
  mayPass: boolean;
  /**
   * Returns whether the player may use the power tonight, judged by what is known at nightfall. Default: whether there
   * are choices at nightfall.
   */
  isReady?(view: View): boolean;
  /** Returns the facts that the moderator tells `me` before asking. */
  brief?(game: Game, me: string): PrivateFact[];
  /** Returns the effect of one use when the night is resolved. `sideOf`: returns the side that a check finds. */
  settle(intent: Intent, game: Game, sideOf: (player: string) => Team): NightEffect;
  /** Number of uses in a match. Default: every night. */
  uses?: number;
}

/** A last act on another player, who leaves the game because of it. It is always optional. */
export interface LastAct extends Act {
  /** Returns whether the act is allowed to a player who left in this way. */
  isAllowed(fate: Fate, rules: RuleValues): boolean;
  /** Returns the announcement to everybody: "Ginger was the Hunter and shot Dan". */
  tells(deed: LastActNotice): string;
}

/**
 * Data of the announcement of a last act. `isOwn`: whether the reader is the player `by`; `count`: number of holders of
 * the role on the board.
 */
interface LastActNotice {
  by: string;
  target: string;
  isOwn?: boolean;
  count?: number;
}

/** How a player left. No player learns whether a death in the night was an attack or poison. */
export type Fate = 'attack' | 'poison' | 'exile' | 'last_act';

/** Effect of an act when the night is resolved. */
export type NightEffect =
  | { kind: 'attack'; target: string }
  /** Saves from an attack. `clashes`: the shield and a cure cancel each other. */
  | { kind: 'shield'; target: string; clashes: boolean }
  /** Saves from an attack that the holder was told about. */
  | { kind: 'cure'; target: string }
  /** Kills; nothing saves from it. */
  | { kind: 'poison'; target: string }
  /** A player learns a fact. */
  | { kind: 'tell'; event: PrivateFact };

/** The choice to do nothing, offered beside the names of possible targets. */
export const passChoice = 'pass';

/**
 * Returns the side to which a role's holders belong. A check reveals this side, and claims about a player's side refer
 * to this side.
 *
 * @example getCountedSide(getRole('Seer')) // 'villagers'
 */
export const getCountedSide = ({ team, countsAs = team }: Pick<Role, 'team' | 'countsAs'>): Team => countsAs;
