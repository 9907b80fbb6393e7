// Finds the judges whose cached answers cover a whole match.
import path from 'node:path';
import { formatJudges, type JudgePlan } from '../../deception/claims/majority-claims.ts';
import { meantJudge } from '../../deception/claims/meant-claims.ts';
import type { TableSources } from '../../deception/tables/match-tables.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { readSoundAnswers } from '../../models/record/annotation-log.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import type { StoredRecord } from '../../models/record/recorder.ts';
import { identifyModel } from '../../state/model-identity.ts';
import { UsageError } from '../../state/usage-error.ts';

export type JudgedReading = NonNullable<TableSources['judge']> & {
  /** Whether `report` measures the match by the claims of this judge. */
  isNamed: boolean;
};

/**
 * Reads all judges of a match without any call. `wanted`: a typed judge; `bot:meant` is read only if `wanted` or the
 * match names it. Returns each judge alone, with the settings of its questions, and then all judges together. Skips
 * answers that cannot be read, or that do not cover every statement.
 */
export async function readKeptJudges(folder: string, record: StoredRecord, wanted?: string): Promise<JudgedReading[]> {
  const { judge: named } = record.manifest;
  const isMeantWanted = [named, wanted].includes(meantJudge);
  const files = getDisk()
    .list(folder)
    .filter(({ name, isLink }) => !isLink && /^claims\.[\w.-]+\.ndjson$/.test(name))
    .map(({ name }) => path.join(folder, name))
    .sort();
  if ((files.length === 0 && !isMeantWanted) || !record.isFinished) return [];
  const { createJudgedMatch, readJudgedClaims } = await import('../../graph/annotation/llm-judge.ts'); // slow to load
  const match = createJudgedMatch(folder, record);
  const read = (plan: JudgePlan) => tryReading(() => ({ plan, judge: readJudgedClaims(match, plan) }));
  const meant = isMeantWanted ? read({ models: [meantJudge] }) : null;
  const found = files.flatMap((file) =>
    listPlans(file)
      .flatMap((plan) => read(plan) ?? [])
      .slice(0, 1),
  );
  const [first, second] = found;
  const together =
    first && second
      ? read({ ...first.plan, models: found.flatMap(({ plan }) => plan.models) }) // with the first judge's settings
      : null;
  return [...(meant ? [meant] : []), ...found, ...(together ? [together] : [])].map(({ plan, judge }) => ({
    ...judge,
    isNamed: named !== undefined && formatJudges(plan) === formatJudges({ models: [identifyModel(named)] }),
  }));
}

/**
 * Lists the settings with which the model of an answer file may have been asked. The most thorough settings come first.
 */
function listPlans(file: string): JudgePlan[] {
  const { rows: lines } = readSoundAnswers(file);
  const model = lines.at(-1)?.model;
  if (model === undefined) return [];
  const asked = Math.max(...lines.map(({ repeat }) => repeat));
  const repeats = [...new Set([asked % 2 === 0 ? asked - 1 : asked, 1])];
  const pers = (['statement', 'day'] as const).filter((per) =>
    lines.some(({ action }) => action === (per === 'day' ? 'judge_day' : 'judge')),
  );
  return repeats.flatMap((repeat) =>
    pers.flatMap((per) => [true, false].map((isGuarded) => ({ models: [model], repeat, per, isGuarded }))),
  );
}

/** Returns the result of `read`; null if the data is damaged or incomplete, or this judge cannot judge the match. */
function tryReading<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RecordError || error instanceof UsageError) return null;
    throw error;
  }
}
