// Limit on a model's questions without a readable answer, in one match or in several together.

/**
 * Signals that a model gives too few readable answers, so that no further call to it begins. The record stays, and the
 * match can be resumed.
 */
export class FallbacksReached extends Error {
  override name = 'FallbacksReached';
}

export interface FallbackLimit {
  /**
   * Counts a question to a model. A refusal is not a fallback. Throws FallbacksReached when too many questions ended
   * with a fallback.
   */
  count(model: string, isFallback: boolean): void;
  /** Throws FallbacksReached if one of these models has reached the limit. */
  check(models: readonly string[]): void;
}

/** Default maximum share of a model's questions that may end with a fallback. */
export const defaultMaxFallbacks = 0.25;

/** Minimum number of a model's questions before its share is checked. */
const fewestQuestions = 20;

/** Advice at the end of the error, for questions of a match. */
const matchAdvice =
  "Its answers and their faults are in answers.ndjson: correct the model's options or its server. With --max-fallbacks 1, matches continue whatever it answers.";

/**
 * Creates a limit. It allows a share, 0 to 1, of each model's questions to end with a fallback. Models are named by
 * their model strings. `advice`: end of the error, which says where a model's answers are and what to do.
 *
 * @example const limit = createFallbackLimit(0.25); limit.count('openai:gpt-4o', true); limit.check(['openai:gpt-4o']);
 * // throws FallbacksReached if there were at least 20 questions and more than a quarter fell back
 */
export function createFallbackLimit(
  share: number,
  advice: (model: string) => string = () => matchAdvice,
): FallbackLimit {
  const counts = new Map<string, { questions: number; fallbacks: number }>();
  const reached = new Map<string, FallbacksReached>();
  const check = (models: readonly string[]) => {
    for (const model of models) if (reached.has(model)) throw reached.get(model)!;
  };
  return {
    check,
    count: (model, isFallback) => {
      check([model]);
      const { questions: before = 0, fallbacks: missed = 0 } = counts.get(model) ?? {};
      const [questions, fallbacks] = [before + 1, missed + (isFallback ? 1 : 0)];
      counts.set(model, { questions, fallbacks });
      if (questions < fewestQuestions || fallbacks <= share * questions) return;
      reached.set(model, createError(model, { questions, fallbacks, share }, advice(model)));
      check([model]);
    },
  };
}

const createError = (
  model: string,
  { questions, fallbacks, share }: Record<'questions' | 'fallbacks' | 'share', number>,
  advice: string,
) =>
  new FallbacksReached(
    `${model} gave no readable answer to ${fallbacks} of ${questions} questions; --max-fallbacks allows a share of ${share}. ${advice}`,
  );
