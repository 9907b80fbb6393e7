// Puts a unique word (a canary) into every text that a model writes, and finds these words in prompts.
import type { Question } from './question.ts';
import { createLegalAnswer, type Script } from './scripted-model.ts';

export interface Canary {
  by: string;
  action: string;
  round: number;
  /** Field of the answer that contains the canary; `raw` for an answer that could not be read. */
  field: string;
}

/** Legal answers with a canary in each text. Every tenth first attempt is unreadable and contains a canary too. */
export function canaries() {
  const laid = new Map<string, Canary>();
  const lay = ({ player, action, round }: Question, field: string) => {
    const word = `Canary${laid.size}End`;
    laid.set(word, { by: player, action, round, field });
    return word;
  };
  const script: Script = (question, number) => {
    if (number % 10 === 9 && question.attempt === 1) return `I think that ${lay(question, 'raw')} sings.`;
    const texts = Object.entries(question.fields).filter(([, shape]) => shape.kind === 'text');
    const singing = texts.map(([field]) => [field, `Here ${lay(question, field)} sings.`]);
    return { ...createLegalAnswer(question), ...(Object.fromEntries(singing) as Record<string, string>) };
  };
  /** All canaries that appear in a prompt. */
  const heard = ({ messages }: Question): Canary[] =>
    messages.flatMap(({ content }) => content.match(/Canary\d+End/g) ?? []).map((word) => laid.get(word)!);
  return { script, heard, laid: () => [...laid.values()] };
}
