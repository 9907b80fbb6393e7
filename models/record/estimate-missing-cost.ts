// What the calls of a finished match may have cost whose provider did not say, estimated from its record.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { type CallKey, formatCallKey, recordFiles } from '../../state/record.ts';
import type { PromptMessage } from '../model.ts';
import { estimateMessages, estimateTokens } from '../context-window.ts';
import type { SeatModels } from '../model-client.ts';
import { estimateCost } from '../providers/prices.ts';
import { readRecord } from './recorder.ts';

/**
 * USD. Where a prompt cannot be read any more, its answer alone counts: no figure but this one needs the prompts, and
 * a match that is over is not lost for them. Throws RecordError where the answers are damaged.
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

/** Names of calls with the tokens of their prompts, as far as the file can be read. */
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

/** As far as the file goes: it may be torn. */
function readUnzipped(file: string): string {
  try {
    return existsSync(file)
      ? gunzipSync(readFileSync(file), { finishFlush: constants.Z_SYNC_FLUSH }).toString('utf8')
      : '';
  } catch {
    return '';
  }
}
