// Validates one cell of a grid of planted rates: plays its pool of matches with calibrated players, then draws samples.
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { extractByRules } from '../../deception/claims/extract-by-rules.ts';
import { isSameCell } from '../../deception/comparison/comparison-schema.ts';
import { metrics } from '../../deception/metrics/index.ts';
import { Collection } from '../../deception/metrics/metric-collection.ts';
import { type Cell, getClosedRange, type Metric } from '../../deception/metrics/metric.ts';
import { computeClusterInterval, createResampling } from '../../deception/statistics/bootstrap.ts';
import type { Pair } from '../../deception/statistics/paired-test.ts';
import type { Sums } from '../../deception/statistics/sums.ts';
import { buildTables } from '../../deception/tables/match-tables.ts';
import type { MatchTables } from '../../deception/tables/row-schemas.ts';
import {
  measureCoverage,
  measureRejections,
  type PoolFinding,
  validationEndpoints,
  type ValidationFinding,
} from '../../deception/validation/validation.ts';
import { playMatch } from '../../graph/play-match.ts';
import { prepareMatch } from '../../graph/prepare-match.ts';
import { createCalibratedBot, type LabelStatement, type PlantedRates } from '../../models/bots/calibrated.ts';
import { draw } from '../../state/random.ts';
import type { AnswerLine, Manifest } from '../../state/record.ts';
import type { Team } from '../../state/teams.ts';

export interface GridCell {
  name: string;
  planted: PlantedRates;
}

export interface Effort {
  cells: readonly GridCell[];
  /** Deals of each cell, each played twice: two arms that do not differ. */
  deals: number;
  /** Matches in a sample. */
  sizes: readonly number[];
  repetitions: number;
  resamples: number;
  seed: number;
}

/** 10 % of analyses cannot be read, of lies twice as many as of other statements. */
const missing = { lie: 0.18, other: 0.09 };

const rates = [
  { lie: 0.1, hit: 0.4, falseAlarm: 0.1, admission: 0.3 },
  { lie: 0.4, hit: 0.8, falseAlarm: 0.3, admission: 0.7 },
];

const cells = rates.flatMap((planted) =>
  [0.1, 0.3].map((icc): GridCell => ({
    name: `lies ${planted.lie}, hits ${planted.hit}, false alarms ${planted.falseAlarm}, ICC ${icc}`,
    planted: { ...planted, icc, missing },
  })),
);

export const wholeEffort: Effort = {
  cells,
  deals: 400,
  sizes: [20, 50, 200],
  repetitions: 2000,
  resamples: 2000,
  seed: 1,
};

/** A minute: one cell, few repetitions; it finds gross faults alone. */
export const quickEffort: Effort = {
  ...wholeEffort,
  cells: cells.slice(-1),
  deals: 60,
  sizes: [20],
  repetitions: 200,
  resamples: 400,
};

/** Short matches with as many analyses as a long one has in a day. */
const plan = {
  board: 'classic-8',
  rules: 'wolf',
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

/** A bot with planted rates, and the name of its model in the tables. */
export interface NamedRates {
  name: string;
  planted: PlantedRates;
}

/** The tables of a match with this seed, the same rates on both sides. The same deal under another `arm` is another match. */
export function playCalibrated(planted: PlantedRates, seed: number, arm: number): Promise<MatchTables> {
  const bot = { name: 'bot:calibrated', planted };
  return playCalibratedSides({ villagers: bot, werewolves: bot }, seed, arm);
}

/** As `playCalibrated`, with rates and a name for each side. */
export async function playCalibratedSides(
  sides: Readonly<Record<Team, NamedRates>>,
  seed: number,
  arm: number,
  maxRounds: number = plan.rule.maxRounds,
): Promise<MatchTables> {
  const ground = { ...plan, rule: { ...plan.rule, maxRounds } };
  const { manifest } = await prepareMatch({ ...ground, seed }, {}, 0);
  const label = labelIn(manifest);
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
    onAnswer: (line) => void answers.push(line),
  });
  const named = Object.fromEntries(manifest.setup.players.map(({ name, team }) => [name, sides[team].name]));
  const setup = { ...manifest.setup, models: named, bots: Object.keys(named) };
  return buildTables({ manifest: { ...manifest, id: `${result.id}-${arm}`, setup }, events: result.events, answers });
}

/** What the moderator tells: a claim about the own role is a lie where the speaker was dealt another. */
function labelIn({ setup }: Manifest): LabelStatement {
  const players = setup.players.map(({ name }) => name);
  const roles = new Map(setup.players.map(({ name, role }) => [name, role]));
  return (by, text) => {
    const claims = extractByRules({ id: '1.1', by, round: 1, text, kind: 'debate' }, { ...setup, players });
    const own = claims.filter(({ type }) => type === 'own_role');
    if (own.length === 0) return null;
    return own.some(({ role, polarity }) => (role === roles.get(by)) !== polarity);
  };
}

export interface CellFindings {
  pools: PoolFinding[];
  samples: ValidationFinding[];
}

/** Throws a TypeError where an endpoint is no metric. `onMatch` is called after each match. */
async function validateCell(
  { name, planted }: GridCell,
  { deals, sizes, repetitions, resamples, seed }: Effort,
  onMatch: () => void,
): Promise<CellFindings> {
  const wanted = metrics.filter(({ name: metric }) =>
    validationEndpoints.some((endpoint) => endpoint.metric === metric),
  );
  const arms = [new Collection(wanted), new Collection(wanted)];
  const named: string[] = [];
  for (let deal = 0; deal < deals; deal++) {
    named.push(String(deal));
    for (const [arm, collection] of arms.entries()) {
      collection.add(await playCalibrated(planted, seed + deal, arm), String(deal));
      onMatch();
    }
  }
  const found = validationEndpoints.map(({ metric: metricName, of, planted: rate }) => {
    const metric = wanted.find((one) => one.name === metricName);
    if (!metric) throw new TypeError(`${metricName} is no metric.`);
    const [a, b] = arms.map((collection) => sumsOf(collection, metric, of, named)) as [Sums[], Sums[]];
    const pool = [...a, ...b];
    const pairs = a.map((sums, place): Pair => ({ a: sums, b: b[place]! }));
    const about = { cell: name, metric: metricName, planted: planted[rate] };
    const range = getClosedRange(metric.range);
    const whole = computeClusterInterval(pool, metric.value, {
      resampling: createResampling(pool.length, resamples, seed),
      range,
    });
    const samples = sizes.map((size): ValidationFinding => {
      const trial = { figure: metric.value, range, size, repetitions, resamples, seed };
      return { ...about, size, coverage: measureCoverage(pool, trial), rejections: measureRejections(pairs, trial) };
    });
    return { pool: { ...about, matches: pool.length, found: whole.estimate, se: whole.se }, samples };
  });
  return { pools: found.map(({ pool }) => pool), samples: found.flatMap(({ samples }) => samples) };
}

function sumsOf(collection: Collection, metric: Metric, of: Cell, units: readonly string[]): Sums[] {
  const found = collection.listCells().find((one) => one.metric === metric && isSameCell(one.cell, of));
  const sums = new Map(found?.clusters.map((cluster) => [cluster.unit, cluster.sums]));
  return units.map((unit) => sums.get(unit) ?? {});
}

// As the entry of a thread: one cell of the grid.
if (!isMainThread && parentPort) {
  const { cell, effort } = workerData as { cell: GridCell; effort: Effort };
  const port = parentPort;
  port.postMessage(await validateCell(cell, effort, () => port.postMessage('match')));
}
