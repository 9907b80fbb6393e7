// Which of the answers that are kept beside a record still stand: those to the prompts that would be put now.
import { hashMessages } from '../../models/call-model.ts';
import { buildConversation } from '../../models/context-window.ts';
import type { KeptAnswer } from '../../models/record/annotation-log.ts';
import { createCorrection } from '../../prompts/compose.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import { formatCallKey, type AnswerLine, type CallKey } from '../../state/record.ts';

/** One thing to ask. (round, step, action, player) of the prompt and `repeat` name it. */
export interface Item<Answer> {
  prompt: Prompt<Answer>;
  /** Ids of the statements that it is about. */
  statements: readonly string[];
  /** From 1. */
  repeat: number;
}

export type AnyItem = Item<unknown>;

/** The key of an attempt at it, from 1. */
export const getItemKey = ({ prompt: { view, step, action } }: AnyItem, attempt: number): CallKey => ({
  round: view.round,
  step,
  action,
  player: view.me,
  attempt,
});

/** One name for all attempts at the same. */
export const getItemName = (key: CallKey, repeat: number) =>
  `${formatCallKey({ ...key, attempt: 1 })}, repeat ${repeat}`;

export interface AnswerCache {
  /** The answers of an item, in the order of the attempts, as far as they are to the prompts that are put now. */
  linesOf(item: AnyItem): readonly KeptAnswer[];
  /** Whether the last of them ends the question. */
  isAnswered(item: AnyItem): boolean;
  /** Whether it was answered, but to a prompt that was worded otherwise. */
  isOutdated(item: AnyItem): boolean;
}

/** Which of the kept answers still stand: the prompt must be the one that they answer. Of several, the last. */
export function createAnswerCache(lines: readonly KeptAnswer[]): AnswerCache {
  const byName = Map.groupBy(lines, (line) => getItemName(line, line.repeat));
  const listLines = (item: AnyItem): KeptAnswer[] => {
    const kept = byName.get(getItemName(getItemKey(item, 1), item.repeat)) ?? [];
    const chain: KeptAnswer[] = [];
    let further: Parameters<typeof buildConversation>[2] = [];
    for (let attempt = 1; ; attempt++) {
      const hashConversation = (line: KeptAnswer) =>
        hashMessages(buildConversation(item.prompt, line.left_out ?? 0, further));
      const line = kept.findLast((one) => one.attempt === attempt && one.prompt_sha256 === hashConversation(one));
      if (!line) return chain;
      chain.push(line);
      if (line.error === undefined || line.mark !== undefined) return chain;
      further = [...(further ?? []), ...createCorrection(line.raw, line.error)];
    }
  };
  const isAnswered = (item: AnyItem) => isLast(listLines(item).at(-1));
  return {
    linesOf: listLines,
    isAnswered,
    isOutdated: (item) => !isAnswered(item) && byName.has(getItemName(getItemKey(item, 1), item.repeat)),
  };
}

const isLast = (line: AnswerLine | undefined) =>
  line !== undefined && (line.error === undefined || line.mark !== undefined);
