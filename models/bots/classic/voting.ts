// Voting: for whom, and what to say about it.
import type { Draw } from '../../../state/draw.ts';
import { credibleReporter, pickReason } from './debating.ts';
import { victims } from './lying.ts';
import { heat, isLost, wish } from './ranking.ts';
import { reasonsAgainst } from './reasons.ts';
import type { Scene } from './scene.ts';
import { accusation, agreement, following, say, type Part, type Speech } from './speech.ts';

/** How far two players may lie apart in the ranking and still change places by chance. */
const noise = 0.06;

/** The best candidate among `choices`, with some chance in it. */
export function chooseBallot(scene: Scene, choices: readonly string[], draw: Draw): string {
  const lost = choices.filter((name) => scene.isMate(name) && isLost(scene, name));
  const canWin =
    scene.isPack &&
    (scene.mates.filter((name) => scene.view.alive.includes(name)).length + 1) * 2 >= scene.view.alive.length - 1;
  if (lost.length > 0 && !canWin && draw.fraction() < 0.6) return lost[0]!;
  const prey = scene.isPack ? choices.filter((name) => victims(scene).includes(name)) : choices;
  const open = prey.length > 0 ? prey : choices;
  return open
    .map((name) => [name, wish(scene, name) + noise * draw.fraction()] as const)
    .reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

/** The public words to a ballot; `isLie` only matters to a Werewolf. */
export function explain(scene: Scene, target: string, isLie: boolean, draw: Draw): Speech {
  return say(scene, [words(scene, target, isLie, draw)], draw);
}

function words(scene: Scene, target: string, isLie: boolean, draw: Draw): Part {
  if (scene.isPack && !isLie) return following(target, heat(scene, target) > 0);
  const ally = scene
    .accusersOf(target)
    .filter((name) => name !== scene.me)
    .at(-1);
  const reporter = credibleReporter(scene, target);
  const reason = pickReason(reasonsAgainst(scene, target), draw);
  if (reporter === undefined && ally !== undefined && draw.fraction() < 0.3) return agreement(target, ally);
  return accusation(target, reason, draw.fraction() < 0.7 ? 'vote' : 'accuse');
}
