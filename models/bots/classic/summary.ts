// The player's own summary of a round: who left, who claimed what, what was learned and who is suspected.
import { mostWanted } from './ranking.ts';
import type { Scene } from './scene.ts';

const fates = { night: 'left in the night', exile: 'was exiled', last_act: 'was taken along' } as const;

export function summaryOf(scene: Scene): string {
  const { view, testimony, claims, lexicon, mine } = scene;
  const today = <Item extends { round: number }>({ round }: Item) => round === view.round;
  const lines = testimony.deaths.filter(today).map(({ player, cause }) => `${player} ${fates[cause]}.`);
  if (testimony.quietNights.includes(view.round)) lines.push('Nobody left in the night.');
  if (testimony.spared.includes(view.round)) lines.push('Nobody was exiled.');
  for (const { by, role } of claims.filter(today))
    lines.push(`${by === scene.me ? 'I' : by} claimed to be the ${role}.`);
  for (const { by, target, team } of scene.reports.filter(today).slice(-3))
    lines.push(
      `${by === scene.me ? 'I' : by} reported ${target} as ${team === 'werewolves' ? `a ${lexicon.pack.name}` : `no ${lexicon.pack.name}`}.`,
    );
  for (const event of view.events)
    if (event.type === 'learned' && event.round === view.round) lines.push(`I learned what ${event.about} is.`);
  for (const event of view.events)
    if (event.type === 'attacked' && event.round === view.round)
      lines.push(`I know that ${event.player} was attacked.`);
  if (scene.sheriff !== null) lines.push(`${scene.sheriff === scene.me ? 'I am' : `${scene.sheriff} is`} the Sheriff.`);
  const accusers = scene.accusersOf(scene.me);
  if (accusers.length > 0) lines.push(`${accusers.join(', ')} spoke against me.`);
  const suspects = mostWanted(scene, scene.others).slice(0, 2);
  if (scene.isPack) lines.push(`The village is most likely to follow us against ${suspects.join(' or ')}.`);
  else
    lines.push(
      `I suspect ${suspects.map((name) => `${name} (${Math.round(100 * mine.of(name))} %)`).join(' and ')} most.`,
    );
  return lines.join(' ');
}
