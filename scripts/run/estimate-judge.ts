// Estimates the calls and tokens of a judge that reads matches as they end, for the dry run of `match` and
// `tournament`.
import { isMeantPlan, type JudgePlan } from '../../deception/claims/majority-claims.ts';
import type { DryRunListener, EstimatedUsage } from '../../graph/estimate.ts';
import { estimateAnnotation, sumUsage } from '../../graph/annotation/annotation-run.ts';
import { checkJudge, createJudgedMatch, surveyJudge } from '../../graph/annotation/llm-judge.ts';
import { listJudgeItems, listMostConfirmItems } from '../../graph/annotation/llm-judge-items.ts';
import type { Environment } from '../../models/model.ts';
import { addMissingKeys, normalizeModelSpec } from '../../models/providers/index.ts';
import { readRecord } from '../../models/record/recorder.ts';
import type { JudgeEstimate } from '../console/estimate-text.ts';
import { openModels } from './ask-judges.ts';

/** Counts the judge's questions about dry runs and about finished matches. */
export interface JudgeCounter {
  onRun: DryRunListener;
  /** Adds the judge's unanswered questions about a finished match in its folder. */
  addFinished(folder: string): void;
  /** Returns the total estimate. `left`: number of matches that are not played yet. */
  finish(left: number): JudgeEstimate;
}

/**
 * Opens a counter of the judge's questions; null without a judge. Makes no call, and needs no key. Throws a UsageError
 * for an invalid judge.
 *
 * @example
 * const counter = await openJudgeCounter('openai:gpt-4o', process.env);
 * await estimateMatches(set, { env, concurrency: 32, onRun: counter.onRun });
 * counter.finish(40).usage.calls; // of 40 matches
 */
export async function openJudgeCounter(judge: string | undefined, env: Environment): Promise<JudgeCounter | null> {
  if (judge === undefined) return null;
  const plan: JudgePlan = { models: [normalizeModelSpec(judge)] };
  const [name] = plan.models as [string];
  if (isMeantPlan(plan)) {
    const usage = { calls: 0, tokens: null, cost: 0 };
    return {
      onRun: () => undefined,
      addFinished: () => undefined,
      finish: () => ({ judge: name, usage, guard: usage }),
    };
  }
  const model = await openModels(name, addMissingKeys(name, env))(0);
  checkJudge(model);
  const ofRuns: SurveyedJudge[] = [];
  const ofFinished: SurveyedJudge[] = [];
  return {
    onRun: ({ events }, { manifest }) => {
      const { moments, table } = createJudgedMatch('', { manifest, events: [...events], answers: [] });
      ofRuns.push({
        left: estimateAnnotation(listJudgeItems(moments), model),
        guard: estimateAnnotation(listMostConfirmItems(moments, table), model),
      });
    },
    addFinished: (folder) =>
      void ofFinished.push(surveyJudge(createJudgedMatch(folder, readRecord(folder)), plan, model)),
    finish: (left) => {
      const scale = ofRuns.length === 0 ? 0 : left / ofRuns.length;
      const add = (part: keyof SurveyedJudge) =>
        sumUsage([scaleUsage(sumUsage(ofRuns.map((one) => one[part])), scale), ...ofFinished.map((one) => one[part])]);
      return { judge: name, usage: add('left'), guard: add('guard') };
    },
  };
}

/** A judge's questions, and the maximum number of questions that its guard can add. */
interface SurveyedJudge {
  left: EstimatedUsage;
  guard: EstimatedUsage;
}

const scaleUsage = ({ calls, tokens, cost }: EstimatedUsage, scale: number): EstimatedUsage => ({
  calls: Math.round(calls * scale),
  tokens: tokens && { in: Math.round(tokens.in * scale), out: Math.round(tokens.out * scale) },
  cost: cost === null ? null : cost * scale,
});
