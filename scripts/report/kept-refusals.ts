// Counts the questions that judges, annotators, coders and reflecting models refused to answer after a match.
import { addRefusals, type AskedAfterwards, type RefusalCount } from '../../deception/record/call-figures.ts';
import type { JudgePlan } from '../../deception/claims/majority-claims.ts';
import { getKeptAnswersFile, type KeptAnswerKind, readLastAnswers } from '../../models/record/annotation-log.ts';
import { formatCallKey } from '../../state/record.ts';

/** Kinds of cached answers that are stored beside a record: all kinds except `scores`. */
type KindOfRecord = Exclude<KeptAnswerKind, 'scores'>;

/** Kind of cached answers → name that replaces the role of the refusing model in the counts. */
const askers: Readonly<Record<KindOfRecord, AskedAfterwards>> = {
  claims: 'judge',
  annotations: 'annotator',
  codings: 'coder',
  reflections: 'reflection',
};

/**
 * Lists the refused questions that were asked after a match. Among judges, only the chosen judges' refusals count.
 * Throws a RecordError for a damaged line.
 *
 * @example listKeptRefusals('runs/a', { models: ['openai:gpt-4o'] })
 */
export function listKeptRefusals(folder: string, judge: Pick<JudgePlan, 'models'> | undefined): RefusalCount[] {
  const judges = new Set(judge?.models.map((model) => getKeptAnswersFile(folder, 'claims', model)));
  const kinds = Object.entries(askers) as [KindOfRecord, AskedAfterwards][];
  return addRefusals(
    kinds.flatMap(([kind, role]) =>
      (kind === 'claims' && judges.size === 0 ? [] : readLastAnswers(folder, kind, nameQuestion))
        .filter(({ file }) => kind !== 'claims' || judges.has(file))
        .flatMap(({ lines }) => lines)
        .filter(({ mark }) => mark === 'refusal')
        .map(({ model, action, refusal }) => ({ role, model, action, ...refusal, count: 1 })),
    ),
  );
}

const nameQuestion: Parameters<typeof readLastAnswers>[2] = (line) =>
  `${formatCallKey({ ...line, attempt: 1 })} ${line.repeat} ${line.notes ?? ''}`;
