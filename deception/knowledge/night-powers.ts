// What players can do at night, found by asking the powers themselves in games that might be: no rule is told again.
import { createGame } from '../../state/deal.ts';
import type { GameEvent } from '../../state/events.ts';
import { createEventHeader, type Game, type Intent, withEvents } from '../../state/game.ts';
import { getNightFate, listNightEffects, resolveNight } from '../../state/night-resolution.ts';
import { getPower } from '../../state/roles/index.ts';
import type { NightEffect, Power, Role } from '../../state/roles/role.ts';
import { createView, type PublicSetup } from '../../state/view.ts';

/** A power by which a holder changes how a night ends. */
export interface NightPower extends Power {
  /** Its place in `NightPowers.ofHolders`. */
  index: number;
  /** The place of its role among the roles of the board. */
  role: number;
  /** How often a holder may use it in a game; Infinity: every night. */
  supply: number;
}

/** A night as everybody knows it when it falls. Players are given by name. */
export interface Nightfall {
  round: number;
  /** In seat order. */
  alive: readonly string[];
}

export interface NightPowers {
  /** What holders may do that changes who leaves. */
  ofHolders: readonly NightPower[];
  /** The roles of the team that attacks together, as a bit each in the order of the board; 0: nobody does. */
  attackers: number;
  /** Those of them that the target of an attack cannot have. */
  spared: number;
  /** Whether the team may attack this player. */
  canAttack(target: string, nightfall: Nightfall): boolean;
  /** Whether the team must attack somebody. */
  mustAttack(nightfall: Nightfall): boolean;
  /** Whether somebody else may use the power on this player, where `victim` is attacked. */
  canUseOn(power: NightPower, target: string, victim: string | null, nightfall: Nightfall): boolean;
  /** Whether holders may use the power on themselves. */
  canUseOnSelf(power: NightPower, nightfall: Nightfall): boolean;
  /** Whether one holder may use both in the same night. */
  canCombine(one: NightPower, other: NightPower): boolean;
  /** The event by which the team attacks, as an intent that waits for the night to be resolved. */
  createAttack(target: string, round: number): Intent;
  /** Who leaves in the night once these acts are resolved. */
  listDead(intents: readonly Intent[], nightfall: Nightfall): string[];
  /** How the night ends for a player; null: alive. */
  findFate(intents: readonly Intent[], name: string, nightfall: Nightfall): 'attack' | 'poison' | null;
}

/** More often than any power that runs out can be used. */
const manyUses = 4;

