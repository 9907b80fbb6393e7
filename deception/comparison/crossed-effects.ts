// The crossed design: every ordered pair of models plays the same deals. This separates the effect of the Werewolves'
// model, the effect of the village's model, and the effect of the deal.
//
// The statistical model: the figure of (Werewolves X, village Y) is the sum of a part of X as Werewolves, a part of Y
// as village, and their interaction, on the scale of the figure itself. Parts are reported as differences between two
// models, never as levels.
import type { ReadingFinding } from '../metrics/comparability.ts';
import { MetricCollection } from '../metrics/metric-collection.ts';
import { type MetricCell, isOfModels, type Metric } from '../metrics/metric.ts';
import { listArmDeals } from '../statistics/arm-estimates.ts';
import type { Contrast } from '../statistics/paired-test.ts';
import { getRole } from '../../state/roles/index.ts';
import type { Team } from '../../state/teams.ts';
import type { MatchRow, MatchTables } from '../tables/match-tables.ts';
import { getDealKey } from '../design/schedule.ts';
import { selectComparable } from './pair-arms.ts';
import type { PlanDesign } from './analysis-plan.ts';
import type { CrossedArm, NotCompared, NotIdentified, EffectPart, EffectPartName } from './comparison-schema.ts';
import type { ContrastedFigure } from './contrasted-figure.ts';

/** The model of each side, where one model plays all of the side's seats. */
type Sides = Record<Team, string>;

/** Returns the model of each side. Null if any side has several models. */
const getSides = ({ werewolves_model: werewolves, villagers_model: villagers }: MatchRow): Sides | null =>
  werewolves === null || villagers === null ? null : { werewolves, villagers };

const getArmName = ({ werewolves, villagers }: Sides) => JSON.stringify([werewolves, villagers]);

/** Lists the arms in which each side has one model, sorted by the Werewolves' model, then by the village's. */
export function listCrossedArms(rows: readonly MatchRow[]): CrossedArm[] {
  const byArm = Map.groupBy(
    rows.flatMap((row) => getSides(row) ?? []),
    getArmName,
  );
  return [...byArm]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, [first, ...more]]) => ({ ...first!, matches: 1 + more.length }));
}

/** A comparison of two models in one part of the crossed design, as a contrast of arms. */
export interface PartContrast {
  models: readonly [string, string];
  /** The side whose model differs; null for the interaction. */
  side: Team | null;
  /** Models of the other side that both models met. */
  opponents: readonly string[];
  /** Indices of the arms, in the order of the contrast. */
  arms: readonly number[];
  contrast: Contrast;
}

/**
 * Lists the parts of each pair of models that these arms identify. Also lists the parts that the arms do not identify,
 * with the matches that would identify them. The part of X and Y on a side is X's figure minus Y's, averaged over the
 * models of the other side that both met. The interaction is how much larger that difference is against X than against
 * Y.
 *
 * @example
 * const { identified, missing } = listPartContrasts(listCrossedArms(rows));
 */
export function listPartContrasts(arms: readonly Sides[]): { identified: PartContrast[]; missing: NotIdentified[] } {
  const places = new Map(arms.map((arm, place) => [getArmName(arm), place]));
  const find = (werewolves: string, villagers: string) => places.get(getArmName({ werewolves, villagers }));
  const models = [...new Set(arms.flatMap(({ werewolves, villagers }) => [werewolves, villagers]))].sort();
  const pairs = models.flatMap((x, place) => models.slice(place + 1).map((y): [string, string] => [x, y]));
  const found = pairs.flatMap((pair) => {
    const findArm: Readonly<Record<Team, (model: string, opponent: string) => number | undefined>> = {
      werewolves: (model, opponent) => find(model, opponent),
      villagers: (model, opponent) => find(opponent, model),
    };
    const sides = (['werewolves', 'villagers'] as const).map((side) => findSidePart(pair, side, models, findArm[side]));
    return [...sides, findInteraction(pair, find)];
  });
  return {
    identified: found.flatMap((one) => ('contrast' in one ? [one] : [])),
    missing: found.flatMap((one) => ('contrast' in one ? [] : [one])),
  };
}

