// Chooses the extractor of recorded matches' claims: the typed judge, or the judge that a plan or the matches name.
import { formatJudgeFlags, formatJudges, type JudgePlan } from '../../deception/claims/majority-claims.ts';
import { normalizeModelSpec } from '../../models/providers/index.ts';
import { sanitizeText } from '../../report/format.ts';
import { formatCommand } from '../../state/command-name.ts';
import { quoteActingName } from '../../state/text.ts';
import { findModelAddress } from '../../state/model-identity.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { CommandIO } from '../command/command-line.ts';
import { isReadableJudge, readJudgePlan, type TypedJudge } from '../command/judge-options.ts';
import { findMatches } from '../command/match-folder.ts';
import type { KnownManifests } from './known-manifests.ts';
import type { CacheOptions } from './measurement-cache.ts';

interface JudgeSources {
  folders: readonly string[];
  /** Judge named by an analysis plan, and the plan's file. */
  planned?: { judge: string; file: string } | undefined;
  /** Cache of measurements, which identifies judged matches without reading them. */
  cache?: CacheOptions | null | undefined;
  presupposed?: boolean | undefined;
  /**
   * Whether the judge that all matches name is chosen even if it has answered nothing, so that all statements count as
   * not read. Otherwise the rules then extract the claims.
   */
  keepsNamed?: boolean | undefined;
  /** Manifests that earlier steps of the command found. */
  known?: KnownManifests | undefined;
  /**
   * Whether a line says that the rules extract the claims if the matches name no judge. For commands whose output does
   * not begin with a caution about that.
   */
  tellsRules?: boolean | undefined;
}

/**
 * Chooses the extractor: the typed judge, or else the plan's judge, or else the judge that all matches name, if this
 * judge has answered about any match or `keepsNamed` is set. Statements without an answer then count as not read, and a
 * line says so: figures of a study that names a judge never become those of the rules unnoticed. In all other cases the rules extract the claims, and a line says why. Makes no call. Throws a UsageError for contradictory
 * options.
 *
 * @example await chooseJudge({ judgePer: 'statement', repeat: 1, guard: true }, { folders: ['runs'] }, io)
 */
export async function chooseJudge(
  { judge: typed, ...how }: TypedJudge,
  { folders, planned, cache, presupposed, keepsNamed = false, tellsRules = false, known }: JudgeSources,
  { stderr, step }: Pick<CommandIO, 'stderr' | 'step'>,
): Promise<JudgePlan | undefined> {
  if (planned) {
    if (typed === false)
      throw new UsageError(
        `--no-judge contradicts ${planned.file}, which names ${planned.judge} as judge. Remove one of the two.`,
      );
    const judge = readJudgePlan(typed ?? [planned.judge], how)!;
    if (formatJudges(judge) === formatJudges({ models: [normalizeModelSpec(planned.judge)] })) return judge;
    throw new UsageError(
      `--judge ${formatJudges(judge)} is not the judge named by ${planned.file}, ${planned.judge}. Remove one of the two, or name the same judge.`,
    );
  }
  if (typed !== undefined) return readJudgePlan(typed || undefined, how);
  const { findNamedJudges } = await import('./match-inventory.ts');
  const { judge: named, differing } = findNamedJudges([...new Set(findMatches(folders, known))], known);
  if (differing !== null)
    stderr.write(
      `These matches do not name the same judge: ${differing}. The built-in rules extract the claims. Name one judge for all with --judge, or give --no-judge to hide this note.\n`,
    );
  if (named === undefined) {
    if (tellsRules && differing === null)
      stderr.write(
        'These matches name no judge. The built-in rules extract the claims, and they understand some models better than others. Name a judge that has read these matches with --judge, or give --no-judge to hide this note.\n',
      );
    return readJudgePlan(undefined, how);
  }
  const { surveyJudged } = await import('./judge-records.ts');
  if (!isReadableJudge(named)) {
    stderr.write(
      `The built-in rules extract the claims: ${sanitizeText(named)}, which these matches name, is not a valid judge.\n`,
    );
    return readJudgePlan(undefined, how);
  }
  const judge = readJudgePlan([named], how)!;
  const { judged, isBegun, unjudged, refusal } = surveyJudged({ folders, judge, cache, presupposed, known }, step);
  if (refusal === null && unjudged.length === 0) {
    stderr.write(
      `Claims are extracted by ${sanitizeText(formatJudges(judge))}, the judge that all these matches name, from its cached answers. With --no-judge, the rules extract them.\n`,
    );
    return judge;
  }
  const reading = judged > 0 || isBegun ? 'whose cached answers are not complete' : 'which has not read them';
  const words = explainUnasked(judge, folders, reading);
  const isPlain = formatJudges(judge) === formatJudges({ models: judge.models }); // typed options need a judge's answers
  if (refusal === null && (judged > 0 || isBegun || (keepsNamed && isPlain))) {
    const [first = ''] = unjudged.map(({ folder, message }) =>
      message.startsWith(folder) ? message : `${quoteActingName(folder)}: ${message}`,
    );
    stderr.write(
      `${unjudged.length} of ${judged + unjudged.length} matches are not fully judged. Their statements without an answer count as not read. The first: ${sanitizeText(first.replace(/\. Ask it .*$/, '.'))}\n${words}\n${judged > 0 || isBegun ? '' : 'With --no-judge, the rules extract the claims.\n'}`,
    );
    return judge;
  }
  if (!isPlain) throw new UsageError(words);
  stderr.write(`The built-in rules extract the claims. ${words}\n`);
  return undefined;
}

/**
 * Explains why the judge that the matches name is not called, and names the command that calls it. `reading`: what the judge has read, e.g. "which has not read them". The command contains
 * no address, because the user did not choose the address in the record.
 *
 * @example explainUnasked({ models: ['openai:gpt-4o'] }, ['runs'], 'which has not read them')
 */
function explainUnasked(judge: JudgePlan, folders: readonly string[], reading: string): string {
  const [named] = judge.models as [string];
  const address = findModelAddress(named);
  const command = `${formatCommand('report', ...folders)} ${formatJudgeFlags(judge)}`;
  const where =
    address === undefined
      ? ''
      : ` Its address in the record, ${address}, is not used: if the server is yours, give it with the model (baseUrl=…) or in a models file (--models FILE).`;
  return sanitizeText(
    `These matches name the judge ${formatJudges(judge)}, ${reading}.${where} A judge is only asked if the command names it: ${command}`,
  );
}
