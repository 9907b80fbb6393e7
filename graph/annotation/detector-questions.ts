// Asks lie detectors about each statement of a match, in the view of a villager without powers who cannot know the
// truth. The same questions can be created from a bank, which stores the prompts.
import { chooseVillager } from '../../deception/bank/build-bank.ts';
import type { BankPrompt, BankStatement } from '../../deception/bank/bank-rows.ts';
import type { VerifiedStatement } from '../../deception/claims/match-claims.ts';
import type { MatchRecord } from '../../deception/record/match-record.ts';
import { hashMessages } from '../../models/call-model.ts';
import { buildConversation } from '../../models/context-trimming.ts';
import type { PromptMessage } from '../../models/model.ts';
import {
  composeDetectorPrompt,
  composeLoneQuestion,
  detectorAction,
  type DetectorAnswer,
  detectorShape,
} from '../../prompts/detector.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import { readBoard } from '../../state/boards.ts';
import { createGame, deal } from '../../state/deal.ts';
import { readRules } from '../../state/rulebook.ts';
import { createPublicView, createView } from '../../state/view.ts';
import type { AnnotationItem } from './annotation-run.ts';
import { listReplayStates } from './statement-states.ts';

/** The question about a statement, and the player from whose view it is asked. */
export interface DetectorQuestion {
  statement: string;
  villager: string;
  messages: readonly PromptMessage[];
  prompt_sha256: string;
}

/**
 * Lists one question for each statement that a villager without powers heard without knowing whether it is a lie.
 * `judged`: the statements with their claims, which show who knows the truth.
 *
 * @example listDetectorQuestions(record, extractMatchClaims(record).statements)[0].villager
 */
export function listDetectorQuestions(record: MatchRecord, judged: readonly VerifiedStatement[]): DetectorQuestion[] {
  const known = new Map(judged.map((one) => [one.id, one]));
  return listReplayStates(record).flatMap(({ said, game }) =>
    said.flatMap((statement): DetectorQuestion[] => {
      const verified = known.get(statement.id);
      const villager = verified ? chooseVillager(record, verified) : null;
      if (villager === null) return [];
      const messages = buildConversation(composeDetectorPrompt(createView(game, villager), statement), 0);
      return [{ statement: statement.id, villager, messages, prompt_sha256: hashMessages(messages) }];
    }),
  );
}

/**
 * View from which a detector is asked. `villager`: a villager who heard the statement. `alone`: the statement alone,
 * without any player's view.
 */
export const detectorViews = ['villager', 'alone'] as const;
export type DetectorViewName = (typeof detectorViews)[number];

/** Name in the keys of answers, where other questions have a player's name. */
const detectorName = 'detector';

/** A statement of a bank with its index in the bank, and the bank's prompts by hash. */
interface BankSource {
  statements: readonly BankStatement[];
  prompts: ReadonlyMap<string, BankPrompt['messages']>;
}

export type DetectorItem = AnnotationItem<DetectorAnswer> & { row: string };

/**
 * Lists a detector's questions about the statements of a bank. In the view `villager`, leaves out statements for which
 * the bank has no villager's prompt. Answers are cached under the statements' indices in the bank.
 *
 * @example listDetectorItems({ statements, prompts }, 'alone').length
 */
export function listDetectorItems({ statements, prompts }: BankSource, view: DetectorViewName): DetectorItem[] {
  // The messages come from the bank, so the View is a placeholder: nothing in it enters a prompt.
  const nobody = createPublicView(
    createGame(deal({ board: readBoard('classic-8'), rules: readRules('wolf'), seed: 1 })),
    detectorName,
  );
  return statements.flatMap((one, place): DetectorItem[] => {
    const texts = view === 'alone' ? composeLoneQuestion({ by: one.speaker, ...one }) : findTexts(one, prompts);
    if (texts === null) return [];
    const prompt: Prompt<DetectorAnswer> = {
      action: view === 'alone' ? `${detectorAction}_alone` : detectorAction,
      view: { ...nobody, round: one.round },
      step: place,
      ...texts,
      without: () => texts.user,
      ...detectorShape,
      choices: [],
      kind: 'talk',
    };
    return [{ prompt, statements: [one.row], repeat: 1, row: one.row }];
  });
}

function findTexts({ villager_prompt_sha256: hash }: BankStatement, prompts: BankSource['prompts']) {
  const messages = hash === null ? undefined : prompts.get(hash);
  const [system, user] = messages ?? [];
  return system && user ? { system: system.content, user: user.content } : null;
}
