// People who play in matches of the service. Their pages belong to the server's HTTP app, which registers itself here,
// because nothing in this layer serves pages.
import type { People } from '../models/human/people.ts';
import { UsageError } from '../state/usage-error.ts';

/** Receives the address of each player's page. */
export type AddressTeller = (seats: Readonly<Record<string, string>>) => Promise<void>;

/**
 * Creates the table of one match. `origin`: address at which the server is reached. `tell`: called when the table is
 * opened.
 */
export type TableMaker = (origin: string, tell: AddressTeller) => People;

const service: { makeTable: TableMaker | null } = { makeTable: null };

/** Sets the function that creates tables for people in matches of this process. */
export function setServiceTables(makeTable: TableMaker): void {
  service.makeTable = makeTable;
}

/**
 * Creates the table of one match. Throws a UsageError if the server has no pages for people.
 *
 * @example makeServiceTable((seats) => stream.write({ seats }))
 */
export function makeServiceTable(tell: AddressTeller): People {
  const origin = process.env['LANGGRAPH_API_URL'] ?? 'http://localhost:2024';
  if (service.makeTable) return service.makeTable(origin, tell);
  throw new UsageError(
    'This server has no pages for people, because its langgraph.json names no "http.app". Use the project’s own langgraph.json.',
  );
}
