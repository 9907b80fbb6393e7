// Examples of the rows that the figures of both arms count. A metric keeps only sums, so each row of a match is counted
// alone to see what it adds. If these amounts add up to the figure, the rows that add 1 are its examples.
import {
  createExampleFinder,
  describeOutcome,
  type CountedCell,
  type FigureExample,
} from '../summary/figure-examples.ts';
import { type SampledExamples, ExampleSampler, maxShown } from '../summary/example-sampler.ts';
import { addSums, sum, type Sums } from '../statistics/sums.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { getFigureKey, type Metric, type MetricCell, type MetricTally } from '../metrics/metric.ts';
import type { Difference } from './comparison-schema.ts';

/** An arm's matches of the compared deals, and the metrics that count them in this arm. */
export interface ArmRecords {
  metrics: readonly Metric[];
  matches: readonly { tables: MatchTables; folder: string }[];
}

/**
 * Names of the kinds of rows that an example can come from, in the order in which they are searched.
 */
export const countedItems = ['statements', 'judgements', 'ballots', 'beliefs', 'matches'] as const;
export type CountedItems = (typeof countedItems)[number];

/**
 * A match's tables reduced to one statement, judgment, ballot or belief, or the whole match; and a function that
 * describes it as an example.
 */
interface Item {
  tables: MatchTables;
  describe: () => FigureExample;
}

type FigureOf = Pick<Difference, 'metric' | 'of'>;

/** Names the cell that counts the figure of one arm. */
export const nameArmCell = ({ metric, of }: FigureOf, arm: 'a' | 'b', items: CountedItems): CountedCell => ({
  metric,
  cell: { ...of, arm, items },
});

/**
 * Lists, for each arm, examples of the statements, judgments, ballots, beliefs or matches that a share counts. Shares
 * of anything else have no examples. `total` is the numerator of the share. At most twenty examples are shown for each
 * share and arm, drawn by the seed.
 *
 * @example listDifferenceExamples(comparison.primary, arms, 1)[0]?.total
 */
export function listDifferenceExamples(
  rows: readonly FigureOf[],
  arms: Readonly<Record<'a' | 'b', ArmRecords>>,
  seed: number,
): SampledExamples[] {
  return (['a', 'b'] as const).flatMap((arm) =>
    [...Map.groupBy(rows, ({ metric }) => metric)].flatMap(([name, own]) => {
      const metric = arms[arm].metrics.find((one) => one.name === name);
      const isShare = metric?.range[0] === 0 && metric.range[1] === 1 && metric.isPerMatch !== true;
      return isShare ? listOfMetric(metric, own, { arm, matches: arms[arm].matches, seed }) : [];
    }),
  );
}

function listOfMetric(
  metric: Metric,
  rows: readonly FigureOf[],
  { arm, matches, seed }: { arm: 'a' | 'b'; matches: ArmRecords['matches']; seed: number },
): SampledExamples[] {
  let open = [...rows];
  return countedItems.flatMap((kind) => {
    const sampler = new ExampleSampler(seed, maxShown);
    // Figures whose counted cases can be rows of this kind, each with the sums of the matches searched so far.
    const fits = new Map(open.map((row) => [row, {}]));
    for (const { tables, folder } of matches) {
      if (fits.size === 0) break;
      const items = listItems[kind](tables, folder).map((item) => ({ ...item, tallies: metric.count(item.tables) }));
      const whole = metric.count(tables);
      for (const [row, before] of fits) {
        const added = items.map(({ tallies, describe }) => ({
          ...computeParts(metric, addUp(tallies, row.of)),
          describe,
        }));
        const own = addUp(whole, row.of);
        const all = computeParts(metric, own);
        const isSame = (['counted', 'possible'] as const).every((part) => isNear(sum(added.map((one) => one[part])), all[part])); // prettier-ignore
        const isOfItems = added.every(({ counted, possible }) => possible <= 1 && (isNear(counted, 0) || isNear(counted, 1))); // prettier-ignore
        if (!isSame || !isOfItems) fits.delete(row);
        else {
          fits.set(row, addSums([before, own]));
          const examples = added.filter(({ counted }) => isNear(counted, 1)).map(({ describe }) => describe());
          sampler.add([{ ...nameArmCell(row, arm, kind), examples }]);
        }
      }
    }
    open = open.filter((row) => !fits.has(row));
    const found = new Map(sampler.list().map((one) => [getFigureKey(one), one]));
    return [...fits].flatMap(([row, sums]) => {
      const one = found.get(getFigureKey(nameArmCell(row, arm, kind)));
      // The totals must agree too: within one match, a mean of two shares may by accident equal the value of a row.
      return one && one.total > 0 && isNear(one.total, computeParts(metric, sums).counted) ? [one] : [];
    }); // prettier-ignore
  });
}

const isNear = (one: number, other: number) => Math.abs(one - other) < 1e-9;

/** Adds up the amounts that matches add to a cell. */
const addUp = (tallies: readonly MetricTally[], of: MetricCell): Sums =>
  addSums(
    tallies
      .filter(({ cell }) => Object.entries(of).every(([dimension, value]) => cell[dimension] === value))
      .map(({ sums }) => sums),
  );

/** Computes the numerator and the denominator of the figure. */
function computeParts({ value, opportunities }: Metric, sums: Sums) {
  const [share, possible] = [value(sums), opportunities(sums) ?? 0];
  return { counted: share === null ? 0 : share * possible, possible };
}

const listItems: Readonly<Record<CountedItems, (tables: MatchTables, folder: string) => Item[]>> = {
  statements: (tables, folder) => {
    const { ofStatement } = createExampleFinder(tables, folder);
    const claims = Map.groupBy(tables.claims, ({ statement }) => statement);
    return tables.statements.map((row) => ({
      tables: { ...tables, statements: [row], claims: claims.get(row.statement) ?? [], ...without },
      describe: () => ofStatement(row.statement),
    }));
  },
  judgements: (tables, folder) => {
    const { ofStatement } = createExampleFinder(tables, folder);
    const said = Map.groupBy(tables.statements, ({ statement }) => statement);
    const claims = Map.groupBy(tables.claims, ({ statement }) => statement);
    return tables.analyses.map((row) => ({
      tables: {
        ...{ ...tables, statements: said.get(row.statement) ?? [], claims: claims.get(row.statement) ?? [] },
        ...{ ...without, analyses: [row] },
      },
      describe: () => ofStatement(row.statement, `judged by ${row.observer}`),
    }));
  },
  ballots: (tables, folder) => {
    const { ofRound } = createExampleFinder(tables, folder);
    return tables.ballots.map((row) => ({
      tables: { ...tables, statements: [], claims: [], ...without, ballots: [row] },
      describe: () => ofRound(row.round, row.voter, `${row.voter} voted for ${row.target}`, `${row.round}.${row.step}`),
    }));
  },
  beliefs: (tables, folder) => {
    const { ofRound } = createExampleFinder(tables, folder);
    return tables.beliefs.map((row) => ({
      tables: { ...tables, statements: [], claims: [], ...without, beliefs: [row] },
      describe: () => ofRound(row.round, row.observer, `${row.observer} gave ${(100 * row.p_werewolf).toFixed(0)} % to ${row.about} being a Werewolf`, `${row.round}.${row.step}`), // prettier-ignore
    }));
  },
  matches: (tables, folder) => {
    const describe = () => createExampleFinder(tables, folder).ofMatch(describeOutcome(tables.match.winner));
    return [{ tables, describe }];
  },
};

const without = { analyses: [], beliefs: [], ballots: [] } as const;
