// How many questions a model may leave without a readable answer, in one match or in several together.

/** A model gives too few readable answers: no further call to it begins. The record stays, and the match can be resumed. */
export class FallbacksReached extends Error {
  override name = 'FallbacksReached';
}

export interface FallbackLimit {
  /** Counts a question that a model has just been asked; a refusal is none. Throws FallbacksReached once too many fell back. */
  count(model: string, isFallback: boolean): void;
  /** Throws FallbacksReached where one of these models has reached the limit. */
  check(models: readonly string[]): void;
}

/** The share of a model's questions that may fall back, unless told. */
export const defaultMaxFallbacks = 0.25;

/** Questions of a model before its share is looked at. */
const fewestQuestions = 20;

/** What to do about it, of the questions of a match. */
const matchAdvice =
  "Its answers stand in answers.ndjson with what is wrong with them: mend the model's options or its server. With --max-fallbacks 1 matches go on whatever is answered.";

/**
 * Lets a share of each model's questions fall back, 0 to 1; 1: all of them. Models are named by their model strings.
 * `advice` ends the error, and says where the answers stand and what to do.
 *
 * @example
 * const limit = createFallbackLimit(0.25);
 * limit.count('openai:gpt-4o', true);
 * limit.check(['openai:gpt-4o']); // throws FallbacksReached from 20 questions on, where more than 5 of 20 fell back
 */
export function createFallbackLimit(share: number, advice = matchAdvice): FallbackLimit {
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
      reached.set(model, createError(model, { questions, fallbacks, share }, advice));
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
    `${model} gave no readable answer to ${fallbacks} of ${questions} questions, and --max-fallbacks allows a share of ${share}. ${advice}`,
  );
