// Revealing: when a player of the village with a power says so, and what it then tells.
import type { Scene } from './scene.ts';
import { isUnderFire } from './ranking.ts';
import { accusation, checkReport, claim, counterclaim, type Part } from './parts.ts';

interface Check {
  target: string;
  team: 'villagers' | 'werewolves';
  round: number;
}

/** Own checks worth telling that have not been told in public: of the dead only that they were Werewolves. */
export function untold(scene: Scene): Check[] {
  const { view, knowledge, reports, me } = scene;
  const told = reports.filter(({ by }) => by === me).map(({ target }) => target);
  return view.events.flatMap((event) => {
    if (event.type !== 'learned' || event.by !== me || told.includes(event.about)) return [];
    const { team } = knowledge.get(event.about)!;
    const isWorthTelling = team === 'werewolves' || view.alive.includes(event.about);
    return isWorthTelling ? [{ target: event.about, team, round: event.round }] : [];
  });
}

/** Somebody else who claims what this player alone is. */
const impostor = ({ claims, view, lexicon, me }: Scene) =>
  lexicon.roles.find(({ name }) => name === view.role)?.count === 1
    ? claims.find(({ by, role }) => by !== me && role === view.role && view.alive.includes(by))
    : undefined;

/** Why this player should show its role now, or null. */
export function occasion(scene: Scene): 'found' | 'impostor' | 'fire' | 'news' | 'late' | null {
  const { view, lexicon, claims, me } = scene;
  const own = lexicon.roles.find(({ name }) => name === view.role);
  if (!own?.special || scene.isPack) return null;
  const news = untold(scene);
  const isOut = claims.some(({ by, role }) => by === me && role === view.role);
  if (isOut) return news.length > 0 ? 'news' : null;
  const found = news.some(({ target, team }) => team === 'werewolves' && view.alive.includes(target));
  if (found && cannotWait(scene)) return 'found';
  if (impostor(scene)) return 'impostor';
  if (isUnderFire(scene)) return 'fire';
  return news.length >= 2 && view.alive.length <= 5 ? 'late' : null;
}

/** On the first day it may be enough to accuse: whoever shows a power is the next to be removed. */
function cannotWait({ view, turn, turns, todays, me }: Scene) {
  if (view.round > 1 || turn * 2 >= turns) return true;
  if (view.rules.debateOrder === 'bidding') return false;
  const spoken = todays.filter(({ by, occasion }) => by === me && occasion === undefined).length;
  return spoken + 1 >= view.rules.debatePasses; // no other turn will come today
}

/** The claim, where it is new, and the checks: Werewolves who are still there first. */
export function revelation(scene: Scene): Part[] {
  const { view, claims, me } = scene;
  const rival = impostor(scene);
  const isOut = claims.some(({ by, role }) => by === me && role === view.role);
  const gravity = ({ target, team }: Check) => (team === 'werewolves' ? 2 : 0) + (view.alive.includes(target) ? 1 : 0);
  const checks = untold(scene).sort((one, other) => gravity(other) - gravity(one) || other.round - one.round);
  const [first] = checks;
  const found = first?.team === 'werewolves' && view.alive.includes(first.target) ? first.target : undefined;
  return [
    ...(isOut ? [] : [rival ? counterclaim(view.role, rival.by) : claim(view.role)]),
    ...checks.slice(0, 3).map(({ target, team, round }) => checkReport(target, team, round === view.round)),
    ...(found === undefined ? [] : [accusation(found, undefined, 'urge')]),
  ];
}
