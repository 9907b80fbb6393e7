// Codings: asks a model to code the style, emotions and tactics of recorded statements from public information alone,
// and reads its answers. Off by default.
import { z } from 'zod';
import type { MatchRecord } from '../../deception/record/match-record.ts';
import type { Coding } from '../../deception/tables/coding-rows.ts';
import { createStrayStatementError, readLastAnswers } from '../../models/record/annotation-log.ts';
import { composeCodingPrompt } from '../../prompts/coding.ts';
import { statementCodeNames, type StatementCode } from '../../state/statement-codes.ts';
import type { AnyAnnotationItem } from './annotation-run.ts';
import { listStatementMoments } from './llm-judge-items.ts';

/**
 * Lists one question for each public statement of a match and each repeat.
 *
 * @example listCodingItems(readRecord('runs/a'), 3).length
 */
export function listCodingItems(record: MatchRecord, repeat = 1): AnyAnnotationItem[] {
  const once = listStatementMoments(record).map(({ statement, view, step }) => ({
    prompt: composeCodingPrompt(view, step, statement),
    statements: [statement.id],
  }));
  return Array.from({ length: repeat }, (_, index) => once.map((item) => ({ ...item, repeat: index + 1 }))).flat();
}

const codes = z.array(z.enum(statementCodeNames as [StatementCode, ...StatementCode[]]));
const Coded = z.object({ style: codes, emotion: codes, tactic: codes });

/**
 * Reads all codings in the folder of a record. If the same question was asked again, the last answer counts. Throws a
 * RecordError if a file is damaged or belongs to another match.
 *
 * @example readCodings('runs/a', readRecord('runs/a')).filter(({ codes }) => codes?.includes('sarcasm'))
 */
export function readCodings(folder: string, record: MatchRecord): Coding[] {
  const known = new Set(listStatementMoments(record).map(({ statement }) => statement.id));
  return readLastAnswers(folder, 'codings', ({ step, repeat }) => `${step} ${repeat}`).flatMap(({ file, lines }) =>
    lines.map((line): Coding => {
      const { model, repeat, attempt, mark } = line;
      const statement = line.statements[0]!;
      if (!known.has(statement)) throw createStrayStatementError(file, 'codes', statement);
      const read = mark === undefined ? Coded.safeParse(line.answer) : null;
      const found = read?.success ? [...read.data.style, ...read.data.emotion, ...read.data.tactic] : null;
      return {
        ...{ statement, coder: model, repeat, attempt, codes: found },
        ...(found ? {} : { mark: mark ?? 'fallback' }),
      };
    }),
  );
}
