// Reads the measured errors of whoever draws the claims of a report.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { ExtractorErrors } from '../../deception/claims/extractor-errors.ts';
import { formatJudgeFlags, formatJudges, type JudgePlan } from '../../deception/claims/majority-claims.ts';
import type { KnownErrors } from '../../deception/summary/report.ts';
import { UsageError } from '../../state/usage-error.ts';

/** Made by `npm run validate -- --claims --out` of this file. */
export const ruleErrorsFile = path.join(import.meta.dirname, '../validate/corpora/rule-errors.json');

/**
 * The errors in the file; without one those of the rules, and null of a judge. Throws a UsageError for a file that cannot
 * be read, or holds the errors of another extractor.
 *
 * @example readErrors(undefined, undefined)?.reach.lies; // what the rules draw of labelled lies
 */
export function readErrors(file: string | undefined, judge: JudgePlan | undefined): KnownErrors | null {
  if (file === undefined && judge !== undefined) return null;
  const { extractor, lie_rates: ofLabels, reach } = parseErrors(file ?? ruleErrorsFile);
  const drawnBy = judge ? formatJudges(judge) : 'rules';
  if (extractor !== drawnBy)
    throw new UsageError(
      `${file} holds the errors of ${extractor}, but the claims are drawn by ${drawnBy}. Measure these: npm run validate -- --claims ${judge ? `${formatJudgeFlags(judge)} ` : ''}--out FILE`,
    );
  return { ofLabels, reach };
}

function parseErrors(file: string): ExtractorErrors {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`The errors in ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  const read = ExtractorErrors.safeParse(json);
  if (!read.success)
    throw new UsageError(
      `${file} holds no measured errors: ${z.prettifyError(read.error)}\nName a file that npm run validate -- --claims --out wrote.`,
    );
  return read.data;
}
