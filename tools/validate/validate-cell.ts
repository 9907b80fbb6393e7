// Validates one cell of a grid of planted rates: plays a pool of matches with calibrated players, then draws samples
// from the pool.
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { extractByRules } from '../../deception/claims/extract-by-rules.ts';
import { createModelSides } from '../../deception/comparison/pair-arms.ts';
import { isSameCell, type EffectPartName } from '../../deception/comparison/comparison-schema.ts';
import { CrossedCollection, listPartContrasts, narrowToSides } from '../../deception/comparison/crossed-effects.ts';
import { isComparedHeadline } from '../../deception/comparison/test-families.ts';
import { getDealKey, listModelPairs, listScheduledMatches } from '../../deception/design/schedule.ts';
import { metrics } from '../../deception/metrics/index.ts';
import { type MetricCell, getFiniteRange, type Metric } from '../../deception/metrics/metric.ts';
import { sampledDeals } from '../../deception/metrics/weak-coverage.ts';
import { computeClusterInterval, createResampling } from '../../deception/statistics/bootstrap.ts';
import { computeContrast, type Contrast, pairContrast } from '../../deception/statistics/paired-test.ts';
import type { Sums } from '../../deception/statistics/sums.ts';
import { buildTables, type MatchTables } from '../../deception/tables/match-tables.ts';
import {
  type ArmedRow,
  measureContrast,
  measureCoverage,
  measureNullComparisons,
  type NullComparisons,
  type PoolFinding,
  type SamplingTrial,
  type ValidationFinding,
} from './measurement-validation.ts';
import { playMatch } from '../../graph/play-match.ts';
import { prepareMatch } from '../../graph/prepare-match.ts';
import { createCalibratedBot, type LabelStatement, type PlantedRates } from '../../models/bots/calibrated.ts';
import { draw } from '../../state/random.ts';
import type { AnswerLine, Manifest } from '../../state/record.ts';
import type { Team } from '../../state/teams.ts';
import { type Exchange, exchanges, measurePartComparisons, type PartFindings } from './part-comparisons.ts';
import { listPlanted, validationEndpoints } from './planted-truth.ts';

/**
 * Two bots, and the deals that they play. Every deal is played in four ways: each bot plays the Werewolves against
 * itself and against the other bot.
 */
export interface GridCell {
  name: string;
  x: PlantedRates;
  y: PlantedRates;
  deals: number;
  /** Kinds of measurements that are made in samples of the cell's matches. */
  measures: readonly ('figures' | 'two arms' | 'parts' | 'planted' | 'comparisons' | 'part comparisons')[];
  /** Section of the figures that are measured. Default: all figures except those of pairs. */
  section?: 'lies' | 'detection' | 'pairs';
  /** Number of statements by each player per day. Default: 1. Figures of pairs need 2. */
  passes?: number;
}

export interface ValidationSize {
  cells: readonly GridCell[];
  /** Number of deals in a sample. */
  sizes: readonly number[];
  /** Number of samples of each size. */
  repetitions: number;
  /** Number of resamples behind each interval of a figure, and each test. */
  resamples: { figure: number; test: number };
  /**
   * Comparisons in which nothing differs: number of comparisons (`repetitions`), deals in each (`size`) and resamples
   * in each.
   */
  comparisons: { repetitions: number; size: number; resamples: number };
  /** Comparisons in which one part differs as planted, with the same fields. */
  partComparisons: { repetitions: number; size: number; resamples: number };
  seed: number;
}

/**
 * Probability that an analysis is unreadable: about 10% overall, and twice as high for lies as for other statements.
 */
const missing = { lie: 0.18, other: 0.09 };
const nothing = { lie: 0, other: 0 };

const alike = { lie: 0.25, hit: 0.5, falseAlarm: 0.15, admission: 0.4, tell: 0.5, icc: 0.2, missing };
const base = { lie: 0.4, hit: 0.6, falseAlarm: 0.2, admission: 0.5, tell: 0.5, icc: 0.1, missing: nothing };

