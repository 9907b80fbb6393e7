// Knowledge: what a player can be certain of, as opposed to what it believes.
import { roleNamed, powers } from '../../../state/roles/index.ts';
import type { Team } from '../../../state/teams.ts';
import { allies, type View } from '../../../state/view.ts';

export interface Known {
  team: Team;
  role?: string;
}

export type Knowledge = ReadonlyMap<string, Known>;

/** What everybody knows: the dead whose role or side was told. */
export function publicKnowledge({ events }: View): Knowledge {
  const known = new Map<string, Known>();
  for (const event of events) {
    if (event.type === 'death') learn(known, event.player, event);
  }
  return known;
}

/** What this player knows: the own role, the own pack, what was learned and what everybody knows. */
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

/** Players whom the own shield kept in the game: nobody left in a night in which they were shielded. */
export function rescued(view: View): string[] {
  const quiet = view.events.flatMap((event) => (event.type === 'quiet_night' ? [event.round] : []));
  return view.events.flatMap((event) =>
    event.type === 'acted' &&
    event.by === view.me &&
    quiet.includes(event.round) &&
    powers.some(({ verb, aim }) => verb === event.verb && aim === 'shield')
      ? [event.target]
      : [],
  );
}

/** Whether only the Werewolves of this board can remove anybody at night, so that no victim is one of them. */
export const packAloneHarms = ({ board }: View) =>
  powers
    .filter(({ aim, role }) => aim === 'harm' && (board.roles[role.name] ?? 0) > 0)
    .every(({ role }) => role.team === 'werewolves');
