// Facts of a game in one player's View: the board, what is certain, and what players said, claimed and alleged.
import { type EventOf, type GameEvent, isEventOfType } from '../../../state/events.ts';
import { getLastAct, getRole, getShownSide } from '../../../state/roles/index.ts';
import { getCountedSide, type Power, type Role } from '../../../state/roles/role.ts';
import { findLivingSheriff } from '../../../state/sheriff.ts';
import type { Team } from '../../../state/teams.ts';
import { listAllies, listLivingOthers, type View } from '../../../state/view.ts';
import { parseSpeechActs } from './parse-speech-acts.ts';

export type GameFacts = ReturnType<typeof gatherFacts>;

export const isVillagePower = ({ team, special }: Role) => special && team === 'villagers';

/** Returns the facts that `view.me` can see. */
export function gatherFacts(view: View) {
  const { me, alive, events, board, round: today } = view;
  const own = getRole(view.role);
  const isPack = own.team === 'werewolves';
  const mates = isPack ? listAllies(view).filter((name) => name !== me) : [];
  const roles = Object.entries(board.roles).flatMap(([name, count]) => (count > 0 ? { ...getRole(name), count } : []));
  const packs = roles.filter((role) => getCountedSide(role) === 'werewolves');
  const seen = <Type extends GameEvent['type']>(type: Type): EventOf<Type>[] =>
    (events as readonly { type: string }[]).filter(isEventOfType(type));
  /** Lists the village's roles that have a power with this aim. */
  const rolesThat = (aim: Power['aim']) =>
    roles.filter(({ team, powers }) => team === 'villagers' && powers.some((power) => power.aim === aim));
  /** Public words of players: statements, and explanations of ballots. */
  const remarks = events.flatMap((event) => {
    const text = event.type === 'statement' ? event.text : event.type === 'ballot' ? event.explanation : undefined;
    if (text === undefined || !('by' in event)) return [];
    const { round, by, type } = event;
    return [{ round, by, isBallot: type === 'ballot', text, acts: parseSpeechActs(text, view) }];
  });
  const todays = remarks.filter(({ round, isBallot }) => round === today && !isBallot);
  const said = remarks.flatMap(({ by, round, acts }) => acts.map((act) => ({ by, round, act })));
  const reports = said.flatMap(({ act, ...when }) => (act.kind === 'report' ? { ...when, ...act } : []));
  const informed = rolesThat('learn');
  /** Roles that choose whom to check. */
  const learners = informed.filter(({ powers }) => powers.some(({ actor }) => actor !== 'moderator'));
  /**
   * Returns the checking role that a player claims. If the player has claimed none, returns the first role that chooses
   * whom to check.
   */
  const findClaimedLearner = (by: string) =>
    said.flatMap(({ by: one, act }) =>
      one === by && act.kind === 'claim' && informed.some(({ name }) => name === act.role) ? [act.role] : [],
    )[0] ?? learners[0]?.name;
  /** Claims to special roles of the village. A player who reports a check thereby claims a role that checks. */
  const claims = said.flatMap(({ act, ...when }) => {
    const role = act.kind === 'claim' ? act.role : act.kind === 'report' ? findClaimedLearner(when.by) : undefined;
    return role !== undefined && isVillagePower(getRole(role)) ? { ...when, role } : [];
  });
  /** Each player's latest stance today, keyed by "speaker target": true for an accusation. */
  const stances = new Map<string, boolean>();
  for (const { by, acts } of todays)
    for (const act of acts)
      if (act.kind === 'report') stances.set(`${by} ${act.target}`, act.team === 'werewolves');
      else if (act.kind === 'accuse' || act.kind === 'defend')
        stances.set(`${by} ${act.target}`, act.kind === 'accuse');
  for (const { by, target, round } of seen('pseudo_ballot')) if (round === today) stances.set(`${by} ${target}`, true);
  return {
    ...{ view, me, own, isPack, mates, roles, rolesThat, learners, seen, remarks, todays, reports, claims },
    explanations: remarks.filter(({ round, isBallot }) => round === today && isBallot),
    others: listLivingOthers(view),
    pack: packs[0]!,
    packSize: packs.reduce((sum, { count }) => sum + count, 0),
    sheriff: findLivingSheriff(events, alive),
    known: learnSides(view, false),
    publiclyKnown: learnSides(view, true),
    isMate: (name: string) => mates.includes(name),
    isAlive: (name: string) => alive.includes(name),
    /** Lists the players who accuse `name` today or, if `accuses` is false, who defend `name`. */
    accusersOf: (name: string, accuses = true) => alive.filter((by) => stances.get(`${by} ${name}`) === accuses),
    hasSaid: (target: string, kind: 'accuse' | 'defend') =>
      todays.some(({ by, acts }) => by === me && acts.some((act) => act.kind === kind && act.target === target)),
    /** Returns whether this player has reported a check of `name`. */
    hasReported: (name: string) => reports.some(({ by, target }) => by === me && target === name),
    hasClaimed: (name: string, among: readonly { name: string }[] = roles) =>
      claims.some(({ by, role }) => by === name && among.some((one) => one.name === role)),
  };
}

/**
 * Returns the certain facts about players: the side, as a check shows it, and the role if that is certain too.
 * `isPublic`: only facts that everybody knows, instead of all facts that this player knows.
 */
function learnSides(view: View, isPublic: boolean) {
  const known = new Map<string, { team: Team; role?: string }>();
  const learn = (name: string, role?: string, team?: Team) => {
    if (role !== undefined) known.set(name, { role, team: getShownSide(role) });
    else if (team !== undefined && known.get(name)?.role === undefined) known.set(name, { team });
  };
  for (const event of view.events) {
    if (event.type === 'death') learn(event.player, event.role, event.team);
    else if (event.type === 'exile_survived') learn(event.player, event.role);
    else if (event.type === 'last_act') learn(event.by, getLastAct(event.verb).role.name);
    else if (isPublic) continue;
    else if (event.type === 'learned') learn(event.about, event.role, event.team);
    else if (event.type === 'attacked') learn(event.player, undefined, 'villagers');
    else if (event.type === 'acquainted')
      for (const name of view.players) learn(name, undefined, event.players.includes(name) ? event.team : 'villagers');
  }
  if (!isPublic) learn(view.me, view.role);
  return known;
}
