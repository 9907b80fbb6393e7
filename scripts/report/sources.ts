// Everything that is read of a match's folder to measure it: the one place that knows where labels come from.
import { readdirSync } from 'node:fs';
import type { MatchRecord } from '../../deception/match-record.ts';
import type { Sources } from '../../deception/tables/tables-of.ts';
import { RecordError } from '../../models/record/record-error.ts';
import { readRecord } from '../../models/record/recorder.ts';

/** Whose labels are wanted besides those of the rules. */
export interface Wanted {
  /** The model whose claims stand behind verdicts, from `claims.<judge>.ndjson`; the rules' where undefined. */
  judge?: string | undefined;
}

/** What models judged afterwards cannot be used, or is not there. */
export class NotJudged extends RecordError {}

/**
 * Makes no call. Of a match that is not over only the record is read: what was judged of it may lie beyond its end. Throws
 * RecordError where a file is damaged, and NotJudged where the judge's claims are not kept.
 */
export async function readSources(folder: string, { judge }: Wanted = {}) {
  const record = readRecord(folder);
  const sources: Sources = record.isFinished
    ? {
        annotations: await annotationsIn(folder, record),
        judge: judge === undefined ? undefined : await judgedBy(judge, folder, record),
      }
    : {};
  return { record, sources };
}

/** What reads judgements knows how to ask for them too, and takes long to load: only where there are some. */
async function annotationsIn(folder: string, record: MatchRecord) {
  if (!readdirSync(folder).some((name) => name.startsWith('annotations.'))) return [];
  const { readAnnotations } = await import('../../graph/read-annotations.ts');
  return readAnnotations(folder, record);
}

async function judgedBy(judge: string, folder: string, record: MatchRecord) {
  const { readJudged } = await import('../../graph/judge-claims.ts');
  try {
    return readJudged(folder, record, judge);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    throw new NotJudged(error.message, { cause: error });
  }
}
