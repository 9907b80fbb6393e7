// The ballots of a session of Werewolf Arena or DSGBench, which of them count by the rules, and who was exiled.
import { isDeepStrictEqual } from 'node:util';
import { resolveExile } from '../../state/ballots.ts';
import type { EventOf, GameEvent } from '../../state/event.ts';
import type { Game } from '../../state/game.ts';
import { stamp } from '../../state/moment.ts';
import { death } from '../../state/night.ts';
import type { Ballot } from '../../state/rows.ts';
import { missingAtVote } from './arena-choices.ts';
import type { Session } from './arena-session.ts';
import { inSeatOrder } from './arena-day.ts';
import { happen, thoughtOf, type Course } from './course.ts';
import { difference, inWords, type UncountedBallot } from './differences.ts';

/** Those who voted last in a round, and what they were asked. */
const castIn = ({ log }: Session['rounds'][number]) =>
  (log.votes.at(-1) ?? []).flatMap(({ player: by, voted_for: target, log: answer }) =>
    target === null ? [] : [{ by, target, answer }],
  );

/** Whether game_complete.json has one dictionary of votes for all rounds, as in DSGBench: what was in it still counted. */
const isShared = ({ rounds }: Session) =>
  rounds.some((round) => {
    const kept = round.votes.at(-1);
    const cast = Object.fromEntries(castIn(round).map(({ by, target }) => [by, target]));
    return kept !== undefined && !isDeepStrictEqual(kept, cast);
  });

/** Ballots of earlier rounds by players who did not vote again. */
function leftOver(session: Session, index: number): UncountedBallot[] {
  if (!isShared(session)) return [];
  const round = index + 1;
  const today = castIn(session.rounds[index]!).map(({ by }) => by);
  const before = session.rounds
    .slice(0, index)
    .flatMap((earlier, at) => castIn(earlier).map(({ by, target }) => ({ round, by, target, cast_in_round: at + 1 })));
  const last = new Map(before.map((ballot) => [ballot.by, ballot]));
  return [...last.values()].filter(({ by }) => !today.includes(by));
}

/** Takes the ballots of a round and exiles whom the record says. `index`: of the round in the session, from 0. */
export function playBallots(course: Course, session: Session, index: number) {
  const { game } = course;
  const round = session.rounds[index]!;
  const cast = castIn(round);
  const isLegal = ({ by, target }: Ballot) =>
    by !== target && game.alivePlayers.includes(by) && game.alivePlayers.includes(target);
  const counted = cast.filter(isLegal);
  const uncounted = [
    ...leftOver(session, index),
    ...cast.filter((ballot) => !isLegal(ballot)).map(({ by, target }) => uncountedToday(game, by, target)),
  ];
  course.uncounted.push(...uncounted);
  course.differences.push(...missingAtVote(game, round));
  const events = counted.map(({ by, target, answer }) => ({
    thoughts: thoughtOf(game, 'vote', by, answer),
    ballot: { ...stamp(game, [by]), type: 'ballot' as const, id: `${game.roundNum}.${by}`, by, target },
  }));
  const thoughts = events.flatMap((event) => event.thoughts);
  const ballots: EventOf<'ballot'>[] = events.map(({ ballot }) => ballot);
  happen(course, [...inSeatOrder(game, thoughts), ...inSeatOrder(game, ballots)]);
  const votes = counted.map(({ by, target }) => ({ by, target }));
  exile({ course, votes, uncounted, recorded: round.exiled ?? null });
}

const uncountedToday = ({ roundNum }: Game, by: string, target: string): UncountedBallot => ({
  round: roundNum,
  by,
  target,
  cast_in_round: roundNum,
});

interface Count {
  course: Course;
  votes: Ballot[];
  uncounted: readonly UncountedBallot[];
  recorded: string | null;
}

function exile({ course, votes, uncounted, recorded }: Count) {
  const { game } = course;
  const outcome = resolveExile({ ...game, votes });
  const byRules = exiledIn(outcome);
  if (recorded !== byRules) {
    const withAll = resolveExile({
      ...game,
      votes: [...votes, ...uncounted.map(({ by, target }) => ({ by, target }))],
    });
    const because =
      exiledIn(withAll) === recorded
        ? `The original also counted ${uncounted
            .filter(({ target }) => target === recorded)
            .map(ballotInWords)
            .join(', ')}.`
        : 'Nothing recorded explains it.';
    const [was, wouldBe] = [recorded, byRules].map((name) => inWords(name === null ? [] : [name]));
    course.differences.push(
      difference(game, 'exile', `Recorded as exiled: ${was}; by the rules: ${wouldBe}. ${because}`),
    );
  }
  const announced: GameEvent =
    recorded === byRules
      ? outcome
      : recorded === null
        ? { ...stamp(game, 'everyone'), type: 'no_exile', reason: 'no majority' }
        : death(game, recorded, 'exile');
  happen(course, [announced]);
}

const exiledIn = (outcome: GameEvent) => (outcome.type === 'death' ? outcome.player : null);

const ballotInWords = ({ by, target, round, cast_in_round: cast }: UncountedBallot) =>
  `${by}'s ballot ${cast < round ? `of round ${cast} ` : ''}for ${target}`;
