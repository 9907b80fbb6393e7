// Derives what a player can be certain of. A player knows a proposition if it holds in every possible world, i.e. in
// every deal of all roles under which the match could have gone as the player saw it. There are three steps.
// `observations.ts` turns each event into facts about roles and into a course of nights, departures and checks of the
// win conditions. `night-hypotheses.ts` lists what may have happened in each night, and resolves each possibility with
// the game's own step. `possible-worlds.ts` then searches for a possible world in which a proposition is false. If
// there is none, the player knows that the proposition is true.
import { type GameEvent, isVisibleTo } from '../../state/events.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { PublicSetup, SeenEvent, View } from '../../state/view.ts';
import { isEvidence, Observations, type RoundPhase } from './observations.ts';
import { findPossibleWorld, type PossibleWorld } from './possible-worlds.ts';
import {
  type Condition,
  evaluateEventProposition,
  type EventProposition,
  listRoleConditions,
  type Proposition,
  type TruthValue,
} from './propositions.ts';
import { createRoleTable, getSeatIndex, type RoleSet, type RoleTable } from './role-table.ts';

/**
 * The knowledge of one player. It grows with every event and never shrinks, because context trimming never removes
 * facts from prompts.
 *
 * Knowledge follows from the player's own role and team, checks, reveals, last acts, and the victims that the player
 * learned. It also follows from what announcements imply under the rules: which powers must have been used in a night,
 * who can have used them and how often, whom the Werewolves can have attacked, and that nobody had won while the match
 * continued. Statements, votes, bids and powers that were never shown prove nothing.
 *
 * Four consequences are not derived, so a fact that the player could infer may count as unknown, but never the reverse:
 * - rules about shielding a player two nights in a row;
 * - who used which potion if several other players have the same role;
 * - what departed players can conclude because no last act was requested from them;
 * - what the end of a night says about a claimed act, beyond the fate of the act's target.
 */
export interface Knowledge {
  readonly me: string;
  /** Adds an event that the player may see. */
  observe(event: SeenEvent): void;
  /**
   * Records that the match has reached this phase, so nobody had won before. Every event records its phase too. The
   * call is needed only if the player is asked before seeing the first event of a phase.
   */
  advanceTo(reached: RoundPhase): void;
  /**
   * Returns `true` if the proposition holds in every possible world, `false` if it holds in none. Throws a UsageError
   * for an unknown player, and if the observations are impossible under the rules.
   */
  evaluate(proposition: Proposition): TruthValue;
  /** Lists the roles that a player may have, in the order of the board. Throws like `evaluate`. */
  listPossibleRoles(player: string): string[];
}

/**
 * Derives the knowledge of the View's owner at the point of the match that the View shows.
 *
 * @example
 * const knowledge = deriveKnowledge(createView(game, 'Ann'));
 * knowledge.evaluate(isOnTeam('Bob', 'werewolves')); // 'true', 'false' or 'unknown'
 * knowledge.listPossibleRoles('Bob'); // e.g. ['Villager', 'Seer']
 */
export function deriveKnowledge(view: View): Knowledge {
  const knowledge = new WorldSearchKnowledge(createRoleTable(view), view.me);
  for (const event of view.events) knowledge.observe(event);
  if (!view.events.some(({ type }) => type === 'ended')) knowledge.advanceTo(view);
  return knowledge;
}

/**
 * Tracks the knowledge of all players through the match's events in order. `see` passes an event to the players who see
 * it. `of` returns a player's current knowledge, and throws a UsageError for an unknown player. Ballots are cast at the
 * same time, so ask about voters before passing the first ballot to `see`.
 *
 * @example
 * const table = createTableKnowledge({ board, rules, players: ['Ann', 'Bob', 'Cleo'] });
 * for (const event of events) table.see(event);
 * table.of('Ann').evaluate(hasRole('Bob', 'Seer'));
 */
export function createTableKnowledge(setup: PublicSetup): {
  see(event: GameEvent): void;
  of(player: string): Knowledge;
} {
  const table = createRoleTable(setup);
  const byName = new Map(table.seats.map((name) => [name, new WorldSearchKnowledge(table, name)]));
  return {
    see: (event) => {
      for (const [name, knowledge] of byName) if (isVisibleTo(event, name)) knowledge.observe(event);
    },
    of: (player) => byName.get(table.seats[getSeatIndex(table, player)]!)!,
  };
}

/**
 * Searches for single possible worlds instead of listing all worlds: `plus-12` has 831,600, and boards of 16 have
 * hundreds of millions. A proposition is known to be true if the search finds no world in which it is false. Worlds
 * that were found are cached until the next event. Conditions that no world meets are cached for good, because later
 * events cannot make them possible.
 */
class WorldSearchKnowledge implements Knowledge {
  readonly me: string;
  readonly #table: RoleTable;
  readonly #observations: Observations;
  readonly #events: SeenEvent[] = [];
  readonly #impossible = new Set<string>();
  #worlds: PossibleWorld[] = [];

  constructor(table: RoleTable, me: string) {
    this.me = me;
    this.#table = table;
    this.#observations = new Observations(table, me);
  }

  observe(event: SeenEvent) {
    if (this.#observations.observe(event)) this.#worlds = [];
    if (isEvidence(event)) this.#events.push(event);
  }

  advanceTo(reached: RoundPhase) {
    if (this.#observations.advanceTo(reached)) this.#worlds = [];
  }

  evaluate(proposition: Proposition): TruthValue {
    const canBe = (isTrue: boolean) =>
      listRoleConditions(proposition, isTrue, (what) => this.#evaluateEvent(what), this.#table).some((condition) =>
        this.#isPossible(condition),
      );
    if (!canBe(false)) {
      if (!this.#isPossible(new Map())) this.#refuse();
      return 'true';
    }
    return canBe(true) ? 'unknown' : 'false';
  }

  listPossibleRoles(player: string): string[] {
    const seat = getSeatIndex(this.#table, player);
    const names = this.#table.roles.flatMap(({ name }, role) =>
      this.#isPossible(new Map([[seat, 1 << role]])) ? [name] : [],
    );
    return names.length > 0 ? names : this.#refuse();
  }

  #isPossible(condition: Condition): boolean {
    const allowed = this.#observations.allowed.map((roles, seat) => roles & (condition.get(seat) ?? ~0));
    if (allowed.includes(0)) return false;
    if (this.#worlds.some((world) => world.every((role, seat) => allowed[seat]! & (1 << role)))) return true;
    const key = [...condition].flat().join();
    if (this.#impossible.has(key)) return false;
    const world = findPossibleWorld(this.#observations, allowed);
    if (world) this.#worlds.push(world);
    else this.#impossible.add(key);
    return world !== null;
  }

  #evaluateEvent(what: EventProposition): TruthValue {
    const seen = evaluateEventProposition(what, this.#createWitness());
    return seen === 'unknown' && what.type === 'act' && this.#observations.isRuledOut(what) ? 'false' : seen;
  }

  #createWitness() {
    const own: RoleSet = this.#observations.allowed[this.#observations.me]!;
    return { table: this.#table, me: this.me, own, events: this.#events };
  }

  #refuse(): never {
    throw new UsageError(
      `What ${this.me} saw cannot have happened under the rules: no deal of the board's roles allows it. Is the record complete?`,
    );
  }
}
