// Answers of judges, annotators and players about a finished match, stored in its folder with one line per call.
import path from 'node:path';
import { z } from 'zod';
import { identifyModel } from '../../state/model-identity.ts';
import { migrateAnswer } from '../../state/record-migrations.ts';
import { AnswerLine, latestReading } from '../../state/record.ts';
import { getDisk } from '../machine/machine.ts';
import { takeLock } from './lock.ts';
import { truncateTornLine, openNdjson, readNdjson, readSoundLines, RecordError } from './ndjson.ts';
import { hashText } from '../../state/hash-text.ts';

/** A line of `claims.<judge>.ndjson`, or of a model's file of `annotations`, `codings` or `reflections`. */
export const KeptAnswer = z.strictObject({
  ...AnswerLine.shape,
  statements: z
    .array(z.string())
    .min(1)
    .describe('ids of the statements judged; in reflections, ids of the decisions in the prompt'),
  repeat: z.number().int().min(1).describe('which repeat of the question, from 1; above 1 only with `--repeat`'),
  reading: z
    .literal(latestReading)
    .optional()
    .describe('like `reading` in a [manifest](#manifestjson); absent in answers from before schema 4'),
  notes: z
    .enum(['with-notes', 'without-notes'])
    .optional()
    .describe('for a self-report asked afterwards: whether the speaker saw their own thoughts; otherwise absent'),
  wording: z
    .number()
    .int()
    .min(2)
    .optional()
    .describe("for a judge: the version of its prompts' wording; absent for the first version and all other kinds"),
  statements_sha256: z
    .string()
    .optional()
    .describe('for a judge: hash of the statements judged; absent if `wording` is'),
  given: z
    .array(z.unknown())
    .optional()
    .describe("for a judge's second question: the claims it was asked about; absent if `wording` is"),
});
export type KeptAnswer = z.infer<typeof KeptAnswer>;

/** Kinds of answers. Files of `scores` are in the folder of a bank, and all other files are beside a record. */
export type KeptAnswerKind = 'claims' | 'annotations' | 'codings' | 'reflections' | 'scores';

/**
 * Returns the file of a model's answers, named after the model's identity. (Earlier versions named it after the model
 * string.) If the name has characters other than letters, digits, ".", "_" and "-", 8 digits of its hash are added, so
 * that no two models share a file.
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

/**
 * Returns the answers in a file, in the order of writing, without an incomplete last line. Throws RecordError for a
 * damaged line.
 */
export const readKeptAnswers = (file: string): KeptAnswer[] => readNdjson(file, KeptAnswer, migrateAnswer).rows;

/**
 * Returns the readable answers of a judge's file. Losing the answers about one match must not make a study unusable.
 *
 * @example readSoundAnswers('runs/a/claims.openai-gpt-4o.ndjson').damage // null
 */
export const readSoundAnswers = (file: string) => readSoundLines(file, KeptAnswer, migrateAnswer);

/** A file of answers, with the last answer to each question. */
interface LastAnswers {
  file: string;
  lines: KeptAnswer[];
}

/**
 * Reads all files of a kind in a record's folder; if the same question was asked again, the last answer counts.
 * `getQuestion`: returns the key that identifies the question. Throws RecordError for a damaged line.
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

/**
 * Returns the error for a file of answers that mentions a statement which the record does not have. `does`: verb for
 * what the file does to the statement.
 */
export const createStrayStatementError = (file: string, does: string, statement: string) =>
  new RecordError(
    `${file} ${does} statement "${statement}", which is not in the record beside it: the record or this file is damaged. Keep both: the answers count again once the damaged one is restored from a copy.`,
  );

interface KeptAnswers {
  append(line: KeptAnswer): void;
  close(): void;
}

/**
 * Opens the file to append to it. Throws RecordError if another process is writing it, or if it is damaged; `isLenient`
 * accepts unreadable lines. `append` and `close` throw RecordError if the disk is full or fails.
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
