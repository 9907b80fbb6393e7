// The calls of a finished match with the prompts as they were sent, for exports in the formats of other tools.
import { convertToAnswer, readImportedCalls } from '../../graph/import/imported-match.ts';
import { readStoredPrompts } from '../../models/record/stored-prompts.ts';
import { formatMessages } from '../../models/send-question.ts';
import type { RecordedChatCall } from '../../report/recorded-chat.ts';
import { type AnswerLine, formatCallKey, type Manifest, type Seal } from '../../state/record.ts';

interface CalledRecord {
  manifest: Manifest;
  answers: readonly AnswerLine[];
  isFinished: boolean;
  seal: Seal | null;
}

/**
 * Returns the calls of a match in the order in which they were answered. A call has no messages if its prompt is
 * missing or differs from the sealed one. For an imported match, these are the calls that the original program
 * recorded.
 *
 * @example (await readRecordedCalls('runs/a', readRecord('runs/a'))).filter(({ messages }) => messages !== null)
 */
export async function readRecordedCalls(folder: string, record: CalledRecord): Promise<RecordedChatCall[]> {
  if (record.manifest.imported)
    return readImportedCalls(folder).map((call) => ({
      answer: convertToAnswer(call, record.manifest.setup.models[call.player] ?? ''),
      messages: call.prompt === null ? null : [{ role: 'user', content: call.prompt }],
      isImported: true,
    }));
  const { prompts } = await readStoredPrompts(folder, record);
  const sent = new Map(prompts.filter(({ isSealed }) => isSealed).map((one) => [formatCallKey(one), one.messages]));
  return record.answers.map((answer) => {
    const messages = sent.get(formatCallKey(answer));
    return {
      answer,
      messages: messages ? formatMessages(messages, answer.sent_as ?? []) : null,
      isImported: false,
    };
  });
}