const listeners = { x: { ...base, hit: 0.8 }, y: { ...base, hit: 0.4 } };
const liars = { x: { ...base, lie: 0.7 }, y: { ...base, lie: 0.3 } };

/**
 * Number of deals with which a bias of .05 in a planted part would be noticed. The interaction of two bots needs the
 * most deals.
 */
const plantedDeals = 1000;

const cells: readonly GridCell[] = [
  { name: 'alike', x: alike, y: alike, deals: 50, measures: ['figures', 'planted', 'two arms'] },
  { name: 'X listens better', ...listeners, deals: 40, measures: ['parts'], section: 'detection' },
  { name: 'X lies more', ...liars, deals: 40, measures: ['parts'], section: 'lies' },
  { name: 'X listens better, one part', ...listeners, deals: 40, measures: ['part comparisons'] },
  { name: 'X lies more, one part', ...liars, deals: 40, measures: ['part comparisons'] },
  { name: 'X listens better, more deals', ...listeners, deals: plantedDeals, measures: ['planted'] },
  { name: 'X lies more, more deals', ...liars, deals: plantedDeals, measures: ['planted'] },
  { name: 'alike, compared whole', x: alike, y: alike, deals: 50, measures: ['comparisons'] },
  { name: 'alike, heard twice', x: alike, y: alike, deals: 50, measures: ['figures', 'planted', 'two arms'], section: 'pairs', passes: 2 }, // prettier-ignore
  { name: 'X listens better, heard twice', ...listeners, deals: 50, measures: ['planted', 'parts'], section: 'pairs', passes: 2 }, // prettier-ignore
];

export const wholeSize: ValidationSize = {
  cells,
  sizes: sampledDeals,
  repetitions: 4000,
  // One less than a multiple of 40, and of 20, so that the 2.5% and 5% quantiles are single resamples.
  resamples: { figure: 79, test: 39 },
  comparisons: { repetitions: 200, size: 50, resamples: 99 },
  partComparisons: { repetitions: 200, size: 50, resamples: 99 },
  seed: 1,
};

/**
 * Size of a quick validation, which takes a minute. It has few cells and repetitions, so it finds only large errors.
 */
export const quickSize: ValidationSize = {
  ...wholeSize,
  // With fewer deals, planted parts have no interval.
  cells: [
    { ...cells[0]!, deals: 20 },
    { ...cells[1]!, measures: ['parts', 'planted', 'part comparisons'] },
    { ...cells.find(({ measures }) => measures.includes('comparisons'))!, deals: 20 },
  ],
  sizes: [20],
  repetitions: 100,
  comparisons: { repetitions: 2, size: 20, resamples: 99 },
  partComparisons: { repetitions: 10, size: 20, resamples: 99 },
};

/** Plan of short matches. Their one day has as many analyses as a day of a long match. */
const plan = {
  board: 'classic-8',
  rules: 'wolf@1', // the rules behind the published figures
  rule: {
    debateOrder: 'round-robin',
    debatePasses: 1,
    analysis: 'both',
    analyzeBallots: false,
    ballots: 'secret',
    beliefs: 'off',
    scores: 'hidden',
    memory: 'full',
    pack: 'one',
    maxRounds: 2,
  },
} as const;

/** A bot with planted rates. `name`: name of its model in the tables. */
export interface NamedRates {
  name: string;
  planted: PlantedRates;
}

