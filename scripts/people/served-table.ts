// Gives each person a page, and prints the pages' addresses for the person who started the match.
import type { People, PersonSeat } from '../../models/human/people.ts';
import { dropPersonOptions } from '../../state/model-identity.ts';
import { buildPageScript } from '../command/page-script.ts';
import { isReachedHereAlone, SeatServer } from './seat-server.ts';
import { SeatedPeople } from './seated-people.ts';

/**
 * Table that serves each person a page.
 *
 * @example new ServedTable({ host: '127.0.0.1', port: 0 }, (line) => console.log(line))
 */
export class ServedTable extends SeatedPeople implements People {
  readonly #at: { host: string; port: number };
  readonly #tell: (line: string) => void;
  #server: SeatServer | null = null;

  constructor(at: { host: string; port: number }, tell: (line: string) => void) {
    super();
    [this.#at, this.#tell] = [at, tell];
  }

  async open(seats: readonly PersonSeat[]): Promise<void> {
    if (this.#server) return;
    const server = new SeatServer({ ...this.#at, script: await buildPageScript('seat') });
    const addresses = await server.open(this.seat(seats, (player) => server.push(player)));
    this.#server = server;
    if (!isReachedHereAlone(this.#at.host))
      this.#tell(
        `The seats are open to everybody who reaches ${this.#at.host} and has an address below. Traffic is not encrypted: whoever can listen in this network can read roles and answers.`,
      );
    this.#tell('Each address opens its seat once, in one browser. Run the command again for new ones.');
    const names = new Map(seats.map(({ player, spec }) => [player, dropPersonOptions(spec)]));
    for (const { player, address } of addresses) this.#tell(`${player} (${names.get(player)}): ${address}`);
  }

  async close(roles: Readonly<Record<string, string>> | null): Promise<void> {
    await this.#server?.close(roles);
    this.#server = null;
  }
}
