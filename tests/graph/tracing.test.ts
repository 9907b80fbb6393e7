// Traces for LangSmith, against a local server: one trace a match, and small.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { playMatch } from '../../graph/play-match.ts';
import { temporaryFolder } from '../temporary-folder.ts';

let server: Server;
const received: { url: string; body: string }[] = [];
const before = { ...process.env };
const out = temporaryFolder();

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        received.push({ url: request.url ?? '', body: Buffer.concat(chunks).toString('utf8') });
        const info = {
          version: '0.10',
          batch_ingest_config: { use_multipart_endpoint: true, size_limit: 100, size_limit_bytes: 20_971_520 },
        };
        response.setHeader('content-type', 'application/json').end(JSON.stringify(request.url === '/info' ? info : {}));
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  Object.assign(process.env, {
    LANGSMITH_TRACING: 'true',
    LANGSMITH_ENDPOINT: `http://127.0.0.1:${port}`,
    LANGSMITH_API_KEY: 'local',
  });
});

afterAll(() => {
  process.env = before;
  server.closeAllConnections();
  server.close();
});

describe('a traced match', () => {
  it('sends its nodes and calls under its own name, without the channels that grow with it, and little else than its prompts', async () => {
    const { id, folder } = await playMatch({ out, seed: 3 });
    const sent = received.map(({ body }) => body).join('');
    for (const name of [id, 'start_round', 'eliminate', 'debate', 'peer_analysis', 'end'])
      expect(sent).toContain(`"name":"${name}"`);
    expect(sent).not.toMatch(/"gameLogs":\[\{/);
    const prompts = gunzipSync(readFileSync(path.join(folder!, 'prompts.ndjson.gz')));
    expect(sent.length).toBeLessThan(2 * prompts.length + 1_000_000);
  });

  it('is played to its end and warns once where LangSmith is out of reach', async () => {
    const reachable = process.env['LANGSMITH_ENDPOINT'];
    process.env['LANGSMITH_ENDPOINT'] = 'http://127.0.0.1:9';
    const warnings: string[] = [];
    const { summary } = await playMatch({
      out: null,
      seed: 3,
      rule: { maxRounds: 1, debateTurns: 1 },
      onWarning: (message) => warnings.push(message),
    });
    process.env['LANGSMITH_ENDPOINT'] = reachable;
    expect(summary.end_reason).not.toBeNull();
    expect(warnings).toEqual(['LangSmith did not take all traces in time; the record is whole.']);
  });
});
