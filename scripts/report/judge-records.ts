// Has judges draw the claims of recorded matches, as far as they have not done so before: `--judge` of the reports.
import type { JudgePlan } from '../../deception/claims/majority-claims.ts';
import { createJudgedMatch, readJudgedClaims } from '../../graph/annotation/llm-judge.ts';
import type { CallLimits } from '../../models/call-limits.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { quoteActingName } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import { askJudges, dryNotice, estimateJudging } from '../run/ask-judges.ts';
import { type CommandIO, describeError } from '../command/command-line.ts';
import { explainLink, findMatches, isBehindLink } from '../command/match-folder.ts';
import { createMatchKey, explainUnusable, readFinishedRecord } from './match-inventory.ts';
import { MeasurementCache } from './measurement-cache.ts';
import type { ReportOptions } from './make-report.ts';

interface AskOptions extends CallLimits {
  /** Only estimate: nothing is called or written. */
  isDry?: boolean | undefined;
}

interface JudgedFolders extends Pick<ReportOptions, 'folders' | 'presupposed' | 'cache'> {
  judge: JudgePlan;
}

/**
 * As `askJudges`, about the finished matches in these folders; records that cannot be read are passed over, and those
 * that the cache says are wholly judged. Names on standard error those behind links, where nothing is written.
 */
export async function judgeRecords(
  { folders, judge: plan, presupposed, cache: kept }: JudgedFolders,
  { isDry = false, ...options }: AskOptions,
  io: CommandIO,
): Promise<void> {
  const cache = kept && !isDry ? new MeasurementCache(kept) : null;
  const isJudged = (folder: string) => {
    const key = cache && createMatchKey(cache, folder, { judge: plan, presupposed });
    return key !== null && cache!.has(key);
  };
  const matches = [...new Set(findMatches(folders))].map((folder) => () => {
    if (isJudged(folder)) return null;
    const match = readIfFinished(folder);
    if (match === null || !isBehindLink(folder, folders)) return match;
    io.stderr.write(`Not judged: ${quoteActingName(folder)}. ${describeError(explainLink(folder))}\n`);
    return null;
  });
  if (isDry) io.stdout.write(`${await estimateJudging(matches, plan, options, io)}${dryNotice}`);
  else await askJudges(matches, plan, options, io);
}

/**
 * What the judge of a plan has not answered of the finished matches in these folders, in words; null where its cached answers
 * are complete. Makes no call. Records that cannot be read are passed over: a report names them.
 *
 * @example findUnansweredQuestions({ folders: ['runs'], judge: { models: ['openai:gpt-4o'] }, cache: null })
 */
export function findUnansweredQuestions({
  folders,
  judge: plan,
  presupposed,
  cache: kept,
}: JudgedFolders): string | null {
  const cache = kept ? new MeasurementCache(kept) : null;
  for (const folder of new Set(findMatches(folders))) {
    const key = cache && createMatchKey(cache, folder, { judge: plan, presupposed });
    if (key !== null && cache!.has(key)) continue;
    const match = readIfFinished(folder);
    try {
      if (match) readJudgedClaims(match, plan);
    } catch (error) {
      if (error instanceof RecordError || error instanceof UsageError) return error.message; // a record may name any judge
      throw error;
    }
  }
  return null;
}

/** Null for what a report names and leaves out. */
function readIfFinished(folder: string) {
  try {
    return createJudgedMatch(folder, readFinishedRecord(folder));
  } catch (error) {
    explainUnusable(folder, error); // throws what is no fault of the record's
    return null;
  }
}
