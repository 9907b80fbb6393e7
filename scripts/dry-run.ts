// Says what a command's matches would take, without a call, a key or a file.
import path from 'node:path';
import { estimateMatches } from '../graph/estimate.ts';
import {
  countCallsByModel,
  readRecorded,
  surveyMatches,
  type CallsByModel,
  type MatchSet,
  type RecordedMatch,
} from '../graph/match-set.ts';
import { defaultConcurrency } from '../graph/play-match.ts';
import { prepareMatch, type MatchPlan } from '../graph/prepare.ts';
import type { Environment } from '../models/model.ts';
import { exitCodes, type CommandIO } from './command/exit.ts';
import type { MatchCommand } from './command/match-command.ts';
import { formatCapWarning, formatEstimate, formatEstimateJson } from './console/estimate-text.ts';
import { formatSurvey } from './console/header.ts';

/** Prints the estimate for what is left to play. Throws as preparing a match does, except for keys that are not set. */
export async function runDry(command: MatchCommand, io: CommandIO): Promise<number> {
  const { plan, planOf, manner } = command;
  const { concurrency = defaultConcurrency, matches = 1, maxCost, json = false } = manner;
  const env = await addKeys(plan, io.env);
  const left = await surveyLeft(command, env);
  const estimate = await estimateMatches(
    { seed: plan.seed, matches: left.matches, planOf },
    { env, concurrency, recorded: left.recorded, ...(left.matches === 0 ? { isEnough: () => true } : {}) },
  );
  const lines = json
    ? [formatEstimateJson(estimate, concurrency)]
    : [
        formatSurvey(matches, left),
        left.matches === 0 ? null : formatEstimate(estimate, concurrency),
        formatCapWarning(estimate, { maxCost, spent: left.paid }),
        'Nothing was called or written.',
      ];
  io.stdout.write(`${lines.filter((line) => line !== null).join('\n')}\n`);
  return exitCodes.done;
}

/** What is recorded already need not be played. */
async function surveyLeft({ plan, planOf, manner: { matches, maxCost, out } }: MatchCommand, env: Environment) {
  const left = { matches: 0, paid: 0, recorded: [] as CallsByModel[] };
  const isCapped = maxCost !== undefined;
  const add = ({ result, answers, paid }: RecordedMatch) => {
    left.paid += paid;
    if (!result) left.matches += 1;
    if (!result && answers.length > 0) left.recorded.push(countCallsByModel(answers));
  };
  if (matches === undefined) {
    const match = await prepareMatch(plan, env, 0);
    add(readRecorded(match, path.join(out, match.manifest.id), { isCapped }));
    return left;
  }
  const set: MatchSet = { seed: plan.seed, matches, planOf };
  for await (const recorded of surveyMatches(set, { out, env, now: 0, isCapped })) add(recorded);
  return left;
}

/** Keys that the environment lacks are made up, since nothing is called. */
async function addKeys(plan: MatchPlan, given: Environment): Promise<Environment> {
  try {
    await prepareMatch(plan, given, 0);
    return given;
  } catch (error) {
    const named = [...JSON.stringify(plan).matchAll(/apiKeyEnv=(\w+)/g)].map(([, name]) => name!);
    const keys = ['OPENAI_API_KEY', 'GOOGLE_API_KEY', ...named].filter((name) => !given[name]);
    const env = { ...given, ...Object.fromEntries(keys.map((name) => [name, 'none'])) };
    return prepareMatch(plan, env, 0).then(
      () => env,
      () => {
        throw error;
      },
    );
  }
}
