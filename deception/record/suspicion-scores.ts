// Suspicion scores: each observer's moving average of how deceptive another player's statements seemed. This file also
// creates the rows of the deception history from which the scores are computed.
import { createInitialSuspicion, initialSuspicion } from '../../state/deal.ts';
import { type Assessment, type GameEvent, isEventOfType } from '../../state/events.ts';
import type { DeceptionRow, DeceptionScores, Setup } from '../../state/game.ts';
import type { Rules } from '../../state/rules/common-rules.ts';

/** Weight of the new reading. The old score has the remaining weight (WOLF: 70% new, 30% prior). */
export const MOVING_AVERAGE_WEIGHT = 0.7;

/**
 * Returns the scores, from 0 to 1, after adding `rows` in order. A new score is 0.7 · new suspicion + 0.3 · old score,
 * and records the round of the change. Each pair of observer and player begins at 0.5. Self-reports and rows without a
 * suspicion change nothing.
 *
 * @example
 * const scores = updateScores(game.deceptionScores, rows);
 * scores['Dan']?.['Sam']?.score; // how deceptive Dan finds Sam
 */
export function updateScores(scores: DeceptionScores, rows: readonly DeceptionRow[]): DeceptionScores {
  const updated = Object.fromEntries(Object.entries(scores).map(([observer, targets]) => [observer, { ...targets }]));
  for (const { by, about, suspicion, round } of rows) {
    if (by === about || suspicion === null) continue;
    const old = updated[by]?.[about]?.score ?? initialSuspicion;
    updated[by] = {
      ...updated[by],
      [about]: { score: MOVING_AVERAGE_WEIGHT * suspicion + (1 - MOVING_AVERAGE_WEIGHT) * old, round },
    };
  }
  return updated;
}

/**
 * Returns the scores after adding the analyses that count under the rule `scoresFrom`. The state of a match, its
 * summary, the viewer and replay states all use this function, so that their figures agree.
 *
 * @example addAssessments(game.deceptionScores, events.filter(isEventOfType('assessment')), game.setup.rules)
 */
export const addAssessments = (
  scores: DeceptionScores,
  assessments: readonly Assessment[],
  { scoresFrom }: Pick<Rules, 'scoresFrom'>,
): DeceptionScores =>
  updateScores(
    scores,
    assessments.filter(({ kind }) => scoresFrom === 'all' || kind === 'debate').map(createHistoryRow),
  );

/**
 * Returns the scores after all events of a match. They equal the scores in the match's state. `rules`: rules that
 * replace the match's own rules.
 *
 * @example computeDeceptionScores(manifest.setup, events)['Dan']?.['Sam']?.score
 */
export const computeDeceptionScores = (
  { players, rules: own }: Pick<Setup, 'players' | 'rules'>,
  events: readonly GameEvent[],
  rules: Pick<Rules, 'scoresFrom'> = own,
): DeceptionScores =>
  addAssessments(
    createInitialSuspicion(players.map(({ name }) => name)),
    events.filter(isEventOfType('assessment')),
    rules,
  );

/**
 * Converts an analysis of a statement to a row of labels and numbers, without the analysis's reasoning. Fields that
 * were not requested are null.
 */
export const createHistoryRow = (assessment: Assessment): DeceptionRow => ({
  statement: assessment.statement,
  round: assessment.round,
  by: assessment.by,
  about: assessment.about,
  deceptive: assessment.deceptive,
  type: assessment.deception_type,
  confidence: assessment.confidence,
  statedFalsehood: assessment.stated_falsehood ?? null,
  suspicion: assessment.suspicion ?? null,
  pWerewolf: assessment.p_werewolf ?? null,
});
