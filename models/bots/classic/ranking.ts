// Ranking: whom a player would like to see exiled, and how much.
import type { Draw } from '../../../state/draw.ts';
import { promiseOf } from './promises.ts';
import type { Scene } from './scene.ts';

/** How much an accusation by somebody trusted weighs beside the own belief: an exile needs a majority. */
const company = 0.12;
/** What it takes to drop an accusation made earlier the same day. */
const constancy = 0.2;
/** What the word of a fully trusted Sheriff adds. */
const deference = 0.3;
/** What certain knowledge weighs, and an own call to exile somebody: more than all that others can say. */
const decisive = 4;
/** How far two candidates may lie apart and still change places by chance in the eyes of the village. */
const chance = 0.3;
/** How much the own suspicion score, where the rules show it, moves the own belief. */
const remembered = 0.15;

/** How far the table already leans towards exiling `name`: who speaks against and for, by how far they are trusted. */
export function heat(scene: Scene, name: string) {
  const weigh = (names: readonly string[]) =>
    names.filter((by) => by !== scene.me || scene.isPack).reduce((sum, by) => sum + 1 - scene.outward.of(by), 0);
  return company * (weigh(scene.accusersOf(name)) - 0.6 * weigh(scene.defendersOf(name)));
}

/**
 * The wish to see `name` exiled. A Werewolf wants whomever the village is most ready to exile, and goes by nothing
 * but what everybody has heard, so that the pack arrives at the same name without a word. A player of the village goes
 * by what it knows for certain, and everybody by what they have called for.
 */
export function wish(scene: Scene, name: string) {
  const word = sheriffsWord(scene, name) + (promiseOf(scene) === name ? decisive : 0);
  if (scene.isPack) return scene.publicly.of(name) + 1.5 * heat(scene, name) + word;
  const own = scene.accusersOf(name).includes(scene.me) ? constancy : 0;
  const score = scene.view.scores?.[name];
  const memory = score && score.round !== null ? remembered * (score.score - 0.5) : 0;
  return scene.mine.of(name) + heat(scene, name) + own + memory + word + certainty(scene, name);
}

function certainty({ knowledge }: Scene, name: string) {
  const team = knowledge.get(name)?.team;
  return team === undefined ? 0 : team === 'werewolves' ? decisive : -decisive;
}

/** The Sheriff's recommendation counts by how far the Sheriff is trusted. */
function sheriffsWord({ recommendation, outward, me }: Scene, name: string) {
  if (recommendation?.target !== name || recommendation.by === me) return 0;
  return deference * (1 - outward.of(recommendation.by));
}

/**
 * The most wanted first. Where there is little between them, a village player goes by chance (`draw`), and the pack
 * by an order that both partners can work out from what everybody has heard.
 */
export function mostWanted(scene: Scene, names: readonly string[], draw?: Draw): string[] {
  const { players } = scene.view;
  const turn = scene.testimony.remarks.length;
  const place = (name: string) => ((players.indexOf(name) + turn) % players.length) / 1000;
  return names
    .map(
      (name) => [name, wish(scene, name) + (scene.isPack || !draw ? place(name) : chance * draw.fraction())] as const,
    )
    .sort(([, one], [, other]) => other - one)
    .map(([name]) => name);
}

/** Whether the village is about to exile this partner whatever is said. */
export const isLost = (scene: Scene, name: string) =>
  scene.publicly.of(name) > 0.7 || scene.accusersOf(name).length * 2 > scene.view.alive.length;

/** Whether the village is close to exiling this player. */
export const isUnderFire = (scene: Scene) => {
  if (scene.isTied) return true;
  const accusers = scene.accusersOf(scene.me).length;
  return accusers >= 3 || (accusers >= 2 && scene.publicly.of(scene.me) > 0.3);
};
