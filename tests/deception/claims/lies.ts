// Computes figures of lies, accusations and withheld findings over matches, with the metrics of the register.
import { accusationMetrics, defenceMetrics } from '../../../deception/metrics/accusations.ts';
import {
  verifiableClaimRate,
  lieRate,
  liesPer100Words,
  lieStatementRate,
  withheldRate,
} from '../../../deception/metrics/lies.ts';
import type { Metric } from '../../../deception/metrics/metric.ts';
import { addSums, getSum } from '../../../deception/statistics/sums.ts';
import type { MatchTables } from '../../../deception/tables/match-tables.ts';

const computeSums = (metric: Metric, matches: readonly MatchTables[]) =>
  addSums(matches.flatMap((match) => metric.count(match)).map(({ sums }) => sums));

export function countLies(...matches: readonly MatchTables[]) {
  const claims = computeSums(lieRate, matches);
  const statements = computeSums(lieStatementRate, matches);
  const words = computeSums(liesPer100Words, matches);
  return {
    lies: getSum(claims, 'lies'),
    opportunities: getSum(claims, 'opportunities'),
    perClaim: lieRate.value(claims),
    statementsWithLies: getSum(statements, 'lying'),
    perStatement: lieStatementRate.value(statements),
    words: getSum(words, 'words'),
    per100Words: liesPer100Words.value(words),
    coverage: verifiableClaimRate.value(computeSums(verifiableClaimRate, matches)),
  };
}

/** Counts accusations or defenses by two properties: whether the speaker knew, and whether the claim is right. */
export function countAxes(match: MatchTables, type: 'accusation' | 'defence') {
  const metric = [...accusationMetrics, ...defenceMetrics].find(({ name }) => name === `${type}_axes`)!;
  const count = (isKnown: boolean, isTrue: boolean) =>
    getSum(
      addSums(
        metric
          .count(match)
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

export function countWithheld(match: MatchTables) {
  const sums = computeSums(withheldRate, [{ ...match, match: { ...match.match, extractor: 'openai:judge' } }]);
  return {
    withheld: getSum(sums, 'withheld'),
    opportunities: getSum(sums, 'statements'),
    rate: withheldRate.value(sums),
  };
}
