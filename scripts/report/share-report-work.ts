// The two steps of a report that its workers share: measuring all matches, and making all figures.
import type { DesignMatch } from '../../deception/comparison/design-effects.ts';
import type { CountedAnswers } from '../../deception/answers/answered-match.ts';
import type { LeaderboardMatch } from '../../deception/ratings/leaderboard-match.ts';
import { drawUniform } from '../../deception/statistics/bootstrap.ts';
import { ExampleSampler } from '../../deception/summary/example-sampler.ts';
import type { FigureExample } from '../../deception/summary/figure-examples.ts';
import type { MatchConditions } from '../../deception/summary/match-conditions.ts';
import { ModelSeatShares } from '../../deception/summary/report-chances.ts';
import type { FoundFigure, LeftOut, ScoreCurve } from '../../deception/summary/report-schema.ts';
import type { TimedMatch } from '../../deception/summary/model-drift.ts';
import type { PeopleMatch } from '../../deception/summary/people-figures.ts';
import type { SeatedMatch } from '../../deception/summary/seat-bias.ts';
import {
  type AlikeCells,
  type CellSums,
  getCellKey,
  groupAlikeCells,
} from '../../deception/summary/sufficient-statistics.ts';
import {
  type GatheredMatches,
  type MadeFigures,
  type PooledWorker,
  type ReportJob,
  type ReportJobOutcome,
  shareWork,
  splitIntoGroups,
} from './report-worker.ts';
import { SharedValues } from './shared-values.ts';
import type { StepListener } from '../command/work-progress.ts';
import type { TableFiles } from './table-files.ts';

/** Maximum number of matches, and number of cells, that a thread receives per call. */
const [matchesAtOnce, cellsAtOnce] = [8, 16];

interface SharedStep {
  signal: AbortSignal | undefined;
  onStep?: StepListener | undefined;
}

/** Measurements of all matches, in the order of the jobs. */
export type MeasuredMatches = Awaited<ReturnType<typeof measureAll>>;

/**
 * Measures all matches. Returns the small parts of each result. Writes the large tables to their files in the order of
 * the jobs.
 */
export async function measureAll(
  workers: readonly PooledWorker[],
  jobs: readonly ReportJob[],
  tables: TableFiles | null,
  { signal, onStep }: SharedStep,
) {
  const circumstances: MatchConditions[] = [];
  const counted: ReportJob[] = [];
  const deals = new Map<number, string>();
  const leftOut: LeftOut[] = [];
  const designs: DesignMatch[] = [];
  const seated: SeatedMatch[] = [];
  const timed: TimedMatch[] = [];
  const peopled: PeopleMatch[] = [];
  const rated = new Map<LeaderboardMatch, Pick<FigureExample, 'match' | 'folder'>>();
  const answered: CountedAnswers[] = [];
  const seating = new ModelSeatShares();
  const shared = new SharedValues();
  let taken = 0;
  onStep?.('matches read', 0, jobs.length);
  const take = (outcomes: readonly ReportJobOutcome[]) => {
    onStep?.('matches read', taken + outcomes.length, jobs.length);
    for (const outcome of outcomes) {
      const job = jobs[taken++]!;
      leftOut.push(...outcome.leftOut);
      if (outcome.circumstances) {
        const { conditions } = outcome.circumstances;
        circumstances.push({ ...outcome.circumstances, conditions: shared.share(conditions) });
        counted.push(job);
        deals.set(job.place, outcome.deal!);
        seating.add(job.ground, outcome.seats);
      }
      if (outcome.tables) tables?.add(outcome.tables);
      if (outcome.design) designs.push(outcome.design);
      if (outcome.answered) answered.push({ ...outcome.answered, condition: shared.share(outcome.answered.condition) });
      if (outcome.seated) seated.push({ ...outcome.seated, arm: shared.share(outcome.seated.arm) });
      if (outcome.timed) timed.push({ ...outcome.timed, arm: shared.share(outcome.timed.arm) });
      if (outcome.peopled) peopled.push(outcome.peopled);
      if (outcome.rated) rated.set(outcome.rated, { match: job.id, folder: job.folders[0]! });
    }
  };
  await shareWork(
    workers,
    splitIntoGroups(jobs, Math.min(matchesAtOnce, Math.ceil(jobs.length / (8 * workers.length)))),
    (worker, group) => worker.measure(group),
    take,
    signal,
  );
  return { circumstances, counted, deals, leftOut, seating, designs, seated, timed, peopled, rated, answered };
}

/** Joins the sums of all workers, and then shares the computation of the figures between the workers. */
export async function makeFigures(
  workers: readonly PooledWorker[],
  deals: ReadonlyMap<number, string>,
  { signal, onStep }: SharedStep,
  { seed, resamples }: { seed: number; resamples: number },
) {
  const gathered = await Promise.all(workers.map(async (worker) => await worker.gather()));
  const cells = [
    ...Map.groupBy(
      gathered.flatMap((one) => one.cells),
      getCellKey,
    ).values(),
  ].sort((one, other) => countClusters(one) - countClusters(other)); // Sorted so that bootstrap draws are made once per number of clusters.
  const [figures, curves]: [FoundFigure[], ScoreCurve[]] = [[], []];
  const uniform = drawUniform(deals.size, resamples, seed);
  const work = (worker: PooledWorker, groups: AlikeCells[]) => worker.makeFigures(groups, deals, uniform);
  const shared = splitIntoGroups(groupAlikeCells(cells), cellsAtOnce);
  let done = 0;
  onStep?.('parts of the figures computed', 0, shared.length);
  const take = (made: MadeFigures) => {
    onStep?.('parts of the figures computed', ++done, shared.length);
    figures.push(...made.figures);
    curves.push(...made.curves);
  };
  await shareWork(workers, shared, work, take, signal);
  const sampler = new ExampleSampler(seed);
  for (const { examples } of gathered) sampler.merge(examples);
  return { figures, curves, cells, matches: countBySample(gathered), examples: sampler.list() };
}

const countClusters = (parts: readonly CellSums[]) => parts.reduce((total, { unit }) => total + unit.length, 0);

function countBySample(gathered: readonly GatheredMatches[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const [sample, count] of gathered.flatMap(({ matches }) => Object.entries(matches)))
    totals[sample] = (totals[sample] ?? 0) + count;
  return totals;
}
