// A study's plan, which the command that plays the study writes into the study's folder: which models meet, on which
// deals, and under which budget. Progress counts records against this plan. The plan is only read as data and controls
// nothing.
import { z } from 'zod';

/** Name of the file that describes a study. It is in the study's folder, beside the folders of matches. */
export const studyFileName = 'study.json';

/** Limits for files from unknown sources. They are larger than any study that somebody can pay for. */
const [mostPairings, mostRuns] = [20_000, 2000];

const count = z.number().int().min(0);
const shortText = z.string().max(2000);

/** The matches that one folder of the study holds on one board. */
export const PlannedPairing = z.strictObject({
  folder: shortText.describe(
    "folder of the matches, relative to the study's folder; empty if it is the study's folder",
  ),
  board: shortText,
  werewolves: shortText.nullable().describe('model that plays the Werewolves; null if several do'),
  villagers: shortText.nullable().describe('model that plays the village; null if several do'),
  name: shortText
    .nullable()
    .describe('name of the pairing or condition, if the sides do not show it; null without one'),
  rules: shortText.nullable().describe('rules in words; null if not stated'),
  models: z.array(shortText).max(200).nullable().describe('models of the seats, sorted; null if not stated'),
  seeds: z.array(z.tuple([z.number().int(), z.number().int()])).max(mostRuns).describe('deals, as ranges of seeds: first and last of each'), // prettier-ignore
  matches: count.describe('number of matches'),
});
export type PlannedPairing = z.infer<typeof PlannedPairing>;

export const StudyPlan = z.strictObject({
  study_version: z.literal(1),
  begun_at: z.iso.datetime().describe('when the study began'),
  played_since: z.iso.datetime().describe('when a command last began to play it'),
  runs: count.min(1).describe('number of commands that have played it'),
  judge: shortText.nullable().describe('judge that extracts the claims of each finished match'),
  max_cost: z.number().min(0).nullable().describe('USD at which the study stops'),
  concurrency: count.describe('maximum number of concurrent calls'),
  expected: z
    .strictObject({ calls: z.number().min(0), cost: z.number().min(0).nullable() })
    .nullable()
    .describe('calls and USD of one match, estimated before the first match; null without an estimate'),
  pairings: z.array(PlannedPairing).max(mostPairings),
});
export type StudyPlan = z.infer<typeof StudyPlan>;

/** The properties of a planned match that decide its pairing. */
export interface PlannedPlace {
  seed: number;
  folder?: string;
  board: string;
  werewolves: string | null;
  villagers: string | null;
  name: string | null;
  rules: string | null;
  models: string[] | null;
}

/**
 * Groups planned matches into pairings, in their order.
 *
 * @example groupPairings(places)[0]!.matches // 30
 */
export function groupPairings(places: readonly PlannedPlace[]): PlannedPairing[] {
  const groups = Map.groupBy(places, ({ folder = '', board, rules }) => JSON.stringify([folder, board, rules]));
  return [...groups.values()].flatMap((own): PlannedPairing[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { folder = '', board, werewolves, villagers, name, rules, models } = first;
    const seeds = listRuns(own.map(({ seed }) => seed));
    return [{ folder, board, werewolves, villagers, name, rules, models, seeds, matches: own.length }];
  });
}

/** Compresses whole numbers to runs of first and last number. Returns a single run if there would be too many. */
function listRuns(numbers: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const number of [...new Set(numbers)].sort((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  const [first, last] = [runs[0], runs.at(-1)];
  return first && last && runs.length > mostRuns ? [[first[0], last[1]]] : runs;
}
