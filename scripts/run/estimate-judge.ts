// Estimates the use of a judge that reads matches as they end, for the dry run of `match` and `tournament`.
import { isMeantPlan, type JudgePlan } from '../../deception/claims/majority-claims.ts';
import type { DryRunListener, EstimatedUsage } from '../../graph/estimate.ts';
import { estimateAnnotation, sumUsage } from '../../graph/annotation/annotation-run.ts';
import { checkJudge, createJudgedMatch, surveyJudge } from '../../graph/annotation/llm-judge.ts';
import { listJudgeItems } from '../../graph/annotation/llm-judge-items.ts';
import type { Environment } from '../../models/model.ts';
import { addMissingKeys, normalizeModelSpec } from '../../models/providers/index.ts';
import { readRecord } from '../../models/record/recorder.ts';
import type { JudgeEstimate } from '../console/estimate-text.ts';
import { openModels } from './ask-judges.ts';

/** Counts the judge's questions about dry runs and about finished matches. */
export interface JudgeCounter {
  onRun: DryRunListener;
  /** Adds the judge's open questions about a finished match in its folder. */
  addFinished(folder: string): void;
  /** Returns the total, with this many matches left to play. */
  finish(left: number): JudgeEstimate;
}

/**
 * Returns null without a judge. Makes no call, and needs no key. Throws a UsageError for an invalid judge.
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
    return { onRun: () => undefined, addFinished: () => undefined, finish: () => ({ judge: name, usage }) };
  }
  const model = await openModels(name, addMissingKeys(name, env))(0);
  checkJudge(model);
  const ofRuns: EstimatedUsage[] = [];
  const ofFinished: EstimatedUsage[] = [];
  return {
    onRun: ({ events }, { manifest }) => {
      const { moments } = createJudgedMatch('', { manifest, events: [...events], answers: [] });
      ofRuns.push(estimateAnnotation(listJudgeItems(moments), model));
    },
    addFinished: (folder) =>
      void ofFinished.push(surveyJudge(createJudgedMatch(folder, readRecord(folder)), plan, model).left),
    finish: (left) => {
      const scale = ofRuns.length === 0 ? 0 : left / ofRuns.length;
      return { judge: name, usage: sumUsage([scaleUsage(sumUsage(ofRuns), scale), ...ofFinished]) };
    },
  };
}

const scaleUsage = ({ calls, tokens, cost }: EstimatedUsage, scale: number): EstimatedUsage => ({
  calls: Math.round(calls * scale),
  tokens: tokens && { in: Math.round(tokens.in * scale), out: Math.round(tokens.out * scale) },
  cost: cost === null ? null : cost * scale,
});
