// The outcome of a statement, in its original match or in a fork: what listeners thought of its speaker, how they
// voted, who was exiled and who won.
import { type EventOf, type GameEvent, isEventOfType } from '../../state/events.ts';
import { computeDeceptionScores } from '../record/suspicion-scores.ts';
import { createSeatFinder, type MatchRecord } from '../record/match-record.ts';

/** A living player who heard the statement. If the speaker was silent, a living player who would have heard it. */
export interface ListenerOutcome {
  name: string;
  /** Identity of the listener's model. */
  model: string;
  /** Target of the listener's next ballot; null if the listener cast none. */
  vote: string | null;
  /**
   * The listener's answers about the statement: how deceptive it seemed, and the probability that the speaker is a
   * Werewolf. Both range from 0 to 1.
   */
  suspicionAfter: number | null;
  beliefAfter: number | null;
  /** The listener's suspicion score of the speaker and last belief about the speaker, both before the ballot. */
  suspicionAtVote: number | null;
  beliefAtVote: number | null;
}

export interface ForkOutcome {
  /** Words of the statement; null for silence. */
  text: string | null;
  listeners: readonly ListenerOutcome[];
  /** Player exiled on the day of the statement; null if nobody was exiled. */
  exiled: string | null;
  /** Whether the speaker's side won. Null in a draw, and if only the rest of the day was played. */
  hasWon: boolean | null;
}

/**
 * Reads the outcome of a statement from a finished record. Throws a RangeError for a record without the turn of this
 * statement.
 *
 * @example readForkOutcome(readRecord('runs/forks/a.2.3.keep.1'), '2.3').exiled // 'Dan', or null
 */
export function readForkOutcome({ manifest, events }: Omit<MatchRecord, 'answers'>, statement: string): ForkOutcome {
  const turnAt = events.findIndex((event) => isTurn(event) && event.id === statement);
  const turn = events[turnAt];
  if (turn === undefined || !isTurn(turn)) throw new RangeError(`No turn ${statement} in match ${manifest.id}.`);
  const { by: speaker, round } = turn;
  const isToday = (event: GameEvent) => event.round === round;
  const later = events.slice(turnAt + 1).filter(isToday);
  const ballots = listNextBallots(later);
  const firstBallot = later.findIndex((event) => event === ballots[0]);
  const before = [...events.slice(0, turnAt + 1), ...later.slice(0, firstBallot < 0 ? later.length : firstBallot)];
  const scores = computeDeceptionScores(manifest.setup, before);
  const seatOf = createSeatFinder(manifest);
  const analyses = events
    .filter(isEventOfType('assessment'))
    .filter((event) => event.statement === statement && event.about === speaker);
  const living = listLiving(
    manifest.setup.players.map(({ name }) => name),
    events.slice(0, turnAt),
  );
  const hasAnalyses = before.some((event) => event.type === 'assessment');
  const listeners = living
    .filter((name) => name !== speaker)
    .map((name): ListenerOutcome => {
      const own = analyses.find(({ by }) => by === name);
      return {
        name,
        model: seatOf(name).model,
        vote: ballots.find(({ by }) => by === name)?.target ?? null,
        suspicionAfter: own?.suspicion ?? null,
        beliefAfter: own?.p_werewolf ?? null,
        suspicionAtVote: hasAnalyses ? (scores[name]?.[speaker]?.score ?? null) : null,
        beliefAtVote: findLastBelief(before, name, speaker),
      };
    });
  const ended = events.findLast(isEventOfType('ended'));
  return {
    text: turn.type === 'statement' ? turn.text : null,
    listeners,
    exiled: findExiled(later),
    hasWon:
      manifest.setup.cut_after_round !== undefined || ended?.winner == null
        ? null
        : ended.winner === seatOf(speaker).team,
  };
}

type Turn = EventOf<'statement'> | EventOf<'silence'>;
const isTurn = (event: GameEvent): event is Turn => event.type === 'statement' || event.type === 'silence';

/** Lists the ballots of the first vote among these events. A second vote of a day decides a tie. */
function listNextBallots(events: readonly GameEvent[]): EventOf<'ballot'>[] {
  const start = events.findIndex(isEventOfType('ballot'));
  if (start < 0) return [];
  const end = events.findIndex(
    (event, place) => place > start && ['tie', 'death', 'no_exile', 'exile_survived'].includes(event.type),
  );
  return events.slice(start, end < 0 ? undefined : end).filter(isEventOfType('ballot'));
}

const findExiled = (events: readonly GameEvent[]): string | null => {
  const exile = events.find(
    (event) => event.type === 'exile_survived' || (event.type === 'death' && event.cause === 'exile'),
  );
  return exile && 'player' in exile ? exile.player : null;
};

const listLiving = (players: readonly string[], events: readonly GameEvent[]): string[] => {
  const gone = new Set(events.filter(isEventOfType('death')).map(({ player }) => player));
  return players.filter((name) => !gone.has(name));
};

/** Finds the player's last belief about the speaker, from a belief question or the analysis of a statement. */
function findLastBelief(events: readonly GameEvent[], by: string, about: string): number | null {
  for (const event of events.toReversed()) {
    const belief = event.type === 'beliefs' && event.by === by ? event.p_werewolf[about] : undefined;
    if (belief !== undefined) return belief;
    if (event.type === 'assessment' && event.by === by && event.about === about && event.p_werewolf !== undefined)
      return event.p_werewolf;
  }
  return null;
}
