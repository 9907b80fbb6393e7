// Has a judge draw the claims of recorded matches, as far as it has not done so before: `--judge` of the reports.
import { checkJudgePlan, type JudgePlan } from '../../deception/claims/majority-claims.ts';
import { sum } from '../../deception/statistics/sums.ts';
import { createAnswerCache, estimateAnnotation, runConcurrently } from '../../graph/annotation/annotation-run.ts';
import { judgeRecord, listJudgeItems, listOpenItems, type OpenJudge } from '../../graph/annotation/judge-claims.ts';
import { openModel, readModelSpec } from '../../models/providers/index.ts';
import type { Environment, PlayerModel } from '../../models/model.ts';
import { getKeptAnswersFile, readKeptAnswers } from '../../models/record/annotation-log.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { addMissingKeys, type CommandIO, describeError } from '../command/command-line.ts';
import { formatEffort } from '../console/estimate-text.ts';
import { countCalls, hasTerminal } from '../console/progress.ts';
import { findMatches } from '../command/match-folder.ts';
import { readFinishedRecord } from './match-inventory.ts';

/**
 * Opens the model once for each temperature that the rules of matches ask for. Throws a UsageError for a model string
 * that cannot be read; the function as `openModel` does.
 */
export function openModels(spec: string, env: Environment): (temperature: number | null) => Promise<PlayerModel> {
  readModelSpec(spec);
  const opened = new Map<number | null, Promise<PlayerModel>>();
  return (temperature) => {
    const model = opened.get(temperature) ?? openModel(spec, { temperature, env });
    opened.set(temperature, model);
    return model;
  };
}

/** Null for what a report names and leaves out. */
function readIfFinished(folder: string) {
  try {
    return readFinishedRecord(folder);
  } catch (error) {
    if (error instanceof RecordError) return null;
    throw error;
  }
}

interface AskOptions {
  /** USD; no call starts once so much is spent on these records together. */
  maxCost?: number | undefined;
  /** Only estimate: nothing is called or written. */
  isDry?: boolean | undefined;
}

/**
 * Has judges answer what they have not answered yet about the finished matches in these folders; records that cannot be
 * read are passed over. Without anything left to ask, no key is needed and no call made. Throws as `judgeRecord` does; what
 * was answered by then is kept. Judges are asked at temperature 0 unless their model string says otherwise: they read, and
 * do not play.
 */
export async function askJudges(
  folders: readonly string[],
  plan: JudgePlan,
  { maxCost, isDry = false }: AskOptions,
  io: CommandIO,
): Promise<void> {
  checkJudgePlan(plan);
  const opened = plan.models.map((model) => [model, openModels(model, io.env)] as const);
  const openJudge: OpenJudge = (model) => new Map(opened).get(model)!(0);
  const found = [...new Set(findMatches(folders))];
  if (isDry) return tellEffort(found, plan, maxCost, io);
  const progress = countCalls(hasTerminal(io));
  try {
    await runConcurrently(found, { maxCost }, async (folder, shared) => {
      const record = readIfFinished(folder);
      if (!record) return;
      await judgeRecord(folder, record, plan, openJudge, {
        ...shared,
        maxCost,
        env: io.env,
        signal: io.listenToSignals(),
        onWarning: (message) => io.stderr.write(`${describeError(message)}\n`),
        onCalls: (more) => progress.add(more),
        onAnswer: (line, isRecorded) => void (isRecorded || progress.answer(line)),
      });
    });
  } finally {
    progress.stop();
  }
}

async function tellEffort(
  folders: readonly string[],
  plan: JudgePlan,
  maxCost: number | undefined,
  { env, stdout }: CommandIO,
): Promise<void> {
  const surveys = [];
  for (const folder of folders) {
    const record = readIfFinished(folder);
    if (!record) continue;
    for (const name of plan.models) {
      const model = await openModels(name, addMissingKeys(name, env))(0);
      const kept = createAnswerCache(readKeptAnswers(getKeptAnswersFile(folder, 'claims', name)));
      const items = listJudgeItems(record, plan.repeat);
      surveys.push({
        questions: items.length,
        left: estimateAnnotation(listOpenItems(folder, record, { ...plan, models: [name] }), model),
        paid: sum(items.flatMap((item) => kept.linesOf(item).map(({ cost }) => cost ?? 0))),
      });
    }
  }
  stdout.write(`${formatEffort(surveys, maxCost)}\n`);
  if (plan.isGuarded !== false)
    stdout.write(
      'Where the rules draw claims that a judge lacks, it is asked once more; that is not in the estimate.\n',
    );
  stdout.write('Nothing was called or written.\n');
}
