// Chooses the default folder of `compare`: inside the study, so that pages of two studies never replace each other.
import path from 'node:path';
import { getDisk } from '../../models/machine/machine.ts';
import { hashText } from '../../state/hash-text.ts';
import { UsageError } from '../../state/usage-error.ts';
import { isMatch } from '../command/match-folder.ts';

/** Number of hexadecimal digits that distinguish folders with the same name. */
const hashDigits = 8;

/**
 * Returns the folder of a comparison: `STUDY/comparison` for one study, `STUDY/comparison-of-annotators` for its
 * annotators, and `A/comparison-with-B` for several folders. If B is not beside A, the name has some digits of the hash
 * of B's path, because other folders may have the same name. If A is a single match, the folder around it is used
 * instead, because nothing else may be written into a match.
 *
 * @example chooseComparisonFolder(['runs/study/unsaid', 'runs/study/forbidden']) // 'runs/study/unsaid/comparison-with-forbidden'
 */
export function chooseComparisonFolder(
  folders: readonly string[],
  { annotators = [] }: { annotators?: readonly string[] | undefined } = {},
): string {
  const [first = '.', ...others] = folders;
  const holder = isMatch(first) ? path.dirname(path.normalize(first)) : first;
  if (annotators.length > 0) return path.join(holder, 'comparison-of-annotators');
  const around = path.dirname(path.resolve(first));
  const names = others.map((other) => {
    const way = path.relative(around, path.resolve(other));
    const name = path.basename(path.resolve(other));
    return way === name ? name : `${name}.${hashText(way).slice(0, hashDigits)}`;
  });
  return path.join(holder, ['comparison', ...(names.length === 0 ? [] : ['with', names.join('-and-')])].join('-'));
}

/**
 * Throws a UsageError if the folder, or the nearest existing one around it, cannot be written. Call it before the
 * comparison, which may take minutes.
 *
 * @example checkComparisonFolder('runs/study/comparison');
 */
export function checkComparisonFolder(folder: string): void {
  let nearest = path.resolve(folder);
  while (!getDisk().exists(nearest) && nearest !== path.dirname(nearest)) nearest = path.dirname(nearest);
  try {
    getDisk().survey(nearest);
  } catch (error) {
    throw new UsageError(
      `The comparison cannot be written into ${folder}: ${(error as Error).message}. Name another folder with --out.`,
      { cause: error },
    );
  }
}
