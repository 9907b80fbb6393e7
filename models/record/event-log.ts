// Sorts the events of a match: by superstep, then by the node's name, then in the order in which the node returned
// them.
import type { GameEvent } from '../../state/events.ts';

/**
 * Collects the events of a superstep, whose nodes finish in any order. Writes them, sorted, when the superstep is over.
 *
 * @example
 * const log = new EventLog((events) => recorder.happened(events));
 * log.begin(3); // writes the events of superstep 2
 * log.add('vote', events);
 * log.flush();
 */
export class EventLog {
  #superstep = -1;
  #waiting: { node: string; events: readonly GameEvent[] }[] = [];
  readonly #write: (events: GameEvent[]) => void;

  constructor(write: (events: GameEvent[]) => void) {
    this.#write = write;
  }

  /** Announces that a node of `superstep` starts. All earlier supersteps are then over, so their events are written. */
  begin(superstep: number) {
    if (superstep > this.#superstep) this.flush();
    this.#superstep = superstep;
  }

  add(node: string, events: readonly GameEvent[]) {
    if (events.length > 0) this.#waiting.push({ node, events });
  }

  /**
   * Writes the events collected so far in the order of node names, which is also LangGraph's order of reducing results.
   */
  flush() {
    const ordered = this.#waiting
      .sort((one, other) => (one.node < other.node ? -1 : 1))
      .flatMap(({ events }) => events);
    this.#waiting = [];
    if (ordered.length > 0) this.#write(ordered);
  }
}
