// Estimates, from the record of a finished match, the cost of calls whose provider reported no tokens.
import path from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { type CallKey, formatCallKey, recordFiles } from '../../state/record.ts';
import { getDisk } from '../machine/machine.ts';
import type { PromptMessage, SeatModels } from '../model.ts';
import { estimateMessages, estimateTokens } from '../context-trimming.ts';
import { estimateCost } from '../providers/prices.ts';
import { checkNoLink } from './ndjson.ts';
import { readRecord } from './recorder.ts';

/**
 * USD. Where a prompt cannot be read, its answer alone counts: nothing else needs the prompts of a finished match, so a
 * damaged file of prompts is no error. Throws RecordError where the answers are damaged.
 */
export function estimateUnknownCost(folder: string, seats: Readonly<Record<string, SeatModels>>): number {
  const unknown = readRecord(folder).answers.filter(({ cost }) => cost === null);
  const wanted = new Set(unknown.map(formatCallKey));
  const tokensIn = new Map(readPromptTokens(path.join(folder, recordFiles.prompts), wanted));
  const costs = unknown.map((answer) => {
    const { price = null } = seats[answer.player]?.talk ?? {};
    return estimateCost(tokensIn.get(formatCallKey(answer)) ?? 0, estimateTokens(answer.raw), price);
  });
  return costs.reduce((total, cost) => total + cost, 0);
}

/** Call → estimated tokens of its prompt, as far as the file can be read. */
function readPromptTokens(file: string, wanted: ReadonlySet<string>): [string, number][] {
  return readUnzipped(file)
    .split('\n')
    .flatMap((line) => {
      try {
        const { messages, ...key } = JSON.parse(line) as CallKey & { messages: PromptMessage[] };
        const name = formatCallKey(key);
        return wanted.has(name) ? [[name, estimateMessages(messages)]] : [];
      } catch {
        return []; // the empty end, or a torn line
      }
    });
}

/** The text of a gzipped file that may be cut off, as far as it goes. */
function readUnzipped(file: string): string {
  try {
    const disk = getDisk();
    checkNoLink(file);
    return disk.exists(file)
      ? gunzipSync(disk.read(file), { finishFlush: constants.Z_SYNC_FLUSH }).toString('utf8')
      : '';
  } catch {
    return '';
  }
}
