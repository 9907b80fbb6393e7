// Hands out work to whoever is free and takes the results in the order of the work.

/**
 * Calls `work` for every item, on each member one at a time, and `take` with the results in the order of the items.
 * The first failure ends it.
 */
export async function shareOut<Member, Item, Result>(
  members: readonly Member[],
  items: readonly Item[],
  work: (member: Member, item: Item) => Promise<Result>,
  take: (result: Result) => void,
): Promise<void> {
  const waiting = new Map<number, Result>();
  let [given, taken] = [0, 0];
  const serve = async (member: Member) => {
    while (given < items.length) {
      const place = given++;
      waiting.set(place, await work(member, items[place]!));
      while (waiting.has(taken)) {
        const result = waiting.get(taken)!;
        waiting.delete(taken++);
        take(result);
      }
    }
  };
  await Promise.all(members.map(serve));
}

/** `items` in groups of `size`, the last may be smaller. */
export const inGroups = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
