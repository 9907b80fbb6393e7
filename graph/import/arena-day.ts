// A day of a session of Werewolf Arena or DSGBench: its debate, its ballots, who is exiled, and the summaries.
import { statementId } from '../../state/debate.ts';
import type { GameEvent } from '../../state/event.ts';
import type { Game } from '../../state/game.ts';
import { stamp } from '../../state/moment.ts';
import { cutAt, oneLine, privateWords } from '../../state/words.ts';
import { textOf, type Session } from './arena-session.ts';
import { happen, thoughtOf, type Course } from './course.ts';

type Round = Session['rounds'][number];

/** Bids where there were any, and a statement each; after all but the last, synthetic votes where there were any. */
export function playDebate(course: Course, round: Round) {
  const { debate, log } = round;
  const unheard = log.votes.slice(0, -1); // those of the last statement count
  bid(course, round, 0);
  for (const [turn, [by, said]] of debate.entries()) {
    const [asked, answer] = log.debate[turn] ?? [];
    const { game } = course;
    const thoughts = asked === by ? thoughtOf(game, 'debate', by, answer) : [];
    happen(course, [...thoughts, speech(game, by, said)]);
    course.game = { ...course.game, step: game.step + 1 };
    if (turn + 1 === debate.length) break;
    bid(course, round, turn + 1);
    const votes = (unheard[turn] ?? []).flatMap(({ player, voted_for: target }): GameEvent[] =>
      target === null
        ? []
        : [{ ...stamp(game, 'moderator'), type: 'synthetic_vote', by: player, step: game.step + 1, target }],
    );
    happen(course, inSeatOrder(game, votes));
  }
}

function speech(game: Game, by: string, said: string): GameEvent {
  const { text, cut } = cutAt(oneLine(said), game.setup.rules.maxWords * 2);
  const at = { ...stamp(game, 'everyone'), id: statementId(game), by };
  return text === '' ? { ...at, type: 'silence' } : { ...at, type: 'statement', text, ...(cut ? { cut: true } : {}) };
}

function bid(course: Course, { bids, log }: Round, turn: number) {
  const { game } = course;
  const asked = new Map(log.bid[turn] ?? []);
  const given = game.alivePlayers.flatMap((by): GameEvent[] => {
    const amount = bids[turn]?.[by];
    if (amount === undefined) return [];
    const thoughts = thoughtOf(game, 'bid', by, asked.get(by));
    return [...thoughts, { ...stamp(game, [by]), type: 'bid', by, step: game.step, bid: amount }];
  });
  happen(course, given);
}

/** What the living write down for themselves at the end of a day. */
export function summarize(course: Course, { log }: Round) {
  const { game } = course;
  const written = log.summaries
    .filter(([by]) => game.alivePlayers.includes(by))
    .map(([by, answer]): GameEvent => {
      const { text } = cutAt(oneLine(textOf(answer, 'summary')), privateWords);
      return { ...stamp(game, [by]), type: 'summary', by, text };
    });
  happen(course, inSeatOrder(game, written));
}

/** Events of players, as a record has them. */
export const inSeatOrder = <Event extends GameEvent>(game: Game, events: readonly Event[]): Event[] =>
  game.setup.players.flatMap(({ name }) => events.filter((event) => 'by' in event && event.by === name));
