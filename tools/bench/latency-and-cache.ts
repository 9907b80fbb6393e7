// Figures read from the records of matches: latencies of a round, and the share of a prompt cache.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sum } from '../../deception/statistics/sums.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { type AnswerLine, type CallKey, formatCallKey, recordFiles } from '../../state/record.ts';
import { powers } from '../../state/roles/index.ts';
import type { RatioRuns } from './cpu-ratio.ts';
import { type BenchFigure, roundTo } from './bench-figure.ts';
import { type ChatRequest, charactersPerToken } from './servers.ts';

/**
 * The number of calls in the longest chain of which each began when the one before had ended. Calls that wait for
 * nothing but each other's wave overlap, and count once.
 */
export function countLatencies(calls: readonly Pick<AnswerLine, 'started_at' | 'ms'>[]): number {
  const times = calls.map(({ started_at, ms }) => ({ from: Date.parse(started_at), to: Date.parse(started_at) + ms }));
  let count = 0;
  let reached = -Infinity;
  for (const { from, to } of times.sort((one, other) => one.to - other.to)) {
    if (from < reached) continue;
    count += 1;
    reached = to;
  }
  return count;
}

/** The latencies of each round that ended with everybody's summary, without a second round of proposals at night. */
export function countRoundLatencies(answers: readonly AnswerLine[]): number[] {
  const verbs = powers.map(({ verb }) => verb);
  return [...Map.groupBy(answers, ({ round }) => round).values()]
    .filter((calls) => calls.some(({ action }) => action === 'summarize'))
    .map((calls) => countLatencies(calls.filter(({ action, step }) => !(verbs.includes(action) && step > 0))));
}

export interface SentPrompt extends Pick<ChatRequest, 'messages'> {
  /** Milliseconds on any clock. */
  sentAt: number;
  answeredAt: number;
}

/** OpenAI's cache, and those of others are no coarser: the shortest prefix that is kept, and its steps. In tokens. */
const cache = { least: 1024, step: 128 };

/**
 * Tokens of the prompts of a match, and of these those that stand in the longest prefix that a prompt shares with any
 * other that had been answered when it was sent. All players are taken to have the same model.
 */
export function countCached(prompts: readonly SentPrompt[]): { tokens: number; cached: number } {
  const joined = prompts.map((prompt) => ({
    ...prompt,
    text: prompt.messages.map(({ role, content }) => `${role}\n${content}\n`).join(''),
  }));
  const cached = joined.map(({ text, sentAt }) => {
    const earlier = joined.filter(({ answeredAt }) => answeredAt <= sentAt);
    return roundToServed(Math.max(0, ...earlier.map((other) => measureSharedPrefix(text, other.text))));
  });
  return { tokens: sum(joined.map(({ text }) => Math.ceil(text.length / charactersPerToken))), cached: sum(cached) };
}

/** Tokens that the cache serves of a shared prefix of so many characters. */
export function roundToServed(characters: number): number {
  const tokens = Math.floor(characters / charactersPerToken);
  return tokens < cache.least ? 0 : tokens - (tokens % cache.step);
}

/** Characters that two texts begin with in common. */
export function measureSharedPrefix(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length++;
  return length;
}

/** The prompts of a finished match with the times at which they were sent and answered. */
function readPrompts(folder: string): SentPrompt[] {
  const answers = new Map(readRecord(folder).answers.map((line) => [formatCallKey(line), line]));
  const lines = gunzipSync(readFileSync(path.join(folder, recordFiles.prompts))).toString();
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { messages, ...key } = JSON.parse(line) as CallKey & Pick<SentPrompt, 'messages'>;
      const { started_at, ms } = answers.get(formatCallKey(key))!;
      const sentAt = Date.parse(started_at);
      return { messages, sentAt, answeredAt: sentAt + ms };
    });
}

export const computeLatencies = (all: readonly RatioRuns[]): BenchFigure[] =>
  all.flatMap(({ variant: { name, latencies }, folders }) => {
    if (latencies === undefined) return [];
    const counts = folders.flatMap((folder) => countRoundLatencies(readRecord(folder).answers));
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    const text = counts.length === 0 ? '–' : least === most ? String(most) : `${least} to ${most}`;
    return {
      what: 'Latencies of a full round',
      target: { atMost: latencies, text: String(latencies) },
      values: [{ name, text, number: counts.length === 0 ? null : most }],
    };
  });

export const computeCacheShare = (all: readonly RatioRuns[]): BenchFigure => ({
  what: 'Prompt tokens from a cache',
  target: { atLeast: 70, text: '70 %' },
  values: all.map(({ variant: { name }, folders }) => {
    const counts = folders.map((folder) => countCached(readPrompts(folder)));
    const share = sum(counts.map(({ cached }) => cached)) / sum(counts.map(({ tokens }) => tokens));
    return { name, ...roundTo(1, 100 * share, ' %') };
  }),
});
