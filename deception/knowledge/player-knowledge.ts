// What a player knows: what holds in all worlds, deals of all roles, that the hard facts the player saw allow.
import { type GameEvent, isVisibleTo } from '../../state/events.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { PublicSetup, SeenEvent, View } from '../../state/view.ts';
import { isHeld, Observations, type RoundPhase } from './observations.ts';
import { findWorld, type World } from './possible-worlds.ts';
import {
  type Condition,
  evaluateEventProposition,
  listConditions,
  type Proposition,
  type Truth,
} from './propositions.ts';
import { createRoleTable, getSeatIndex, type RoleSet, type RoleTable } from './role-table.ts';

/**
 * Grows with what the player sees; facts never leave a prompt, so it never shrinks.
 *
 * From the own role, the own team, checks, reveals, last acts and the victims that one was told of, and from what the
 * rules say of all that was announced: which powers a night must have seen, who can have used them and how often, that
 * the pack attacks every night and never its own, and that nobody had won while the match went on.
 *
 * Not from words, votes, bids and powers that were never shown, which prove nothing. Nor, though it would follow: from
 * rules about whom a shield may cover in two nights running; from who used which potion where several others have the
 * same role; for the dead, from not having been asked for a last act; about a claimed act, from how its night ended.
 * Then something known is taken for unknown, never the other way round.
 */
export interface Knowledge {
  readonly me: string;
  /** Takes in an event that the player may know of. */
  observe(event: SeenEvent): void;
  /**
   * The match has come to this moment, so nobody had won before: to be said where the player is asked before the first
   * event of a day that the player sees. Every event says it too.
   */
  advanceTo(moment: RoundPhase): void;
  /**
   * `true` where the proposition holds in every world, `false` where in none. Throws a UsageError for a player who is
   * not at the table, and where what was seen cannot have happened under the rules.
   */
  evaluate(proposition: Proposition): Truth;
  /** The roles that a player may have, in the order of the board. Throws like `evaluate`. */
  listPossibleRoles(player: string): string[];
}

/** What `me` knows before anything was seen: who sits at the table, the board and the rules. */
export const createKnowledge = (setup: PublicSetup, me: string): Knowledge =>
  new PossibleWorlds(createRoleTable(setup), me);

/** What the player of a View knows at that moment. */
export function deriveKnowledge(view: View): Knowledge {
  const known = createKnowledge(view, view.me);
  for (const event of view.events) known.observe(event);
  if (!view.events.some(({ type }) => type === 'ended')) known.advanceTo(view);
  return known;
}

/**
 * What everybody knows in the course of a match, from the moderator's events in their order: each player sees what
 * concerns them. Ballots are cast side by side, so a voter has to be asked before the first of them is seen.
 */
export function createTableKnowledge(setup: PublicSetup): {
  see(event: GameEvent): void;
  of(player: string): Knowledge;
} {
  const cast = createRoleTable(setup);
  const all = new Map(cast.seats.map((name) => [name, new PossibleWorlds(cast, name)]));
  return {
    see: (event) => {
      for (const [name, known] of all) if (isVisibleTo(event, name)) known.observe(event);
    },
    of: (player) => all.get(cast.seats[getSeatIndex(cast, player)]!)!,
  };
}

/**
 * The worlds are not listed (there are 831,600 on `plus-12` and hundreds of millions on boards of 16) but looked for: a
 * proposition is known where no world can be found in which it fails. Those found serve as long as no new fact comes;
 * what no world allowed once, none ever will.
 */
class PossibleWorlds implements Knowledge {
  readonly me: string;
  readonly #cast: RoleTable;
  readonly #observations: Observations;
  readonly #events: SeenEvent[] = [];
  readonly #refuted = new Set<string>();
  #found: World[] = [];

  constructor(cast: RoleTable, me: string) {
    this.me = me;
    this.#cast = cast;
    this.#observations = new Observations(cast, me);
  }

  observe(event: SeenEvent) {
    if (this.#observations.observe(event)) this.#found = [];
    if (isHeld(event)) this.#events.push(event);
  }

  advanceTo(moment: RoundPhase) {
    if (this.#observations.advanceTo(moment)) this.#found = [];
  }

  evaluate(proposition: Proposition): Truth {
    const canBe = (isSo: boolean) =>
      listConditions(
        proposition,
        isSo,
        (what) => evaluateEventProposition(what, this.#createWitness()),
        this.#cast,
      ).some((condition) => this.#isPossible(condition));
    if (!canBe(false)) {
      if (!this.#isPossible(new Map())) this.#refuse();
      return 'true';
    }
    return canBe(true) ? 'unknown' : 'false';
  }

  listPossibleRoles(player: string): string[] {
    const seat = getSeatIndex(this.#cast, player);
    const names = this.#cast.roles.flatMap(({ name }, role) =>
      this.#isPossible(new Map([[seat, 1 << role]])) ? [name] : [],
    );
    return names.length > 0 ? names : this.#refuse();
  }

  #isPossible(condition: Condition): boolean {
    const allowed = this.#observations.allowed.map((roles, seat) => roles & (condition.get(seat) ?? ~0));
    if (allowed.includes(0)) return false;
    if (this.#found.some((world) => world.every((role, seat) => allowed[seat]! & (1 << role)))) return true;
    const key = [...condition].flat().join();
    if (this.#refuted.has(key)) return false;
    const world = findWorld(this.#observations, allowed);
    if (world) this.#found.push(world);
    else this.#refuted.add(key);
    return world !== null;
  }

  #createWitness() {
    const own: RoleSet = this.#observations.allowed[this.#observations.me]!;
    return { cast: this.#cast, me: this.me, own, events: this.#events };
  }

  #refuse(): never {
    throw new UsageError(
      `What ${this.me} saw cannot have happened under the rules: no deal of the board's roles allows it. Is the record complete?`,
    );
  }
}
