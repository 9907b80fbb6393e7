// Collects waiting items and sends each batch as one SQL statement. Only one statement runs at a time. With many calls
// a second, a round trip for each item would be the bottleneck.

/**
 * Returns a function that passes its arguments on in batches: while one batch is being sent, new items form the next.
 * `send` returns a result for each item, in order.
 *
 * @example const save = createBatchedCall(async (lines: string[]) => { await insert(lines); return lines.map(() => true); });
 */
export function createBatchedCall<Item, Result>(
  send: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  let isUnderWay = false;
  const flush = async () => {
    isUnderWay = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const results = await send(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, place) => resolve(results[place]!));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isUnderWay = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isUnderWay) void flush();
    });
}
