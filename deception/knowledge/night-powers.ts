// Roles' abilities at night, as the search for possible worlds needs them. Powers declare how often they can be used.
// All other rules are found by asking the power in a small hypothetical game, so that no rule is written twice.
import type { GameEvent } from '../../state/events.ts';
import type { Intent } from '../../state/game.ts';
import { getNightFate, listNightEffects, resolveNight } from '../../state/night-resolution.ts';
import { getCountedSide, type Role } from '../../state/roles/role.ts';
import type { PublicSetup } from '../../state/view.ts';
import { HypotheticalGames, memoizeBy, type Nightfall, type PlacedPower } from './hypothetical-games.ts';

/**
 * A power that a single player uses and that changes who leaves in a night. Excludes powers that only reveal something.
 */
export interface NightPower extends PlacedPower {
  /** Index in the list of these powers. */
  index: number;
  /** Number of uses in a match; Infinity for a power that can be used every night. */
  supply: number;
}

/**
 * The night powers of a board under its rules. `roles`: the roles that occur on the board, in its order.
 *
 * @example
 * new NightPowers(setup, roles).canAttack('Ann', { round: 1, alive: ['Ann', 'Bob', 'Cleo'] });
 */
export class NightPowers {
  /** Powers that single players use and that change who leaves in a night. */
  readonly holderPowers: readonly NightPower[];
  /** Roles of the team that attacks together, as a `RoleSet`; 0 if no team attacks. */
  readonly attackers: number;
  /** Roles that the target of an attack cannot have, as a `RoleSet`. */
  readonly unattackableRoles: number;
  readonly #games: HypotheticalGames;
  /** The attack of a team; undefined if no team attacks. */
  readonly #attack: PlacedPower | undefined;

  constructor(setup: PublicSetup, roles: readonly Role[]) {
    this.#games = new HypotheticalGames(setup, roles);
    const powers = roles.flatMap((role, index) => role.powers.map((power) => ({ ...power, role: index })));
    this.#attack = powers.find((power) => power.actor === 'team' && this.#games.findEffect(power) === 'attack');
    const attackingTeam = this.#attack && roles[this.#attack.role]!.team;
    this.attackers = roles.reduce(
      (set, one, role) => (getCountedSide(one) === attackingTeam ? set | (1 << role) : set),
      0,
    );
    this.holderPowers = powers
      .filter((power) => power.actor === 'holder' && this.#games.findEffect(power) !== 'tell')
      .map((power, index): NightPower => ({ ...power, index, supply: power.uses ?? Infinity }));
    const { night, first, second } = this.#games;
    const canAttackOwnTeam = this.#attack && this.#listAttackable(night, first, [second]).includes(second);
    this.unattackableRoles = canAttackOwnTeam === false ? this.attackers : 0;
  }

  /** Returns whether the attacking team may choose this player. */
  readonly canAttack = memoizeBy(
    (target: string, nightfall: Nightfall) => `${target} ${getNightfallKey(nightfall)}`,
    (target: string, nightfall: Nightfall) =>
      this.#attack !== undefined &&
      nightfall.alive.some((by) => by !== target && this.#listAttackable(nightfall, by, []).includes(target)),
  );

  /** Returns whether the attacking team must choose somebody. */
  readonly mustAttack = memoizeBy(
    getNightfallKey,
    (nightfall: Nightfall) =>
      this.#attack !== undefined &&
      !this.#attack.mayPass &&
      nightfall.alive.every((by) => this.#listAttackable(nightfall, by, []).length > 0),
  );

  /**
   * Returns whether another player may use the power on this player in a night in which `victim` is attacked. `victim`
   * is null if nobody is attacked.
   */
  readonly canUseOn = memoizeBy(
    (power: NightPower, target: string, victim: string | null, nightfall: Nightfall) =>
      `${power.index} ${target} ${victim} ${getNightfallKey(nightfall)}`,
    (power: NightPower, target: string, victim: string | null, nightfall: Nightfall) =>
      nightfall.alive.some((by) => by !== target && this.#listTargets(power, by, victim, nightfall).includes(target)),
  );

  /** Returns whether a holder may use the power on themselves. */
  readonly canUseOnSelf = memoizeBy(
    (power: NightPower, nightfall: Nightfall) => `${power.index} ${getNightfallKey(nightfall)}`,
    (power: NightPower, nightfall: Nightfall) =>
      nightfall.alive.some((by) => this.#listTargets(power, by, this.#attack ? by : null, nightfall).includes(by)),
  );

  /** Returns whether one holder may use both powers in the same night. */
  readonly canCombine = memoizeBy(
    (one: NightPower, other: NightPower) => `${one.index} ${other.index}`,
    (one: NightPower, other: NightPower) => {
      const [before, after] = one.wave <= other.wave ? [one, other] : [other, one];
      const { night, first, second } = this.#games;
      const use = this.#games.createUse(before, night.round, first, second);
      return this.#listTargets(after, first, second, night, [use]).length > 0;
    },
  );

  /** Creates the team's attack in the form that the night's resolution reads. */
  createAttack(target: string, round: number): Intent {
    return { round, verb: this.#attack!.verb, by: [], target };
  }

  /** Lists the players who leave in the night after these acts. */
  listDead(intents: readonly Intent[], nightfall: Nightfall): string[] {
    const events = resolveNight(this.#createNight(intents, nightfall));
    return events.flatMap((event) => (event.type === 'death' ? [event.player] : []));
  }

  /** Returns how a player dies in the night after these acts; null if the player survives. */
  findFate(intents: readonly Intent[], name: string, nightfall: Nightfall): 'attack' | 'poison' | null {
    return getNightFate(listNightEffects(this.#createNight(intents, nightfall)), name);
  }

  #createNight(intents: readonly Intent[], nightfall: Nightfall) {
    return { ...this.#games.create(nightfall, {}), intents: [...intents] };
  }

  /**
   * Lists the players whom `by` may attack as a member of the attacking team. `allies`: all other members of the team.
   */
  #listAttackable(nightfall: Nightfall, by: string, allies: readonly string[]): string[] {
    return this.#games.listTeamChoices(this.#attack!, nightfall, [by, ...allies]);
  }

  /**
   * Lists the players on whom `by` may use the power in a night in which `victim` is attacked and the events in
   * `others` happened.
   */
  #listTargets(
    power: PlacedPower,
    by: string,
    victim: string | null,
    nightfall: Nightfall,
    others: readonly GameEvent[] = [],
  ): string[] {
    const pick = this.#attack && victim !== null ? [this.#games.createPick(this.#attack, nightfall.round, victim)] : [];
    return this.#games.listChoices(power, by, nightfall, [...pick, ...others]);
  }
}

const getNightfallKey = ({ round, alive }: Nightfall) => `${round} ${alive.join()}`;
