// Debating for the pack: a lie at the rate asked for, otherwise something true or harmless.
import type { Draw } from '../../../state/draw.ts';
import { openAccusation, topicOf } from './addressed.ts';
import { rivalOf } from './claimants.ts';
import { rolesThat } from './lexicon.ts';
import { isLost, isUnderFire, mostWanted } from './ranking.ts';
import { pickReason, reasonsAgainst, reasonsFor } from './reasons.ts';
import type { Scene } from './scene.ts';
import type { Remark } from './testimony.ts';
import { inquiry, observation } from './small-talk.ts';
import {
  accusation,
  belief,
  agreement,
  checkReport,
  claim,
  counterclaim,
  defence,
  denial,
  evasion,
  question,
  type Part,
} from './parts.ts';

/** What a Werewolf says without saying anything false or hiding anything it was asked for. */
export function harmless(scene: Scene, draw: Draw): Part[] {
  const accuser = openAccusation(scene)?.by;
  if (accuser !== undefined && scene.view.alive.includes(accuser))
    return [question(accuser, 'askBack'), observation(scene, draw)];
  const trusted = scene.others.filter(
    (name) => !scene.isMate(name) && scene.publicly.of(name) < 0.2 && scene.accusersOf(name).length > 0,
  );
  if (trusted.length > 0 && draw.fraction() < 0.2) {
    const friend = draw.pick(trusted);
    return [defence(friend, reasonsFor(scene, friend)[0])];
  }
  return draw.fraction() < 0.5 ? [observation(scene, draw), inquiry(scene, draw)] : [inquiry(scene, draw)];
}

/** What a Werewolf says to make others believe something false. */
export function deceptive(scene: Scene, draw: Draw): Part[] {
  const story = continued(scene, draw);
  if (story) return story;
  const backing = backed(scene);
  if (backing && draw.fraction() < 0.5) return backing;
  const accused = openAccusation(scene);
  const isReported = scene.reports.some(
    ({ target, team, by }) => target === scene.me && team === 'werewolves' && scene.view.alive.includes(by),
  );
  const fire = isReported || isUnderFire(scene) || scene.publicly.of(scene.me) > 0.55;
  if (fire && draw.fraction() < 0.7) {
    const claimed = falseClaim(scene, draw);
    if (claimed) return claimed;
  }
  if (accused) return answered(scene, accused, draw);
  const mate = scene.mates.find((name) => scene.view.alive.includes(name) && scene.accusersOf(name).length > 0);
  if (mate !== undefined) {
    const choice = draw.fraction();
    if (isLost(scene, mate) ? choice < 0.7 : choice < 0.2)
      return [accusation(mate, pickReason(reasonsAgainst(scene, mate), draw), 'accuse')];
    if (!isLost(scene, mate) && choice < 0.35 && !scene.hasSaid(mate, 'defend'))
      return [defence(mate, reasonsFor(scene, mate)[0]), ...blame(scene, draw).slice(0, 1)];
  }
  if (scene.seers.length === 0 && draw.fraction() < (scene.view.round === 1 ? 0.06 : 0.12))
    return falseClaim(scene, draw) ?? blame(scene, draw);
  return blame(scene, draw);
}

/** An accusation of somebody of the village, preferably of one whom others suspect already. */
export function blame(scene: Scene, draw: Draw): Part[] {
  const [victim] = mostWanted(scene, victims(scene));
  if (victim === undefined) return [observation(scene, draw)];
  const reason = pickReason(reasonsAgainst(scene, victim), draw);
  if (scene.hasSaid(victim, 'accuse')) return [accusation(victim, reason, 'accuse'), inquiry(scene, draw, [victim])];
  const others = scene.accusersOf(victim).filter((name) => name !== scene.me && !scene.isMate(name));
  if (others.length > 0 && draw.fraction() < 0.5) return [agreement(victim, others.at(-1)!)];
  return [accusation(victim, reason, scene.publicly.of(victim) > 0.6 ? 'accuseSurely' : 'accuse')];
}

