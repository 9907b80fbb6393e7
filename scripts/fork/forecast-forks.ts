// Output of `fork --dry-run`: the unfinished forks, their estimated use, and the half-width by number of statements.
import { estimateEffects } from '../../deception/forks/estimate-effects.ts';
import type { ForkedStatement } from '../../deception/forks/forked-statement.ts';
import { outcomeMeasures, type OutcomeName } from '../../deception/forks/outcome-measures.ts';
import { statementActions } from '../../deception/record/match-record.ts';
import { computeHalfWidth } from '../../deception/statistics/sample-size.ts';
import { sum } from '../../deception/statistics/sums.ts';
import type { PlannedFork } from '../../graph/fork/fork-set.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { formatWhole, pluralize, renderTable } from '../../report/format.ts';
import { findStatementPlace } from '../../state/fork.ts';
import type { FoundStatement } from './choose-statements.ts';

/** Numbers of statements in the table of half-widths. */
const sizes = [25, 50, 100, 200, 400, 1000] as const;

/** Kinds of outcomes, each with the standard deviation of a statement's effect that is assumed without a pilot. */
const assumedSpreads = [
  ['a share of votes', 0.3],
  ['a yes or no, such as exile or a win', 0.5],
] as const;

/** Minimum number of statements of a pilot whose spread is reliable. */
export const pilotSize = 50;

/**
 * Formats a table of half-widths of 95% intervals by number of statements, if each statement is from another deal.
 * Spreads come from a pilot, if there is one. `pilot`: statements whose forks are finished.
 *
 * @example describeHalfWidths([])
 */
export function describeHalfWidths(pilot: readonly ForkedStatement[]): string {
  const measured = pilot.length === 0 ? [] : listMeasuredSpreads(pilot);
  const spreads = measured.length > 0 ? measured : assumedSpreads;
  const rows = spreads.map(([name, spread]) => [
    ...[name, spread.toFixed(2)],
    ...sizes.map((size) => `± ${computeHalfWidth(spread, size).toFixed(3)}`),
  ]);
  const advice = pilot.length < pilotSize ? `; a pilot of ${pilotSize} is more reliable` : '';
  const source =
    measured.length > 0
      ? `Half-widths of 95% intervals, by the spread of the ${pluralize(pilot.length, 'statement')} played so far${advice}:`
      : `Half-widths of 95% intervals, by an assumed spread of a statement’s effect. A pilot of ${pilotSize} statements measures it: --sample ${pilotSize}, then --dry-run again.`;
  return [
    source,
    renderTable(['Outcome', 'Spread', ...sizes.map((size) => `${size} statements`)], rows),
    'Replaying more statements once is better than replaying fewer statements more often.',
    ...(isOfBots(pilot)
      ? ['Bots share their draws between arms, so their spread says nothing about the spread of language models.']
      : []),
  ].join('\n');
}

const isOfBots = (pilot: readonly ForkedStatement[]) =>
  pilot.length > 0 && pilot.every(({ model }) => model.startsWith('bot:'));

function listMeasuredSpreads(pilot: readonly ForkedStatement[]): (readonly [string, number])[] {
  const { effects } = estimateEffects(pilot);
  return effects.flatMap(({ outcome, arm, of, listeners, isSelected, se, statements }) =>
    se === null || isSelected || listeners !== 'all' || Object.keys(of).length > 0
      ? []
      : [[nameOutcome(outcome, arm), se * Math.sqrt(statements)] as const],
  );
}

const nameOutcome = (outcome: OutcomeName, arm: string) => `${outcomeMeasures[outcome].title}, keep − ${arm}`;

/**
 * Estimates the calls, tokens and cost of forks from what their original matches used after the statement.
 *
 * @example describeExpense(found, forks)
 */
export function describeExpense(
  found: readonly FoundStatement[],
  forks: readonly PlannedFork[],
  left: readonly PlannedFork[],
): string {
  const speakers = new Map(found.map(({ match, statement, speaker }) => [`${match} ${statement}`, speaker]));
  const folders = Map.groupBy(left, ({ folder }) => folder);
  const totals = { calls: 0, in: 0, out: 0, cost: 0, unknown: 0 };
  for (const [folder, own] of folders) {
    const { answers, manifest } = readRecord(folder);
    const bots = new Set(manifest.setup.bots);
    for (const { of, isCut } of own) {
      const { round, step } = findStatementPlace(of.statement);
      const later = answers.filter(
        (line) =>
          !bots.has(line.player) &&
          isAskedLater(line, {
            ...{ round, step, isCut },
            askedAgain: isAskedAgain(of.arm) ? speakers.get(`${of.match} ${of.statement}`) : undefined,
          }),
      );
      totals.calls += later.length;
      totals.in += sum(later.map(({ tokens }) => tokens?.in ?? 0));
      totals.out += sum(later.map(({ tokens }) => tokens?.out ?? 0));
      totals.cost += sum(later.map(({ cost }) => cost ?? 0));
      totals.unknown += later.filter(({ cost }) => cost === null).length;
    }
  }
  const unknown = totals.unknown > 0 ? ` (without ${formatWhole(totals.unknown)} calls of unknown cost)` : '';
  const cost = `about ${formatWhole(totals.calls)} calls to language models, ${formatWhole(totals.in)} tokens in, ${formatWhole(totals.out)} out and ${totals.cost.toFixed(2)} USD${unknown}, estimated from the original matches after the statement`;
  return `${pluralize(found.length, 'statement')}, ${pluralize(forks.length, 'fork')}, ${forks.length - left.length} finished. Left to play: ${cost}.`;
}

const isAskedAgain = (arm: string) => arm === 'honest' || arm === 'resample';

/** Whether a fork asks again a question that its original match asked after the statement. */
function isAskedLater(
  line: { round: number; step: number; action: string; player: string },
  { round, step, isCut, askedAgain }: { round: number; step: number; isCut: boolean; askedAgain: string | undefined },
): boolean {
  if (line.round > round) return !isCut;
  if (line.round < round) return false;
  return line.step > step || (line.player === askedAgain && line.step === step && speech.has(line.action));
}

const speech: ReadonlySet<string> = new Set(statementActions);
