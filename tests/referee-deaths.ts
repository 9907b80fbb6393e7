// The referee of departures: their announcement, the last acts in order, and the badge.
import { isEventOfType, type EventOf, type GameEvent } from '../state/events.ts';
import { findHolderAfter, isRevealed, without, type Span } from './referee-span.ts';

type Following = EventOf<'death'> | EventOf<'last_act'> | EventOf<'passed'> | EventOf<'badge'>;

const isFollowing = (event: GameEvent): event is Following =>
  ['death', 'last_act', 'badge'].includes(event.type) || (event.type === 'passed' && event.verb === 'shoot');

/**
 * Checks that the deaths of a night or of an exile come first. Then each departed player acts, in the order of
 * departure: the shot, the death that it causes, and the badge.
 */
export function checkDeaths(span: Span) {
  const { must, round, setup } = span;
  const happened = span.events.filter(isFollowing);
  const first = happened.findIndex((event) => event.type !== 'death' || event.cause === 'last_act');
  const sequence = first < 0 ? happened.splice(0) : happened.splice(0, first);
  const next = () => {
    const event = happened.shift();
    if (event) sequence.push(event);
    return event;
  };
  const deaths = () => sequence.filter(isEventOfType('death'));
  for (let index = 0; index < deaths().length; index++) {
    const { player } = deaths()[index]!;
    const living = without(span.living, sequence);
    if (mayShoot(span, deaths()[index]!) && living.length > 0) {
      const act = next();
      must(act?.type === 'last_act' || act?.type === 'passed', 'a last act is not lost', { round, player });
      must(act !== undefined && 'by' in act && act.by === player, 'last acts follow the order of deaths', act);
      if (act?.type === 'last_act') {
        must(living.includes(act.target), 'a shot is at one of the living', act);
        const shot = next();
        must(
          shot?.type === 'death' && shot.player === act.target && shot.cause === 'last_act',
          'a shot takes effect',
          act,
        );
      }
    }
    const left = without(span.living, sequence);
    const election = span.events.filter(isEventOfType('elected'));
    if (findHolderAfter(span.sheriff, [...election, ...sequence]) === player && left.length > 0) {
      const badge = next();
      must(badge?.type === 'badge' && badge.by === player, 'a Sheriff who leaves passes the badge or tears it', badge);
      if (badge?.type === 'badge')
        must(badge.to === null || left.includes(badge.to), 'the badge goes to the living', badge);
    }
  }
  must(happened.length === 0, 'nobody does more on leaving than is allowed', happened);
  for (const death of deaths()) must(isRevealed(death, setup), 'a death tells what the rules say', death);
}

function mayShoot({ setup, events }: Span, { player, cause }: EventOf<'death'>) {
  if (setup.players.find(({ name }) => name === player)!.role !== 'Hunter') return false;
  const isPoisoned =
    cause === 'night' &&
    events.some((event) => event.type === 'acted' && event.verb === 'poison' && event.target === player);
  return !isPoisoned || setup.rules['hunterPoisoned'] === true;
}
