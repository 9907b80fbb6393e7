// Asks judges to extract the claims of recorded matches, unless the answers are already cached: `--judge` of reports.
import type { JudgePlan } from '../../deception/claims/majority-claims.ts';
import { createJudgedMatch, readAnsweredClaims } from '../../graph/annotation/llm-judge.ts';
import type { CallLimits } from '../../models/call-limits.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { quoteActingName } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import { askJudges, dryNotice, estimateJudging, type JudgingLimits } from '../run/ask-judges.ts';
import { type CommandIO, describeError } from '../command/command-line.ts';
import { explainLink, findMatches, isBehindLink } from '../command/match-folder.ts';
import { followItems, type StepListener } from '../command/work-progress.ts';
import { createMatchKey, explainUnusable, readFinishedRecord } from './match-inventory.ts';
import { MeasurementCache } from './measurement-cache.ts';
import type { ReportOptions } from './make-report.ts';

interface AskOptions extends JudgingLimits {
  /** Whether to only estimate, without calls or writes. */
  isDry?: boolean | undefined;
}

interface JudgedFolders extends Pick<ReportOptions, 'folders' | 'presupposed' | 'cache' | 'known'> {
  judge: JudgePlan;
}

/**
 * Asks judges about the finished matches in these folders. Skips unreadable records, and records that the cache marks
 * as completely judged. Nothing may be written behind links, so matches behind links are only named on standard error.
 */
export async function judgeRecords(
  { folders, judge: plan, presupposed, cache: kept, known }: JudgedFolders,
  { isDry = false, ...options }: AskOptions,
  io: CommandIO,
): Promise<void> {
  const cache = kept && !isDry ? new MeasurementCache(kept) : null;
  const isJudged = (folder: string) => {
    const key = cache && createMatchKey(cache, folder, { judge: plan, presupposed });
    return key !== null && cache!.has(key);
  };
  const matches = [...new Set(findMatches(folders, known))].map((folder) => () => {
    if (options.retriesUnread !== true && isJudged(folder)) return null;
    const match = readIfFinished(folder);
    if (match === null || !isBehindLink(folder, folders)) return match;
    io.stderr.write(`Not judged: ${quoteActingName(folder)}. ${describeError(explainLink(folder))}\n`);
    return null;
  });
  if (isDry) io.stdout.write(`${await estimateJudging(matches, plan, options, io)}${dryNotice}`);
  else await askJudges(matches, plan, { ...options, folders }, io);
}

/**
 * Asks judges about the finished records in exactly these folders. Forks are included.
 *
 * @example await judgeFolders(['runs/forks/a.2.3.honest.1'], { models: ['openai:gpt-4o'] }, {}, io)
 */
export const judgeFolders = (
  folders: readonly string[],
  plan: JudgePlan,
  limits: CallLimits,
  io: CommandIO,
): Promise<void> =>
  askJudges(
    folders.map((folder) => () => readIfFinished(folder)),
    plan,
    limits,
    io,
  );

/** Number of matches for which a judge's cached answers are complete. */
export interface JudgedShare {
  /** Number of finished matches for which all answers are cached. */
  judged: number;
  /** Whether the judge has read any statement. */
  isBegun: boolean;
  /**
   * Finished matches without a complete set of cached answers, each with a message that says which answers are missing.
   */
  unjudged: { folder: string; message: string }[];
  /** Reason why the judge cannot judge one of the matches; null if the judge can judge all matches. */
  refusal: string | null;
}

/**
 * Counts the finished matches in these folders for which a judge's cached answers are complete and readable. Makes no
 * call. Skips unreadable records, which a report names.
 *
 * @example surveyJudged({ folders: ['runs'], judge: { models: ['openai:gpt-4o'] }, cache: null }).judged // 67
 */
export function surveyJudged(
  { folders, judge: plan, presupposed, cache: kept, known }: JudgedFolders,
  onStep?: StepListener,
): JudgedShare {
  const cache = kept ? new MeasurementCache(kept) : null;
  const share: JudgedShare = { judged: 0, isBegun: false, unjudged: [], refusal: null };
  const found = [...new Set(findMatches(folders, known))];
  for (const folder of followItems(found, 'matches searched for answers of the judge', onStep)) {
    const key = cache && createMatchKey(cache, folder, { judge: plan, presupposed });
    const isKept = key !== null && cache!.has(key);
    const match = isKept ? null : readIfFinished(folder);
    try {
      const read = match && readAnsweredClaims(match, plan);
      share.isBegun ||= isKept || (match !== null && read !== null && read.missing.length < match.moments.length);
      if (read && read.gap !== null) share.unjudged.push({ folder, message: read.gap });
      else if (match || isKept) share.judged += 1;
    } catch (error) {
      if (error instanceof RecordError) share.unjudged.push({ folder, message: error.message });
      else if (error instanceof UsageError)
        share.refusal ??= error.message; // a record may name any judge
      else throw error;
    }
  }
  return share;
}

/** Reads a finished record. Null for an unfinished or unusable record, which the report names and leaves out. */
function readIfFinished(folder: string) {
  try {
    return createJudgedMatch(folder, readFinishedRecord(folder));
  } catch (error) {
    explainUnusable(folder, error); // rethrows errors that are not the record's fault
    return null;
  }
}
