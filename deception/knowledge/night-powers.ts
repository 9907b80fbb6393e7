// What roles can do at night, as the search for possible worlds needs it. Every answer is found by building a small
// hypothetical game and asking the role's own power there, so that no rule of the game is written down a second time.
import { createGame } from '../../state/deal.ts';
import type { GameEvent } from '../../state/events.ts';
import { createEventHeader, type Game, type Intent, addEvents } from '../../state/game.ts';
import { getNightFate, listNightEffects, resolveNight } from '../../state/night-resolution.ts';
import { getPower } from '../../state/roles/index.ts';
import type { NightEffect, Power, Role } from '../../state/roles/role.ts';
import { createView, type PublicSetup } from '../../state/view.ts';

/** A power that its holder uses alone and that changes how a night ends (not one that only learns something). */
export interface NightPower extends Power {
  /** Its place in the list of these powers. */
  index: number;
  /** The place of its role among the roles of the board. */
  role: number;
  /** How often a holder may use it in a match; Infinity: every night. */
  supply: number;
}

/** What everybody knows as a night begins. Players are given by name. */
export interface Nightfall {
  round: number;
  /** The living, in seat order. */
  alive: readonly string[];
}

export interface NightPowers {
  /** The powers of single holders that change who leaves. */
  holderPowers: readonly NightPower[];
  /** The roles of the team that attacks together, as a `RoleSet`; 0 where no team does. */
  attackers: number;
  /** The roles that the target of an attack cannot have, as a `RoleSet`. */
  unattackableRoles: number;
  /** Whether the attacking team may choose this player. */
  canAttack(target: string, nightfall: Nightfall): boolean;
  /** Whether the attacking team must choose somebody. */
  mustAttack(nightfall: Nightfall): boolean;
  /** Whether another player may use the power on this one in a night in which `victim` is attacked (null: nobody). */
  canUseOn(power: NightPower, target: string, victim: string | null, nightfall: Nightfall): boolean;
  /** Whether a holder may use the power on themselves. */
  canUseOnSelf(power: NightPower, nightfall: Nightfall): boolean;
  /** Whether one holder may use both in the same night. */
  canCombine(one: NightPower, other: NightPower): boolean;
  /** The team's attack as an act for the night's resolution. */
  createAttack(target: string, round: number): Intent;
  /** Who leaves in the night by these acts. */
  listDead(intents: readonly Intent[], nightfall: Nightfall): string[];
  /** How the night ends for a player by these acts; null: alive. */
  findFate(intents: readonly Intent[], name: string, nightfall: Nightfall): 'attack' | 'poison' | null;
}

/** More uses than any power has that runs out. */
const manyUses = 4;

/**
 * The night powers of a board under its rules. `roles` are those of which the board has at least one, in its order.
 *
 * @example
 * createNightPowers(setup, roles).canAttack('Ann', { round: 1, alive: ['Ann', 'Bob', 'Cleo'] });
 */
