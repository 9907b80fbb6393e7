// Plays the unfinished forks of a study, and reports progress.
import { createForks, createForkSet, type NameModel, type PlannedFork } from '../../graph/fork/fork-set.ts';
import { playMatches } from '../../graph/play-matches.ts';
import type { Budget } from '../../models/budget.ts';
import type { CallLimits } from '../../models/call-limits.ts';
import { getDisk, getMachine } from '../../models/machine/machine.ts';
import { pluralize } from '../../report/format.ts';
import { type CommandIO, describeError, exitCodes, printError } from '../command/command-line.ts';
import { getForksFolder } from './fork-study.ts';

interface ForkPlay {
  out: string;
  limits: CallLimits;
  /** Budget shared by all forks of the study. */
  budget: Budget;
  nameModel: NameModel;
  isQuiet: boolean;
}

/** Approximate number of progress lines. */
const toldSteps = 10;

/**
 * Plays forks to their ends; finished forks are only read. Returns the exit code, which is not 0 if any is unfinished.
 * Throws if no fork could begin.
 */
export async function playForks(
  forks: readonly PlannedFork[],
  { out, limits, budget, nameModel, isQuiet }: ForkPlay,
  io: CommandIO,
): Promise<number> {
  const [first, ...others] = forks;
  if (first === undefined) return exitCodes.done;
  const folder = getForksFolder(out);
  getDisk().makeFolder(folder);
  const signal = io.listenToSignals();
  io.step?.('forks finished', 0, forks.length);
  await createForks(forks, folder, { env: io.env, now: getMachine().clock.now(), nameModel });
  const tell = (line: string) => void (isQuiet || io.stdout.write(`${line}\n`));
  const step = Math.ceil(forks.length / toldSteps);
  let over = 0;
  const result = await playMatches(createForkSet([first, ...others], nameModel), {
    ...limits,
    ...{ out: folder, env: io.env, signal, budget, mixWordings: true },
    onSurveyed: ({ matches }) => {
      if (matches < forks.length)
        tell(`${forks.length - matches} of ${pluralize(forks.length, 'fork')} are already finished.`);
    },
    onBegin: () => ({ onWarning: (message) => void io.stderr.write(`${describeError(message, io.env)}\n`) }),
    onEnd: (end) => {
      if ('error' in end) {
        if (!signal.aborted) io.stderr.write(`${end.id}: ${describeError(end.error, io.env)}\n`);
        return;
      }
      over += 1;
      io.step?.('forks finished', over, forks.length);
      if (!end.isPlayed) return;
      if (over % step === 0 || over === forks.length)
        tell(`${over} of ${pluralize(forks.length, 'fork')} are finished.`);
    },
  });
  const left = result.stopped + result.waiting;
  if (left === 0) return exitCodes.done;
  const words = `${pluralize(left, 'fork')} of ${forks.length} ${left === 1 ? 'is' : 'are'} not finished. Run the same command again to resume.`;
  if (result.reason !== null) return printError(result.reason, io, words);
  io.stderr.write(`${words}\n`);
  return exitCodes.other;
}
