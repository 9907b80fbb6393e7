// The pages of people who play in matches of the service, as routes of LangGraph's own server. langgraph.json refers to
// this file; graph/service-guard.ts has checked each request's host and origin before it arrives here.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Hono } from 'hono';
import { type AddressTeller, setServiceTables } from '../../graph/service-people.ts';
import type { People, PersonSeat } from '../../models/human/people.ts';
import { buildPageScript } from '../command/page-script.ts';
import { notYours, SeatPages, sendSeatText } from './seat-pages.ts';
import { SeatedPeople } from './seated-people.ts';

/** Number of ended matches whose pages can still be opened. */
const mostEnded = 100;

/** Pages by the path of their match. */
const open = new Map<string, SeatPages>();

/** Paths of matches that are over, the oldest first. */
const ended: string[] = [];

/** The table of one match. It gets a new path and new tokens whenever the match is started or resumed. */
class ServiceTable extends SeatedPeople implements People {
  readonly #origin: string;
  readonly #tell: AddressTeller;
  readonly #path = `/seats/${randomBytes(9).toString('base64url')}`;
  #pages: SeatPages | null = null;

  constructor(origin: string, tell: AddressTeller) {
    super();
    [this.#origin, this.#tell] = [origin, tell];
  }

  async open(seats: readonly PersonSeat[]): Promise<void> {
    const pages = new SeatPages({ path: this.#path, script: await buildPageScript('seat') });
    const desks = this.seat(seats, (player) => pages.push(player));
    const addresses = pages.open(desks, this.#origin);
    this.#pages = pages;
    open.set(this.#path, pages);
    await this.#tell(Object.fromEntries(addresses.map(({ player, address }) => [player, address])));
  }

  close(roles: Readonly<Record<string, string>> | null): void {
    this.#pages?.close(roles);
    if (roles === null) open.delete(this.#path);
    else ended.push(this.#path);
    while (ended.length > mostEnded) open.delete(ended.shift() ?? '');
  }
}

setServiceTables((origin, tell) => new ServiceTable(origin, tell));

/** Node’s request and response, which LangGraph's server passes to each route. */
interface NodeBindings {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/** Tells the server that the answer was written to Node's response. */
const isAnswered = () => new Response(null, { headers: { 'x-hono-already-sent': 'true' } });

/** The routes: `/seats/MATCH/SEAT/…`. */
export const seatApp = new Hono<{ Bindings: NodeBindings }>();

seatApp.all('/seats/*', async ({ env: { incoming, outgoing } }) => {
  const [path = ''] = /^\/seats\/[\w-]+/.exec(incoming.url ?? '') ?? [];
  const pages = open.get(path);
  if (pages) await pages.respond(incoming, outgoing);
  else sendSeatText(outgoing, 403, notYours);
  return isAnswered();
});
