// Counts questions about recorded matches that judges, annotators, coders and reflecting models refused.
import { addRefusals, type AskedAfterwards, type RefusalCount } from '../../deception/record/call-figures.ts';
import type { JudgePlan } from '../../deception/claims/majority-claims.ts';
import { getKeptAnswersFile, type KeptAnswerKind, readLastAnswers } from '../../models/record/annotation-log.ts';
import { formatCallKey } from '../../state/record.ts';

/** All kinds of cached answers that belong to a record, so all except `scores`. */
type KindOfRecord = Exclude<KeptAnswerKind, 'scores'>;

/** Names that stand in place of a role for models that were asked after the match. */
const askers: Readonly<Record<KindOfRecord, AskedAfterwards>> = {
  claims: 'judge',
  annotations: 'annotator',
  codings: 'coder',
  reflections: 'reflection',
};

/**
 * Lists the refused questions that were asked after a match. Of judges' questions, only those of the chosen judges
 * count. Throws a RecordError for a damaged line.
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
