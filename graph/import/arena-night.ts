// A night of a session of Werewolf Arena or DSGBench: its acts by the rules, and who is gone after it.
import type { GameEvent } from '../../state/event.ts';
import type { Game } from '../../state/game.ts';
import { stamp } from '../../state/moment.ts';
import { death, resolveNight } from '../../state/night.ts';
import type { Intent } from '../../state/rows.ts';
import { view } from '../../state/view.ts';
import { missingAtNight } from './arena-choices.ts';
import { deedsOf, holdersOf, type Deed } from './arena-deeds.ts';
import { askedIn, type Session } from './arena-session.ts';
import { happen, thoughtOf, type Course } from './course.ts';
import { difference, inWords } from './differences.ts';

/** Plays the night. What its acts come to by the rules is compared with who was left, and the latter goes on. */
export function playNight(course: Course, round: Session['rounds'][number]) {
  course.differences.push(...missingAtNight(course.game, round));
  const leftOut = deedsOf(round).flatMap((deed) => playDeed(course, deed));
  const { game } = course;
  const outcome = resolveNight(game);
  const byRules = gone(outcome);
  const recorded = game.alivePlayers.filter((name) => !round.players.includes(name) && name !== round.exiled);
  if (inWords(recorded) !== inWords(byRules)) {
    const withAll = gone(resolveNight({ ...game, intents: [...game.intents, ...leftOut] }));
    const because =
      inWords(withAll) === inWords(recorded) ? 'What was left out had counted.' : 'Nothing recorded explains it.';
    const text = `Recorded as removed: ${inWords(recorded)}; by the rules: ${inWords(byRules)}. ${because}`;
    course.differences.push(difference(game, 'death', text));
  }
  const told = outcome.filter(({ type }) => type !== 'death' && type !== 'quiet_night');
  const news: GameEvent[] =
    recorded.length > 0
      ? recorded.map((name) => death(game, name, 'night'))
      : [{ ...stamp(game, 'everyone'), type: 'quiet_night' }];
  happen(course, [...told, ...news]);
}

const gone = (events: readonly GameEvent[]) =>
  events.flatMap((event) => (event.type === 'death' ? [event.player] : []));

/** Returns what the rules do not allow; it does not happen. */
function playDeed(course: Course, deed: Deed): Intent[] {
  const { game } = course;
  const { power, target } = deed;
  const { all, living } = holdersOf(game, power);
  const intent: Intent = { round: game.roundNum, verb: power.verb, by: living.length > 0 ? living : all, target };
  const fault = faultOf(game, deed, living);
  if (fault !== null) {
    const text = `Left out: ${power.verb} by ${inWords(intent.by)} on ${target}, since ${fault}.`;
    course.differences.push(difference(game, 'act', text));
    return [intent];
  }
  const isTogether = power.actor === 'team';
  const asked = living.find((name) => name === askedIn(deed.log));
  const by = asked ?? living[0]!;
  const team = game.setup.players.filter((player) => player.team === power.role.team).map(({ name }) => name);
  const act: GameEvent = isTogether
    ? { ...stamp(game, team), type: 'pick', verb: power.verb, target }
    : { ...stamp(game, [by]), type: 'acted', by, verb: power.verb, target };
  happen(course, [...(asked === undefined ? [] : thoughtOf(game, power.verb, asked, deed.log)), act]);
  const settled = isTogether ? intent : { ...intent, by: [by] };
  course.game = { ...course.game, intents: [...course.game.intents, settled] };
  return [];
}

function faultOf(game: Game, { power, target }: Deed, living: readonly string[]): string | null {
  if (living.length === 0) return 'nobody who can was left';
  const isLegal = living.some((name) => power.choices(view(game, name)).includes(target));
  return isLegal ? null : 'the rules do not allow that choice';
}