/** A denial, an evasion or a blow back. */
function answered(scene: Scene, accused: Remark, draw: Draw): Part[] {
  const choice = draw.fraction();
  const hasClaimed = scene.claims.some(({ by }) => by === scene.me);
  if (choice < 0.2) return [evasion(), inquiry(scene, draw, [accused.by])];
  const denied = denial(accused.by, topicOf(accused));
  if (choice < 0.35 && scene.lexicon.plain && !hasClaimed) return [denied, claim(scene.lexicon.plain.name)];
  if (choice < 0.6 && !scene.isMate(accused.by) && scene.view.alive.includes(accused.by))
    return [denied, accusation(accused.by, pickReason(reasonsAgainst(scene, accused.by), draw), 'accuse')];
  return [denied, ...blame(scene, draw)];
}

/** Goes on with a claim made earlier: a new check each day. */
function continued(scene: Scene, draw: Draw): Part[] | null {
  const { view, reports, me, seers } = scene;
  if (!seers.some(({ by }) => by === me)) return null;
  const told = reports.filter(({ by }) => by === me);
  if (told.some(({ round }) => round === view.round)) return null;
  const targets = told.map(({ target }) => target);
  const checks = falseChecks(scene, targets, draw);
  return checks.length > 0 ? checks : null;
}

/** Stands behind a partner's false claim. */
export function backed(scene: Scene): Part[] | null {
  const { view, seers } = scene;
  const mate = seers.find(({ by }) => scene.isMate(by) && view.alive.includes(by))?.by;
  if (mate === undefined || scene.hasSaid(mate, 'defend')) return null;
  const rival = rivalOf(scene, mate);
  const target = rival !== undefined && view.alive.includes(rival) && !scene.isMate(rival) ? rival : undefined;
  return [belief(mate, rival), ...(target === undefined ? [] : [accusation(target, undefined, 'urge')])];
}

/** Claims a power of the village and, where it learns, a check. */
export function falseClaim(scene: Scene, draw: Draw): Part[] | null {
  const { lexicon, claims, me, view } = scene;
  if (claims.some(({ by }) => by === me)) return null;
  const learners = rolesThat('learn', lexicon);
  const accuser = scene.reports.findLast(
    ({ target, team, by }) =>
      (target === me || scene.isMate(target)) && team === 'werewolves' && view.alive.includes(by),
  );
  const isTaken = scene.seers.some(({ by }) => scene.isMate(by) && view.alive.includes(by));
  if (accuser && !scene.isMate(accuser.by) && learners[0] && !isTaken)
    return [counterclaim(learners[0].name, accuser.by), checkReport(accuser.by, 'werewolves', false)];
  const free = lexicon.roles.filter(
    ({ name, special, team }) => special && team === 'villagers' && !claims.some(({ role }) => role === name),
  );
  if (free.length === 0) return null;
  const role = draw.pick(free);
  return learners.includes(role) ? [claim(role.name), ...falseChecks(scene, [], draw)] : [claim(role.name)];
}

/** Claims to learn what others are, with a check, where no partner does. */
export function falseSight(scene: Scene, draw: Draw): Part[] | null {
  const [learner] = rolesThat('learn', scene.lexicon);
  const isTaken = scene.seers.some(({ by }) => scene.isMate(by)) || scene.claims.some(({ by }) => by === scene.me);
  return learner && !isTaken ? [claim(learner.name), ...falseChecks(scene, [], draw)] : null;
}

/** One made-up check: of a village player as a Werewolf, or of a partner as none. */
function falseChecks(scene: Scene, told: readonly string[], draw: Draw): Part[] {
  const mate = scene.mates.find((name) => scene.view.alive.includes(name) && !told.includes(name));
  const [victim] = mostWanted(
    scene,
    victims(scene).filter((name) => !told.includes(name)),
  );
  if (victim !== undefined && (mate === undefined || draw.fraction() < 0.7))
    return [checkReport(victim, 'werewolves', true)];
  return mate === undefined ? [] : [checkReport(mate, 'villagers', true)];
}

/** Those of the village who are left. */
export const victims = (scene: Scene) => scene.others.filter((name) => !scene.isMate(name));
