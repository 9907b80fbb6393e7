// The options that limit a command's calls to models.
import type { Command } from 'commander';
import type { CallLimits } from '../../models/call-limits.ts';
import { createReader, explainPercent, readCost } from './command-line.ts';

const readShare = createReader('a number from 0 to 1', (value) => value >= 0 && value <= 1, explainPercent);
const readWait = createReader('a number from 0 to 86400', (value) => value >= 0 && value <= 86_400);
const readConcurrency = createReader(
  'a whole number from 1 to 1000',
  (value) => Number.isSafeInteger(value) && value >= 1 && value <= 1000,
);

/** Reads an amount in USD, or `none` (Infinity) to remove a cap. */
const readCap = (text: string) => (text === 'none' ? Infinity : readCost(text));

/** Limit → help text of its option in a command. The command has no option for a limit without a text. */
export interface LimitWords {
  maxCost?: string;
  maxFallbacks?: string;
  maxWait?: string;
  concurrency?: string;
  /** Whether `--max-cost none` is allowed. */
  isCapOptional?: true;
}

/** Descriptions for commands that play matches. */
export const matchLimitWords = {
  maxCost: 'start no call once this much is spent, over all matches',
  maxFallbacks:
    'stop the matches of a model once more than this share of its questions (at least 20) has no readable answer; 1: never (default: 0.25)',
  maxWait:
    'stop if a provider asks to wait longer than this (default: 120 if it is down, six hours for its rate limit)',
  concurrency: 'maximum number of concurrent calls to one server, over all matches (default: 32)',
} as const;

/** Descriptions for commands that ask models about recorded matches. */
export const recordLimitWords = {
  maxCost: 'start no call once this much is spent, over all these records',
  maxFallbacks:
    'stop once more than this share of a model’s questions has no readable answer (default: 0.25, from 20 questions on)',
  maxWait: matchLimitWords.maxWait,
  concurrency: 'maximum number of concurrent calls to one server (default: 32)',
} as const;

/**
 * Adds the options that have a help text. Their values form `CallLimits`; `selectLimits` picks them from all options of
 * a command.
 *
 * @example addLimitOptions(createCommand('annotate', about, io), recordLimitWords)
 */
export function addLimitOptions(
  program: Command,
  { maxCost, maxFallbacks, maxWait, concurrency, isCapOptional = undefined }: LimitWords,
): Command {
  if (maxCost !== undefined) program.option('--max-cost <usd>', maxCost, isCapOptional ? readCap : readCost);
  if (maxFallbacks !== undefined) program.option('--max-fallbacks <share>', maxFallbacks, readShare);
  if (maxWait !== undefined) program.option('--max-wait <seconds>', maxWait, readWait);
  if (concurrency !== undefined) program.option('--concurrency <n>', concurrency, readConcurrency);
  return program;
}

/** Formats the given options for a printed command. */
export const formatLimits = ({ maxCost, maxFallbacks, maxWait, concurrency }: CallLimits): string[] => [
  ...(concurrency === undefined ? [] : [`--concurrency ${concurrency}`]),
  ...(maxCost === undefined ? [] : [`--max-cost ${maxCost}`]),
  ...(maxFallbacks === undefined ? [] : [`--max-fallbacks ${maxFallbacks}`]),
  ...(maxWait === undefined ? [] : [`--max-wait ${maxWait}`]),
];
