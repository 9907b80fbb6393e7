// Samples examples of the cases that figures count, so that a reader of a report can inspect them. Counts all cases,
// and keeps some that are drawn by the seed.
import { getFigureKey } from '../metrics/metric.ts';
import { draw } from '../../state/random.ts';
import type { CountedCell, ExampleGroup, FigureExample } from './figure-examples.ts';

/** The examples that are kept for a figure. */
export interface SampledExamples extends CountedCell {
  /** Number of all cases that the figure counts. */
  total: number;
  /** At most `maxShown` examples, each from a different moment, in the order in which they were drawn. */
  shown: readonly FigureExample[];
}

/** Number of examples kept for a figure of one model. */
export const maxShown = 20;

/** Number of examples kept for any other figure. There are many such figures, so each keeps fewer. */
export const maxShownOfMany = 5;

/** Dimensions that a figure with one row per model may have. */
const ofOneModel = new Set(['source', 'kind', 'team', 'speaker_team', 'model', 'speaker_model', 'observer_model']);

/**
 * Returns whether a figure is about one model and on a report's first page. `maxShown` examples are kept for such a
 * figure.
 */
function isOfOneModel({ metric, cell }: CountedCell): boolean {
  const models = Object.keys(cell).filter((dimension) => dimension.endsWith('model'));
  return models.length === 1 && metric !== 'turns_per_round' && Object.keys(cell).every((one) => ofOneModel.has(one));
}

/**
 * An example with its place in the draw. `rank`: number of examples of the same match that were drawn earlier; `at`:
 * the random number of the match.
 */
interface DrawnExample {
  rank: number;
  at: number;
  example: FigureExample;
}

const compareDrawn = (one: Pick<DrawnExample, 'rank' | 'at'>, other: Pick<DrawnExample, 'rank' | 'at'>) =>
  one.rank - other.rank || one.at - other.at;

/**
 * Counts examples by figure and keeps some of them. The result does not depend on the order in which matches are added.
 * Matches are drawn first, once for all figures. Each figure therefore shows as many different matches as possible, and
 * all figures prefer the same matches.
 */
export class ExampleSampler {
  readonly #seed: number;
  readonly #most: number | null;
  /** Cache of the random number of each match. Every figure uses these numbers. */
  readonly #draws = new Map<string, number>();
  /** Cache of the draws within the match that was added last, because several figures count the same examples. */
  #latest = { match: '', draws: new Map<string, number>() };
  readonly #kept = new Map<string, CountedCell & { total: number; most: number; drawn: DrawnExample[] }>();

  /**
   * Creates an empty sampler. `most`: number of examples to keep for each figure; null for the defaults by kind of
   * figure.
   */
  constructor(seed: number, most: number | null = null) {
    this.#seed = seed;
    this.#most = most;
  }

  /**
   * Adds examples of some matches. For each of these matches, the groups must hold every case that their figures count.
   */
  add(groups: readonly ExampleGroup[]): void {
    for (const { examples, ...counted } of groups) this.#keep(counted, examples, examples.length);
  }

  /** Adds the results of another sampler with the same seed that sampled other matches. */
  merge(counted: readonly SampledExamples[]): void {
    for (const { total, shown, ...one } of counted) this.#keep(one, shown, total);
  }

  /** Lists the examples by figure. */
  list(): SampledExamples[] {
    return [...this.#kept.entries()]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { metric, cell, total, drawn }]) => ({
        metric,
        cell,
        total,
        shown: drawn.map(({ example }) => example),
      }));
  }

  #keep(counted: CountedCell, examples: readonly FigureExample[], count: number): void {
    const key = getFigureKey(counted);
    const most = this.#most ?? (isOfOneModel(counted) ? maxShown : maxShownOfMany);
    const kept = this.#kept.get(key) ?? { ...counted, most, total: 0, drawn: [] };
    this.#kept.set(key, kept);
    kept.total += count;
    const drawn: DrawnExample[] = [];
    for (const [match, own] of Map.groupBy(examples, ({ match }) => match)) {
      const at = this.#drawMatch(match);
      const last = kept.drawn.length === most ? kept.drawn.at(-1)! : null;
      if (last !== null && compareDrawn({ rank: 0, at }, last) > 0) continue;
      this.#orderExamples(own, match).forEach((example, rank) => drawn.push({ rank, at, example }));
    }
    if (drawn.length > 0) kept.drawn = [...kept.drawn, ...drawn].sort(compareDrawn).slice(0, most);
  }

  #drawMatch(match: string): number {
    const at = this.#draws.get(match) ?? draw(this.#seed, 'shown match', match).fraction();
    this.#draws.set(match, at);
    return at;
  }

  #drawExample(match: string, moment: string): number {
    if (this.#latest.match !== match) this.#latest = { match, draws: new Map() };
    const { draws } = this.#latest;
    const at = draws.get(moment) ?? draw(this.#seed, 'shown moment', match, moment).fraction();
    draws.set(moment, at);
    return at;
  }

  /**
   * Orders the examples of a match as they are drawn. If several players reacted to the same moment, only one reaction
   * is drawn.
   */
  #orderExamples(own: readonly FigureExample[], match: string): FigureExample[] {
    return [...Map.groupBy(own, ({ moment }) => moment ?? '')]
      .map(([moment, same]) => {
        const at = this.#drawExample(match, moment);
        return { at, example: same[Math.floor(at * same.length)]! };
      })
      .sort((one, other) => one.at - other.at)
      .map(({ example }) => example);
  }
}
