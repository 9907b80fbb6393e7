// Places in the debate of a day, counted from what was asked after each of its turns.

interface Asked {
  round: number;
  step: number | null;
}

/** Finds the place of a row's step among all steps of its round, from 1. Steps count the turns before the debate too. */
export function placesOf(rows: readonly Asked[]): (row: Asked) => number {
  const steps = new Map(
    [...Map.groupBy(rows, ({ round }) => round)].map(([round, own]) => [
      round,
      [...new Set(own.map(({ step }) => step ?? 0))].sort((one, other) => one - other),
    ]),
  );
  return ({ round, step }) => steps.get(round)!.indexOf(step ?? 0) + 1;
}
