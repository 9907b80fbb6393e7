// The rows of deeds: powers and last acts, used or left unused, on whom, and what came of it.
import { isType, type EventOf, type GameEvent } from '../../state/event.ts';
import { survivors } from '../../state/night.ts';
import { lastActNamed, powerNamed, powers } from '../../state/roles/index.ts';
import { seatFinder, seatsOf, type MatchRecord } from '../match-record.ts';
import type { DeedRow } from './game-rows.ts';

type Done = EventOf<'acted'> | EventOf<'passed'> | EventOf<'pick'> | EventOf<'last_act'>;

/** In the order in which they were done. */
export function deedRows({ manifest, events }: MatchRecord): DeedRow[] {
  const seatOf = seatFinder(manifest);
  const seats = seatsOf(manifest);
  return events.flatMap((event, place) => {
    if (!isDone(event)) return [];
    const by = event.type === 'pick' ? packMember(event, events.slice(0, place), seats) : event.by;
    const [actor, target] = [seatOf(by), 'target' in event ? seatOf(event.target) : null];
    const isLastAct = isOfLastAct(event);
    return [
      {
        match_id: manifest.id,
        round: event.round,
        by,
        by_role: actor.role,
        by_team: actor.team,
        by_model: actor.model,
        by_is_bot: actor.isBot,
        is_joint: event.type === 'pick',
        verb: event.verb,
        aim: (isLastAct ? lastActNamed(event.verb) : powerNamed(event.verb)).aim,
        is_last_act: isLastAct,
        target: target?.name ?? null,
        target_role: target?.role ?? null,
        target_team: target?.team ?? null,
        is_on_victim: target === null || isLastAct ? null : victimsOf(event.round, events).includes(target.name),
        is_fatal: target === null ? null : hasLeft(target.name, event, isLastAct, events),
        is_drawn: event.mark !== undefined,
      },
    ];
  });
}

const isDone = (event: GameEvent): event is Done => ['acted', 'passed', 'pick', 'last_act'].includes(event.type);

/** What is left undone in the day, on leaving, is a last act too. */
const isOfLastAct = ({ type, verb }: Done) => type === 'last_act' || (type === 'passed' && !isPower(verb));

const isPower = (verb: string) => powers.some((power) => power.verb === verb);

function packMember({ verb }: EventOf<'pick'>, before: readonly GameEvent[], seats: ReturnType<typeof seatsOf>) {
  const { role } = powerNamed(verb);
  const alive = survivors(
    seats.map(({ name }) => name),
    before,
  );
  return seats.find(({ name, role: own }) => own === role.name && alive.includes(name))!.name;
}

/** Whom the pack attacked that night. */
const victimsOf = (round: number, events: readonly GameEvent[]) =>
  events
    .filter(isType('pick'))
    .filter((event) => event.round === round)
    .map(({ target }) => target);

const hasLeft = (name: string, { round }: Done, isLastAct: boolean, events: readonly GameEvent[]) =>
  events
    .filter(isType('death'))
    .some(
      (death) => death.player === name && death.round === round && death.cause === (isLastAct ? 'last_act' : 'night'),
    );
