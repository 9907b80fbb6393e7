// Answers about a finished record, kept beside it: one line a call, appended as the answers come.
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { migrateAnswer } from '../../state/record-migrations.ts';
import { AnswerLine } from '../../state/record.ts';
import { takeLock } from './lock.ts';
import { truncateTornLine, openNdjson, readNdjson } from './ndjson.ts';

/** A line of `claims.<judge>.ndjson` and `annotations.<model>.ndjson`. */
export const KeptAnswer = z.strictObject({
  ...AnswerLine.shape,
  statements: z.array(z.string()).min(1).describe('ids of the statements that were judged'),
  repeat: z.number().int().min(1).describe('which of several times the same was asked, from 1; 1 for the judge'),
});
export type KeptAnswer = z.infer<typeof KeptAnswer>;

export type KeptKind = 'claims' | 'annotations';

/**
 * The file of a model's answers beside a record: `annotations.openai-gpt-4o.ndjson`. A model string with anything but
 * letters, digits and ".", "_", "-" after its provider has 8 digits of its hash besides, so that none stands for two.
 */
export function getKeptFile(folder: string, kind: KeptKind, model: string): string {
  const plain = model.replace(':', '-').replace(/[^\w.-]+/g, '-');
  const isSame = /^\w+:[\w.-]+$/.test(model) && plain.length <= longestName;
  const hash = createHash('sha256').update(model).digest('hex').slice(0, 8);
  return path.join(folder, `${kind}.${isSame ? plain : `${plain.slice(0, longestName)}.${hash}`}.ndjson`);
}

const longestName = 100;

/** In the order in which they came. A torn last line is left out. Throws RecordError for a line that is damaged. */
export const readKept = (file: string): KeptAnswer[] => readNdjson(file, KeptAnswer, migrateAnswer).rows;

export interface KeptAnswers {
  append(line: KeptAnswer): void;
  close(): void;
}

/**
 * Opens the file to append to it. Throws RecordError where it is damaged or another process writes it; its `append` and
 * `close` where the disk takes no more.
 */
export function openKept(file: string, warn: (message: string) => void): KeptAnswers {
  const release = takeLock(`${file}.lock`, 'writing the answers beside it');
  try {
    const contents = readNdjson(file, KeptAnswer, migrateAnswer);
    if (contents.tornBytes > 0 && existsSync(file)) {
      truncateTornLine(file, contents, statSync(file).size);
      warn(`${file}: the last line was cut off in the middle; it is dropped and its call made again.`);
    }
    const lines = openNdjson(file, 'append');
    return {
      append: (line) => lines.append([line]),
      close: () => {
        try {
          lines.close();
        } finally {
          release();
        }
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
