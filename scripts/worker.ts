// Plays matches of tournaments that are queued in a database: `npm run worker -- --database postgres://…`.
import type { WorkerEvent } from '../graph/queue/tournament-worker.ts';
import {
  allowKeyOption,
  type CommandIO,
  createCommand,
  describeError,
  exitCodes,
  modelsFileOption,
  readCount,
  runScript,
} from './command/command-line.ts';
import { addLimitOptions, matchLimitWords, recordLimitWords } from './command/limit-options.ts';
import type { CallLimits } from '../models/call-limits.ts';
import { databaseOption, requireDatabase, useDatabase } from './command/database-option.ts';
import { nameCommand } from '../state/command-name.ts';
import { sanitizeText } from '../report/format.ts';

interface Flags extends CallLimits {
  database?: string;
  models?: string;
  tournament?: string;
  matches?: number;
  stay?: boolean;
  quiet?: boolean;
  allowKey?: readonly string[];
}

const about =
  'Play matches of queued tournaments, next to any number of other workers, until none is left. If a worker dies, others resume its matches. See docs/guides/many-machines.md.';

/** Help texts of the limits. A worker has no cost cap of its own, because the queue holds one cap for all workers. */
const limitWords = {
  maxFallbacks: matchLimitWords.maxFallbacks.replace('questions', 'questions here'),
  maxWait: matchLimitWords.maxWait.replace(
    'stop if a provider asks to wait longer than this',
    'treat a provider that asks to wait longer than this as down',
  ),
  concurrency: recordLimitWords.concurrency,
};

const formatHelp = () => `
The queue holds names of models and the options that shape their answers.
Addresses, key variables, prices and limits come from this machine's models
file.

Examples:
  WOLFGRAPH_DATABASE=postgres://… ${nameCommand('worker')} --models models.yaml
  ${nameCommand('worker')} --database postgres://… --tournament frontier --stay

Exit codes: 0 nothing left that this machine can play, 2 wrong usage or nothing
that it can play, 3 provider failure, 4 budget reached, 1 another error, 129 and
above stopped by a signal (other workers play its matches).`;

/** Runs the command. `minuteMs`: duration in milliseconds of a rate limit's minute. Measurements shorten it. */
export async function runWorkerCommand(argv: readonly string[], io: CommandIO, minuteMs?: number): Promise<number> {
  const program = addLimitOptions(
    createCommand('worker', about, io)
      .option(...databaseOption)
      .option(...modelsFileOption)
      .option(...allowKeyOption)
      .option('--tournament <name>', 'play only this tournament (default: all, oldest first)')
      .option('--matches <n>', 'maximum number of concurrent matches (default: 8)', readCount),
    limitWords,
  )
    .option('--stay', 'wait for further tournaments when nothing is left')
    .option('--quiet', 'print errors only')
    .addHelpText('after', formatHelp)
    .parse(argv, { from: 'user' });
  const { database: typed, models, stay = false, quiet = false, ...flags } = program.opts<Flags>();
  const { allowKey, ...limits } = flags;
  void allowKey; // already read when the command started
  const address = requireDatabase(typed, io.env, 'A worker');
  const { readModelsFile } = await import('../models/providers/models-file.ts');
  const { runWorker } = await import('../graph/queue/worker.ts');
  const { defaultWorkerMatches } = await import('../graph/queue/tournament-worker.ts');
  const named = models === undefined ? new Map<string, string>() : readModelsFile(models);
  const signal = io.listenToSignals();
  await io.boundHeap?.(limits.matches ?? defaultWorkerMatches);
  const tell = (line: string) => void (quiet || io.stdout.write(`${sanitizeText(line)}\n`));
  const warned = new Set<string>();
  const warn = (words: string) => {
    if (!warned.has(words)) io.stderr.write(`${sanitizeText(words)}\n`);
    warned.add(words);
  };
  const { finished, failed, refusals, stopped } = await useDatabase(
    address,
    { io, signal, isWorker: true },
    (database) =>
      runWorker(database, {
        ...{ named, env: io.env, signal, isStaying: stay, minuteMs, ...limits },
        onEvent: (event) => {
          const line = describeEvent(event, io);
          if (event.kind === 'opened' || event.kind === 'finished') tell(line);
          else warn(line);
        },
      }),
  );
  tell(`${finished} matches finished here${failed === 0 ? '' : `, ${failed} failed`}.`);
  signal.throwIfAborted();
  if (stopped?.kind === 'budget') return exitCodes.budget;
  if (stopped?.kind === 'provider') return exitCodes.provider;
  if (failed > 0) return exitCodes.other;
  return refusals.length > 0 && finished === 0 ? exitCodes.usage : exitCodes.done;
}

function describeEvent(event: WorkerEvent, { env }: CommandIO): string {
  const { tournament } = event;
  switch (event.kind) {
    case 'opened':
      return `${tournament}: ${event.left} matches left.`;
    case 'finished':
      return `${tournament}: ${event.match} is finished.`;
    case 'taken-over':
      return `${tournament}: ${event.match} was taken over by another worker, because this one gave no sign of life.`;
    case 'stopped':
      return `${tournament} is stopped: ${describeError(event.words, env)}`;
    case 'held':
      return `${tournament}: matches wait until the provider answers again. ${describeError(event.error, env)}`;
    case 'failed':
      return `${tournament}: ${event.match} failed. ${describeError(event.error, env)}`;
    case 'left':
      return `${tournament} is left to other workers. ${describeError(event.error, env)}`;
    case 'refused':
      return describeError(event.error, env);
    case 'warning':
      return describeError(event.words, env);
  }
}

if (import.meta.main) await runScript((argv, io) => runWorkerCommand(argv, io));
