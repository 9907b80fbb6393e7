// Night: whom to remove, to shield and to check, by what a power aims at and not by whose it is.
import type { Draw } from '../../../state/draw.ts';
import type { Power } from '../../../state/role.ts';
import { rolesThat, type BoardRole } from './lexicon.ts';
import type { Scene } from './scene.ts';

type Aim = Power['aim'];

/** How far chance may move a choice: who attacks and who protects must not be foreseen by the other side. */
const chance: Readonly<Record<Aim, number>> = { harm: 0.25, shield: 0.6, learn: 0.15 };

/** The choice for a power of this aim among the legal targets. */
export function chooseTarget(scene: Scene, aim: Aim, choices: readonly string[], draw: Draw): string {
  const agreed = aim === 'harm' ? proposedMost(scene, choices) : undefined;
  if (agreed !== undefined) return agreed;
  const worth = { harm: danger, shield: value, learn: curiosity }[aim];
  return choices
    .map((name) => [name, worth(scene, name) + chance[aim] * draw.fraction()] as const)
    .reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

/** Where the pack has proposed this night and differed: the one named most, the first in seat order among equals. */
function proposedMost(scene: Scene, choices: readonly string[]): string | undefined {
  const tonight = scene.view.events.flatMap((event) =>
    event.type === 'proposal' && event.round === scene.view.round ? [event.target] : [],
  );
  const named = (name: string) => tonight.filter((target) => target === name).length;
  const open = choices.filter((name) => named(name) > 0);
  return open.length === 0 ? undefined : open.reduce((best, name) => (named(name) > named(best) ? name : best));
}

/** How much weight a claim to a power of the village has, 0…1. */
export const credit = (scene: Scene, name: string, aim: Aim) =>
  weightOfClaim(scene, name, rolesThat(aim, scene.lexicon));

function weightOfClaim(scene: Scene, name: string, to: readonly BoardRole[]) {
  const claimed = scene.claims.some((claim) => claim.by === name && to.some((role) => role.name === claim.role));
  return claimed ? 1 - scene.publicly.of(name) : 0;
}

/** How dangerous somebody is to the pack: who learns, who shields, who is trusted and speaks against the pack. */
export function danger(scene: Scene, name: string) {
  if (scene.isMate(name)) return -1;
  const { remarks } = scene.testimony;
  const against = remarks.filter(
    ({ by, acts }) =>
      by === name && acts.some((act) => act.kind === 'accuse' && (act.target === scene.me || scene.isMate(act.target))),
  ).length;
  const useful = 0.9 * scene.publicly.of(name); // somebody whom the village may exile by itself
  const claims = 1.2 * credit(scene, name, 'learn') + credit(scene, name, 'shield');
  return (
    claims +
    0.15 * Math.min(against, 3) -
    useful -
    (isGuarded(scene, name) ? 1 : 0) +
    0.8 * credit(scene, name, 'harm') +
    (name === scene.sheriff ? 0.4 * (1 - scene.publicly.of(name)) : 0) -
    0.6 * vengeance(scene, name)
  );
}

/** How credibly somebody claims to take another along on leaving the game. */
const vengeance = (scene: Scene, name: string) =>
  weightOfClaim(
    scene,
    name,
    scene.lexicon.roles.filter(({ avenges }) => avenges),
  );

/** Whether the pack's attack on somebody failed last night. */
const isGuarded = ({ view, testimony }: Scene, name: string) =>
  testimony.quietNights.includes(view.round - 1) &&
  view.events.some((event) => event.type === 'pick' && event.round === view.round - 1 && event.target === name);

/** How much the village would miss somebody, and how likely they are attacked. */
function value(scene: Scene, name: string) {
  const self = name === scene.me ? 0.1 + credit(scene, name, 'shield') : 0;
  const talk = scene.testimony.remarks.filter(({ by }) => by === name).length;
  const office = name === scene.sheriff ? 0.3 : 0;
  return (
    1.2 * credit(scene, name, 'learn') +
    self -
    scene.mine.of(name) +
    0.02 * Math.min(talk, 5) +
    0.8 * credit(scene, name, 'harm') +
    office
  );
}

/** How much a check would tell: most about those who could be either, a little more about the suspected. */
function curiosity(scene: Scene, name: string) {
  const p = scene.mine.of(name);
  return 4 * p * (1 - p) + 0.3 * p;
}
