// Whether a Werewolf who was found by a check is kept back: until the finder has named that player as one in public.
import { isType, type GameEvent } from '../../state/event.ts';
import { roleNamed } from '../../state/roles/index.ts';
import type { Claim, Utterance } from './claim.ts';

/** An earlier statement. */
interface Told extends Pick<Utterance, 'by' | 'round'> {
  claims: readonly Claim[];
  isUnread: boolean;
}

/**
 * Of a statement of the debate: whether it names none of the living Werewolves whom its speaker has found and not named
 * since, be it as an opinion or in the explanation of a ballot. Null where there are none, or `claims` could not be
 * drawn; what an earlier statement that could not be read may have told does not count either way. A night comes before
 * the day of its round.
 */
export function isWithheld(
  { by, kind }: Pick<Utterance, 'by' | 'kind'>,
  claims: readonly Claim[] | null,
  earlier: readonly Told[],
  events: readonly GameEvent[],
): boolean | null {
  if (kind === 'ballot' || claims === null) return null;
  const isTold = ({ about, round }: Finding) =>
    earlier.some(
      (one) => one.by === by && one.round >= round && (one.isUnread || one.claims.some((claim) => names(claim, about))),
    );
  const untold = foundBy(by, events).filter((finding) => !isTold(finding));
  if (untold.length === 0) return null;
  return !untold.some(({ about }) => claims.some((claim) => names(claim, about)));
}

interface Finding {
  about: string;
  round: number;
}

function foundBy(name: string, events: readonly GameEvent[]): Finding[] {
  const gone = events.filter(isType('death')).map(({ player }) => player);
  const learned = events.filter(isType('learned')).filter(({ by }) => by === name);
  const isPack = ({ role, team }: (typeof learned)[number]) =>
    (role === undefined ? team : roleNamed(role).team) === 'werewolves';
  return learned.filter((one) => isPack(one) && !gone.includes(one.about));
}

const names = ({ type, subject, object, team, polarity }: Claim, name: string) =>
  (type === 'accusation' && subject === name) ||
  (type === 'check' && object === name && team === 'werewolves' && polarity);
