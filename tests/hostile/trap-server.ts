// A server that must never be called: it counts connections and answers 404.
import { createServer } from 'node:http';
import { type AddressInfo, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Headers that may hold a secret. */
const secretHeaders = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'cookie', 'proxy-authorization'];

export interface Trap {
  /** Address without a path, e.g. `http://127.0.0.1:7999`. */
  address: string;
  /** The address without its scheme. */
  host: string;
  /** Returns the number of connections so far, including those without a request. */
  countConnections(): number;
  /** One line per request: its path, and the names (never the values) of headers that may hold a secret. */
  requests: readonly string[];
  close(): Promise<void>;
}

/** Opens a trap on an address of this machine. */
export async function openTrap(address = '127.0.0.1'): Promise<Trap> {
  const requests: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const secrets = secretHeaders.filter((name) => name in request.headers);
    requests.push(`${request.method} ${request.url} secrets: ${secrets.join(', ') || 'none'}`);
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end('{"error":{"message":"This is a trap: nobody should call it."}}');
  });
  server.on('connection', () => connections++);
  await new Promise<void>((listening) => server.listen(0, address, listening));
  const host = `${address}:${(server.address() as AddressInfo).port}`;
  return {
    ...{ address: `http://${host}`, host, requests },
    countConnections: () => connections,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Returns an address of this machine other than loopback; null on a machine without a network. */
export const findOuterAddress = (): string | null =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, address }) => !internal && isIPv4(address))?.address ?? null;
