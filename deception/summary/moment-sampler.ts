// The moments behind figures: how many each counts, and some of them drawn by the seed, so that a reader of a report can look
// at what a figure counts.
import { draw } from '../../state/random.ts';
import { type CountedCell, type CountedGroup, type CountedMoment, nameCountedCell } from './counted-moments.ts';

/** What is kept of a figure. */
export interface CountedMoments extends CountedCell {
  /** All that the figure counts. */
  total: number;
  /** At most `mostShown` of them, each of another moment, in the order in which they were drawn. */
  shown: readonly CountedMoment[];
}

/** Moments that are kept of a figure of one model. */
export const mostShown = 20;

/** Of all others, of which there are many. */
export const mostShownOfMany = 5;

/** Dimensions whose figures have a row of their own for each model, and nothing else. */
const ofOneModel = new Set(['source', 'kind', 'team', 'speaker_team', 'model', 'speaker_model', 'observer_model']);

/** Those of which `mostShown` are kept: what stands on the first page about a model. */
function isOfOneModel({ metric, cell }: CountedCell): boolean {
  const models = Object.keys(cell).filter((dimension) => dimension.endsWith('model'));
  return models.length === 1 && metric !== 'turns_per_round' && Object.keys(cell).every((one) => ofOneModel.has(one));
}

interface DrawnMoment {
  at: number;
  moment: CountedMoment;
}

/**
 * Counts moments by figure, and keeps some of each: the same ones in whatever order matches come. Figures share their draws,
 * so that a statement which one shows is likely to be shown by others that count it too.
 */
export class MomentSampler {
  readonly #seed: number;
  readonly #kept = new Map<string, CountedCell & { total: number; most: number; drawn: DrawnMoment[] }>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Adds all that one match counts. */
  add(groups: readonly CountedGroup[]): void {
    const draws = new Map<string, number>();
    for (const { moments, ...counted } of groups) this.#keep(counted, moments, moments.length, draws);
  }

  /** Adds what another sampler of the same seed has counted of other matches. */
  merge(counted: readonly CountedMoments[]): void {
    const draws = new Map<string, number>();
    for (const { total, shown, ...one } of counted) this.#keep(one, shown, total, draws);
  }

  /** By figure. */
  list(): CountedMoments[] {
    return [...this.#kept.entries()]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { metric, cell, total, drawn }]) => ({ metric, cell, total, shown: drawn.map(({ moment }) => moment) }));
  }

  #keep(counted: CountedCell, moments: readonly CountedMoment[], count: number, draws: Map<string, number>): void {
    const key = nameCountedCell(counted);
    const most = isOfOneModel(counted) ? mostShown : mostShownOfMany;
    const kept = this.#kept.get(key) ?? { ...counted, most, total: 0, drawn: [] };
    this.#kept.set(key, kept);
    kept.total += count;
    const drawn: DrawnMoment[] = [];
    for (const [name, same] of Map.groupBy(moments, ({ match, moment }) => `${match} ${moment ?? ''}`)) {
      const { match, moment } = same[0]!;
      let at = draws.get(name);
      if (at === undefined) draws.set(name, (at = draw(this.#seed, 'moment', match, moment ?? '').fraction()));
      if (kept.drawn.length === most && at > kept.drawn.at(-1)!.at) continue;
      // Of what several made of the same moment, one is shown.
      const one = same.length === 1 ? same[0]! : draw(this.#seed, 'of moment', match, moment ?? '').pick(same);
      drawn.push({ at, moment: one });
    }
    if (drawn.length === 0) return;
    kept.drawn = [...kept.drawn, ...drawn].sort((first, second) => first.at - second.at).slice(0, most);
  }
}
