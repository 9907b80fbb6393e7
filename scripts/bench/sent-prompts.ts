// The prompts of a recorded match with the times at which they were sent and answered.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readRecord } from '../../models/record/recorder.ts';
import { callName, recordFiles, type CallKey } from '../../state/record.ts';
import type { SentPrompt } from './prompt-cache.ts';

/** Throws where the folder holds no finished match. */
export function sentPrompts(folder: string): SentPrompt[] {
  const answers = new Map(readRecord(folder).answers.map((line) => [callName(line), line]));
  const lines = gunzipSync(readFileSync(path.join(folder, recordFiles.prompts)))
    .toString()
    .trimEnd()
    .split('\n');
  return lines.map((line) => {
    const { messages, ...key } = JSON.parse(line) as CallKey & Pick<SentPrompt, 'messages'>;
    const { started_at, ms } = answers.get(callName(key))!;
    const sentAt = Date.parse(started_at);
    return { action: key.action, messages, sentAt, answeredAt: sentAt + ms };
  });
}