function findSidePart(
  pair: [string, string],
  side: Team,
  models: readonly string[],
  find: (model: string, opponent: string) => number | undefined,
): PartContrast | NotIdentified {
  const [x, y] = pair;
  const met = models.flatMap((opponent) => {
    const [ofX, ofY] = [find(x, opponent), find(y, opponent)];
    return ofX === undefined || ofY === undefined ? [] : [{ opponent, arms: [ofX, ofY] }];
  });
  if (met.length === 0)
    return {
      models: pair,
      part: side === 'werewolves' ? 'pack' : 'village',
      needs: `both as the ${side === 'werewolves' ? 'Werewolves' : 'village'} against the same model`,
    };
  const repeat = (weights: number[]) => met.flatMap(() => weights);
  return {
    ...{ models: pair, side, opponents: met.map(({ opponent }) => opponent), arms: met.flatMap(({ arms }) => arms) },
    contrast: {
      ...{ a: repeat([1 / met.length, 0]), b: repeat([0, 1 / met.length]) },
      swap: met.flatMap((_, place) => [2 * place + 1, 2 * place]),
    },
  };
}

/**
 * Finds the interaction: the difference between X's and Y's Werewolves against X's village, minus the same difference
 * against Y's village.
 */
function findInteraction(
  pair: [string, string],
  find: (werewolves: string, villagers: string) => number | undefined,
): PartContrast | NotIdentified {
  const [x, y] = pair;
  const arms = [find(x, x), find(x, y), find(y, x), find(y, y)].filter((place) => place !== undefined);
  if (arms.length < 4)
    return { models: pair, part: 'interaction', needs: 'all four of them against each other and against themselves' };
  const contrast = { a: [1, 0, -1, 0], b: [0, 1, 0, -1], swap: [2, 3, 0, 1] };
  return { models: pair, side: null, opponents: [], arms, contrast };
}

// Names of parts. The sides in a cell decide which model's part a contrast measures.

/**
 * Returns, for each side, the name of the part that shows the effect of exchanging that side's model. A cell with
 * speakers on one side and listeners on the other has a speaker's part and a listener's part. A cell of one side has
 * the actor's part (the actor may both speak and listen) and the opponent's part. Other cells have a part of the
 * Werewolves and a part of the village.
 *
 * @example
 * nameEffectParts(perceivedFlagRate, { speaker_team: 'werewolves', observer_team: 'villagers' });
 * // { werewolves: 'speaker', villagers: 'listener' }
 */
export function nameEffectParts(metric: Pick<Metric, 'side'>, cell: MetricCell): Record<Team, EffectPartName> {
  const speakers = findTeam(cell['speaker_team'], cell['speaker_role']);
  const listeners = findTeam(cell['observer_team'], cell['observer_role']);
  if (speakers && listeners && speakers !== listeners) return nameSides(speakers, 'speaker', 'listener');
  const actors =
    findTeam(cell['team'], cell['role']) ?? findTeam(cell['sheriff_team']) ?? speakers ?? listeners ?? metric.side;
  return actors ? nameSides(actors, 'actor', 'opponent') : { werewolves: 'pack', villagers: 'village' };
}

const nameSides = (team: Team, own: EffectPartName, other: EffectPartName): Record<Team, EffectPartName> =>
  team === 'werewolves' ? { werewolves: own, villagers: other } : { werewolves: other, villagers: own };

const findTeam = (team: string | undefined, role?: string): Team | null =>
  (team as Team | undefined) ?? (role === undefined ? null : getRole(role).team);

/** Lists the names of a cell's parts, for use in a plan. */
const listPartNames = (metric: Pick<Metric, 'side' | 'isBareHitRate'>, cell: MetricCell): EffectPartName[] => {
  const { werewolves, villagers } = nameEffectParts(metric, cell);
  return [werewolves, villagers, 'interaction' as const].filter(
    (part) => part !== 'listener' || metric.isBareHitRate !== true,
  );
};

// The rows of a crossed design.

/**
 * Whether the arm already determines the value of this dimension: it names a model, or says whether both models are the
 * same.
 */
const isKnownByArm = (dimension: string) => dimension === 'is_same_model' || isOfModels(dimension);

/** Breakdowns that separate the sides. A metric that does not count by side has no such cells. */
const bySide = [['team'], ['speaker_team', 'observer_team']];

/**
 * Returns the metric restricted to cells that name no model and that separate the sides of speakers and listeners. Null
 * for a metric of the set-up, such as wins by seat, and for a metric whose cells all name models.
 */
