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
  folder: shortText.describe("its matches' folder, from that of the study; empty where that is the same"),
  board: shortText,
  werewolves: shortText.nullable().describe('who plays the Werewolves; null where several do'),
  villagers: shortText.nullable().describe('who plays the village; null where several do'),
  name: shortText.nullable().describe('the pairing or condition, where sides do not say it; null without one'),
  rules: shortText.nullable().describe('its rules in words; null where they are not told'),
  models: z.array(shortText).max(200).nullable().describe('models of its seats, sorted; null where they are not told'),
  seeds: z.array(z.tuple([z.number().int(), z.number().int()])).max(mostRuns).describe('its deals: runs of seeds, each first and last'), // prettier-ignore
  matches: count.describe('how many matches it has'),
});
export type PlannedPairing = z.infer<typeof PlannedPairing>;

export const StudyPlan = z.strictObject({
  study_version: z.literal(1),
  begun_at: z.iso.datetime().describe('when it was begun'),
  played_since: z.iso.datetime().describe('when a command last began to play it'),
  runs: count.min(1).describe('how many commands have played it'),
  judge: shortText.nullable().describe('who reads each match once it is over'),
  max_cost: z.number().min(0).nullable().describe('USD at which it stops'),
  concurrency: count.describe('calls at a time'),
  expected: z
    .strictObject({ calls: z.number().min(0), cost: z.number().min(0).nullable() })
    .nullable()
    .describe('of one match, by an estimate before the first: calls, USD; null where none was made'),
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
