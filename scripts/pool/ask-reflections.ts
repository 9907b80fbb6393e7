// Asks models to reflect on their matches, unless the answers are already cached: `--reflect` of `pool build`.
import { sum } from '../../deception/statistics/sums.ts';
import {
  createAnswerCache,
  estimateAnnotation,
  runAnnotation,
  runConcurrently,
} from '../../graph/annotation/annotation-run.ts';
import type { EstimatedUsage } from '../../graph/estimate.ts';
import type { Decision } from '../../graph/pool/gather-entries.ts';
import { getReflectionsFile, listReflectionItems, type ReflectionItem } from '../../graph/pool/reflect.ts';
import { checkPrices } from '../../graph/play-match.ts';
import { tellServers } from '../../models/key-policy.ts';
import type { PlayerModel } from '../../models/model.ts';
import { addMissingKeys } from '../../models/providers/index.ts';
import { readKeptAnswers } from '../../models/record/annotation-log.ts';
import type { StoredRecord } from '../../models/record/recorder.ts';
import { formatWhole, pluralize } from '../../report/format.ts';
import { UsageError } from '../../state/usage-error.ts';
import { followAnswers, runOrLeaveOut, openModels } from '../run/ask-judges.ts';
import { type CallLimits, selectLimits } from '../../models/call-limits.ts';
import { type CommandIO, exitCodes, printError } from '../command/command-line.ts';
import { formatUsage } from '../console/estimate-text.ts';
import { countCalls, hasTerminal } from '../console/progress.ts';

/** A finished match, with the decisions from which entries are made. */
export interface DecidedMatch {
  folder: string;
  record: Pick<StoredRecord, 'manifest' | 'events'>;
  decisions: readonly Decision[];
}

export interface ReflectFlags extends CallLimits {
  dryRun?: boolean;
}

/** Questions to one model about one match. */
interface ReflectionSurvey {
  match: DecidedMatch;
  model: PlayerModel;
  items: readonly ReflectionItem[];
  questions: number;
  left: EstimatedUsage;
  /** Cost in USD of the cached answers. */
  paid: number;
}

/**
 * Asks the models. Returns the exit code, which is not 0 if a limit or an error stopped the command; all answers
 * received so far stay cached. A match whose folder cannot be written is reported and listed in `leftOut`. Throws a
 * UsageError for a bot, and for a model that played in none of the matches.
 */
export async function askForReflections(
  matches: readonly DecidedMatch[],
  models: readonly string[],
  { dryRun = false, ...limits }: ReflectFlags,
  io: CommandIO,
): Promise<{ code: number; leftOut: ReadonlySet<DecidedMatch> }> {
  const leftOut = new Set<DecidedMatch>();
  const surveys = (await Promise.all(models.map((name) => surveyModel(matches, name, dryRun, io)))).flat();
  tellServers(io.env);
  const surveyed = new Set(surveys.map(({ match }) => match)).size;
  io.stdout.write(`${formatUsage(pluralize(surveyed, 'match', 'matches'), surveys, limits.maxCost)}\n`);
  const [next] = surveys.filter(({ left }) => left.calls > 0);
  if (dryRun || !next) return { code: exitCodes.done, leftOut };
  if (limits.maxCost !== undefined)
    for (const { model } of surveys) checkPrices({ seat: { choice: model, talk: model } }, limits.maxCost);
  const progress = countCalls(hasTerminal(io), (line) => void io.stderr.write(`${line}\n`));
  const { count, listeners } = followAnswers(progress, io);
  try {
    await runConcurrently(surveys, selectLimits(limits), async ({ match, model, items, left, paid }, shared) => {
      if (left.calls === 0) return shared.budget.spend(paid);
      const { id, setup } = match.record.manifest;
      const run = { id, folder: match.folder, kind: 'reflections', seed: setup.seed } as const;
      const options = { ...shared, ...listeners };
      const isKept = await runOrLeaveOut(match.folder, 'Left out', io, () => runAnnotation(run, items, model, options));
      if (!isKept) leftOut.add(match);
    }).finally(() => progress.stop());
    const lost =
      count.missing === 0 ? '' : `; ${formatWhole(count.missing)} without a usable answer, which rules write instead`;
    io.stdout.write(
      `${pluralize(count.answered, 'question')} answered${lost}. Answers are cached next to the records.\n`,
    );
    return { code: exitCodes.done, leftOut };
  } catch (error) {
    const advice = 'Answers so far are cached, and no pool is written. Run the same command again to resume.';
    return { code: printError(error, io, advice), leftOut };
  } finally {
    io.releaseSignals(); // a handler cannot run while the pool is made, and would keep a signal from ending it
  }
}

async function surveyModel(
  matches: readonly DecidedMatch[],
  name: string,
  dryRun: boolean,
  { env }: CommandIO,
): Promise<ReflectionSurvey[]> {
  const modelAt = openModels(name, dryRun ? addMissingKeys(name, env) : env);
  const asked = matches
    .map((match) => ({ match, items: listReflectionItems(match.record, match.decisions, name) }))
    .filter(({ items }) => items.length > 0);
  if (asked.length === 0)
    throw new UsageError(
      `${name} played in none of these matches. Reflections are written by the model that played. Models that played: ${listPlayed(matches)}.`,
    );
  return Promise.all(
    asked.map(async ({ match, items }) => {
      const model = await modelAt(match.record.manifest.setup.rules.talkTemperature);
      if (model.isBot)
        throw new UsageError(
          `${name} is a built-in bot, whose reflections are made by rules. Remove it from --reflect.`,
        );
      const kept = createAnswerCache(readKeptAnswers(getReflectionsFile(match.folder, model.spec)));
      const open = items.filter((item) => !kept.isAnswered(item));
      return {
        ...{ match, model, items, questions: items.length, left: estimateAnnotation(open, model) },
        paid: sum(items.flatMap((item) => kept.linesOf(item).map(({ cost }) => cost ?? 0))),
      };
    }),
  );
}

const listPlayed = (matches: readonly DecidedMatch[]) =>
  [...new Set(matches.flatMap(({ record }) => Object.values(record.manifest.setup.models)))].join(', ') || 'nobody';
