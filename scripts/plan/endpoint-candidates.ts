// Lists the endpoints that a study may choose, each with its spread: the standard deviation of a single deal. The
// spread comes from a pilot with the study's own arms, or from matches of one arm under a stated assumption.
import { checkPlan, type Endpoint, type PlanDesign } from '../../deception/comparison/analysis-plan.ts';
import { isSameCell, type NotCompared, type EffectPart } from '../../deception/comparison/comparison-schema.ts';
import { createPart, listCrossedArms, listCrossedEndpoints } from '../../deception/comparison/crossed-effects.ts';
import { getDealKey, listModelPairs } from '../../deception/design/schedule.ts';
import { endpointMetrics } from '../../deception/metrics/index.ts';
import { MetricCollection } from '../../deception/metrics/metric-collection.ts';
import { type MetricCell, getFiniteRange, type Metric } from '../../deception/metrics/metric.ts';
import {
  computeDealSpread,
  type DealSpread,
  splitVariance,
  type SplitVariance,
} from '../../deception/statistics/sample-size.ts';
import { sum, type Sums } from '../../deception/statistics/sums.ts';
import type { MatchTables } from '../../deception/tables/match-tables.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import type { Manifest } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';
import {
  prepareCrossed,
  prepareFolders,
  type ComparisonSources,
  readComparedRecords,
} from '../compare/comparison-sources.ts';
import { readMatches, type RecordReading } from '../compare/read-matches.ts';
import { nameExtractor, type UsableMatch, type WantedMatches } from '../report/match-inventory.ts';

export const designs = ['crossed', 'two-arms', 'single'] as const;
export type Design = (typeof designs)[number];

/** A possible endpoint. */
export interface Candidate extends DealSpread {
  endpoint: Endpoint;
  title: string;
  /** Parts of the variance of one deal; null if the pilot has no replicates. */
  variance: SplitVariance | null;
}

/** Facts about single deals that are known before the study, from a pilot or from bots. */
export interface Pilot {
  design: Design;
  /** Number of matches per deal. */
  matchesPerDeal: number;
  /** Number of deals behind the spreads. */
  deals: number;
  /** Number of times that the pilot played each deal in each arm; the harmonic mean if deals differ. */
  replicates: number;
  /** Sentences that name the source of the spreads, and the assumptions. */
  from: string[];
  /** Manifests whose boards, rules and models are used for the estimate; empty without a pilot. */
  manifests: readonly Manifest[];
  candidates: Candidate[];
}

export interface PilotWish {
  design: Design | undefined;
  models: readonly string[];
  /** Requested endpoints. If empty, all endpoints on a common scale. */
  endpoints: readonly Endpoint[];
  wanted: WantedMatches;
}

/** A figure, with its sums for each deal and arm. */
interface Row {
  /** The row's deals if each replicate counts as a separate deal. Null without replicates. */
  apart: Apart | null;
  metric: Metric;
  cell: MetricCell;
  part: EffectPart | null;
  deals: readonly (readonly Sums[])[];
  weights: readonly number[];
  /** Factor by which the spread is multiplied. It differs from 1 if the other arms are assumed, not played. */
  scale: number;
}

/**
 * A pilot in which every replicate counts as a separate deal. The variance is split with it into a part between deals
 * and a part between replicates of a deal.
 */
interface Apart {
  deals: readonly (readonly Sums[])[];
  /** Number of deals, and number of replicates of each deal. */
  size: { deals: number; replicates: number };
}

/** Endpoints that a plan can name, and the rows behind them. */
interface Ground {
  metrics: readonly Metric[];
  notCompared: readonly NotCompared[];
  design: PlanDesign;
  rows: readonly Row[];
}

/**
 * Reads a pilot: two folders with the same deals, one folder of a crossed design, or any other folder, which counts as
 * one arm. Throws a UsageError if folders and requests do not fit together, for fewer than two deals, and for an
 * endpoint that cannot be compared or has no data.
 */