export function createNightPowers(setup: PublicSetup, roles: readonly Role[]): NightPowers {
  const names = setup.players;
  const [first, second] = names as [string, string];
  const dealHypotheticalGame = memoizeBy(
    (holders: Readonly<Record<string, Role>>) => names.map((name) => holders[name]?.name ?? '').join(),
    (holders: Readonly<Record<string, Role>>) => {
      const players = names.map((name) => {
        const { name: role, team } = holders[name] ?? roles[0]!;
        return { name, role, team };
      });
      return createGame({ board: setup.board, rules: setup.rules, seed: 0, players });
    },
  );
  /** A hypothetical game in which `holders` have these roles; the roles of the others do not matter. */
  const createHypotheticalGame = ({ round, alive }: Nightfall, holders: Readonly<Record<string, Role>>): Game => ({
    ...dealHypotheticalGame(holders),
    roundNum: round,
    phase: 'night',
    alivePlayers: [...alive],
  });
  const listChoices = (game: Game, by: string, power: Power): string[] =>
    power.choices(createView(addEvents(game, power.brief?.(game, by) ?? []), by));

  const allPowers = roles.flatMap((role, index) => role.powers.map((power) => ({ ...power, role: index })));
  const findEffect = (power: Power & { role: number }): NightEffect['kind'] => {
    const game = createHypotheticalGame({ round: 1, alive: names }, { [first]: roles[power.role]! });
    return getPower(power.verb).settle({ round: 1, verb: power.verb, by: [first], target: second }, game).kind;
  };
  const teamPower = allPowers.find((power) => power.actor === 'team' && findEffect(power) === 'attack');
  const attackingTeam = teamPower && roles[teamPower.role]!.team;
  const attackers = roles.reduce((set, { team }, index) => (team === attackingTeam ? set | (1 << index) : set), 0);

  const createAttack = (target: string, round: number): Intent => ({ round, verb: teamPower!.verb, by: [], target });
  const createPickEvent = (game: Game, target: string): GameEvent => ({
    ...createEventHeader(game, []),
    type: 'pick',
    verb: teamPower!.verb,
    target,
  });
  /** Whom `by` may attack as a member of the attacking team whose only other members are `allies`. */
  const listAttackable = (nightfall: Nightfall, by: string, allies: readonly string[]) => {
    const role = roles[teamPower!.role]!;
    const members = [by, ...allies];
    const game = createHypotheticalGame(nightfall, Object.fromEntries(members.map((name) => [name, role])));
    const acquainted = {
      ...createEventHeader(game, members),
      type: 'acquainted' as const,
      players: members,
      team: role.team,
    };
    return listChoices(addEvents(game, [acquainted]), by, teamPower!);
  };
  const createActEvent = (game: Game, by: string, { verb }: Power, round: number, target: string): GameEvent => ({
    ...createEventHeader({ ...game, roundNum: round }, [by]),
    type: 'acted',
    by,
    verb,
    target,
  });

  /** A night so late that every power can have run out, with everybody alive. */
  const late = { round: 2 * manyUses + 2, alive: names };
  /** In it `first` has the role, `second` is attacked, and `listUses` has happened before. */
  const createLateGame = (role: number, listUses: (game: Game) => GameEvent[]): Game => {
    const game = createHypotheticalGame(late, { [first]: roles[role]! });
    return addEvents(game, [...(teamPower ? [createPickEvent(game, second)] : []), ...listUses(game)]);
  };
  const countSupply = (power: Power & { role: number }): number => {
    for (let times = 1; times <= manyUses; times++) {
      const lateGame = createLateGame(power.role, (game) =>
        Array.from({ length: times }, (_, use) => createActEvent(game, first, power, 2 * use + 1, second)),
      );
      if (listChoices(lateGame, first, power).length === 0) return times;
    }
    return Infinity;
  };
  const holderPowers = allPowers
    .filter((power) => power.actor === 'holder' && findEffect(power) !== 'tell')
    .map((power, index): NightPower => ({ ...power, index, supply: countSupply(power) }));
  const canCombine = memoizeBy(
    (one: NightPower, other: NightPower) => `${one.index} ${other.index}`,
    (one: NightPower, other: NightPower) => {
      const [before, after] = one.wave <= other.wave ? [one, other] : [other, one];
      const lateGame = createLateGame(one.role, (game) => [createActEvent(game, first, before, late.round, second)]);
      return listChoices(lateGame, first, after).length > 0;
    },
  );
  const getNightfallKey = ({ round, alive }: Nightfall) => `${round} ${alive.join()}`;
  const canAttack = memoizeBy(
    (target: string, nightfall: Nightfall) => `${target} ${getNightfallKey(nightfall)}`,
    (target: string, nightfall: Nightfall) =>
      teamPower !== undefined &&
      nightfall.alive.some((by) => by !== target && listAttackable(nightfall, by, []).includes(target)),
  );
  const mustAttack = memoizeBy(
    getNightfallKey,
    (nightfall: Nightfall) =>
      teamPower !== undefined &&
      !teamPower.mayPass &&
      nightfall.alive.every((by) => listAttackable(nightfall, by, []).length > 0),
  );
  const listTargets = (power: NightPower, by: string, victim: string | null, nightfall: Nightfall) => {
    const game = createHypotheticalGame(nightfall, { [by]: roles[power.role]! });
    return listChoices(victim === null ? game : addEvents(game, [createPickEvent(game, victim)]), by, power);
  };
  const canUseOn = memoizeBy(
    (power: NightPower, target: string, victim: string | null, nightfall: Nightfall) =>
      `${power.index} ${target} ${victim} ${getNightfallKey(nightfall)}`,
    (power: NightPower, target: string, victim: string | null, nightfall: Nightfall) =>
      nightfall.alive.some((by) => by !== target && listTargets(power, by, victim, nightfall).includes(target)),
  );
  const canUseOnSelf = memoizeBy(
    (power: NightPower, nightfall: Nightfall) => `${power.index} ${getNightfallKey(nightfall)}`,
    (power: NightPower, nightfall: Nightfall) =>
      nightfall.alive.some((by) => listTargets(power, by, teamPower ? by : null, nightfall).includes(by)),
  );
  const createNight = (intents: readonly Intent[], nightfall: Nightfall): Game => ({
    ...createHypotheticalGame(nightfall, {}),
    intents: [...intents],
  });
  return {
    holderPowers,
    attackers,
    unattackableRoles: teamPower && !listAttackable(late, first, [second]).includes(second) ? attackers : 0,
    canAttack,
    mustAttack,
    canUseOn,
    canUseOnSelf,
    canCombine,
    createAttack,
    listDead: (intents, nightfall) =>
      resolveNight(createNight(intents, nightfall)).flatMap((event) => (event.type === 'death' ? [event.player] : [])),
    findFate: (intents, name, nightfall) => getNightFate(listNightEffects(createNight(intents, nightfall)), name),
  };
}

/** Keeps each result under its key: the same question comes again for every player and statement. */
function memoizeBy<Args extends readonly unknown[], Result>(
  getKey: (...args: Args) => string,
  compute: (...args: Args) => Result,
): (...args: Args) => Result {
  const results = new Map<string, Result>();
  return (...args) => {
    const key = getKey(...args);
    if (!results.has(key)) results.set(key, compute(...args));
    return results.get(key)!;
  };
}
