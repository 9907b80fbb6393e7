// Says what is left to annotate and what it would take, asks it, and says what came of it.
import { annotate, annotationItems, type AnnotationPlan } from '../../graph/annotate.ts';
import { refuseUnpriced } from '../../graph/play-match.ts';
import { sideBySide } from '../../graph/side-by-side.ts';
import { counted, whole } from '../../report/numbers.ts';
import { exitCodes, fail, wordsOf } from '../command/exit.ts';
import { modelOpener, withSomeKeys } from '../command/model-opener.ts';
import { stopOnSignals } from '../command/stop-signals.ts';
import { hasTerminal, openProgress, type Progress } from '../console/progress.ts';
import { findMatches } from '../report/find-matches.ts';
import { unusable } from '../report/stock.ts';
import { effortText } from './effort-text.ts';
import { finishedRecord, surveyOf, type Survey } from './survey.ts';

export interface AnnotateFlags extends Required<AnnotationPlan> {
  model: string;
  concurrency?: number;
  maxCost?: number;
  dryRun?: boolean;
  quiet?: boolean;
}

/** Throws where nothing could begin; sets the process's exit code where it had to stop or left records out. */
export async function annotateRecords(folders: readonly string[], flags: AnnotateFlags): Promise<void> {
  const { maxCost, dryRun = false, quiet = false } = flags;
  const tell = (line: string) => void (quiet || process.stdout.write(`${line}\n`));
  const surveys = await surveyed(folders, flags);
  tell(effortText(surveys, maxCost));
  if (dryRun) return tell('Nothing was called or written.');
  const [next] = surveys.filter(({ left }) => left.calls > 0);
  if (!next) return;
  if (maxCost !== undefined) refuseUnpriced({ seat: { choice: next.model, talk: next.model } }, maxCost);
  const progress = openProgress(!quiet && hasTerminal());
  try {
    const { answered, missing } = await askAll(surveys, flags, progress);
    progress.stop();
    const lost = missing === 0 ? '' : `; ${whole(missing)} could not be had and count as missing`;
    tell(`${counted(answered, 'question')} answered${lost}. The answers are kept beside the records.`);
  } catch (error) {
    progress.stop();
    fail(error, 'What was answered is kept. To go on, give the same command again.');
  }
}

/** Those that can be used; the others are named on standard error. */
async function surveyed(folders: readonly string[], flags: AnnotateFlags): Promise<Survey[]> {
  const modelAt = modelOpener(flags.model, flags.dryRun ? withSomeKeys(flags.model, process.env) : process.env);
  const surveys: Survey[] = [];
  for (const folder of new Set(findMatches(folders))) {
    const record = orLeftOut(folder, () => finishedRecord(folder));
    if (record === null) continue;
    const model = await modelAt(record.manifest.setup.rules.talkTemperature);
    const survey = orLeftOut(folder, () => surveyOf(folder, record, flags, model));
    if (survey !== null) surveys.push(survey);
  }
  return surveys;
}

/** What `read` makes of a record; null where the record is at fault, which then is named on standard error. */
function orLeftOut<Read>(folder: string, read: () => Read): Read | null {
  try {
    return read();
  } catch (error) {
    const { message } = unusable(folder, error);
    process.exitCode = exitCodes.other;
    process.stderr.write(`Left out: ${wordsOf(folder)}. ${wordsOf(message)}\n`);
    return null;
  }
}

async function askAll(surveys: readonly Survey[], flags: AnnotateFlags, progress: Progress) {
  const signal = stopOnSignals();
  const count = { answered: 0, missing: 0 };
  let underWay = 0;
  await sideBySide(surveys, flags, async ({ folder, model, left, paid }, shared) => {
    if (left.calls === 0) return shared.budget.spend(paid);
    const record = finishedRecord(folder);
    await annotate(folder, record, annotationItems(record, flags), model, {
      ...shared,
      signal,
      onWarning: (message) => process.stderr.write(`${wordsOf(message)}\n`),
      onCalls: (more) => progress.calls((underWay += more)),
      onAnswer: (line, isRecorded) => {
        if (isRecorded) return;
        progress.answer(line);
        if (line.mark !== undefined) count.missing += 1;
        else if (line.error === undefined) count.answered += 1;
      },
    });
  });
  return count;
}
