// What can be done by saying something: the common ground of hearing and speech.
import type { Team } from '../../../state/teams.ts';

export type Act =
  | { kind: 'accuse'; target: string }
  | { kind: 'defend'; target: string }
  /** `about`: the player whom the question concerns. */
  | { kind: 'ask'; target: string; about?: string }
  /** Votes for somebody because others do, without saying what the speaker believes. */
  | { kind: 'follow'; target: string }
  | { kind: 'claim'; role: string }
  /** The result of a check; `role` where more than the team was told. */
  | { kind: 'report'; target: string; team: Team; role?: string }
  /** Says not to be on the side of the Werewolves. */
  | { kind: 'deny' }
  /** Answers an accusation without saying what the speaker is. */
  | { kind: 'deflect' };

export const isAct =
  <Kind extends Act['kind']>(...kinds: Kind[]) =>
  (act: Act): act is Extract<Act, { kind: Kind }> =>
    (kinds as string[]).includes(act.kind);

/** A name for each thing that can be done, e.g. "accuse Dan". */
export const actName = (act: Act) =>
  [
    act.kind,
    'target' in act ? act.target : '',
    'about' in act ? act.about : '',
    'role' in act ? act.role : '',
    'team' in act ? act.team : '',
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');

/** Each thing once, in order of first mention; the report of a check says all that need be said of its target. */
export function distinct(acts: readonly Act[]): Act[] {
  const checked = acts.filter(isAct('report')).map(({ target }) => target);
  const isImplied = (act: Act) => isAct('accuse', 'defend')(act) && checked.includes(act.target);
  return [...new Map(acts.filter((act) => !isImplied(act)).map((act) => [actName(act), act])).values()];
}
