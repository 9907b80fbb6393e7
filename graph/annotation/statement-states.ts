// Replay states: a finished match at the time when each of its statements was heard, reconstructed from its record.
import type { MatchRecord } from '../../deception/record/match-record.ts';
import { addAssessments } from '../../deception/record/suspicion-scores.ts';
import { createInitialState } from '../../state/deal.ts';
import { type GameEvent, isEventOfType } from '../../state/events.ts';
import type { Game } from '../../state/game.ts';
import { listSurvivors } from '../../state/night-resolution.ts';
import { findEndOfGroup, type PublicStatement, readPublicStatement } from '../../state/public-statements.ts';
import { isTurn } from '../../state/steps/debate.ts';

/** A match at one point: a statement was made, and nobody has been asked about it yet. */
export interface ReplayState {
  kind: PublicStatement['kind'];
  /** One statement, or the explanations of a ballot, which are given at the same time. */
  said: readonly PublicStatement[];
  /** The game after these statements. */
  game: Game;
  /** The game before these statements. */
  gameBefore: Game;
}

/**
 * Lists the replay states of a match, in order. A fallback in place of a statement has no state.
 *
 * @example for (const { said, game } of listReplayStates(record)) console.log(said[0]!.by, game.roundNum);
 */
export function listReplayStates({ manifest, events }: MatchRecord): ReplayState[] {
  const initial = createInitialState(manifest.setup) as Game; // no View contains the channels that are missing here
  const names = manifest.setup.players.map(({ name }) => name);
  const states: ReplayState[] = [];
  let { deceptionScores } = initial;
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
          ...initial,
          alivePlayers: listSurvivors(names, before),
          roundNum: round,
          phase: 'day',
          step: gameLogs.filter((event) => isTurn(event) && event.round === round).length,
          deceptionScores: scores,
          gameLogs,
          winner: null,
        };
      };
      states.push({
        kind: said[0]!.kind,
        said,
        game: createGameWith(group),
        gameBefore: createGameWith([]),
      });
    }
    const assessments = group.filter(isEventOfType('assessment'));
    if (assessments.length > 0) deceptionScores = addAssessments(deceptionScores, assessments, manifest.setup.rules);
    place = end;
  }
  return states;
}
