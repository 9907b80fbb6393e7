// Answers as they stand in the queue: JSON lines, each with the reading of its match, since the queue keeps no manifests.
import { openRecorder } from '../../models/record/recorder.ts';
import { type AnswerLine, formatCallKey, type Manifest, type Reading } from '../../state/record.ts';

/** An answer's key and line in the queue. */
export const formatQueuedAnswer = (answer: AnswerLine, reading: Reading) => ({
  call: formatCallKey(answer),
  line: JSON.stringify({ ...answer, reading }),
});

/** The manifest with the reading by which its match was begun; lines of before schema 4 name none. */
export function keepReading(manifest: Manifest, lines: readonly string[]): Manifest {
  if (lines.length === 0) return manifest;
  const { reading, ...rest } = manifest;
  const isBegunBefore = lines.some((line) => ((JSON.parse(line) as { reading?: Reading }).reading ?? 1) === 1);
  return isBegunBefore || reading === undefined ? rest : { ...rest, reading };
}

/** @example parseQueuedAnswer(formatQueuedAnswer(answer, 2).line) // answer */
export function parseQueuedAnswer(text: string): AnswerLine {
  const { reading, ...line } = JSON.parse(text) as AnswerLine & { reading?: Reading };
  void reading;
  return line;
}

/** Writes the answers of earlier attempts into the folder of a match, as its own recorder would have. */
export function writeQueuedAnswers(
  folder: string,
  manifest: Manifest,
  lines: readonly string[],
  warn: (words: string) => void,
): void {
  if (lines.length === 0) return;
  const recorder = openRecorder(folder, manifest, warn);
  try {
    for (const line of lines) recorder.put(parseQueuedAnswer(line));
  } finally {
    recorder.close();
  }
}