/** Plays a match with this seed and returns its tables. `arm`: distinguishes matches of the same deal. */
export async function playCalibratedSides(
  sides: Readonly<Record<Team, NamedRates>>,
  seed: number,
  arm: number,
  rule: { maxRounds?: number; debatePasses?: number } = {},
): Promise<MatchTables> {
  const ground = { ...plan, rule: { ...plan.rule, ...rule } };
  const { manifest } = await prepareMatch({ ...ground, seed }, {}, 0);
  const label = createLabeller(manifest);
  const matchSeed = draw(seed, 'arm', arm).integer(2 ** 30);
  const models = {
    villagers: createCalibratedBot(sides.villagers.planted, matchSeed, label),
    werewolves: createCalibratedBot(sides.werewolves.planted, matchSeed, label),
  };
  const answers: AnswerLine[] = [];
  const result = await playMatch({
    ...ground,
    seed,
    seats: Object.fromEntries(manifest.setup.players.map(({ name, team }) => [name, { model: models[team] }])),
    out: null,
    maxFallbacks: 1, // many answers are missing by design
    onAnswer: (line) => void answers.push(line),
  });
  const named = Object.fromEntries(manifest.setup.players.map(({ name, team }) => [name, sides[team].name]));
  const setup = { ...manifest.setup, models: named, bots: Object.keys(named) };
  return buildTables({ manifest: { ...manifest, id: `${result.id}-${arm}`, setup }, events: result.events, answers });
}

/**
 * Creates the function that labels statements as the moderator would: a claim about the speaker's own role is a lie if
 * the speaker has another role.
 */
function createLabeller({ setup }: Manifest): LabelStatement {
  const players = setup.players.map(({ name }) => name);
  const roles = new Map(setup.players.map(({ name, role }) => [name, role]));
  return (by, text) => {
    const claims = extractByRules({ id: '1.1', by, round: 1, text, kind: 'debate' }, { ...setup, players });
    const own = (claims ?? []).filter(({ type }) => type === 'own_role');
    if (own.length === 0) return null;
    return own.some(({ role, polarity }) => (role === roles.get(by)) !== polarity);
  };
}

export interface CellFindings {
  pools: PoolFinding[];
  samples: ValidationFinding[];
  comparisons: { cell: string; design: string; found: NullComparisons }[];
  parts: (PartFindings & { cell: string })[];
}

const sides = listModelPairs(['x', 'y']);

/** Plays the matches of the cell, deal by deal, and passes each match on. */
async function playCell(
  { x, y, deals, passes = 1 }: GridCell,
  seed: number,
  see: (match: MatchTables) => void,
): Promise<void> {
  const bots = { x: { name: 'x', planted: x }, y: { name: 'y', planted: y } };
  const seeds = Array.from({ length: deals }, (_, deal) => seed + deal);
  const scheduled = listScheduledMatches(seeds, sides);
  for (const [place, { seed: deal, villagers, werewolves }] of scheduled.entries()) {
    const seated = { villagers: bots[villagers as 'x' | 'y'], werewolves: bots[werewolves as 'x' | 'y'] };
    see(await playCalibratedSides(seated, deal, place % sides.length, { debatePasses: passes }));
  }
}

/** Validates one cell. Throws a TypeError for an endpoint that is not a metric. */
async function validateCell(cell: GridCell, effort: ValidationSize, onMatch: () => void): Promise<CellFindings> {
  const isMeasured = (what: GridCell['measures'][number]) => cell.measures.includes(what);
  const planted = isMeasured('planted') ? new ArmCollection(listPlantedIn(cell).map(({ metric }) => metric)) : null;
  const isPlantedAlone = cell.measures.every((what) => what === 'planted'); // too many matches for the memory
  const matches: MatchTables[] = [];
  await playCell(cell, effort.seed, (match) => {
    planted?.add(match);
    if (!isPlantedAlone) matches.push(match);
    onMatch();
  });
  const endpoints = isPlantedAlone ? [] : listEndpoints(matches, cell);
  const samples = effort.sizes.flatMap((size) =>
    endpoints.flatMap((endpoint) => [
      ...(isMeasured('figures') ? [sampleFigure(cell, endpoint, size, effort)] : []),
      ...(isMeasured('two arms') && !endpoint.isJoint ? [sampleArms(cell, endpoint, size, effort)] : []),
      ...(isMeasured('parts') && !endpoint.isJoint ? sampleParts(cell, endpoint, size, effort) : []),
    ]),
  );
  return {
    pools: planted ? findPlanted(cell, planted.listRows(), effort) : [],
    samples,
    comparisons: isMeasured('comparisons') ? compareNothing(cell, matches, effort) : [],
    parts: isMeasured('part comparisons') ? compareOtherParts(cell, matches, effort) : [],
  };
}

