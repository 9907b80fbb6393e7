// Own acts: whether and on whom a player of the village uses a power or a last act that takes judgement.
import type { Draw } from '../../../state/draw.ts';
import { pass, type LastAct, type Power } from '../../../state/role.ts';
import { credit } from './night.ts';
import type { Scene } from './scene.ts';

export interface Deed {
  /** May be `pass`. */
  target: string;
  reasoning: string;
}

const percent = (p: number) => `${Math.round(100 * p)} %`;

/** The certainty that it takes to harm somebody at night: less from round to round, for who waits too long never will. */
const certaintyAt = (round: number) => Math.max(0.5, 0.9 - 0.1 * round);
/** On leaving the game there is no later: what it takes then. */
const lastCertainty = 0.4;

/** Harms the best suspect, or nobody who is not suspect enough. */
export function strike(scene: Scene, act: Power | LastAct, choices: readonly string[], draw: Draw): Deed {
  const names = draw.shuffle(choices.filter((name) => name !== pass));
  const { view, mine, lexicon, knowledge } = scene;
  const suspect = names.reduce((worst, name) => (mine.of(name) > mine.of(worst) ? name : worst));
  const needed = 'wave' in act ? certaintyAt(view.round) : lastCertainty;
  const p = mine.of(suspect);
  const belief = `I take ${suspect} for a ${lexicon.pack.name} with ${percent(p)}`;
  if (choices.includes(pass) && p < needed)
    return { target: pass, reasoning: `${belief}, more than anybody else, but that is not enough.` };
  const isKnown = knowledge.get(suspect)?.team === 'werewolves';
  return { target: suspect, reasoning: isKnown ? `I know what ${suspect} is.` : `${belief}, and that is enough.` };
}

/** Who cannot be spared: how much it takes to save them, from round to round; a cure that is never used is wasted. */
const worthAt = (round: number) => Math.max(0.05, 0.45 - 0.15 * (round - 1));

/** Saves somebody of whom it is known that they were attacked, if they are worth it; oneself always. */
export function rescue(scene: Scene, choices: readonly string[], draw: Draw): Deed {
  const { me, view, lexicon, mine } = scene;
  const names = choices.filter((name) => name !== pass);
  if (names.includes(me))
    return { target: me, reasoning: 'They came for me, and I can do most for the village alive.' };
  const victim = names.reduce((best, name) => (worth(scene, name) > worth(scene, best) ? name : best));
  const isClose = view.alive.length <= 2 * lexicon.packSize + 2; // the village can hardly lose one more
  const value = worth(scene, victim) + 0.6 * draw.fraction();
  const isSuspect = mine.of(victim) > 0.5;
  if (choices.includes(pass) && (isSuspect || (!isClose && value < worthAt(view.round))))
    return { target: pass, reasoning: `I keep it for somebody whom the village would miss more than ${victim}.` };
  return {
    target: victim,
    reasoning: draw.pick([`The village needs ${victim}.`, `${victim} was attacked and is one of us: worth saving.`]),
  };
}

/** How much the village would miss a victim: a credible claim, the badge, words against those who are suspect. */
function worth(scene: Scene, name: string): number {
  const { mine, publicly, testimony, sheriff } = scene;
  const claims =
    0.8 * credit(scene, name, 'learn') + 0.5 * Math.max(credit(scene, name, 'shield'), credit(scene, name, 'harm'));
  const pointed = testimony.remarks.filter(
    ({ by, acts }) => by === name && acts.some((act) => act.kind === 'accuse' && mine.of(act.target) > 0.4),
  ).length;
  return claims + 0.1 * Math.min(pointed, 3) + (name === sheriff ? 0.3 : 0) - 0.3 * publicly.of(name);
}
