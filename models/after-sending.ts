// Work that nobody waits for while a question is being sent.
import { setImmediate as turn } from 'node:timers/promises';

/**
 * What `work` gives, done once what is ready to be sent is on its way: while players think there is time for it.
 * Throws what `work` throws.
 */
export async function afterSending<Result>(work: () => Result): Promise<Result> {
  await turn();
  return work();
}
