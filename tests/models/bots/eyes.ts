// Views and answers of bots in games that are built by hand.
import type { AnyPrompt, Question } from '../../../prompts/prompt.ts';
import { analyzeGame } from '../../../models/bots/scripted/game-analysis.ts';
import { createScriptedMind } from '../../../models/bots/scripted/scripted-mind.ts';
import { draw } from '../../../state/random.ts';
import { createView } from '../../../state/view.ts';
import { gameAt, type Moment } from '../../game.ts';

/** Returns how a bot in the seat of `me` analyzes the game. */
export const analysisOf = (me: string, moment: Moment = {}) => analyzeGame(createView(gameAt(moment), me));

/** Default settings of a bot. */
export const usual = { lie: 0.6, detect: 0.6 };

interface Put<Answer, Matter> {
  question: Question<Answer, Matter>;
  matter: Matter;
  options?: { lie: number; detect: number };
}

/** Lists the answers of `me` to a question, one for each of the given draws. The prompt must accept each answer. */
export function answersOf<Answer, Matter>(
  me: string,
  moment: Moment,
  { question, matter, options = usual }: Put<Answer, Matter>,
  draws = 20,
): { answer: Answer; meant: unknown; prompt: AnyPrompt }[] {
  const mind = createScriptedMind(options);
  const view = createView(gameAt(moment), me);
  return Array.from({ length: draws }, (_, seed) => {
    const prompt = question.put(view, draw(seed, 'order'), matter);
    const { answer, meant } = mind(prompt, draw(seed, 'bot'));
    return { answer: prompt.answer.parse(answer), meant, prompt };
  });
}
