// Serves people their seats from the process that plays. Foreign host names are refused, so that no other site can read
// along (DNS rebinding).
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import type { SeatDesk } from '../../models/human/seat-desk.ts';
import { getMachine } from '../../models/machine/machine.ts';
import type { SeatPage } from '../../report/seat/seat-text.ts';
import { UsageError } from '../../state/usage-error.ts';
import { SeatPages, sendSeatText } from './seat-pages.ts';

export interface SeatServerOptions {
  host: string;
  /** Port to listen on. 0 chooses a free port. */
  port: number;
  /** Script of the page. */
  script: string;
}

/** Returns whether the server can be reached only from this machine. */
export const isReachedHereAlone = (host: string): boolean => ['localhost', '127.0.0.1', '::1'].includes(host);

/**
 * Creates a function that tests the host of a request. The function accepts this machine's name and addresses, never a
 * name that somebody else could point to this machine.
 */
function createHostTest(host: string): (name: string) => boolean {
  const own = Object.values(networkInterfaces()).flatMap((some = []) => some.map(({ address }) => address));
  const names = ['localhost', '127.0.0.1', '::1', ...(isReachedHereAlone(host) ? [] : [host, hostname(), ...own])];
  return (name) => names.includes(name.toLowerCase()) || names.includes(name);
}

/** Returns the host without its port and brackets. */
const bareHost = (host: string) => host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');

/** The server of one match. */
export class SeatServer {
  readonly #pages: SeatPages;
  readonly #options: SeatServerOptions;
  readonly #server = createServer((request, response) => void this.#respond(request, response));
  readonly #isOwnHost: (name: string) => boolean;

  constructor(options: SeatServerOptions) {
    this.#options = options;
    this.#pages = new SeatPages({ path: '/seat', script: options.script });
    this.#isOwnHost = createHostTest(options.host);
  }

  /**
   * Starts listening, and returns the address of each seat with its token. Throws a UsageError if the host or port
   * cannot be used.
   */
  async open(desks: readonly { player: string; desk: SeatDesk }[]): Promise<{ player: string; address: string }[]> {
    const { host, port } = this.#options;
    this.#server.listen(port, host);
    await once(this.#server, 'listening').catch((error: Error) => {
      throw new UsageError(
        `--host ${host} --port ${port} cannot be used: ${error.message}. Choose others, or leave them out.`,
      );
    });
    const { port: taken } = this.#server.address() as AddressInfo;
    const shown = host === '0.0.0.0' || host === '::' ? hostname() : host;
    const at = isIP(shown) === 6 ? `[${shown}]` : shown;
    return this.#pages.open(desks, `http://${at}:${taken}`);
  }

  /** Sends a player's page to all its open streams, if it has changed since it was last sent. */
  push(player: string): void {
    this.#pages.push(player);
  }

  /** Shows the roles on all pages, closes the pages, and stops listening. */
  async close(roles: SeatPage['roles']): Promise<void> {
    this.#pages.close(roles);
    const closed = new Promise<void>((resolve) => void this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    await Promise.race([closed, getMachine().clock.sleep(1000, new AbortController().signal)]);
    this.#server.closeAllConnections();
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#isOwnHost(bareHost(request.headers.host ?? ''))) return this.#pages.respond(request, response);
    sendSeatText(response, 403, 'Open the address that was printed.\n');
  }
}
