// The examples behind figures: how many each counts, and some of them drawn by the seed, so that a reader of a report can look
// at what a figure counts.
import { getFigureKey } from '../metrics/metric.ts';
import { draw } from '../../state/random.ts';
import type { CountedCell, ExampleGroup, FigureExample } from './figure-examples.ts';

/** What is kept of a figure. */
export interface SampledExamples extends CountedCell {
  /** All that the figure counts. */
  total: number;
  /** At most `maxShown` of them, each of another moment, in the order in which they were drawn. */
  shown: readonly FigureExample[];
}

/** Examples that are kept of a figure of one model. */
export const maxShown = 20;

/** Of all others, of which there are many. */
export const maxShownOfMany = 5;

/** Dimensions whose figures have a row of their own for each model, and nothing else. */
const ofOneModel = new Set(['source', 'kind', 'team', 'speaker_team', 'model', 'speaker_model', 'observer_model']);

/** Those of which `maxShown` are kept: what stands on the first page about a model. */
function isOfOneModel({ metric, cell }: CountedCell): boolean {
  const models = Object.keys(cell).filter((dimension) => dimension.endsWith('model'));
  return models.length === 1 && metric !== 'turns_per_round' && Object.keys(cell).every((one) => ofOneModel.has(one));
}

/** `rank`: how many examples of the same match come before it; `at`: the draw of its match. */
interface DrawnExample {
  rank: number;
  at: number;
  example: FigureExample;
}

const compareDrawn = (one: Pick<DrawnExample, 'rank' | 'at'>, other: Pick<DrawnExample, 'rank' | 'at'>) =>
  one.rank - other.rank || one.at - other.at;

/**
 * Counts examples by figure, and keeps some of each: the same ones in whatever order matches come. Matches are drawn first, and
 * for all figures alike, so that a figure shows as many different matches as it can, and figures show the same ones.
 */
export class ExampleSampler {
  readonly #seed: number;
  readonly #most: number | null;
  /** Of matches, which are asked for by every figure. */
  readonly #draws = new Map<string, number>();
  /** Of the examples of the match that was added last: several figures count the same ones. */
  #latest = { match: '', draws: new Map<string, number>() };
  readonly #kept = new Map<string, CountedCell & { total: number; most: number; drawn: DrawnExample[] }>();

  /** `most`: examples that are kept of each figure, whatever it is of. */
  constructor(seed: number, most: number | null = null) {
    this.#seed = seed;
    this.#most = most;
  }

  /** Adds all that some matches count: a group holds all that its figure counts in each of its matches. */
  add(groups: readonly ExampleGroup[]): void {
    for (const { examples, ...counted } of groups) this.#keep(counted, examples, examples.length);
  }

  /** Adds what another sampler of the same seed has counted of other matches. */
  merge(counted: readonly SampledExamples[]): void {
    for (const { total, shown, ...one } of counted) this.#keep(one, shown, total);
  }

  /** By figure. */
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

  /** Examples of a match as they are drawn; of what several players made of the same one, one is drawn. */
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
