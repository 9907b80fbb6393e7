// Reverses the paraphrases of a prompt, so that tests can read it like any other prompt.
import { createWording, replaceByParaphrase } from '../prompts/paraphrase.ts';
import { disclosedParaphrases, localParaphrases, paraphrases } from '../prompts/paraphrase-texts.ts';

const restoreLine = createWording(
  [...paraphrases, ...disclosedParaphrases, ...localParaphrases].map(
    ([usual, paraphrase]) => [paraphrase, usual] as const,
  ),
);

export const restoreWording = (text: string) => replaceByParaphrase(text, restoreLine);
