// The answers of judges, annotators and players about a finished match, kept in its folder: one line per call.
import path from 'node:path';
import { z } from 'zod';
import { identifyModel } from '../../state/model-identity.ts';
import { migrateAnswer } from '../../state/record-migrations.ts';
import { AnswerLine, latestReading } from '../../state/record.ts';
import { getDisk } from '../machine/machine.ts';
import { takeLock } from './lock.ts';
import { truncateTornLine, openNdjson, readNdjson, readSoundLines, RecordError } from './ndjson.ts';
import { hashText } from '../../state/hash-text.ts';

/** A line of `claims.<judge>.ndjson`, or of `annotations`, `codings` or `reflections` of a model. */
export const KeptAnswer = z.strictObject({
  ...AnswerLine.shape,
  statements: z
    .array(z.string())
    .min(1)
    .describe('ids of the statements judged; of reflections those of the decisions in the prompt'),
  repeat: z.number().int().min(1).describe('which repeat of the question, from 1; above 1 only with `--repeat`'),
  reading: z
    .literal(latestReading)
    .optional()
    .describe('as `reading` of a [manifest](#manifestjson); absent in answers of before schema 4'),
  notes: z
    .enum(['with-notes', 'without-notes'])
    .optional()
    .describe('of a self-report asked afterwards: whether its speaker saw own thoughts; absent for all else'),
  wording: z
    .number()
    .int()
    .min(2)
    .optional()
    .describe(
      "of a judge: the version of its prompts' wording; absent in those of the first version, and for all else",
    ),
  statements_sha256: z
    .string()
    .optional()
    .describe('of a judge: hash of the statements judged; absent where `wording` is'),
  given: z
    .array(z.unknown())
    .optional()
    .describe('of a second question to a judge: the claims that it was asked about; absent where `wording` is'),
});
export type KeptAnswer = z.infer<typeof KeptAnswer>;

export type KeptAnswerKind = 'claims' | 'annotations' | 'codings' | 'reflections';

/**
 * The file of a model's answers, named by its identity; earlier versions named it by the model string. Where the model's name has other characters than letters, digits, ".", "_" and "-", 8
 * digits of its hash are added, so that no two models share a file.
 *
 * @example getKeptAnswersFile('runs/a', 'annotations', 'openai:gpt-4o'); // 'runs/a/annotations.openai-gpt-4o.ndjson'
 */
export function getKeptAnswersFile(folder: string, kind: KeptAnswerKind, model: string): string {
  const [file, earlier] = [identifyModel(model), model].map((name) => path.join(folder, nameAnswersFile(kind, name)));
  return file !== earlier && !getDisk().exists(file!) && getDisk().exists(earlier!) ? earlier! : file!;
}

function nameAnswersFile(kind: KeptAnswerKind, model: string): string {
  const plain = model.replace(':', '-').replace(/[^\w.-]+/g, '-');
  const isSame = /^\w+:[\w.-]+$/.test(model) && plain.length <= maxNameLength;
  const hash = hashText(model).slice(0, 8);
  return `${kind}.${isSame ? plain : `${plain.slice(0, maxNameLength)}.${hash}`}.ndjson`;
}

const maxNameLength = 100;

/** The answers in a file, in the order of writing, without a torn last line. Throws RecordError for a damaged line. */
export const readKeptAnswers = (file: string): KeptAnswer[] => readNdjson(file, KeptAnswer, migrateAnswer).rows;

/**
 * A judge's answers in a file, as far as they can be read: what is lost of one match is no reason to lose a study.
 *
 * @example readSoundAnswers('runs/a/claims.openai-gpt-4o.ndjson').damage // null
 */
export const readSoundAnswers = (file: string) => readSoundLines(file, KeptAnswer, migrateAnswer);

/** A file of answers with the last answer to each question. */
interface LastAnswers {
  file: string;
  lines: KeptAnswer[];
}

/**
 * All files of a kind in the folder of a record; where the same was asked again, the last answer that came counts.
 * `getQuestion`: what tells questions apart. Throws RecordError for a damaged line.
 *
 * @example readLastAnswers('runs/a', 'codings', ({ step, repeat }) => `${step} ${repeat}`);
 */
export function readLastAnswers(
  folder: string,
  kind: KeptAnswerKind,
  getQuestion: (line: KeptAnswer) => string,
): LastAnswers[] {
  const names = getDisk()
    .list(folder)
    .map(({ name }) => name)
    .filter((name) => new RegExp(`^${kind}\\.[\\w.-]+\\.ndjson$`).test(name))
    .sort();
  return names.map((name) => {
    const file = path.join(folder, name);
    const lines = kind === 'claims' ? readSoundAnswers(file).rows : readKeptAnswers(file);
    const ended = lines.filter(({ error, mark }) => error === undefined || mark !== undefined);
    return { file, lines: [...Map.groupBy(ended, getQuestion).values()].map((asked) => asked.at(-1)!) };
  });
}

/** The error for a statement in a file of answers that its record lacks; `does`: what the file does to it. */
export const createStrayStatementError = (file: string, does: string, statement: string) =>
  new RecordError(
    `${file} ${does} statement "${statement}", which is not in the record beside it: the record or this file is damaged. Keep both: with an undamaged copy of the other, the answers count again.`,
  );

interface KeptAnswers {
  append(line: KeptAnswer): void;
  close(): void;
}

/**
 * Opens the file to append to it. Throws RecordError where another process writes it or it is damaged, unless lines that cannot
 * be read may stay in it (`isLenient`); `append` and `close` throw RecordError where the disk is full or fails.
 */
export function openKeptAnswers(
  file: string,
  warn: (message: string) => void,
  { isLenient = false } = {},
): KeptAnswers {
  const lock = takeLock(`${file}.lock`, 'writing the answers beside it');
  try {
    const { fault, ...contents } = isLenient
      ? readSoundAnswers(file)
      : { fault: null, ...readNdjson(file, KeptAnswer, migrateAnswer) };
    if (fault) throw fault;
    truncateTornLine(file, contents, warn);
    const lines = openNdjson(file, 'append', KeptAnswer);
    getDisk().syncFolder(path.dirname(file));
    return {
      append: (line) => {
        lock.check();
        lines.append([line]);
      },
      close: () => {
        try {
          lines.close();
        } finally {
          lock.release();
        }
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
