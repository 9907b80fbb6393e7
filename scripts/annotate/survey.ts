// What is to be asked about a record, and what of it is answered already.
import path from 'node:path';
import type { MatchRecord } from '../../deception/match-record.ts';
import { sum } from '../../deception/ratios.ts';
import { annotationItems, type AnnotationPlan } from '../../graph/annotate.ts';
import type { EstimatedEffort } from '../../graph/estimate.ts';
import { effortOf } from '../../graph/inquiry-effort.ts';
import { standing } from '../../graph/standing.ts';
import type { PlayerModel } from '../../models/model.ts';
import { keptFile, readKept } from '../../models/record/kept-answers.ts';
import { RecordError } from '../../models/record/record-error.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { goOnCommand } from '../console/next-steps.ts';

export interface Survey {
  folder: string;
  model: PlayerModel;
  /** Questions, answered or not. */
  questions: number;
  /** What is left of them. */
  left: EstimatedEffort;
  /** USD, for the answers that are kept, as far as it is known. */
  paid: number;
}

/**
 * Throws RecordError where kept answers are damaged, and a UsageError for a record that cannot have happened under its
 * rules.
 */
export function surveyOf(folder: string, record: MatchRecord, plan: AnnotationPlan, model: PlayerModel): Survey {
  const items = annotationItems(record, plan);
  const kept = standing(readKept(keptFile(folder, 'annotations', model.spec)));
  const open = items.filter((item) => !kept.isAnswered(item));
  const costs = items.flatMap((item) => kept.linesOf(item).map(({ cost }) => cost ?? 0));
  return {
    folder,
    model,
    questions: items.length,
    left: effortOf(open, model),
    paid: sum(costs),
  };
}

/** Throws RecordError for a record that cannot be read, or whose match is not over. */
export function finishedRecord(folder: string) {
  const record = readRecord(folder);
  if (!record.isFinished)
    throw new RecordError(
      `The match is not over. Play it to its end first: ${goOnCommand(record.manifest.id, path.dirname(folder))}`,
    );
  return record;
}
