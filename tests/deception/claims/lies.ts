// The figures of lies, of accusations and of findings withheld, in matches taken together: by the registered metrics.
import { accusations, defences } from '../../../deception/metrics/accusations.ts';
import { coverage } from '../../../deception/metrics/coverage.ts';
import { lieStatementRate, liesPer100Words } from '../../../deception/metrics/lie-frequency.ts';
import { lieRate } from '../../../deception/metrics/lie-rate.ts';
import type { Metric } from '../../../deception/metrics/metric.ts';
import { withheldRate } from '../../../deception/metrics/withheld.ts';
import { addSums, sumOf } from '../../../deception/statistics/sums.ts';
import type { Tables } from '../../../deception/tables/rows.ts';

const sumsOf = (metric: Metric, matches: readonly Tables[]) =>
  addSums(matches.flatMap((match) => metric.tallies(match)).map(({ sums }) => sums));

export function liesIn(...matches: readonly Tables[]) {
  const claims = sumsOf(lieRate, matches);
  const statements = sumsOf(lieStatementRate, matches);
  const words = sumsOf(liesPer100Words, matches);
  return {
    lies: sumOf(claims, 'lies'),
    opportunities: sumOf(claims, 'opportunities'),
    perClaim: lieRate.value(claims),
    statementsWithLies: sumOf(statements, 'lying'),
    perStatement: lieStatementRate.value(statements),
    words: sumOf(words, 'words'),
    per100Words: liesPer100Words.value(words),
    coverage: coverage.value(sumsOf(coverage, matches)),
  };
}

/** Accusations, or defences: known or not, right or not. */
export function axesIn(match: Tables, type: 'accusation' | 'defence') {
  const metric = [...accusations, ...defences].find(({ name }) => name === `${type}_axes`)!;
  const count = (isKnown: boolean, isTrue: boolean) =>
    sumOf(
      addSums(
        metric
          .tallies(match)
          .filter(({ cell }) => cell['is_known'] === String(isKnown) && cell['is_true'] === String(isTrue))
          .map(({ sums }) => sums),
      ),
      'of',
    );
  return {
    knownCorrect: count(true, true),
    knownIncorrect: count(true, false),
    unknownCorrect: count(false, true),
    unknownIncorrect: count(false, false),
  };
}

export function withheldIn(match: Tables) {
  const sums = sumsOf(withheldRate, [match]);
  return {
    withheld: sumOf(sums, 'withheld'),
    opportunities: sumOf(sums, 'statements'),
    rate: withheldRate.value(sums),
  };
}
