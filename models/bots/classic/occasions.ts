// Occasions: what is said around the debate, as a candidate, as Sheriff after the first ballot, and once more in a tie.
import { tally, tiedIn } from '../../../state/ballots.ts';
import type { Draw } from '../../../state/draw.ts';
import { weightUnder } from '../../../state/sheriff.ts';
import { openAccusation, topicOf } from './addressed.ts';
import { credibleReporter, rivalOf } from './claimants.ts';
import { rolesThat } from './lexicon.ts';
import { backed, blame, falseClaim, falseSight } from './lying.ts';
import { officePhrases } from './office-phrases.ts';
import { accusation, avowal, belief, candidacy, claim, denial, following, remark, type Part } from './parts.ts';
import { mostWanted } from './ranking.ts';
import { pickReason, reasonsAgainst } from './reasons.ts';
import { occasion, revelation, untold } from './revealing.ts';
import type { Scene } from './scene.ts';
import { observation } from './small-talk.ts';

/** What a candidate says; `isLie` only matters to a Werewolf. */
export function campaignPlan(scene: Scene, isLie: boolean, draw: Draw): Part[] {
  const pledge = remark(officePhrases.pledge, {});
  if (!scene.isPack) return [candidacy(), ...candidly(scene, draw, pledge)];
  if (!isLie) return [candidacy(), pledge];
  const story =
    (draw.fraction() < 0.5 ? backed(scene) : null) ?? (draw.fraction() < 0.3 ? falseSight(scene, draw) : null);
  return [candidacy(), ...(story ?? [avowal()])];
}

/** What a candidate of the village says besides: what it has learned where that is worth the danger. */
function candidly(scene: Scene, draw: Draw, pledge: Part): Part[] {
  const checks = rolesThat('learn', scene.lexicon).some(({ name }) => name === scene.view.role) ? untold(scene) : [];
  const hasFound = checks.some(({ team }) => team === 'werewolves');
  if (occasion(scene) !== null || (checks.length > 0 && draw.fraction() < (hasFound ? 0.7 : 0.3)))
    return revelation(scene);
  const accused = openAccusation(scene);
  if (accused) return [denial(accused.by, topicOf(accused))];
  const [suspect] = mostWanted(scene, scene.others);
  const claimant = suspect === undefined ? undefined : credibleReporter(scene, suspect);
  if (claimant !== undefined && draw.fraction() < 0.6) return [belief(claimant, rivalOf(scene, claimant))];
  return [draw.fraction() < 0.5 ? avowal() : pledge];
}

/** Sums up the first ballot and recommends `target`. */
export function recommendationPlan(scene: Scene, target: string, isLie: boolean, draw: Draw): Part[] {
  const company = scene.accusersOf(target).filter((name) => name !== scene.me);
  const isForced = !scene.isPack && scene.knowledge.get(target)?.team === 'villagers'; // there is nobody else
  if (isForced || (scene.isPack && !isLie)) return [sumUp(scene), following(target, company, scene.view.rules)];
  return [sumUp(scene), accusation(target, pickReason(reasonsAgainst(scene, target), draw), 'recommend')];
}

/** What the first ballot shows, by the weight of the votes. */
function sumUp({ testimony, view, sheriff }: Scene): Part {
  const cast = testimony.otherVotes.filter(({ round }) => round === view.round);
  const counts = tally(cast, weightUnder(view.rules, sheriff));
  const [first, second, third] = counts;
  if (first === undefined || (second === undefined && first[1] <= 1)) return remark(officePhrases.empty, {});
  if (third !== undefined && (first[1] < 2 || third[1] === first[1])) return remark(officePhrases.scattered, {});
  if (second !== undefined && second[1] === first[1]) return remark(officePhrases.level, { X: first[0], Y: second[0] });
  return remark(officePhrases.leads, { X: first[0], n: String(first[1]) });
}

/** What somebody says between whom and others the vote was tied. */
export function pleaPlan(scene: Scene, isLie: boolean, draw: Draw): Part[] {
  const plea = remark(officePhrases.plead, {});
  if (!scene.isPack) return plainly(scene, draw, plea);
  if (!isLie) return [plea, observation(scene, draw)];
  const story = draw.fraction() < 0.4 ? falseClaim(scene, draw) : null;
  if (story) return story;
  const [opponent] = opponents(scene).filter((name) => !scene.isMate(name));
  return [avowal(), ...(opponent === undefined ? blame(scene, draw) : [against(scene, opponent, draw)])];
}

/** Shows a power now or never; otherwise defends itself against whoever is the likelier Werewolf. */
function plainly(scene: Scene, draw: Draw, plea: Part): Part[] {
  if (occasion(scene) !== null) return [...revelation(scene), plea];
  const accused = openAccusation(scene);
  const defended = accused ? denial(accused.by, topicOf(accused)) : avowal();
  const isPlain = scene.lexicon.plain?.name === scene.view.role;
  const shown = isPlain && draw.fraction() < 0.5 ? [claim(scene.view.role)] : [];
  const [opponent] = opponents(scene).filter((name) => scene.mine.of(name) > 0.05);
  return [defended, ...shown, ...(opponent === undefined ? [plea] : [against(scene, opponent, draw)])];
}

/** The others of the tied, the most wanted first. */
const opponents = (scene: Scene) =>
  mostWanted(
    scene,
    (tiedIn(scene.view.events, scene.view.round) ?? []).filter((name) => name !== scene.me),
  );

const against = (scene: Scene, opponent: string, draw: Draw) =>
  accusation(opponent, pickReason(reasonsAgainst(scene, opponent), draw), 'accuse');
