// Night victims: how surely those who left in a night were attacked by the pack, which does not attack its own.
import { powers } from '../../../state/roles/index.ts';
import type { View } from '../../../state/view.ts';
import type { Knowledge } from './knowledge.ts';
import { holdersOf, rolesThat, type Lexicon } from './lexicon.ts';
import type { Testimony } from './testimony.ts';

/** Odds that a night victim is a Werewolf, compared with any other player. */
const odds = {
  attacked: Math.log(0.002),
  /** Where somebody of the village may have done it. */
  alone: Math.log(0.1),
  /** As one of several, of whom one at most was attacked. */
  amongSeveral: Math.log(0.5),
  unknown: 0,
};

/** Whether only the Werewolves of this board can remove anybody at night, so that no victim is one of them. */
export const packAloneHarms = ({ board }: View) =>
  powers
    .filter(({ aim, role }) => aim === 'harm' && (board.roles[role.name] ?? 0) > 0)
    .every(({ role }) => role.team === 'werewolves');

/** What a player's having left in a night says of the side, as log odds; `observer` as in `evidenceOf`. */
export function oddsOfVictim(
  view: View,
  lexicon: Lexicon,
  { deaths }: Testimony,
  knowledge: Knowledge,
  observer: string | null,
): (player: string, round: number) => number {
  if (packAloneHarms(view)) return () => odds.attacked;
  const harmful = rolesThat('harm', lexicon).map(({ name }) => name);
  const isHarmful = (name: string) => harmful.includes(knowledge.get(name)?.role ?? '');
  const leftBefore = (name: string, round: number) =>
    deaths.some((death) => death.player === name && death.round < round);
  return (player, round) => {
    const others = view.players.filter((name) => isHarmful(name) && name !== observer);
    const gone = others.filter((name) => leftBefore(name, round));
    const isOwn = observer !== null && isHarmful(observer);
    if (isOwn && harmedBy(view, observer, round).includes(player)) return odds.unknown;
    if (gone.length + (isOwn ? 1 : 0) === holdersOf('harm', lexicon)) return odds.attacked;
    const victims = deaths.filter((death) => death.round === round && death.cause === 'night');
    return victims.length > 1 ? odds.amongSeveral : odds.alone;
  };
}

/** Whom the observer harmed that night. */
const harmedBy = ({ events }: View, observer: string, night: number) =>
  events.flatMap((event) =>
    event.type === 'acted' &&
    event.by === observer &&
    event.round === night &&
    powers.some(({ verb, aim }) => verb === event.verb && aim === 'harm')
      ? [event.target]
      : [],
  );

/**
 * Players whom the own shield may have kept in the game, since nobody left that night; `surely` where nobody else's
 * could have.
 */
export function rescued(view: View, lexicon: Lexicon): { names: string[]; surely: boolean } {
  const quiet = view.events.flatMap((event) => (event.type === 'quiet_night' ? [event.round] : []));
  const names = view.events.flatMap((event) =>
    event.type === 'acted' &&
    event.by === view.me &&
    quiet.includes(event.round) &&
    powers.some(({ verb, aim }) => verb === event.verb && aim === 'shield')
      ? [event.target]
      : [],
  );
  return { names, surely: holdersOf('shield', lexicon) === 1 };
}
