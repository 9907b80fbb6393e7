// People who play in matches of the service. Their pages belong to the server's HTTP app, which registers itself here,
// because nothing in this layer serves pages.
import type { People } from '../models/human/people.ts';
import { UsageError } from '../state/usage-error.ts';

/** Creates the table of one match. `tell`: called with the address of each player's page when the table is opened. */
export type TableMaker = (tell: (seats: Readonly<Record<string, string>>) => Promise<void>) => People;

const service: { makeTable: TableMaker | null } = { makeTable: null };

/** Sets how matches of this process seat people. */
export function setServiceTables(makeTable: TableMaker): void {
  service.makeTable = makeTable;
}

/**
 * Creates the table of one match. Throws a UsageError if the server has no pages for people.
 *
 * @example makeServiceTable((seats) => stream.write({ seats }))
 */
export const makeServiceTable: TableMaker = (tell) => {
  if (service.makeTable) return service.makeTable(tell);
  throw new UsageError(
    'This server has no pages for people: its langgraph.json names no "http.app". Start it with npm run studio.',
  );
};
