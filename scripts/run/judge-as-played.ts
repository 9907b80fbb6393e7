// Judges matches as they end: `--judge` of `match`, and the judge of a tournament's plan.
import { checkJudgePlan, formatJudges, isMeantPlan, type JudgePlan } from '../../deception/claims/majority-claims.ts';
import { openConcurrentRun } from '../../graph/annotation/annotation-run.ts';
import {
  checkJudge,
  createJudgedMatch,
  judgeMatch,
  type JudgeOptions,
  type OpenJudge,
} from '../../graph/annotation/llm-judge.ts';
import { checkPrices } from '../../graph/play-match.ts';
import type { MatchEnd, SetListener } from '../../graph/play-matches.ts';
import { type Budget, createBudget } from '../../models/budget.ts';
import type { CallLimits } from '../../models/call-limits.ts';
import { normalizeModelSpec } from '../../models/providers/index.ts';
import { formatMoney, pluralize, sanitizeText } from '../../report/format.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { addFigures, countCalls, countSpent, hasTerminal, nothingSpent } from '../console/progress.ts';
import { type CommandIO, describeError } from '../command/command-line.ts';
import { openModels, runOrLeaveOut } from './ask-judges.ts';

/** A judge that reads each match as soon as it ends, while other matches are still played. */
export interface MatchJudging {
  plan: JudgePlan;
  /** Joint budget of players and judge. Pass it to the code that plays the matches. */
  budget: Budget;
  /** Wraps a set's listener, so that each finished match is also judged. */
  listen(listener: SetListener): SetListener;
  /**
   * Waits for all answers, and describes the number of judged matches and the cost. Throws the error that stopped the
   * judge. Answers received before stay cached.
   */
  finish(): Promise<string>;
}

/**
 * Opens the judge before anything is played. If the provider or the cap stops the judge, the matches continue. Throws a
 * UsageError for a judge that cannot be asked: a bot, a judge without a key, or a judge without a price under a cap.
 * `budget`: by default one of `limits.maxCost`.
 *
 * @example
 * const judging = await openMatchJudging('openai:gpt-4o', { maxCost: 20 }, { env, signal, stderr });
 * await playMatches(set, { budget: judging.budget, ...judging.listen(listener) });
 * await judging.finish(); // 'openai:gpt-4o has judged 40 matches: 1,204 calls; USD 2.1000.'
 */
export async function openMatchJudging(
  judge: string,
  limits: CallLimits,
  { signal, ...io }: CommandIO & { signal: AbortSignal },
  budget: Budget = createBudget(limits.maxCost ?? null),
): Promise<MatchJudging> {
  const plan: JudgePlan = { models: [normalizeModelSpec(judge)] };
  checkJudgePlan(plan);
  const { env, stderr } = io;
  const open = isMeantPlan(plan) ? null : await openJudge(plan, limits, env);
  const run = openConcurrentRun({ ...limits, budget });
  const warn = (message: string) => void stderr.write(`${describeError(message, env)}\n`);
  let spent = nothingSpent;
  let judged = 0;
  let progress: ReturnType<typeof countCalls> | null = null;
  const onAnswer: JudgeOptions['onAnswer'] = (line, isRecorded) => {
    if (isRecorded) return;
    spent = addFigures(spent, countSpent(line));
    progress?.answer(line);
  };
  const judgeFolder = (folder: string, open: OpenJudge) =>
    run.add(async (shared) => {
      const options = { ...shared, env, signal, onWarning: warn, onAnswer };
      const isJudged = await runOrLeaveOut(folder, 'Not judged', { stderr }, () => {
        const match = createJudgedMatch(folder, readRecord(folder));
        return judgeMatch(match, plan, open, options);
      });
      judged += isJudged ? 1 : 0;
    });
  return {
    ...{ plan, budget },
    listen: (listener) => ({
      ...listener,
      onEnd: async (end: MatchEnd, place) => {
        await listener.onEnd?.(end, place);
        if (open !== null && 'summary' in end && end.folder !== null) judgeFolder(end.folder, open);
      },
    }),
    finish: async () => {
      if (open === null) return `${formatJudges(plan)} reads the bots’ own records and makes no calls.`;
      progress = countCalls(hasTerminal(io), (line) => void io.stderr.write(`${line}\n`));
      try {
        await run.finish();
      } finally {
        progress.stop();
      }
      const took =
        spent.calls === 0
          ? 'all questions were already answered'
          : `${pluralize(spent.calls, 'call')}; ${spent.cost === null ? 'cost unknown' : formatMoney(spent)}`;
      return `${sanitizeText(formatJudges(plan))} has judged ${pluralize(judged, 'match', 'matches')}: ${took}.`;
    },
  };
}

/** Opens the judge's model at temperature 0, once. */
async function openJudge({ models }: JudgePlan, { maxCost }: CallLimits, env: CommandIO['env']): Promise<OpenJudge> {
  const [name] = models as [string];
  const model = await openModels(name, env)(0);
  checkJudge(model);
  if (maxCost !== undefined) checkPrices({ judge: { choice: model, talk: model } }, maxCost);
  return () => Promise.resolve(model);
}