export async function readPilot(folders: readonly string[], wish: PilotWish, reading: RecordReading): Promise<Pilot> {
  const [a, b] = folders;
  if (a !== undefined && b !== undefined) {
    if (folders.length > 2)
      throw new UsageError(`A pilot is one folder or two, not ${folders.length}: ${folders.join(', ')}.`);
    const { matches } = await readMatches(folders, wish.wanted, reading);
    const { sources } = await readComparedRecords({ folders: [a, b], ...wish.wanted, isPilot: true }, reading);
    const ofA = (await readMatches([a], wish.wanted, reading)).matches;
    const ofB = (await readMatches([b], wish.wanted, reading)).matches;
    const apart = separateReplicates([...ofA, ...ofB].map(({ tables }) => tables));
    const separate = (arm: readonly UsableMatch[]) =>
      arm.map((match) => ({ ...match, tables: apart?.tables.get(match.tables) ?? match.tables }));
    return planPaired(
      {
        sources,
        apart: apart && {
          size: apart.size,
          sources: prepareFolders(
            [a, b],
            { a: separate(ofA), b: separate(ofB) },
            nameExtractor(wish.wanted.judge),
            undefined,
            { isPilot: true },
          ),
        },
      },
      'two-arms',
      `${a} and ${b}`,
      matches.map(({ manifest }) => manifest),
      wish,
    );
  }
  const named = folders.join(', ');
  const { matches } = await readMatches(folders, wish.wanted, reading);
  const tables = matches.map((match) => match.tables);
  const manifests = matches.map(({ manifest }) => manifest);
  const arms = listCrossedArms(tables.map(({ match }) => match));
  const isCrossed = listCrossedEndpoints([], arms, 'rules').parts.identified.length > 0;
  if (isCrossed) {
    const extractor = nameExtractor(wish.wanted.judge);
    const sources = prepareCrossed(folders, tables, extractor, { isPilot: true });
    const apart = separateReplicates(tables);
    const ofApart = apart && {
      size: apart.size,
      sources: prepareCrossed(folders, [...apart.tables.values()], extractor, { isPilot: true }),
    };
    return planPaired({ sources, apart: ofApart }, 'crossed', named, manifests, wish);
  }
  return planFromOneArm(tables, `the pilot ${named}`, manifests, wish);
}

/**
 * A pilot of several arms. `apart` is the same pilot with each replicate counted as a deal; null without replicates.
 */
interface PairedPilot {
  sources: ComparisonSources;
  apart: { sources: ComparisonSources; size: ReplicatedSize } | null;
}

function planPaired(
  { sources, apart }: PairedPilot,
  design: Design,
  named: string,
  manifests: readonly Manifest[],
  wish: PilotWish,
): Pilot {
  if (wish.design !== undefined && wish.design !== design)
    throw new UsageError(
      `--design ${wish.design} does not match the pilot ${named}, whose design is ${design}. Remove --design, or name as the pilot a folder that holds only one arm.`,
    );
  const own = [...new Set(sources.crossed?.arms.flatMap((arm) => [arm.werewolves, arm.villagers]))].sort();
  const isSame =
    own.length > 2
      ? own.join('\n') === wish.models.map(getModelLabel).sort().join('\n')
      : own.length === wish.models.length;
  if (design === 'crossed' && wish.models.length > 0 && !isSame)
    throw new UsageError(
      `--models ${wish.models.join(' ')}: the pilot ${named} is a crossed design of ${own.join(', ')}. Name as many models as the pilot has (if more than two, the same ones), or remove --models.`,
    );
  if (design === 'two-arms') checkModels('two-arms', wish.models);
  checkDeals(sources.deals.length, `the pilot ${named}`);
  const separate = new Map(apart?.sources.listContrasted().map((row) => [nameRow(row), row.deals]));
  const rows = sources.listContrasted().map((row): Row => {
    const { metric, cell, part, deals, contrast } = row;
    const own = separate.get(nameRow(row));
    return {
      ...{ metric, cell, part, deals, scale: 1 },
      apart: apart && own ? { deals: own, size: apart.size } : null,
      weights: contrast.a.map((weight, k) => weight - contrast.b[k]!),
    };
  });
  const compared = design === 'crossed' ? `${sources.crossed!.arms.length} pairs of models` : 'both arms';
  return {
    ...{ design, deals: sources.deals.length, replicates: apart?.size.replicates ?? 1, manifests },
    matchesPerDeal: sources.crossed?.arms.length ?? 2,
    from: [
      `Spreads from the pilot ${named}: differences within ${sources.deals.length} deals that ${compared} played${apart ? `, ${Number(apart.size.replicates.toFixed(1))} times each` : ''}.`,
      ...(sources.bots > 0 ? [botCaution] : []),
    ],
    candidates: listCandidates({ ...sources, rows }, wish.endpoints),
  };
}

const nameRow = ({ metric, cell, part }: Pick<Row, 'metric' | 'cell' | 'part'>) =>
  JSON.stringify([metric.name, cell, part?.name, part?.models]);