/** A figure with its sums in all four arms of each deal. Sums are in the order of the arms. */
interface PooledEndpoint {
  metric: Metric;
  of: MetricCell;
  isJoint: boolean;
  deals: readonly (readonly Sums[])[];
  /** The parts of the crossed design, each with its contrast of the four arms. */
  parts: readonly { name: EffectPartName; contrast: Contrast; arms: readonly number[] }[];
}

const listPlantedIn = ({ x, y, section }: GridCell) => listPlanted({ x, y, hasPairs: section === 'pairs' });

/**
 * Lists the sampled figures of a cell. Figures of pairs are sampled only if the cell's section is `pairs`, in which
 * players speak twice a day.
 */
function listEndpoints(matches: readonly MatchTables[], { section }: GridCell): PooledEndpoint[] {
  const rows = collectRows(
    matches,
    metrics.filter(({ name }) => validationEndpoints.some(({ metric }) => metric === name)),
  );
  return validationEndpoints
    .filter((endpoint) => (section === undefined ? endpoint.section !== 'pairs' : endpoint.section === section))
    .map(({ metric: name, of, isJoint = false }) => {
      const own = rows.filter(({ metric, cell }) => metric.name === name && isSameCell(cell, of));
      const whole = own.find(({ part }) => part!.side === null); // the row whose arms are in their usual order
      if (!whole) throw new TypeError(`The metric ${name} has no row for the endpoint's cell ${JSON.stringify(of)}.`);
      const parts = own.map(({ part, contrast, arms }) => ({ name: part!.name, contrast, arms }));
      return { metric: whole.metric, of, isJoint, deals: whole.deals, parts };
    });
}

/** Collects the rows of all parts of the crossed design. */
function collectRows(matches: readonly MatchTables[], wanted: readonly Metric[]): ArmedRow[] {
  const collection = new ArmCollection(wanted.map(({ name }) => name));
  for (const match of matches) collection.add(match);
  return collection.listRows();
}

/** Collects the sums of metrics in all four arms, without keeping the matches. */
class ArmCollection {
  readonly #arms = sides.map(({ werewolves, villagers }) => ({ werewolves, villagers, matches: 0 }));
  readonly #deals = new Set<string>();
  readonly #collection: CrossedCollection;

  constructor(wanted: readonly string[]) {
    this.#collection = new CrossedCollection(
      metrics.filter(({ name }) => wanted.includes(name)).flatMap((metric) => narrowToSides(metric) ?? []),
      this.#arms,
    );
  }

  add(match: MatchTables): void {
    this.#deals.add(getDealKey(match.match));
    this.#collection.add(match);
  }

  listRows(): ArmedRow[] {
    const { identified } = listPartContrasts(this.#arms);
    return this.#collection.listContrasted(identified, [...this.#deals]).map((row) => ({
      ...row,
      arms: identified.find(({ side }) => side === row.part!.side)!.arms,
    }));
  }
}

const createTrial = (
  { metric }: Pick<PooledEndpoint, 'metric'>,
  size: number,
  { repetitions, seed }: ValidationSize,
  resamples: number,
): SamplingTrial => ({
  ...{ figure: metric.value, range: getFiniteRange(metric.range), comparedGroups: metric.comparedGroups },
  ...{ size, repetitions, resamples, seed },
});

const describeRow = ({ name }: GridCell, { metric, of }: PooledEndpoint) => ({ cell: name, metric: metric.name, of });

function sampleFigure(
  cell: GridCell,
  endpoint: PooledEndpoint,
  size: number,
  effort: ValidationSize,
): ValidationFinding {
  const trial = createTrial(endpoint, size, effort, effort.resamples.figure);
  const coverage = measureCoverage(endpoint.deals.flat(), trial);
  return { ...describeRow(cell, endpoint), kind: 'figure', size, coverage, rejections: null };
}

