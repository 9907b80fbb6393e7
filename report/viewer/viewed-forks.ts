// The forks of one statement side by side: what was said in each arm, what happened after it, and where the arms
// diverge.
import { type ListenerOutcome, readForkOutcome } from '../../deception/forks/fork-outcome.ts';
import type { MatchRecord } from '../../deception/record/match-record.ts';
import { mean } from '../../deception/statistics/sums.ts';
import type { GameEvent } from '../../state/events.ts';
import { nameForkArm } from '../../state/fork.ts';
import { describeEvent } from '../game-text.ts';

/** One continuation of the match from the statement. */
export interface ViewedArm {
  /** Path of the record, which identifies the record in links. */
  path: string;
  /** Name of the arm; `as recorded` for the original match. */
  name: string;
  copy: number;
  /** Whether the vote after the statement is over. If not, its result and later events are unknown. */
  isVoted: boolean;
  /** Text of the statement; null for silence, and for a turn not taken yet. */
  text: string | null;
  /** Mean suspicion of the speaker over listeners, 0 to 1; null if nobody was asked. */
  suspicionAfter: number | null;
  suspicionAtVote: number | null;
  beliefAtVote: number | null;
  /** Maps each listener to the target of the listener's next ballot. */
  votes: Readonly<Record<string, string>>;
  exiled: string | null;
  /** First public event after the statement that differs from the first arm `keep`; null if no event differs. */
  partsAt: { id: string; told: string } | null;
}

/** All continuations of a match from one statement. */
export interface ViewedForks {
  statement: string;
  speaker: string;
  /** Arms in order: the recorded match, if the folder has it, and then by arm and copy. */
  arms: readonly ViewedArm[];
}

/** A record with its path. */
export interface RecordAtPath {
  path: string;
  record: Pick<MatchRecord, 'manifest' | 'events'>;
}

/** Name of the arm that is the original match. The original is a single draw, and was selected. */
const recordedName = 'as recorded';

type Turn = Extract<GameEvent, { type: 'statement' | 'silence' }>;

const isTurn =
  (statement: string) =>
  (event: GameEvent): event is Turn =>
    (event.type === 'statement' || event.type === 'silence') && event.id === statement;

/**
 * Builds the arms of a statement from the original match and its forks. Records that have not reached the statement are
 * left out. Null if no record has reached it.
 *
 * @example buildViewedForks('2.3', records)?.arms.map(({ name }) => name) // ['as recorded', 'keep', 'keep', 'silence']
 */
export function buildViewedForks(statement: string, records: readonly RecordAtPath[]): ViewedForks | null {
  const taken = records.flatMap(({ path, record }) => {
    const turn = record.events.find(isTurn(statement));
    return turn === undefined ? [] : [{ path, record, turn, of: record.manifest.fork_of }];
  });
  const [first] = taken;
  if (first === undefined) return null;
  const kept = taken.find(({ of }) => of?.arm === 'keep' && of.copy === 1);
  const course = kept === undefined ? null : listCourse(kept.record.events, statement);
  const rank = ({ of }: (typeof taken)[number]) => {
    if (of === undefined) return 0;
    return of.arm === 'keep' ? 1 : 2;
  };
  return {
    statement,
    speaker: first.turn.by,
    arms: taken
      .toSorted((one, other) => rank(one) - rank(other) || (one.of?.copy ?? 0) - (other.of?.copy ?? 0))
      .map(({ path, record, turn, of }): ViewedArm => {
        const { listeners, exiled } = readForkOutcome(record, statement);
        const average = (read: (listener: ListenerOutcome) => number | null) =>
          mean(listeners.flatMap((one) => read(one) ?? []));
        return {
          ...{ path, name: of === undefined ? recordedName : nameForkArm(of), copy: of?.copy ?? 1 },
          isVoted: hasVoted(record.events, turn),
          text: turn.type === 'statement' ? turn.text : null,
          suspicionAfter: turn.type === 'statement' ? average((one) => one.suspicionAfter) : null,
          suspicionAtVote: average((one) => one.suspicionAtVote),
          beliefAtVote: average((one) => one.beliefAtVote),
          votes: Object.fromEntries(listeners.flatMap(({ name, vote }) => (vote === null ? [] : [[name, vote]]))),
          exiled,
          partsAt: course === null ? null : findParting(course, listCourse(record.events, statement)),
        };
      }),
  };
}

/** Returns whether the first vote after the turn has a result. */
function hasVoted(events: readonly GameEvent[], turn: Turn): boolean {
  const later = events.slice(events.indexOf(turn) + 1).filter(({ round }) => round === turn.round);
  const ballot = later.findIndex(({ type }) => type === 'ballot');
  return ballot >= 0 && later.slice(ballot).some(({ type }) => results.has(type));
}

const results: ReadonlySet<GameEvent['type']> = new Set(['tie', 'death', 'no_exile', 'exile_survived', 'ended']);

interface CourseStep {
  /** Id of the moment in links. */
  id: string;
  told: string;
}

/** Lists the public events after a statement, in words. */
function listCourse(events: readonly GameEvent[], statement: string): CourseStep[] {
  const turn = events.findIndex(isTurn(statement));
  return events.flatMap((event, place) => {
    if (place <= turn || event.audience !== 'everyone') return [];
    const told = describeEvent(event, String);
    return told === null ? [] : [{ id: 'id' in event ? event.id : `e${place + 1}`, told }];
  });
}

/**
 * Finds the first step of `own` that differs from the same step of `course`. Null if one course is the beginning of the
 * other.
 */
const findParting = (course: readonly CourseStep[], own: readonly CourseStep[]): CourseStep | null =>
  own.find(({ told }, place) => course[place] !== undefined && course[place].told !== told) ?? null;
