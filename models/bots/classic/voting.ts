// Voting: for whom, and what to say about it.
import type { Draw } from '../../../state/draw.ts';
import { credibleReporter } from './claimants.ts';
import { victims } from './lying.ts';
import { heat, isLost, mostWanted, wish } from './ranking.ts';
import { pickReason, reasonsAgainst } from './reasons.ts';
import type { Scene } from './scene.ts';
import { accusation, agreement, following, type Part } from './parts.ts';
import { say, type Speech } from './speech.ts';

/** The best candidate among `choices`, with some chance in it. */
export function chooseBallot(scene: Scene, choices: readonly string[], draw: Draw): string {
  const { recommendation, me } = scene;
  if (recommendation?.by === me && choices.includes(recommendation.target)) return recommendation.target;
  return partnerToGiveUp(scene, choices, draw) ?? recommendable(scene, choices, draw);
}

/** The best candidate in a ballot that is shown and exiles nobody: the Sheriff's is what will be recommended. */
export const chooseLeaning = (scene: Scene, choices: readonly string[], draw: Draw): string =>
  scene.sheriff === scene.me ? recommendable(scene, choices) : chooseBallot(scene, choices, draw);

/** Whom the Sheriff recommends: the best suspect, which is whom the own first ballot named. */
export function chooseRecommended(scene: Scene, choices: readonly string[]): string {
  const { leaning } = scene;
  return leaning !== undefined && choices.includes(leaning) ? leaning : recommendable(scene, choices);
}

/** The best candidate of whom it can be said in front of all: a Werewolf never points at a partner. */
function recommendable(scene: Scene, choices: readonly string[], draw?: Draw): string {
  const prey = scene.isPack ? choices.filter((name) => victims(scene).includes(name)) : choices;
  const open = prey.length > 0 ? prey : choices;
  return mostWanted(scene, open, draw)[0]!;
}

/** A partner who is likely to be exiled anyway, now and then, unless the pack is about to win. */
function partnerToGiveUp(scene: Scene, choices: readonly string[], draw: Draw): string | undefined {
  const { alive } = scene.view;
  const pack = scene.others.filter((name) => scene.isMate(name)).length + 1;
  if (!scene.isPack || pack * 2 >= alive.length - 1) return undefined;
  const [first] = [...choices].sort((one, other) => wish(scene, other) - wish(scene, one));
  if (first === undefined || !scene.isMate(first) || heat(scene, first) === 0) return undefined;
  return draw.fraction() < (isLost(scene, first) ? 0.95 : 0.65) ? first : undefined;
}

/** The public words to a ballot; `isLie` only matters to a Werewolf. */
export function explain(scene: Scene, target: string, isLie: boolean, draw: Draw): Speech {
  return say(scene, [words(scene, target, isLie, draw)], draw);
}

function words(scene: Scene, target: string, isLie: boolean, draw: Draw): Part {
  const company = scene.accusersOf(target).filter((name) => name !== scene.me);
  const isForced = !scene.isPack && scene.knowledge.get(target)?.team === 'villagers'; // only such may be voted for
  if (isForced || (scene.isPack && !isLie)) return following(target, company, scene.view.rules);
  const reason = pickReason(reasonsAgainst(scene, target), draw);
  const ally = company.at(-1);
  const isReported = credibleReporter(scene, target) !== undefined;
  if (!isReported && ally !== undefined && draw.fraction() < 0.3) return agreement(target, ally);
  return accusation(target, reason, draw.fraction() < 0.7 ? 'vote' : 'accuse');
}