/** Number of deals, and harmonic mean over deals of how often each arm played a deal. */
type ReplicatedSize = Apart['size'];

/**
 * Counts each replicate as a deal: pairs the first replicates of all arms, then the second, and so on. Returns null if
 * no deal was played twice in every arm.
 */
function separateReplicates(
  matches: readonly MatchTables[],
): { tables: ReadonlyMap<MatchTables, MatchTables>; size: ReplicatedSize } | null {
  const tables = new Map<MatchTables, MatchTables>();
  const times: number[] = [];
  for (const ofDeal of Map.groupBy(matches, ({ match }) => getDealKey(match)).values()) {
    const arms = [...Map.groupBy(ofDeal, nameArm).values()];
    times.push(Math.min(...arms.map(({ length }) => length)));
    for (const arm of arms)
      for (const [place, own] of arm.entries())
        tables.set(own, { ...own, match: { ...own.match, deal: `${own.match.deal} (${place + 1})` } });
  }
  const replicates = times.length / sum(times.map((count) => 1 / count));
  return replicates > 1 ? { tables, size: { deals: times.length, replicates } } : null;
}

/** Returns a key that is equal for matches in the same arm: all that replicates share, except the deal. */
const nameArm = ({ match, players }: MatchTables) =>
  JSON.stringify([match.rules, match.variant, match.experience, players.map(({ model }) => model)]);

const botCaution = 'Built-in bots played in these matches: the spread of language models may be quite different.';

const checkDeals = (deals: number, named: string) => {
  if (deals < 2)
    throw new UsageError(
      `${named.charAt(0).toUpperCase()}${named.slice(1)} has one deal, which says nothing about the spread of deals. Play at least two, better ten: --matches 10.`,
    );
};

const checkModels = (design: Design, models: readonly string[]) => {
  if (models.length > 1)
    throw new UsageError(
      `--design ${design} takes one model in all seats, but --models names ${models.length}. To compare models, use --design crossed.`,
    );
};

/**
 * Plans from matches of one arm. Assumes that deals vary as much in every arm as in this one, and that arms of the same
 * deal are independent. A plan under these assumptions has too many deals rather than too few.
 */
export function planFromOneArm(
  tables: readonly MatchTables[],
  named: string,
  manifests: readonly Manifest[],
  wish: PilotWish,
): Pilot {
  const design = wish.design ?? (wish.models.length > 1 ? 'crossed' : 'two-arms');
  const extractor = nameExtractor(wish.wanted.judge);
  const deals = [...new Set(tables.map(({ match }) => getDealKey(match)))];
  checkDeals(deals.length, named);
  if (design !== 'crossed') checkModels(design, wish.models);
  const pairs = design === 'crossed' ? listModelPairs(wish.models.map(getModelLabel)) : [];
  const crossed = design === 'crossed' ? listCrossedEndpoints(endpointMetrics, pairs, extractor) : null;
  const metrics = crossed?.metrics ?? endpointMetrics;
  const collect = (some: readonly MatchTables[]) => {
    const collection = new MetricCollection(metrics);
    for (const match of some) collection.add(match, getDealKey(match.match));
    const units = [...new Set(some.map(({ match }) => getDealKey(match)))];
    return collection.listCells().map(({ metric, cell, clusters }) => {
      const sums = new Map(clusters.map((cluster) => [cluster.unit, cluster.sums]));
      return { metric, cell, part: null, deals: units.map((unit) => [sums.get(unit) ?? {}]) };
    });
  };
  const apart = separateReplicates(tables);
  const separate = new Map(apart && collect([...apart.tables.values()]).map((row) => [nameRow(row), row.deals]));
  const rows = collect(tables).flatMap((row): Row[] => {
    const { metric, cell } = row;
    const own = separate.get(nameRow(row));
    const base = { ...row, apart: apart && own ? { deals: own, size: apart.size } : null, weights: [1] };
    if (!crossed) return [{ ...base, part: null, scale: design === 'single' ? 1 : Math.SQRT2 }];
    return crossed.parts.identified.map((part): Row => {
      const { a, b } = part.contrast;
      const scale = Math.sqrt(sum(a.map((weight, k) => (weight - b[k]!) ** 2)));
      return { ...base, part: createPart(part, metric, cell), scale };
    });
  });
  const isOfBots = tables.some(({ match }) => match.bots > 0);
  return {
    ...{ design, deals: deals.length, replicates: apart?.size.replicates ?? 1, manifests },
    matchesPerDeal: design === 'crossed' ? pairs.length : design === 'two-arms' ? 2 : 1,
    from: [
      `Spreads from ${named}: ${deals.length} deals of one arm.`,
      ...(design === 'single'
        ? []
        : [
            'Assumed: every arm has this spread, and matches of the same deal in two arms are independent. In fact such matches are often similar, so fewer deals suffice: a pilot with the study’s own arms shows how many.',
          ]),
      ...(isOfBots ? [botCaution] : []),
    ],
    candidates: listCandidates(
      { metrics, notCompared: crossed?.notCompared ?? [], design: crossed?.design ?? {}, rows },
      wish.endpoints,
    ),
  };
}

