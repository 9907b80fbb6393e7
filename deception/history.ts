// The deception history: every analysis of every statement as labels and numbers.
import type { Assessment } from '../state/event.ts';
import type { DeceptionRow } from '../state/rows.ts';

export const rowOf = (assessment: Assessment): DeceptionRow => ({
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
