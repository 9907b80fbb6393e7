// How many of the seats each model had, on each board under its rules: what its own matches are weighted by.
import type { PlayerRow } from '../tables/game-rows.ts';

export type Seat = Pick<PlayerRow, 'model' | 'team' | 'role'>;

/** Which seats: all of them where it names neither. */
export interface Which {
  team?: string | undefined;
  role?: string | undefined;
}

/** Matches are added one at a time; nothing but sums is kept of them. */
export class Seating {
  /** Board and rules → model and which seats → matches by the number of those seats → how often a seat there was its own. */
  readonly #seats = new Map<string, Map<string, Map<number, number>>>();

  /** `ground`: the hash of its board and rules; all its seats. */
  add(ground: string, seats: readonly Seat[]): void {
    const byModel = this.#seats.get(ground) ?? new Map<string, Map<number, number>>();
    this.#seats.set(ground, byModel);
    const all = Map.groupBy(seats.flatMap(whichOf), ({ which }) => which);
    for (const [which, places] of all)
      for (const { model } of places) {
        const key = keyOf(model, which);
        const bySize = byModel.get(key) ?? new Map<number, number>();
        byModel.set(key, bySize.set(places.length, (bySize.get(places.length) ?? 0) + 1));
      }
  }

  /** Matches, each by the share of those seats that the model had: 2 of 8 seats in four matches are one. */
  matchesOf(ground: string, model: string, which: Which): number {
    const bySize = this.#seats.get(ground)?.get(keyOf(model, nameOf(which))) ?? [];
    return [...bySize].reduce((total, [size, own]) => total + own / size, 0); // whole numbers first: exact in any order
  }
}

const nameOf = ({ team = '', role = '' }: Which) => JSON.stringify([team, role]);

const keyOf = (model: string, which: string) => `${which} ${model}`;

const whichOf = ({ model, team, role }: Seat) =>
  [{}, { team }, { role }, { team, role }].map((which) => ({ model, which: nameOf(which) }));
