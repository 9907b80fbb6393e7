// Offices: who stands for Sheriff, whom to elect, how the debate goes around the table, and who gets the badge.
import type { Draw } from '../../../state/draw.ts';
import { tear } from '../../../state/sheriff.ts';
import { rolesThat } from './lexicon.ts';
import type { Moment, Reply } from './moment.ts';
import { credit, danger } from './night.ts';
import { mostWanted } from './ranking.ts';
import type { Scene } from './scene.ts';

/** How readily players stand: whoever learns something has most to lead with, and the pack wants the badge. */
const readiness = { learns: 0.75, hasFound: 0.9, pack: 0.45, special: 0.3, plain: 0.35 };

export const offices: Readonly<Record<string, (moment: Moment) => Reply>> = {
  candidacy: ({ scene, draw }) => {
    const stand = draw.fraction() < readinessOf(scene);
    const reasoning = stand
      ? scene.isPack
        ? 'The badge in our hands would turn the votes.'
        : 'I know what side I am on, so the badge would be safe with me.'
      : 'Standing would draw eyes to me that I do not want.';
    return { fields: { reasoning, stand } };
  },
  elect: ({ scene, prompt, draw }) => {
    const vote = scene.isPack ? useful(scene, prompt.choices, draw) : mostTrusted(scene, prompt.choices, draw);
    return { fields: { reasoning: whyTrust(scene, vote), vote } };
  },
  speaking_order: ({ scene, draw }) => {
    const [suspect] = scene.isPack
      ? scene.mates.filter((name) => scene.view.alive.includes(name))
      : mostWanted(scene, scene.others);
    if (suspect === undefined) return { fields: { reasoning: 'It makes no difference to me.' } };
    const first = soonest(scene, suspect) ?? draw.pick(['up', 'down']);
    const last = first === 'up' ? 'down' : 'up';
    return scene.isPack
      ? { fields: { reasoning: `${suspect} should hear the others before speaking.`, direction: last } }
      : { fields: { reasoning: `I want to hear ${suspect} early.`, direction: first } };
  },
  pass_badge: ({ scene, prompt, draw }) => {
    const names = prompt.choices.filter((name) => name !== tear && name !== scene.me);
    const successor = scene.isPack ? heirOfPack(scene, names, draw) : heir(scene, names, draw);
    const reasoning =
      successor === tear ? 'I would rather see no badge than one in the wrong hands.' : whyTrust(scene, successor);
    return { fields: { reasoning, successor } };
  },
};

function readinessOf({ isPack, lexicon, view, knowledge }: Scene): number {
  if (isPack) return readiness.pack;
  const own = lexicon.roles.find(({ name }) => name === view.role);
  if (rolesThat('learn', lexicon).some(({ name }) => name === view.role))
    return [...knowledge.values()].some(({ team }) => team === 'werewolves') ? readiness.hasFound : readiness.learns;
  return own?.special ? readiness.special : readiness.plain;
}

const whyTrust = (scene: Scene, name: string) =>
  scene.isMate(name)
    ? `${name} is one of us.`
    : scene.isPack
      ? `${name} is no danger to us.`
      : scene.claims.some(({ by }) => by === name)
        ? `I believe ${name}, and what ${name} knows should lead us.`
        : `Of them all, I trust ${name} most.`;

/** Little suspicion, and a credible claim to learn what others are. */
const trust = (scene: Scene, name: string) => 0.6 * credit(scene, name, 'learn') - scene.mine.of(name);

function best(names: readonly string[], of: (name: string) => number): string {
  const marks = names.map((name) => [name, of(name)] as const);
  return marks.reduce((top, one) => (one[1] > top[1] ? one : top))[0];
}

const mostTrusted = (scene: Scene, names: readonly string[], draw: Draw) =>
  best(names, (name) => trust(scene, name) + 0.15 * draw.fraction());

/** A partner at times; otherwise whoever is the least dangerous to the pack. */
function useful(scene: Scene, names: readonly string[], draw: Draw): string {
  const mate = names.find((name) => scene.isMate(name));
  if (mate !== undefined && draw.fraction() < 0.5) return mate;
  const others = names.filter((name) => !scene.isMate(name));
  return best(others.length > 0 ? others : names, (name) => 0.2 * draw.fraction() - danger(scene, name));
}

/** Above this suspicion nobody gets the badge from a player of the village. */
const untrusted = 0.5;

function heir(scene: Scene, names: readonly string[], draw: Draw): string {
  if (names.length === 0) return tear;
  const chosen = best(names, (name) => trust(scene, name) + 0.02 * draw.fraction());
  return scene.mine.of(chosen) < untrusted ? chosen : tear;
}

/** A partner at times, though it may give both away; else the badge is torn, or goes where it does no harm. */
function heirOfPack(scene: Scene, names: readonly string[], draw: Draw): string {
  const mate = names.find((name) => scene.isMate(name));
  const choice = draw.fraction();
  if (mate !== undefined && choice < 0.4) return mate;
  const others = names.filter((name) => !scene.isMate(name));
  if (choice < 0.7 || others.length === 0) return tear;
  return best(others, (name) => -danger(scene, name));
}

/** In which direction from this player `name` sits nearer; undefined: neither. */
function soonest({ view }: Scene, name: string): 'up' | 'down' | undefined {
  const { alive, me } = view;
  const up = (alive.indexOf(name) - alive.indexOf(me) + alive.length) % alive.length;
  const down = alive.length - up;
  return up === down ? undefined : up < down ? 'up' : 'down';
}
