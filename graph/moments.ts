// A finished match at the moments in which its statements were heard, made again from its record.
import { rowOf } from '../deception/history.ts';
import type { MatchRecord } from '../deception/match-record.ts';
import { updateScores } from '../deception/scores.ts';
import type { Statement } from '../prompts/analysis.ts';
import { isTurn } from '../state/debate.ts';
import { newGame } from '../state/deal.ts';
import { isType, type EventOf, type GameEvent } from '../state/event.ts';
import type { Game } from '../state/game.ts';
import { survivors } from '../state/night.ts';

export interface Moment {
  kind: 'debate' | 'ballot';
  /** What was said: one statement, or the explanations of a ballot, which are given side by side. */
  said: readonly (Statement & { votesFor: string | null })[];
  /** As it stood when all of them had been heard and nobody had been asked about them. */
  game: Game;
  /** As it stood when this one alone had been heard. */
  gameAfter: (statement: string) => Game;
}

/** In the order of the match. What stands for an answer that could not be had is no statement. */
export function momentsOf({ manifest, events }: MatchRecord): Moment[] {
  const begun = newGame(manifest.setup) as Game; // what it leaves out, no View shows
  const names = manifest.setup.players.map(({ name }) => name);
  const moments: Moment[] = [];
  let { deceptionScores } = { deceptionScores: begun.deceptionScores };
  for (let place = 0; place < events.length;) {
    const end = endOfGroup(events, place);
    const group = events.slice(place, end);
    const heard = group.filter(isPublic);
    if (heard.length > 0) {
      const scores = deceptionScores;
      const before = events.slice(0, place);
      const gameWith = (more: readonly GameEvent[]): Game => {
        const gameLogs = [...before, ...more].filter(({ audience }) => audience !== 'moderator');
        const { round } = heard[0]!;
        return {
          ...begun,
          alivePlayers: survivors(names, before),
          roundNum: round,
          phase: 'day',
          step: gameLogs.filter((event) => isTurn(event) && event.round === round).length,
          deceptionScores: scores,
          gameLogs,
          winner: null,
        };
      };
      moments.push({
        kind: heard[0]!.type === 'ballot' ? 'ballot' : 'debate',
        said: heard.map(statementIn),
        game: gameWith(group),
        gameAfter: (statement) => gameWith(heard.filter(({ id }) => id === statement)),
      });
    }
    const assessments = group.filter(isType('assessment'));
    if (assessments.length > 0) deceptionScores = updateScores(deceptionScores, assessments.map(rowOf));
    place = end;
  }
  return moments;
}

/** Ballots are cast side by side: nobody who explains one knows the others. */
function endOfGroup(events: readonly GameEvent[], place: number): number {
  if (events[place]!.type !== 'ballot') return place + 1;
  const end = events.findIndex((event, at) => at > place && event.type !== 'ballot');
  return end < 0 ? events.length : end;
}

type Said = EventOf<'statement'> | (EventOf<'ballot'> & { explanation: string });

const isPublic = (event: GameEvent): event is Said =>
  event.type === 'statement' ||
  (event.type === 'ballot' &&
    event.explanation !== undefined &&
    event.mark === undefined &&
    event.audience === 'everyone');

const statementIn = (event: Said) =>
  event.type === 'statement'
    ? { id: event.id, by: event.by, text: event.text, votesFor: null }
    : { id: event.id, by: event.by, text: event.explanation, votesFor: event.target };
