// Warns of a provider's trouble once, however many calls meet it.

export interface Told {
  /** What was already said of a provider's trouble; grows. */
  told: Set<string>;
  warn: (message: string) => void;
}

/** Eight calls that wait for the same server need not say so eight times. */
export function tellOnce({ told, warn }: Told, message: string, matter = message) {
  if (told.has(matter)) return;
  told.add(matter);
  warn(message);
}
