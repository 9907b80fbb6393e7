// Reads one match for the viewer, even during play or with missing parts.
import path from 'node:path';
import { buildTables } from '../../deception/tables/match-tables.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { readRecord, type StoredRecord } from '../../models/record/recorder.ts';
import { findPromptsFault, readStoredPrompts, type StoredPrompts } from '../../models/record/stored-prompts.ts';
import { buildViewedMatch, type KeptPrompt, listPrompts, type ViewedMatch } from '../../report/viewer/viewed-match.ts';
import { hasSecrets, hidePrivateParts } from '../../report/viewer/hide-private-parts.ts';
import type { MatchReading } from '../../report/viewer/viewed-readings.ts';
import { recordFiles } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';
import { readKeptJudges } from './kept-judges.ts';

/**
 * Reads a match without its prompts, which can be large; see `readPrompts` and `addPrompts`. Throws a RecordError for
 * an unreadable record. Takes no lock and writes nothing. While people play, returns only the public part unless
 * `shown.isOperator` is true.
 */
export async function readViewedMatch(folder: string, shown: ShownParts = {}): Promise<ViewedMatch> {
  const record = readRecord(folder, { canLackSeal: true });
  const whole = await readWhole(folder, record);
  const isOver = record.events.at(-1)?.type === 'ended';
  const isHidden = shown.isPublic === true || (!shown.isOperator && hasSecrets(record.manifest, { isOver }));
  return isHidden ? hidePrivateParts(whole) : whole;
}

/** Parts of a match that may be shown. */
export interface ShownParts {
  /** Whether to show only what all players know. Default: false. */
  isPublic?: boolean;
  /** Whether to show everything even while people play. Default: false. */
  isOperator?: boolean;
}

async function readWhole(folder: string, record: StoredRecord): Promise<ViewedMatch> {
  return buildViewedMatch(record, {
    readings: await readMatchReadings(folder, record),
    ...describePrompts(folder, record),
  });
}

const describePrompts = (folder: string, record: StoredRecord) => ({
  hasPrompts: getDisk().exists(path.join(folder, recordFiles.prompts)),
  promptsFault: findPromptsFault(folder, record),
});

/** Adds the prompts of every moment to the match. */
export const addPrompts = (match: ViewedMatch, kept: readonly KeptPrompt[]): ViewedMatch => {
  const byRound = Map.groupBy(kept, ({ round }) => round);
  return {
    ...match,
    steps: match.steps.map((step) => {
      const prompts = listPrompts(step, byRound.get(step.round) ?? []);
      return prompts.length === 0 ? step : { ...step, prompts };
    }),
  };
};

/** Reads the match for its own page, with prompts. Throws like `readViewedMatch`. */
export const readWholeMatch = async (folder: string, shown: ShownParts = {}): Promise<ViewedMatch> =>
  addStoredPrompts(folder, await readViewedMatch(folder, shown));

/** Adds the stored prompts to a match read without them. */
export async function addStoredPrompts(folder: string, match: ViewedMatch): Promise<ViewedMatch> {
  if (!match.hasPrompts) return match;
  const { prompts, fault } = await readPrompts(folder);
  const notes = fault === null || match.notes.includes(fault) ? match.notes : [...match.notes, fault];
  return addPrompts({ ...match, notes }, prompts);
}

/**
 * Reads the statements by the rules and by each judge with cached answers. The judge named by the match comes first,
 * then the rules, as in reports. `wanted`: as for `readKeptJudges`. Empty if the record cannot have happened under its
 * rules.
 *
 * @example (await readMatchReadings('runs/a', readRecord('runs/a')))[0]!.source // 'rules'
 */
export async function readMatchReadings(
  folder: string,
  record: StoredRecord,
  wanted?: string,
): Promise<MatchReading[]> {
  try {
    const rules: MatchReading = { source: 'rules', tables: buildTables(record) };
    const judged = (await readKeptJudges(folder, record, wanted)).map((judge): MatchReading & { isNamed: boolean } => ({
      ...{ source: judge.name, tables: buildTables(record, { judge, presupposed: true }), isNamed: judge.isNamed },
    }));
    const [named, others] = [judged.filter(({ isNamed }) => isNamed), judged.filter(({ isNamed }) => !isNamed)];
    return [...named, rules, ...others];
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

/**
 * Reads the prompts of a match, and checks each prompt against its answer. Prompts are written when a match ends.
 * `round`: number of the only round to read.
 */
export const readPrompts = (folder: string, round?: number): Promise<StoredPrompts> =>
  readStoredPrompts(
    folder,
    readRecord(folder, { canLackSeal: true }),
    (key) => round === undefined || key.round === round,
  );
