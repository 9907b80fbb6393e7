// The cached answers of a judge. An answer stays valid if the wording of the prompt changes but the statements stay the
// same. Each answer stores the version of its wording.
import type { KeptAnswer } from '../../models/record/annotation-log.ts';
import { judgeWording } from '../../prompts/judge-office.ts';
import { hashText } from '../../state/hash-text.ts';
import { type AnyAnnotationItem, getItemKey, getItemName, isFinal } from './annotation-run.ts';

/** The answer that counts for a question. */
export interface CachedAnswer {
  /** Answer of the last attempt, which is final. */
  line: KeptAnswer;
  /** Answers of all attempts, in order. */
  attempts: readonly KeptAnswer[];
  wording: number;
}

export interface JudgeCache {
  /**
   * Returns the final answer to a question, in the current wording or else in the latest earlier one; null if there is
   * none.
   */
  find(item: AnyAnnotationItem): CachedAnswer | null;
  /** Returns whether the cache contains an answer to any question with this action and wording. */
  hasAction(action: string, wording: number): boolean;
}

/**
 * Returns the fields that are stored with answers to a question about these statements. `given`: claims that the
 * question describes.
 */
export const createKeptFields = (texts: readonly string[], given?: readonly unknown[]) => ({
  wording: judgeWording,
  statements_sha256: hashText(JSON.stringify(texts)),
  ...(given ? { given: [...given] } : {}),
});

/** Returns the version of the wording. The first version stored neither its number nor a hash of the statements. */
const getWording = ({ wording = 1 }: KeptAnswer) => wording;

/**
 * Creates the cache from the lines of a judge's file of answers.
 *
 * @example createJudgeCache(readKeptAnswers(file)).find(item)?.wording // 2
 */
export function createJudgeCache(lines: readonly KeptAnswer[]): JudgeCache {
  const byName = Map.groupBy(lines, (line) => getItemName(line, line));
  const actions = new Set(lines.map((line) => `${getWording(line)} ${line.action}`));
  const isAbout = (line: KeptAnswer, item: AnyAnnotationItem) =>
    line.statements.join(' ') === item.statements.join(' ') &&
    (line.statements_sha256 === undefined || line.statements_sha256 === item.kept?.statements_sha256);
  return {
    find: (item) => {
      const known = (byName.get(getItemName(getItemKey(item, 1), item)) ?? []).filter((line) => isAbout(line, item));
      const wordings = [...new Set(known.map(getWording))].filter((wording) => wording <= judgeWording);
      for (const wording of wordings.sort((one, other) => other - one)) {
        const attempts = listAttempts(known.filter((line) => getWording(line) === wording));
        const line = attempts.at(-1);
        if (line && isFinal(line)) return { line, attempts, wording };
      }
      return null;
    },
    hasAction: (action, wording) => actions.has(`${wording} ${action}`),
  };
}

/**
 * Lists the attempts at a question in order, up to the final attempt. If several have the same number, the last one
 * counts.
 */
function listAttempts(lines: readonly KeptAnswer[]): KeptAnswer[] {
  const attempts: KeptAnswer[] = [];
  for (let attempt = 1; ; attempt++) {
    const line = lines.findLast((one) => one.attempt === attempt);
    if (!line) return attempts;
    attempts.push(line);
    if (isFinal(line)) return attempts;
  }
}
