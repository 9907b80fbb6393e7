// Gives each person a page, and prints the pages' addresses for the person who started the match.
import type { People, PersonAnswer, PersonQuestion, PersonSeat } from '../../models/human/people.ts';
import { SeatDesk } from '../../models/human/seat-desk.ts';
import type { View } from '../../state/view.ts';
import { buildPageScript } from '../command/page-script.ts';
import { isReachedHereAlone, SeatServer } from './seat-server.ts';

/**
 * @example new ServedTable({ host: '127.0.0.1', port: 0 }, (line) => console.log(line))
 */
export class ServedTable implements People {
  readonly #at: { host: string; port: number };
  readonly #tell: (line: string) => void;
  readonly #desks = new Map<string, SeatDesk>();
  #server: SeatServer | null = null;

  constructor(at: { host: string; port: number }, tell: (line: string) => void) {
    [this.#at, this.#tell] = [at, tell];
  }

  async open(seats: readonly PersonSeat[]): Promise<void> {
    if (this.#server) return;
    const server = new SeatServer({ ...this.#at, script: await buildPageScript('seat') });
    for (const { player } of seats) this.#desks.set(player, new SeatDesk(() => server.push(player)));
    const addresses = await server.open([...this.#desks].map(([player, desk]) => ({ player, desk })));
    this.#server = server;
    if (!isReachedHereAlone(this.#at.host))
      this.#tell(
        `The seats are open to everybody who reaches ${this.#at.host} and has an address below. Traffic is not encrypted: whoever can listen in this network can read roles and answers.`,
      );
    this.#tell('Each address opens its seat once, in one browser. Run the command again for new ones.');
    for (const { player, address } of addresses) this.#tell(`${player}: ${address}`);
  }

  show(view: View): void {
    this.#desks.get(view.me)?.show(view);
  }

  ask(question: PersonQuestion): Promise<PersonAnswer | null> {
    const desk = this.#desks.get(question.prompt.view.me);
    if (!desk) throw new TypeError(`${question.prompt.view.me} has no page.`);
    return desk.ask(question);
  }

  async close(roles: Readonly<Record<string, string>> | null): Promise<void> {
    await this.#server?.close(roles);
    this.#server = null;
  }
}
