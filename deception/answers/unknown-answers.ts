// What a study's table does not answer, why, and the command that would.
import { formatCommandInFile } from '../../state/command-in-file.ts';
import type {
  AnswerDifference,
  AnswerQuestion,
  AnswerRow,
  AnswerState,
  UnknownAnswer,
} from '../metrics/answer-table-schema.ts';
import { rulesExtractor } from '../metrics/comparability.ts';

/** A judge that read a smaller share of what a model said on a side has not read it. */
export const leastRead = 0.95;

/** An adjusted p of at most this is told as a difference. */
export const differsBelow = 0.05;

/** @example isDifferent(difference) // true if its adjusted p is at most .05 */
export const isDifferent = ({ p_adjusted: p }: AnswerDifference): boolean => p !== null && p <= differsBelow;

interface Answered {
  rows: readonly AnswerRow[];
  differences: readonly AnswerDifference[];
  extractors: readonly string[];
  /** Why figures of claims are not compared, where a judge drew them. */
  incomparable: string | null;
}

/** What is said of cells that hold nothing, and what fills them. */
function explainState(
  state: AnswerState,
  question: AnswerQuestion,
  extractors: readonly string[],
): Omit<UnknownAnswer, 'question'> | null {
  // prettier-ignore
  switch (state) {
    case 'not identified':
      return {
        reason:
          'Not identified: these models met no opponent in common, so nobody can say whose doing it is. A crossed design can.',
        command: formatCommandInFile('match', '--crossed', 'X', 'Y', '--matches', '30', '--out', 'FOLDER'),
      };
    case 'not asked':
      return {
        reason: 'Not asked: listeners were not asked what they make of statements (analysis=off).',
        command: formatCommandInFile('match', '--rule', 'analysis=both', '--out', 'FOLDER'),
      };
    case 'not read':
      return extractors.every((one) => one === rulesExtractor)
        ? {
            reason: 'Not read: rules extract claims here, and they understand some models better than others. A judge reads them all.', // prettier-ignore
            command: formatCommandInFile('report', 'FOLDER', '--judge', 'MODEL'),
          }
        : {
            reason: 'Not read: the judge denies claims or has no readable answer on more than 5% of statements. Ask another.',
            command: formatCommandInFile('report', 'FOLDER', '--judge', 'MODEL'),
          };
    case 'too few':
      return {
        reason: 'Too few: an interval needs ten deals with data.',
        command: formatCommandInFile('plan', 'FOLDER'),
      };
    case 'at least':
      return question === 'cost'
        ? { reason: 'A lower bound: the price of some calls is unknown.', command: null }
        : {
            reason: 'A lower bound, not ranked: rules extract few of the lies. A judge finds more.',
            command: formatCommandInFile('report', 'FOLDER', '--judge', 'MODEL'),
          };
    case 'no price':
    case 'known':
      return null;
  }
}

/** Questions that each state leaves open, once for each reason; then those that were tested without a finding. */
export function describeUnknown({ rows, differences, extractors, incomparable }: Answered): UnknownAnswer[] {
  const found = rows.flatMap(({ cells }) =>
    cells.flatMap(({ question, state }) => {
      const explained = question === 'read' ? null : explainState(state, question, extractors);
      return explained === null ? [] : [{ question, ...explained }];
    }),
  );
  const open = [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
  const tested = [...Map.groupBy(differences, ({ question }) => question)].flatMap(([question, own]) =>
    own.some(isDifferent) ? [] : [{ question, reason: describeExcluded(question, own), command: null }],
  );
  return [
    ...(incomparable === null
      ? []
      : [{ question: 'lies' as const, reason: `Not compared: ${incomparable}.`, command: null }]),
    ...open,
    ...tested,
  ];
}

/** The greatest difference of any pair that its interval leaves open. */
function describeExcluded(question: AnswerQuestion, own: readonly AnswerDifference[]): string {
  const whole =
    own.length === 1 ? 'The two models do not differ significantly.' : 'No two models differ significantly.';
  const bounds = own.map(({ low, high }) => (low === null || high === null ? null : Math.max(-low, high)));
  if (bounds.some((one) => one === null)) return `${whole} Too few deals exclude no difference, however large.`;
  const most = Math.max(...(bounds as number[]));
  const excluded = question === 'catches' ? most.toFixed(2).replace(/^0/, '') : `${(100 * most).toFixed(0)} points`;
  return `${whole} Differences above ${excluded} are excluded.`;
}
