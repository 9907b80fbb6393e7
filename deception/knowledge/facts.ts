// What single events say about the role of a player, whatever else happened: each fact by itself.
import type { SeenEvent } from '../../state/view.ts';
import { ableTo, everyRole, onTeam, revealed, withName, type Cast, type RoleSet } from './cast.ts';

/** The roles that a player may have by a fact. */
export type Fact = readonly [player: string, roles: RoleSet];

type Telling = {
  readonly [Type in SeenEvent['type']]?: (event: Extract<SeenEvent, { type: Type }>, cast: Cast) => Fact[];
};

const spared = (player: string, cast: Cast): Fact => [player, everyRole(cast) & ~cast.attackers];

const telling: Telling = {
  dealt: ({ player, role }, cast) => [[player, withName(cast, role)]],
  /** Those who are told are all of the team. */
  acquainted: ({ players, team }, cast) =>
    cast.seats.map((name) => [
      name,
      players.includes(name) ? onTeam(cast, team) : everyRole(cast) & ~onTeam(cast, team),
    ]),
  learned: ({ about, ...what }, cast) => [[about, revealed(cast, what)]],
  death: ({ player, ...what }, cast) => [[player, revealed(cast, what)]],
  /** Only one role may do it. */
  last_act: ({ by, verb }, cast) => [[by, ableTo(cast, verb)]],
  /** The pack never picks its own. */
  attacked: ({ player }, cast) => [spared(player, cast)],
  pick: ({ target }, cast) => [spared(target, cast)],
};

/** Empty for an event that says nothing about roles by itself. */
export const factsOf = (event: SeenEvent, cast: Cast): Fact[] =>
  (telling[event.type] as ((event: SeenEvent, cast: Cast) => Fact[]) | undefined)?.(event, cast) ?? [];
