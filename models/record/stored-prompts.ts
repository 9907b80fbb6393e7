// Reads the prompts of a match and compares each with the hash in its answer. The chain of answers is sealed and
// checked whenever a record is read, so a prompt with that hash is the prompt that was sent.
import path from 'node:path';
import { z } from 'zod';
import { type AnswerLine, type CallKey, formatCallKey, recordFiles, type Seal } from '../../state/record.ts';
import { parseJson } from '../../state/text.ts';
import { hashMessages } from '../call-model.ts';
import { UnusableFile } from '../machine/disk.ts';
import { getDisk } from '../machine/machine.ts';
import { unpackLines } from '../machine/unpack.ts';
import { isForeignLink } from './ndjson.ts';
import { findBrokenFile } from './seal.ts';

const StoredLine = z.object({
  ...{ round: z.number(), step: z.number(), action: z.string(), player: z.string(), attempt: z.number() },
  messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })),
});

/** A prompt as stored in its file. */
export interface StoredPrompt extends z.infer<typeof StoredLine> {
  /** Whether the prompt's hash equals the hash recorded with the answer. */
  isSealed: boolean;
}

export interface StoredPrompts {
  prompts: StoredPrompt[];
  /** Fault of the file, in one sentence that names the file. Null if the file contains the prompts that were sent. */
  fault: string | null;
}

/** Limits in bytes of the file, of a line and of the uncompressed whole. The longest match needs less. */
const most = { file: 256 * 2 ** 20, line: 2 ** 23, unpacked: 2 ** 30 };

interface SealedMatch {
  answers: readonly AnswerLine[];
  isFinished: boolean;
  seal: Seal | null;
}

/**
 * Reads the prompts of a match, as far as they are readable. Checks all prompts, and returns the prompts that
 * `isWanted` selects. A match that is not over has no prompts. Does not throw for a damaged file: `fault` describes the
 * damage.
 *
 * @example const { prompts, fault } = await readStoredPrompts('runs/a', readRecord('runs/a'));
 */
export async function readStoredPrompts(
  folder: string,
  { answers, isFinished, seal }: SealedMatch,
  isWanted: (key: CallKey) => boolean = () => true,
): Promise<StoredPrompts> {
  const file = path.join(folder, recordFiles.prompts);
  const prompts: StoredPrompt[] = [];
  const missing = findPromptsFault(folder, { seal });
  if (!getDisk().exists(file)) return { prompts, fault: isFinished ? missing : null };
  const hashes = new Map(answers.map((line) => [formatCallKey(line), line.prompt_sha256]));
  let [forged, sound] = [0, 0];
  try {
    if (isForeignLink(file))
      throw new UnusableFile('ENOTSUP', `${file} is a link; files of a record must not be links.`);
    const packed = getDisk().read(file, most.file);
    for await (const line of unpackLines(packed, { longest: most.line, most: most.unpacked })) {
      if (line === '') continue;
      const prompt = StoredLine.parse(parseJson(line));
      const name = formatCallKey(prompt);
      const isSealed = hashes.get(name) === hashMessages(prompt.messages);
      hashes.delete(name); // each call sent one prompt, so a second one in the file is not sealed
      if (isSealed) sound += 1;
      else forged += 1;
      if (isWanted(prompt)) prompts.push({ ...prompt, isSealed });
    }
  } catch (error) {
    return { prompts, fault: describeDamage(file, error as Error) };
  }
  const lacking = hashes.size;
  const told = [
    ...(forged > 0 ? [`${forged} of its ${forged + sound} prompts are not those that were sent`] : []),
    ...(isFinished && lacking > 0 ? [`${lacking} of ${answers.length} are missing`] : []),
  ];
  return { prompts, fault: told.length === 0 ? null : `${file} differs from the record: ${told.join(', ')}.` };
}

function describeDamage(file: string, error: Error): string {
  if (error instanceof UnusableFile) return error.message;
  const why = error instanceof RangeError ? error.message : 'It cannot be unpacked and read as prompts.';
  return `${file} is damaged. ${why}`;
}

/**
 * Returns the fault of the file of prompts as a whole, without reading prompts. Null if the file matches its seal, or
 * if there is no seal.
 */
export function findPromptsFault(folder: string, { seal }: { seal: Seal | null }): string | null {
  if (!seal || !Object.hasOwn(seal.files, recordFiles.prompts)) return null;
  const fault = findBrokenFile(folder, recordFiles.prompts, seal.files[recordFiles.prompts]!);
  return fault === null ? null : `${fault}.`;
}
