// A finished match at the moments in which its statements were heard, made again from its record.
import type { MatchRecord } from '../../deception/match-record.ts';
import { createHistoryRow, updateScores } from '../../deception/suspicion-scores.ts';
import { createInitialState } from '../../state/deal.ts';
import { type GameEvent, isType } from '../../state/events.ts';
import type { Game } from '../../state/game.ts';
import { listSurvivors } from '../../state/night-resolution.ts';
import { findEndOfGroup, type PublicStatement, readPublicStatement } from '../../state/public-statements.ts';
import { isTurn } from '../../state/steps/debate.ts';

export interface ReplayState {
  kind: PublicStatement['kind'];
  /** What was said: one statement, or the explanations of a ballot, which are given side by side. */
  said: readonly PublicStatement[];
  /** As it stood when all of them had been heard and nobody had been asked about them. */
  game: Game;
  /** As it stood when this one alone had been heard. */
  gameAfter: (statement: string) => Game;
}

/** In the order of the match. What stands for an answer that could not be had is no statement. */
export function listReplayStates({ manifest, events }: MatchRecord): ReplayState[] {
  const begun = createInitialState(manifest.setup) as Game; // what it leaves out, no View shows
  const names = manifest.setup.players.map(({ name }) => name);
  const moments: ReplayState[] = [];
  let { deceptionScores } = { deceptionScores: begun.deceptionScores };
  for (let place = 0; place < events.length;) {
    const end = findEndOfGroup(events, place);
    const group = events.slice(place, end);
    const said = group.flatMap((event) => readPublicStatement(event) ?? []);
    if (said.length > 0) {
      const scores = deceptionScores;
      const before = events.slice(0, place);
      const createGameWith = (more: readonly GameEvent[]): Game => {
        const gameLogs = [...before, ...more].filter(({ audience }) => audience !== 'moderator');
        const { round } = said[0]!;
        return {
          ...begun,
          alivePlayers: listSurvivors(names, before),
          roundNum: round,
          phase: 'day',
          step: gameLogs.filter((event) => isTurn(event) && event.round === round).length,
          deceptionScores: scores,
          gameLogs,
          winner: null,
        };
      };
      moments.push({
        kind: said[0]!.kind,
        said,
        game: createGameWith(group),
        gameAfter: (statement) => createGameWith(group.filter((event) => readPublicStatement(event)?.id === statement)),
      });
    }
    const assessments = group.filter(isType('assessment'));
    if (assessments.length > 0) deceptionScores = updateScores(deceptionScores, assessments.map(createHistoryRow));
    place = end;
  }
  return moments;
}
