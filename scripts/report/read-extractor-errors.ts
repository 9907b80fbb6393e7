// Reads the measured errors of a report's extractor.
import path from 'node:path';
import type { z } from 'zod';
import { ExtractorErrors } from '../../deception/claims/extractor-errors.ts';
import {
  describeLeftOutAddresses,
  formatJudgeFlags,
  formatJudges,
  type JudgePlan,
} from '../../deception/claims/majority-claims.ts';
import type { KnownErrors } from '../../deception/summary/corrected-figures.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { nameCommand } from '../../state/command-name.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import { describeIssue, UsageError } from '../../state/usage-error.ts';
import { sanitizeText } from '../../report/format.ts';

/** File of the rules' measured errors, made by `npm run validate -- --claims --out`. */
export const ruleErrorsFile = path.join(import.meta.dirname, '../validate/corpora/rule-errors.json');

/**
 * Reads the errors in the file. Without a file, returns the errors measured for the rules, and null for a judge. Throws
 * a UsageError for an unreadable file, and for errors of another extractor.
 *
 * @example readErrors(undefined, undefined)?.reach.lies; // how many of the labeled lies the rules find
 */
export function readErrors(file: string | undefined, judge: JudgePlan | undefined): KnownErrors | null {
  const errors = readExtractorErrors(file, judge);
  if (errors === null) return null;
  const { lie_rates: ofLabels, reach, writers = {} } = errors;
  const byWriter = Object.entries(writers).map(
    ([writer, { lie_rates: own = {} }]) => [writer, pickKnown(own)] as const,
  );
  return { ofLabels: pickKnown(ofLabels), reach, byWriter: Object.fromEntries(byWriter) };
}

/** Returns the rates that the file contains. */
const pickKnown = (rates: Partial<ExtractorErrors['lie_rates']>): KnownErrors['ofLabels'] =>
  Object.fromEntries(
    Object.entries(rates).flatMap(([metric, known]) => (known === undefined ? [] : [[metric, known]])),
  );

/**
 * Reads everything measured about the extractor. Throws like `readErrors`.
 *
 * @example readExtractorErrors(undefined, undefined)!.claims.precision
 */
export function readExtractorErrors(file: string | undefined, judge: JudgePlan | undefined): ExtractorErrors | null {
  if (file === undefined && judge !== undefined) return null;
  const command = `${nameCommand('validate')} --claims ${judge ? `${formatJudgeFlags(judge)} ` : ''}--out FILE`;
  const errors = parseErrors(file ?? ruleErrorsFile, command);
  const drawnBy = judge ? formatJudges(judge) : 'rules';
  if (dropOutsideOptions(errors.extractor) !== drawnBy)
    throw new UsageError(
      `${file} contains the errors of ${sanitizeText(errors.extractor)}, but the claims are extracted by ${drawnBy}. Measure the errors of that extractor: ${command}${judge ? describeLeftOutAddresses(judge) : ''}`,
    );
  return errors;
}

/**
 * Replaces model strings in an extractor's name by their labels. Files of earlier versions contain addresses and prices
 * in these names.
 */
const dropOutsideOptions = (extractor: string) => extractor.replace(/\S+:\S+/g, getModelLabel);

/** Size limit of such a file, in bytes. `validate` writes a few kilobytes. */
const mostBytes = 2 ** 20;

function parseErrors(file: string, command: string): ExtractorErrors {
  const expected = `Expected the measured errors of the extractor, which this command writes: ${command}`;
  let text: string;
  try {
    text = getDisk().readInput(file, mostBytes);
  } catch (error) {
    throw new UsageError(`--errors ${file} cannot be read: ${(error as Error).message}. ${expected}`, { cause: error });
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--errors ${file} is not JSON. ${expected}`, { cause: error });
  }
  const read = ExtractorErrors.safeParse(json, { error: describeIssue });
  if (read.success) return read.data;
  const [{ path: at, message }] = read.error.issues as [z.core.$ZodIssue];
  const where = at.length === 0 ? '' : `${at.join('.')}: `;
  throw new UsageError(`--errors ${file} contains no measured errors (${where}${message}). ${expected}`);
}
