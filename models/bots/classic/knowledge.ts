// Knowledge: what a player can be certain of, as opposed to what it believes.
import { roleNamed, roles } from '../../../state/roles/index.ts';
import type { Team } from '../../../state/teams.ts';
import { allies, type View } from '../../../state/view.ts';

export interface Known {
  team: Team;
  role?: string;
}

export type Knowledge = ReadonlyMap<string, Known>;

/** What everybody knows: the dead whose role or side was told, and who showed a role by a last act. */
export function publicKnowledge({ events }: View): Knowledge {
  const known = new Map<string, Known>();
  for (const event of events) {
    if (event.type === 'death') learn(known, event.player, event);
    else if (event.type === 'last_act') learn(known, event.by, { role: roleThatLeaves(event.verb) });
  }
  return known;
}

/** Whose last act this is. */
const roleThatLeaves = (verb: string) => [...roles.values()].find(({ lastAct }) => lastAct?.verb === verb)?.name;

/** What this player knows: the own role, the own pack, what was told and what everybody knows. */
export function knowledgeOf(view: View): Knowledge {
  const known = new Map<string, Known>(publicKnowledge(view));
  const pack = allies(view);
  if (pack.length > 0) {
    const { team } = roleNamed(view.role);
    const other = team === 'werewolves' ? 'villagers' : 'werewolves';
    for (const name of view.players) learn(known, name, { team: pack.includes(name) ? team : other });
  }
  for (const event of view.events) {
    if (event.type === 'learned' && event.by === view.me) learn(known, event.about, event);
    else if (event.type === 'attacked') learn(known, event.player, { team: 'villagers' }); // no pack attacks its own
  }
  learn(known, view.me, { role: view.role });
  return known;
}

function learn(
  known: Map<string, Known>,
  name: string,
  { role, team }: { role?: string | undefined; team?: Team | undefined },
) {
  if (role !== undefined) known.set(name, { role, team: roleNamed(role).team });
  else if (team !== undefined && known.get(name)?.role === undefined) known.set(name, { team });
}