/**
 * Dimensions that name a side. A figure for one side can be an endpoint of its own; a figure split by other dimensions
 * cannot.
 */
const sideDimensions = ['team', 'speaker_team', 'observer_team'];

/** Whether a figure is on the scale of a share, so that equal effects of different figures can be compared. */
function isOnOneScale({ metric, cell, part }: Row): boolean {
  const range = getFiniteRange(metric.range);
  const own = Object.keys(cell).filter((dimension) => !metric.strata.includes(dimension));
  return (
    (metric.isHeadline === true || metric.isOfMatches === true) &&
    range !== undefined &&
    range[1] - range[0] <= 1 &&
    part?.name !== 'interaction' &&
    own.every((dimension) => sideDimensions.includes(dimension))
  );
}

function listCandidates(ground: Ground, named: readonly Endpoint[]): Candidate[] {
  const { metrics, notCompared, design, rows } = ground;
  if (named.length > 0) {
    checkPlan({ endpoints: [...named] }, metrics, notCompared, design);
    return named.map((endpoint, place) => findNamed(endpoint, place, rows));
  }
  const found = new Set<string>();
  const several = (design.crossed?.pairs.length ?? 0) > 1;
  return rows.filter(isOnOneScale).flatMap((row) => {
    const { metric, cell, part } = row;
    const ofPart = part === null ? {} : { part: part.name, ...(several ? { models: part.models } : {}) };
    const endpoint: Endpoint = { metric: metric.name, of: { ...cell }, ...ofPart };
    try {
      checkPlan({ endpoints: [endpoint] }, metrics, notCompared, design);
    } catch (error) {
      if (error instanceof UsageError) return []; // a plan could not name this endpoint
      throw error;
    }
    const spread = measureRow(row);
    if (spread === null || spread.spread === 0) return [];
    const contents = JSON.stringify([metric.name, part?.side, part?.models, spread]); // equal for endpoints that differ only in name; the first is kept
    if (found.has(contents)) return [];
    found.add(contents);
    return [{ ...spread, endpoint, title: metric.title }];
  });
}

function measureRow({ deals, metric, weights, scale, apart }: Row): (DealSpread & Pick<Candidate, 'variance'>) | null {
  const found = computeDealSpread(deals, metric.value, weights);
  if (found === null) return null;
  const spread = found.spread * scale;
  if (apart === null) return { ...found, spread, variance: null };
  const separate = computeDealSpread(apart.deals, metric.value, weights);
  const variance = separate && splitVariance({ together: spread, apart: separate.spread * scale }, apart.size);
  return { ...found, spread, variance };
}

function findNamed(endpoint: Endpoint, place: number, rows: readonly Row[]): Candidate {
  const ofMetric = rows.filter(
    ({ metric, part }) =>
      metric.name === endpoint.metric &&
      part?.name === endpoint.part &&
      (endpoint.models === undefined || part?.models.join('\n') === endpoint.models.join('\n')),
  );
  const row = ofMetric.find(({ cell }) => isSameCell(cell, endpoint.of));
  const spread = row ? measureRow(row) : null;
  if (row && spread && spread.spread > 0) return { ...spread, endpoint, title: row.metric.title };
  const known = ofMetric
    .filter(({ cell }) => isSameDimensions(cell, endpoint.of))
    .map(({ cell }) =>
      Object.entries(cell)
        .map(([name, value]) => `${name}=${value}`)
        .join(','),
    );
  throw new UsageError(
    `endpoints.${place}: ${endpoint.metric} ${row ? 'does not vary between deals, or has data in fewer than two' : 'has no data with these keys'}, so the number of deals is unknown.${known.length === 0 || row ? '' : ` Cells with data: ${known.slice(0, 12).join('; ')}.`}`,
  );
}

const isSameDimensions = (one: MetricCell, other: MetricCell) =>
  Object.keys(one).sort().join() === Object.keys(other).sort().join();
