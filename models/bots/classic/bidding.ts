// Bidding: how much a player wants to speak next, 0…1, and why.
import type { Draw } from '../../../state/draw.ts';
import { mentioned } from '../../../state/debate.ts';
import { openAccusation, openQuestion } from './addressed.ts';
import { credibleReporter } from './claimants.ts';
import { mostWanted } from './ranking.ts';
import { occasion } from './revealing.ts';
import type { Scene } from './scene.ts';

export interface Urge {
  level: number;
  because: 'reveal' | 'accused' | 'asked' | 'mentioned' | 'confirm' | 'suspect' | 'partner' | 'listen';
  about?: string;
}

export function urgeOf(scene: Scene, draw: Draw): Urge {
  const chance = 0.25 * draw.fraction();
  if (occasion(scene) !== null) return { level: 0.9 + 0.1 * draw.fraction(), because: 'reveal' };
  const turns = scene.todays.filter(({ by }) => by === scene.me).length;
  const tired = 0.15 * turns; // whoever has spoken leaves room for others
  const accusation = openAccusation(scene);
  if (accusation) return { level: 0.75 - tired + chance, because: 'accused', about: accusation.by };
  const question = openQuestion(scene);
  if (question) return { level: 0.6 - tired + chance, because: 'asked', about: question.by };
  const calm = Math.max(0, 0.35 - 0.2 * turns);
  const last = scene.todays.at(-1);
  if (last && last.by !== scene.me && mentioned(last.text, [scene.me]).length > 0)
    return { level: calm + 0.2 + chance, because: 'mentioned', about: last.by };
  const mate = scene.mates.find((name) => scene.view.alive.includes(name) && scene.accusersOf(name).length > 0);
  if (mate !== undefined) return { level: calm + 0.25 + chance, because: 'partner', about: mate };
  const [suspect] = mostWanted(
    scene,
    scene.others.filter((name) => !scene.isMate(name)),
  );
  if (suspect === undefined || scene.hasSaid(suspect, 'accuse'))
    return { level: calm * draw.fraction(), because: 'listen' };
  const reporter = credibleReporter(scene, suspect);
  if (reporter !== undefined) return { level: calm + 0.2 + chance, because: 'confirm', about: reporter };
  if (scene.isPack) return { level: calm + 1.5 * chance, because: 'suspect', about: suspect };
  const sureness = scene.outward.of(suspect);
  if (sureness > 0.4) return { level: calm + 0.4 * sureness + chance, because: 'suspect', about: suspect };
  return { level: calm * draw.fraction() + 0.6 * chance, because: 'listen' };
}
