// Small hypothetical games. In such a game, the search for possible worlds asks a role's power on whom it can be used.
import { createGame } from '../../state/deal.ts';
import type { GameEvent } from '../../state/events.ts';
import { addEvents, createEventHeader, type Game } from '../../state/game.ts';
import { getPower } from '../../state/roles/index.ts';
import type { NightEffect, Power, Role } from '../../state/roles/role.ts';
import { createView, type PublicSetup } from '../../state/view.ts';

/** Public knowledge at nightfall. Players are given by name. */
export interface Nightfall {
  round: number;
  /** Living players, in seat order. */
  alive: readonly string[];
}

export interface PlacedPower extends Power {
  /** Index of the power's role among the roles of the board. */
  role: number;
}

type Holders = Readonly<Record<string, Role>>;

/**
 * Games of one board under its rules. `roles`: the roles that occur on the board, in its order.
 *
 * @example
 * const games = new HypotheticalGames(setup, roles);
 * games.listChoices(power, 'Ann', { round: 2, alive: ['Ann', 'Bob'] }, []); // whom Ann may use it on, e.g. ['Bob']
 */
export class HypotheticalGames {
  /** Two players, for questions whose answer does not depend on the players. */
  readonly first: string;
  readonly second: string;
  /**
   * A night on which all players are alive and no rule for first nights applies, for questions whose answer does not
   * depend on the night.
   */
  readonly night: Nightfall;
  readonly #roles: readonly Role[];
  readonly #deal: (holders: Holders) => Game;

  constructor({ board, rules, players: names }: PublicSetup, roles: readonly Role[]) {
    [this.first, this.second] = names as [string, string];
    this.night = { round: 2, alive: names };
    this.#roles = roles;
    this.#deal = memoizeBy(
      (holders: Holders) => names.map((name) => holders[name]?.name ?? '').join(),
      (holders: Holders) => {
        const players = names.map((name) => {
          const { name: role, team } = holders[name] ?? roles[0]!;
          return { name, role, team };
        });
        return createGame({ board, rules, seed: 0, players });
      },
    );
  }

  /** Creates a game in which `holders` have these roles. The roles of all other players do not matter. */
  create({ round, alive }: Nightfall, holders: Holders): Game {
    return { ...this.#deal(holders), roundNum: round, phase: 'night', alivePlayers: [...alive] };
  }

  /** Returns the effect of using the power. */
  findEffect(power: PlacedPower): NightEffect['kind'] {
    const { first, second, night } = this;
    const game = this.create(night, { [first]: this.#roles[power.role]! });
    const intent = { round: night.round, verb: power.verb, by: [first], target: second };
    return getPower(power.verb).settle(intent, game).kind;
  }

  /** Lists the players on whom `by` may use the power after `events`. `by` has the power's role. */
  listChoices(power: PlacedPower, by: string, nightfall: Nightfall, events: readonly GameEvent[]): string[] {
    const game = this.create(nightfall, { [by]: this.#roles[power.role]! });
    return listPowerChoices(addEvents(game, events), by, power);
  }

  /**
   * Lists the players on whom the first of `members` may use the power. `members` is the whole team that uses the power
   * together.
   */
  listTeamChoices(power: PlacedPower, nightfall: Nightfall, members: readonly string[]): string[] {
    const role = this.#roles[power.role]!;
    const game = this.create(nightfall, Object.fromEntries(members.map((name) => [name, role])));
    const players = [...members];
    const acquainted: GameEvent = {
      ...createEventHeader(game, players),
      type: 'acquainted',
      players,
      team: role.team,
    };
    return listPowerChoices(addEvents(game, [acquainted]), members[0]!, power);
  }

  /** Creates the event of a team's pick of a victim. */
  createPick({ verb }: PlacedPower, round: number, target: string): GameEvent {
    return { round, phase: 'night', audience: [], type: 'pick', verb, target };
  }

  /** Creates the event of a single holder's use of a power. */
  createUse({ verb }: PlacedPower, round: number, by: string, target: string): GameEvent {
    return { round, phase: 'night', audience: [by], type: 'acted', by, verb, target };
  }
}

const listPowerChoices = (game: Game, by: string, power: Power) =>
  power.choices(createView(addEvents(game, power.brief?.(game, by) ?? []), by));

/**
 * Returns a function that caches each result of `compute` under the key of its arguments. The same question recurs for
 * every player and statement.
 */
export function memoizeBy<Args extends readonly unknown[], Result>(
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
