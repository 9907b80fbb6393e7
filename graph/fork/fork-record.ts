// The initial record of a fork: the answers of its original match up to the statement, and the replacement of the
// statement.
import { statementActions } from '../../deception/record/match-record.ts';
import path from 'node:path';
import { decideOutcome } from '../../models/call-model.ts';
import { unansweredOutcome } from '../../models/context-trimming.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { parseAnswer } from '../../models/parse-answer.ts';
import { openDraft } from '../../models/record/draft-folder.ts';
import { writeBegunRecord } from '../../models/record/recorder.ts';
import { getRenamer, replaceInValue } from '../../prompts/renaming.ts';
import type { ForkOf } from '../../state/fork.ts';
import { hashText } from '../../state/hash-text.ts';
import type { AnswerLine, Manifest } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { ForkPoint } from './fork-point.ts';

/** Returns the id of a fork, which is also the name of its folder. */
export function nameFork({ match, statement, arm, text, copy }: ForkOf): string {
  const words = arm === 'say' ? `say-${hashText(text ?? '').slice(0, 8)}` : arm;
  const end = `.${statement}.${words}.${copy}`;
  const room = longestId - end.length;
  const start = match.length <= room ? match : `${match.slice(0, room - 9)}-${hashText(match).slice(0, 8)}`;
  return start + end;
}

/** Maximum length of an id in characters; see `isMatchId`. */
const longestId = 100;

/** Copies an answer of the original match into the record of a fork, at no cost. */
const copyAnswer = (line: AnswerLine): AnswerLine => ({ ...line, cost: 0, forked: 'copied' });

/**
 * Lists the initial answers of a fork. In the arms `honest` and `resample`, they end before the statement, which is
 * then asked for again. Throws a UsageError for a text that cannot be read as a statement.
 *
 * @example listFirstAnswers(point, { arm: 'say', text: 'I am the Seer.' }).at(-1)?.forked // 'replaced'
 */
export function listFirstAnswers(point: ForkPoint, { arm, text }: Pick<ForkOf, 'arm' | 'text'>): AnswerLine[] {
  const before = point.before.map(copyAnswer);
  if (arm === 'honest' || arm === 'resample') return before;
  if (arm === 'keep') return [...before, ...point.answered.map(copyAnswer)];
  return [...before, replaceAnswer(point, arm === 'silence' ? null : (text ?? ''))];
}

/**
 * Returns the answer that replaces the recorded answer. Its statement is `words`, or null if the turn is passed. The
 * reasoning is removed too; otherwise the plan behind the recorded statement would stay in the speaker's memory. Other
 * decisions in the same answer stay.
 */
function replaceAnswer({ prompt, answered: [first, ...others], record }: ForkPoint, words: string | null): AnswerLine {
  const last = others.at(-1) ?? first;
  const said = { ...(last.answer as object | null), reasoning: '', statement: words };
  const raw = words === null ? '' : JSON.stringify(replaceInValue(said, getRenamer(prompt.view)));
  const outcome: Partial<AnswerLine> & Pick<AnswerLine, 'answer'> =
    words === null
      ? unansweredOutcome
      : decideOutcome(parseAnswer(raw, prompt, record.manifest.reading ?? 1), 1, false);
  if (words !== null && outcome.answer === null)
    throw new UsageError(
      `"${words}" cannot replace a statement: ${outcome.error ?? 'it reads as a refusal'}. Choose another text.`,
    );
  const { round, step, action, player, prompt_sha256, left_out, shapes, remembered, model, started_at } = first;
  return {
    ...{ round, step, action, player, attempt: 1, prompt_sha256 },
    ...(left_out === undefined ? {} : { left_out }),
    ...(shapes === undefined ? {} : { shapes }),
    raw,
    ...outcome,
    ...{ model, model_returned: null, system_fingerprint: null, finish_reason: null, retries: 0 },
    ...{ tokens: null, cost: 0, started_at, ms: 0 },
    ...(remembered === undefined ? {} : { remembered }),
    forked: 'replaced',
  };
}

/** Returns whether an answer contains a statement. */
export const isStatementAnswer = ({ action }: Pick<AnswerLine, 'action'>): boolean => statementActions.includes(action);

/**
 * Creates the folder of a fork in the existing folder `out`, with the fork's initial answers. The folder is created
 * completely or not at all. Throws a RecordError if it cannot be written.
 *
 * @example createForkFolder('runs/forks', manifest, listFirstAnswers(point, manifest.fork_of));
 */
export function createForkFolder(out: string, manifest: Manifest, answers: readonly AnswerLine[]): void {
  const draft = openDraft(out);
  try {
    writeBegunRecord(draft.folder, manifest, answers);
    getDisk().rename(draft.folder, path.join(out, manifest.id));
  } finally {
    draft.remove();
  }
}
