// The error for users' mistakes, as opposed to faults of the program, and plain words for zod's findings.
import leven from 'leven';
import { z } from 'zod';
import { flattenToOneLine } from './text.ts';

/**
 * Signals that a user's input cannot be used: an option, a file, a board, a model, a record. The message names the
 * value, what was expected and the known values. A script prints it without a stack and exits with code 2.
 *
 * @example throw new UsageError(`Unknown role "${name}". Known roles: ${known.join(', ')}.`);
 */
export class UsageError extends Error {
  override name = 'UsageError';
}

/**
 * Describes zod's findings in a file of unknown origin. The result is one line, although names in the file may contain
 * line breaks.
 *
 * @example describeInOneLine(PoolRecord.safeParse({}).error!)
 */
export const describeInOneLine = (error: z.core.$ZodError): string =>
  flattenToOneLine(z.prettifyError(error).replace(/\s*\n\s*/g, '; '));

/** Largest share of a name's letters that may differ for another name to be suggested. */
const mostDiffering = 0.4;

/**
 * Suggests a known name for an unknown one, as a question to precede the list of known names; empty if none is close.
 *
 * @example describeNearName('lie_rat', ['lie_rate', 'win_rate']) // 'Did you mean "lie_rate"? '
 */
export function describeNearName(name: string, known: readonly string[]): string {
  const near = known
    .map((other) => ({ other, distance: leven(name.toLowerCase(), other.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return near && near.distance <= mostDiffering * name.length ? `Did you mean "${near.other}"? ` : '';
}

/**
 * Throws a UsageError if some names are not `known`. If a mistyped option were ignored, the run would cost money and do
 * something else.
 *
 * @example checkOptionNames('playMatch', { bord: 'classic-8' }, { board: true, seed: true }) // throws: did you mean "board"?
 */
export function checkOptionNames(what: string, given: object, known: Readonly<Record<string, true>>): void {
  const names = Object.keys(known);
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length > 0)
    throw new UsageError(
      `${what} has no option ${unknown.join(', ')}. ${describeNearName(unknown[0]!, names)}Its options are: ${names.join(', ')}.`,
    );
}

/** Plain words for types, by zod's name of the type. */
const typeWords: Readonly<Record<string, string>> = {
  object: 'an object (in YAML: name: value)',
  record: 'an object (in YAML: name: value)',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

/**
 * Describes what was expected of a user's value, as words to follow the value. This is an error map for zod's parse;
 * messages of a schema itself take precedence.
 *
 * @example z.number().min(1).safeParse(0, { error: describeIssue }).error?.issues[0]?.message // 'must be 1 or more'
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeWords[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      if (issue.origin === 'string') return 'must not be empty';
      if (issue.origin === 'array') return `must have ${issue.minimum} or more entries`;
      return `must be ${issue.inclusive ? '' : 'more than '}${issue.minimum}${issue.inclusive ? ' or more' : ''}`;
    case 'too_big': {
      const most = `${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`;
      if (issue.origin === 'string') return `must have ${most} characters`;
      return issue.origin === 'array' ? `must have ${most} entries` : `must be ${most}`;
    }
    case 'unrecognized_keys':
      return `unknown: ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
    default:
      return undefined;
  }
}

/**
 * Returns a strict object schema that answers an unknown key with the known ones.
 *
 * @example defineKnownOnly({ seed: z.number() }).safeParse({ sed: 1 }).error?.issues[0]?.message // 'unknown: "sed"; known: seed'
 */
export const defineKnownOnly = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown: ${issue.keys.map((key) => `"${key}"`).join(', ')}; known: ${Object.keys(shape).join(', ')}`
        : undefined,
  });
