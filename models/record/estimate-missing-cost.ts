// Estimates, from the record of a finished match, the cost of calls whose provider reported no tokens.
import { formatCallKey } from '../../state/record.ts';
import type { SeatModels } from '../model.ts';
import { estimateMessages } from '../context-trimming.ts';
import { computeAnswerCost } from '../providers/prices.ts';
import { readRecord } from './recorder.ts';
import { readStoredPrompts } from './stored-prompts.ts';

/**
 * Returns the estimated cost in USD. If the stored prompt of a call is unreadable or differs from the prompt that was
 * sent, the estimate includes only the cost of the answer. This is not an error, because nothing else needs the prompts
 * of a finished match. Throws RecordError if the answers are damaged.
 */
export async function estimateUnknownCost(
  folder: string,
  seats: Readonly<Record<string, SeatModels>>,
): Promise<number> {
  const record = readRecord(folder);
  const unknown = record.answers.filter(({ cost }) => cost === null);
  const wanted = new Set(unknown.map(formatCallKey));
  const { prompts } = await readStoredPrompts(folder, record, (key) => wanted.has(formatCallKey(key)));
  const tokensIn = new Map(
    prompts.flatMap((one) => (one.isSealed ? [[formatCallKey(one), estimateMessages(one.messages)]] : [])),
  );
  const costs = unknown.map((answer) => {
    const { price = null } = seats[answer.player]?.talk ?? {};
    return computeAnswerCost(answer, { price, tokensIn: () => tokensIn.get(formatCallKey(answer)) ?? 0 });
  });
  return costs.reduce((total, cost) => total + cost, 0);
}