export function narrowToSides(metric: Metric): Metric | null {
  if (metric.section === 'seats' || metric.strata.some(isKnownByArm)) return null;
  const tables = [...metric.breakdowns.filter((table) => !table.some(isKnownByArm)), ...bySide]
    .map((table) => table.filter((dimension) => !metric.strata.includes(dimension)))
    .filter((table) => table.length > 0);
  const unique = new Map(tables.map((table) => [[...table].sort().join(), table]));
  return { ...metric, breakdowns: [...unique.values()] };
}

/**
 * Lists the endpoints and parts that a plan for a crossed design can name. `extractor`: name of the extractor of the
 * claims.
 */
export function listCrossedEndpoints(
  metrics: readonly Metric[],
  arms: readonly Sides[],
  extractor: string,
  reading: ReadingFinding | null = null,
): { metrics: Metric[]; notCompared: NotCompared[]; design: PlanDesign; parts: ReturnType<typeof listPartContrasts> } {
  const narrowed = metrics.flatMap((metric) => narrowToSides(metric) ?? []);
  const { comparable, notCompared } = selectComparable(narrowed, extractor, reading);
  const parts = listPartContrasts(arms);
  const pairs = [...new Map(parts.identified.map(({ models }) => [models.join('\n'), models])).values()];
  return { metrics: comparable, notCompared, design: { crossed: { pairs, listParts: listPartNames } }, parts };
}

/** Collects the matches of a crossed design. The unit is the deal. */
export class CrossedCollection {
  readonly #collections: ReadonlyMap<string, MetricCollection>;

  constructor(metrics: readonly Metric[], arms: readonly Sides[]) {
    this.#collections = new Map(arms.map((arm) => [getArmName(arm), new MetricCollection(metrics)]));
  }

  /** Adds a match. A match in which a side has several models is ignored. */
  add(match: MatchTables): void {
    const sides = getSides(match.match);
    if (sides) this.#collections.get(getArmName(sides))?.add(match, getDealKey(match.match));
  }

  /** Lists the figures of each part over these deals, in every cell for which all arms of the part have data. */
  listContrasted(parts: readonly PartContrast[], deals: readonly string[]): ContrastedFigure[] {
    const arms = [...this.#collections.values()].map((collection) => collection.indexCells());
    const known = new Map(arms.flatMap((cells) => [...cells]));
    return [...known].flatMap(([key, { metric, cell }]) => {
      const sums = arms.map((cells) => {
        const own = cells.get(key);
        const units = own && new Map(own.clusters.map((cluster) => [cluster.unit, cluster.sums]));
        return units && deals.map((deal) => units.get(deal) ?? {});
      });
      return parts.flatMap((one): ContrastedFigure[] => {
        const own = one.arms.map((place) => sums[place]).filter((arm) => arm !== undefined);
        if (own.length < one.arms.length) return [];
        return [
          {
            ...{ metric, cell, deals: listArmDeals(own), contrast: one.contrast },
            ...{ isJoint: false, part: createPart(one, metric, cell) },
          },
        ];
      });
    });
  }
}

/** Names the part that a contrast shows for this cell of a metric. */
export const createPart = (
  { models, side, opponents }: PartContrast,
  metric: Metric,
  cell: MetricCell,
): EffectPart => ({
  name: side === null ? 'interaction' : nameEffectParts(metric, cell)[side],
  ...{ side, models: [...models], opponents: [...opponents] },
});

/**
 * Returns the deals that all arms have, and the ids of all other matches. The other matches belong to other deals, or
 * have several models on a side.
 */
export function pairCrossed(rows: readonly MatchRow[], arms: readonly Sides[]): { deals: string[]; alone: string[] } {
  const byArm = Map.groupBy(rows, (row) => {
    const sides = getSides(row);
    return sides && getArmName(sides);
  });
  const ofArms = arms.map((arm) => new Set((byArm.get(getArmName(arm)) ?? []).map(getDealKey)));
  const deals = [...(ofArms[0] ?? [])].filter((deal) => ofArms.every((own) => own.has(deal)));
  const isPaired = new Set(deals);
  const alone = rows.filter((row) => getSides(row) === null || !isPaired.has(getDealKey(row)));
  return { deals, alone: alone.map((row) => row.match_id) };
}