/** `roles`: those of which the board has at least one, in its order. */
export function createNightPowers(setup: PublicSetup, roles: readonly Role[]): NightPowers {
  const names = setup.players;
  const [first, second] = names as [string, string];
  /** A game in which some hold these roles; what the others are does not matter. */
  const createMight = ({ round, alive }: Nightfall, holders: Readonly<Record<string, Role>>): Game => {
    const players = names.map((name) => {
      const { name: role, team } = holders[name] ?? roles[0]!;
      return { name, role, team };
    });
    const game = createGame({ board: setup.board, rules: setup.rules, seed: 0, players });
    return { ...game, roundNum: round, phase: 'night', alivePlayers: [...alive] };
  };
  const listChoices = (game: Game, by: string, power: Power): string[] =>
    power.choices(createView(withEvents(game, power.brief?.(game, by) ?? []), by));

  const held = roles.flatMap((role, index) => role.powers.map((power) => ({ ...power, role: index })));
  const findEffect = (power: Power & { role: number }): NightEffect['kind'] => {
    const game = createMight({ round: 1, alive: names }, { [first]: roles[power.role]! });
    return getPower(power.verb).settle({ round: 1, verb: power.verb, by: [first], target: second }, game).kind;
  };
  const ofTeam = held.find((power) => power.actor === 'team' && findEffect(power) === 'attack');
  const attackTeam = ofTeam && roles[ofTeam.role]!.team;
  const attackers = roles.reduce((set, { team }, index) => (team === attackTeam ? set | (1 << index) : set), 0);

  const createAttack = (target: string, round: number): Intent => ({ round, verb: ofTeam!.verb, by: [], target });
  const tellPick = (game: Game, target: string): GameEvent => ({
    ...createEventHeader(game, 'moderator'),
    audience: [],
    type: 'pick',
    verb: ofTeam!.verb,
    target,
  });
  /** The choices of one of the team whose only other members are `allies`. */
  const listAttackable = (nightfall: Nightfall, by: string, allies: readonly string[]) => {
    const role = roles[ofTeam!.role]!;
    const members = [by, ...allies];
    const game = createMight(nightfall, Object.fromEntries(members.map((name) => [name, role])));
    const acquainted = {
      ...createEventHeader(game, members),
      type: 'acquainted' as const,
      players: members,
      team: role.team,
    };
    return listChoices(withEvents(game, [acquainted]), by, ofTeam!);
  };
  const use = (game: Game, by: string, { verb }: Power, round: number, target: string): GameEvent => ({
    ...createEventHeader({ ...game, roundNum: round }, [by]),
    type: 'acted',
    by,
    verb,
    target,
  });

  /** A night late in a game of all, in which `first` holds the power and `second` is attacked. */
  const late = { round: 2 * manyUses + 2, alive: names };
  const createLate = (role: number, used: (game: Game) => GameEvent[]): Game => {
    const game = createMight(late, { [first]: roles[role]! });
    return withEvents(game, [...(ofTeam ? [tellPick(game, second)] : []), ...used(game)]);
  };
  const countSupply = (power: Power & { role: number }): number => {
    for (let times = 1; times <= manyUses; times++) {
      const game = createLate(power.role, (might) =>
        Array.from({ length: times }, (_, use_) => use(might, first, power, 2 * use_ + 1, second)),
      );
      if (listChoices(game, first, power).length === 0) return times;
    }
    return Infinity;
  };
  const ofHolders = held
    .filter((power) => power.actor === 'holder' && findEffect(power) !== 'tell')
    .map((power, index): NightPower => ({ ...power, index, supply: countSupply(power) }));
  const canCombine = keep(
    (one: NightPower, other: NightPower) => `${one.index} ${other.index}`,
    (one: NightPower, other: NightPower) => {
      const [before, after] = one.wave <= other.wave ? [one, other] : [other, one];
      const game = createLate(one.role, (might) => [use(might, first, before, late.round, second)]);
      return listChoices(game, first, after).length > 0;
    },
  );
  const describe = ({ round, alive }: Nightfall) => `${round} ${alive.join()}`;
  const canAttack = keep(
    (target: string, nightfall: Nightfall) => `${target} ${describe(nightfall)}`,
    (target: string, nightfall: Nightfall) =>
      ofTeam !== undefined &&
      nightfall.alive.some((by) => by !== target && listAttackable(nightfall, by, []).includes(target)),
  );
  const mustAttack = keep(
    describe,
    (nightfall: Nightfall) =>
      ofTeam !== undefined &&
      !ofTeam.mayPass &&
      nightfall.alive.every((by) => listAttackable(nightfall, by, []).length > 0),
  );
  const listChoicesOf = (power: NightPower, by: string, victim: string | null, nightfall: Nightfall) => {
    const game = createMight(nightfall, { [by]: roles[power.role]! });
    return listChoices(victim === null ? game : withEvents(game, [tellPick(game, victim)]), by, power);
  };
  const canUseOn = keep(
    (power: NightPower, target: string, victim: string | null, nightfall: Nightfall) =>
      `${power.index} ${target} ${victim} ${describe(nightfall)}`,
    (power: NightPower, target: string, victim: string | null, nightfall: Nightfall) =>
      nightfall.alive.some((by) => by !== target && listChoicesOf(power, by, victim, nightfall).includes(target)),
  );
  const canUseOnSelf = keep(
    (power: NightPower, nightfall: Nightfall) => `${power.index} ${describe(nightfall)}`,
    (power: NightPower, nightfall: Nightfall) =>
      nightfall.alive.some((by) => listChoicesOf(power, by, ofTeam ? by : null, nightfall).includes(by)),
  );
  const resolved = (intents: readonly Intent[], nightfall: Nightfall): Game => ({
    ...createMight(nightfall, {}),
    intents: [...intents],
  });
  return {
    ofHolders,
    attackers,
    spared: ofTeam && !listAttackable(late, first, [second]).includes(second) ? attackers : 0,
    canAttack,
    mustAttack,
    canUseOn,
    canUseOnSelf,
    canCombine,
    createAttack,
    listDead: (intents, nightfall) =>
      resolveNight(resolved(intents, nightfall)).flatMap((event) => (event.type === 'death' ? [event.player] : [])),
    findFate: (intents, name, nightfall) => getNightFate(listNightEffects(resolved(intents, nightfall)), name),
  };
}

/** A function whose answers are kept: the same question is asked for every player and statement. */
function keep<Question extends readonly unknown[], Found>(
  describe: (...question: Question) => string,
  find: (...question: Question) => Found,
): (...question: Question) => Found {
  const known = new Map<string, Found>();
  return (...question) => {
    const key = describe(...question);
    const found = known.has(key) ? known.get(key)! : find(...question);
    known.set(key, found);
    return found;
  };
}
