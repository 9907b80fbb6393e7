// Whether a proposition is so, by the whole record up to a moment.
import type { GameEvent } from '../../state/event.ts';
import { selectAllRoles, selectRoleNamed, type RoleTable } from '../knowledge/role-table.ts';
import { truthOf } from '../knowledge/event-propositions.ts';
import { rolesFor, type Happening, type Proposition } from '../knowledge/proposition.ts';

export interface Facts {
  cast: RoleTable;
  /** Who was dealt what, by name. */
  roles: Readonly<Record<string, string>>;
  /** All that has happened, whoever may know of it. */
  events: readonly GameEvent[];
}

/** Throws like `Knowledge.known` for a player who is not at the table. */
export function holds(proposition: Proposition, facts: Facts): boolean {
  switch (proposition.is) {
    case 'identity': {
      const { cast, roles } = facts;
      return (rolesFor(proposition.what, cast) & selectRoleNamed(cast, roles[proposition.player] ?? '')) !== 0;
    }
    case 'happening':
      return happened(proposition.what, facts);
    case 'not':
      return !holds(proposition.of, facts);
    case 'all':
      return proposition.of.every((part) => holds(part, facts));
    case 'any':
      return proposition.of.some((part) => holds(part, facts));
  }
}

/** Whoever did it was there. */
const happened = (what: Happening, { cast, events }: Facts) =>
  truthOf(what, { cast, me: 'by' in what ? what.by : '', own: selectAllRoles(cast), events }) === 'true';
