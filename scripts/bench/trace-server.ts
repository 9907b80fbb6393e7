// Takes traces as LangSmith does, and counts their bytes.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TraceServer {
  address: string;
  /** Bytes of all bodies received since the last time that was asked. */
  takeBytes: () => number;
}

/** Runs `use` with such a server. */
export async function withTraceServer<Result>(use: (server: TraceServer) => Promise<Result>): Promise<Result> {
  let bytes = 0;
  const server = createServer((request, response) => {
    request
      .on('data', (chunk: Buffer) => (bytes += chunk.length))
      .on('end', () => {
        const info = { batch_ingest_config: { use_multipart_endpoint: true, size_limit_bytes: 20_971_520 } };
        response.setHeader('content-type', 'application/json').end(JSON.stringify(request.url === '/info' ? info : {}));
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const takeBytes = () => {
    const taken = bytes;
    bytes = 0;
    return taken;
  };
  try {
    return await use({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, takeBytes });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
