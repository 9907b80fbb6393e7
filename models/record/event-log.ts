// The events of a match in a fixed order: by superstep, then by node, then as the node returned them.
import type { GameEvent } from '../../state/events.ts';

export class EventLog {
  #superstep = -1;
  #waiting: { node: string; events: readonly GameEvent[] }[] = [];
  readonly #write: (events: GameEvent[]) => void;

  constructor(write: (events: GameEvent[]) => void) {
    this.#write = write;
  }

  /** A node of `superstep` starts: all earlier supersteps are over, and what happened in them is written. */
  begin(superstep: number) {
    if (superstep > this.#superstep) this.flush();
    this.#superstep = superstep;
  }

  add(node: string, events: readonly GameEvent[]) {
    if (events.length > 0) this.#waiting.push({ node, events });
  }

  /** Writes what waits. Nodes of one superstep finish in any order, and LangGraph reduces them in that of their names. */
  flush() {
    const ordered = this.#waiting
      .sort((one, other) => (one.node < other.node ? -1 : 1))
      .flatMap(({ events }) => events);
    this.#waiting = [];
    if (ordered.length > 0) this.#write(ordered);
  }
}
