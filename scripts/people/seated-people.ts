// People with a page each: a desk for every seat, which shows its player the match and takes the answers.
import type { PersonAnswer, PersonQuestion, PersonSeat } from '../../models/human/people.ts';
import { SeatDesk } from '../../models/human/seat-desk.ts';
import type { View } from '../../state/view.ts';

/** The desk of a player. */
export interface PlayerDesk {
  player: string;
  desk: SeatDesk;
}

/** The part of a table that does not depend on where its pages are served. */
export class SeatedPeople {
  readonly #desks = new Map<string, SeatDesk>();

  show(view: View): void {
    this.#desks.get(view.me)?.show(view);
  }

  ask(question: PersonQuestion): Promise<PersonAnswer | null> {
    const desk = this.#desks.get(question.prompt.view.me);
    if (!desk) throw new TypeError(`${question.prompt.view.me} has no page.`);
    return desk.ask(question);
  }

  /** Gives each seat of a match a desk, and returns the desks in seat order. `push`: sends a player's pages what has changed. */
  protected seat(seats: readonly PersonSeat[], push: (player: string) => void): PlayerDesk[] {
    this.#desks.clear(); // desks of an earlier match
    return seats.map(({ player }) => {
      const desk = new SeatDesk(() => push(player));
      this.#desks.set(player, desk);
      return { player, desk };
    });
  }
}
