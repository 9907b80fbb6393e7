// Work that nobody waits for while a question is being sent.

/**
 * Does `work` once what is ready to be sent is on its way: while players think there is time for it. Returns what gives
 * its result at any time, at once where it has not been done yet. That throws what `work` throws.
 */
export function afterSending<Result>(work: () => Result): () => Result {
  let done: { result: Result } | undefined;
  const result = () => (done ??= { result: work() }).result;
  const doIt = () => {
    try {
      result();
    } catch {
      // told to whoever asks for the result
    }
  };
  setImmediate(() => setImmediate(doIt)); // undici lets one turn pass before it sends over a connection that it has kept
  return result;
}
