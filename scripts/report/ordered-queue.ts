// Hands out work to whoever is free and takes the results in the order of the work.

/**
 * Calls `work` for every item, on each worker one at a time, and `take` with the results in the order of the items.
 * The first failure ends it.
 */
export async function shareWork<Worker, Item, Result>(
  workers: readonly Worker[],
  items: readonly Item[],
  work: (worker: Worker, item: Item) => Result | Promise<Result>,
  take: (result: Result) => void,
): Promise<void> {
  const waiting = new Map<number, Result>();
  let [given, taken] = [0, 0];
  const serve = async (worker: Worker) => {
    while (given < items.length) {
      const place = given++;
      waiting.set(place, await work(worker, items[place]!));
      while (waiting.has(taken)) {
        const result = waiting.get(taken)!;
        waiting.delete(taken++);
        take(result);
      }
    }
  };
  await Promise.all(workers.map(serve));
}

/** `items` in groups of `size`, the last may be smaller. */
export const splitIntoGroups = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
