// The deception history, and suspicion scores: each observer's moving average of how deceptive a target's statements
// were taken to be.
import { priorScore } from '../state/deal.ts';
import type { Assessment } from '../state/events.ts';
import type { DeceptionRow, DeceptionScores } from '../state/game.ts';

/** The weight of the new reading; the rest is the old score (WOLF: 70 % new, 30 % prior). */
export const newWeight = 0.7;

/**
 * The scores, 0…1, after `rows` in their order: 0.7 · new suspicion + 0.3 · old, with the round of the change.
 * Self-reports and rows without a suspicion change nothing.
 */
export function updateScores(scores: DeceptionScores, rows: readonly DeceptionRow[]): DeceptionScores {
  const updated = Object.fromEntries(Object.entries(scores).map(([observer, targets]) => [observer, { ...targets }]));
  for (const { by, about, suspicion, round } of rows) {
    if (by === about || suspicion === null) continue;
    const old = updated[by]?.[about]?.score ?? priorScore;
    updated[by] = { ...updated[by], [about]: { score: newWeight * suspicion + (1 - newWeight) * old, round } };
  }
  return updated;
}

// The deception history: every analysis of every statement as labels and numbers.

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