function sampleArms(cell: GridCell, endpoint: PooledEndpoint, size: number, effort: ValidationSize): ValidationFinding {
  const trial = createTrial(endpoint, size, effort, effort.resamples.test);
  const pairs = endpoint.deals.map(([one, , , other]) => [one!, other!]);
  const { rejections } = measureContrast(pairs, pairContrast, trial, 'alike');
  return { ...describeRow(cell, endpoint), kind: 'two arms', size, coverage: null, rejections };
}

const sampleParts = (
  cell: GridCell,
  endpoint: PooledEndpoint,
  size: number,
  effort: ValidationSize,
): ValidationFinding[] =>
  endpoint.parts.map(({ name, contrast, arms }) => {
    const deals = endpoint.deals.map((sums) => arms.map((arm) => sums[arm]!));
    const trial = createTrial(endpoint, size, effort, effort.resamples.test);
    return {
      ...describeRow(cell, endpoint),
      kind: name,
      size,
      ...measureContrast(deals, contrast, trial, 'as they are'),
    };
  });

/** Compares the estimates of all matches with planted rates, or with planted differences between two bots. */
function findPlanted(cell: GridCell, rows: readonly ArmedRow[], effort: ValidationSize): PoolFinding[] {
  return listPlantedIn(cell).map(({ metric: name, of, part, planted: rate }): PoolFinding => {
    const row = rows.find(
      (one) => one.metric.name === name && isSameCell(one.cell, of) && one.part!.name === (part ?? 'interaction'),
    )!;
    const resampling = createResampling(4 * row.deals.length, effort.resamples.figure, effort.seed);
    const options = { resampling, range: getFiniteRange(row.metric.range) };
    const { estimate, se } =
      part === null
        ? computeClusterInterval(row.deals.flat(), row.metric.value, options)
        : computeContrast(row.deals, row.metric.value, row.contrast, options).difference;
    return { ...{ cell: cell.name, metric: name, part, planted: rate, matches: 4 * cell.deals }, found: estimate, se };
  });
}

/** Counts the differences that comparisons report between a bot and itself under another name, in both designs. */
function compareNothing({ name }: GridCell, matches: readonly MatchTables[], effort: ValidationSize) {
  const compared = metrics.filter(({ section }) => section !== 'reliability');
  const { size, repetitions, resamples } = effort.comparisons;
  const trial = { size, repetitions, resamples, seed: effort.seed };
  const swapped = createModelSides(compared, ['x', 'y']);
  for (const match of matches) {
    const { villagers_model: village, werewolves_model: pack } = match.match;
    if (village !== pack) swapped.add('a', match);
  }
  const deals = [...new Set(matches.map(({ match }) => getDealKey(match)))];
  const rows = swapped.listContrasted(deals).map((row) => ({ ...row, arms: [0, 1] }));
  return [
    { cell: name, design: 'two arms', found: measureNullComparisons(rows, 2, trial) },
    { cell: name, design: 'crossed', found: measureNullComparisons(collectRows(matches, compared), 4, trial) },
  ];
}

/** Runs comparisons in which one part differs as planted and the others do not differ. */
function compareOtherParts({ name }: GridCell, matches: readonly MatchTables[], effort: ValidationSize) {
  const { size, repetitions, resamples } = effort.partComparisons;
  const rows = collectRows(matches, metrics.filter(isComparedHeadline)); // other metrics are not tested
  const trial = { size, repetitions, resamples, seed: effort.seed };
  return (Object.keys(exchanges) as Exchange[]).flatMap((exchanged) =>
    measurePartComparisons(rows, exchanged, trial).map((found) => ({ cell: name, ...found })),
  );
}

/** URL of this module, which a thread runs to validate one cell. */
export const cellWorkerUrl = new URL(import.meta.url);

// Runs as a thread: validates one cell of the grid.
if (!isMainThread && parentPort) {
  const { cell, effort } = workerData as { cell: GridCell; effort: ValidationSize };
  const port = parentPort;
  port.postMessage(await validateCell(cell, effort, () => port.postMessage('match')));
}
