// A whole session of Werewolf Arena or DSGBench as a match of ours: its events, and where the rules say otherwise.
import { dealEvents } from '../../state/deal.ts';
import type { EventOf } from '../../state/event.ts';
import { stamp } from '../../state/moment.ts';
import type { Setup } from '../../state/setup.ts';
import { teams, type Team } from '../../state/teams.ts';
import { ending, winnerOf } from '../../state/winner.ts';
import { playBallots } from './arena-ballots.ts';
import { playDebate, summarize } from './arena-day.ts';
import { playNight } from './arena-night.ts';
import type { Session } from './arena-session.ts';
import { happen, openCourse, type Course } from './course.ts';
import { difference } from './differences.ts';

/**
 * Tells a session again by the rules of `setup`. Acts that these do not allow are left out; deaths, exiles and the winner
 * are those recorded, and every difference is listed.
 */
export function playSession(session: Session, setup: Setup, winner: Team): Omit<Course, 'game'> {
  const course = openCourse(setup);
  happen(course, dealEvents(setup));
  for (const [index, round] of session.rounds.entries()) {
    const isLast = index + 1 === session.rounds.length;
    const hasDay = round.debate.length > 0 || round.log.votes.length > 0;
    course.game = { ...course.game, roundNum: index + 1, phase: 'night', step: 0 };
    happen(course, [{ ...stamp(course.game, 'everyone'), type: 'round_started' }]);
    playNight(course, round);
    if (hasDay || !isLast) expectOpen(course);
    course.game = { ...course.game, phase: 'day' };
    if (hasDay) {
      playDebate(course, round);
      playBallots(course, session, index);
      if (!isLast) expectOpen(course);
      summarize(course, round);
    }
  }
  happen(course, [endingAs(course, winner)]);
  return course;
}

/** Notes that by the rules the game was over. */
function expectOpen(course: Course) {
  const winner = winnerOf(course.game);
  if (winner === null) return;
  const text = `By the rules ${teams[winner].label} had won here; the original went on.`;
  course.differences.push(difference(course.game, 'winner', text));
}

/** What the side that is recorded as the winner wins by, where the rules do not say. */
const reasons = { villagers: 'no Werewolf left', werewolves: 'Werewolves at parity' } as const;

function endingAs(course: Course, winner: Team): EventOf<'ended'> {
  const { game } = course;
  const byRules = winnerOf(game);
  if (byRules === winner) return ending({ ...game, winner });
  const wouldBe = byRules === null ? 'nobody' : teams[byRules].label;
  course.differences.push(
    difference(game, 'winner', `Recorded as the winner: ${teams[winner].label}; by the rules: ${wouldBe}.`),
  );
  return { ...ending({ ...game, winner }), reason: reasons[winner] };
}
