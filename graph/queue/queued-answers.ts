// Answers in the queue: JSON lines. Each line also states the version of the rules by which its match's answers are
// parsed, because the queue has no manifests.
import { RecordError } from '../../models/record/ndjson.ts';
import { openRecorder } from '../../models/record/recorder.ts';
import { formatCommand } from '../../state/command-name.ts';
import { AnswerLine, formatCallKey, latestReading, type Manifest, type Reading } from '../../state/record.ts';
import { parseJson } from '../../state/text.ts';
import { z } from 'zod';

/** Returns an answer's key and line in the queue. */
export const formatQueuedAnswer = (answer: AnswerLine, reading: Reading) => ({
  call: formatCallKey(answer),
  line: JSON.stringify({ ...answer, reading }),
});

const QueuedLine = AnswerLine.extend({ reading: z.literal([1, latestReading]).default(1) });

/** Answers of one match, with the version of the parsing rules under which it began. */
export interface QueuedAnswers {
  answers: readonly AnswerLine[];
  reading: Reading;
}

/**
 * Parses the lines of a match. Throws RecordError, which names the match `name`, for an unreadable line: anybody with
 * write access to the database could have changed it.
 *
 * @example parseQueuedAnswers([formatQueuedAnswer(answer, 2).line], 'classic-8-1-0f3a9c1d').answers // [answer]
 */
export function parseQueuedAnswers(lines: readonly string[], name: string): QueuedAnswers {
  const read = lines.map((line) => {
    const { data } = QueuedLine.safeParse(parseJson(line));
    if (data === undefined)
      throw new RecordError(
        `The database holds an unreadable answer of the match ${name}. To discard the stored answers of this match and play it again: ${formatCommand('tournament', 'PLAN', '--requeue', name)}`,
      );
    return data;
  });
  return {
    answers: read.map(dropReading),
    reading: read.every(({ reading }) => reading !== 1) ? latestReading : 1,
  };
}

function dropReading({ reading, ...answer }: z.infer<typeof QueuedLine>): AnswerLine {
  void reading;
  return answer;
}

/**
 * Returns the manifest with the parsing version under which its match began. Lines from before schema 4 do not name a
 * version.
 */
export function keepReading(manifest: Manifest, { answers, reading: begun }: QueuedAnswers): Manifest {
  if (answers.length === 0) return manifest;
  const { reading, ...rest } = manifest;
  return begun === 1 || reading === undefined ? rest : { ...rest, reading };
}

/** Writes the answers of earlier attempts into the folder of a match, in the form of a recorder. */
export function writeQueuedAnswers(
  folder: string,
  manifest: Manifest,
  answers: readonly AnswerLine[],
  warn: (words: string) => void,
): void {
  if (answers.length === 0) return;
  const recorder = openRecorder(folder, manifest, warn);
  try {
    for (const answer of answers) recorder.put(answer);
  } finally {
    recorder.close();
  }
}
