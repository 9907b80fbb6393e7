// A small server that replaces LangSmith in tests. It stores the runs and the feedback that it receives.
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface TracedRun {
  id: string;
  name: string;
  run_type: string;
  trace_id: string;
  parent_run_id?: string;
  end_time?: number | string;
  tags: string[];
  inputs: unknown;
  outputs: unknown;
  extra: { metadata: Record<string, unknown> };
}

export interface GivenFeedback {
  run_id: string;
  session_id: string;
  key: string;
  score?: number;
  value?: string;
}

interface Mood {
  status: number;
  body?: unknown;
  /** Text that is sent unchanged, not as JSON. */
  page?: string;
}

/**
 * Path without its query → an unusual answer of the server. `never`: the server does not answer; `half`: it begins an
 * answer and does not finish it.
 */
export type Moods = Record<string, (asked: number) => Mood | 'never' | 'half'>;

export const projectId = '0190f1f0-0000-7000-8000-000000000001';

export interface LangSmithServer {
  url: string;
  /** Returns the number of received bytes. */
  bytes(): number;
  requests: string[];
  /** Returns everything received, decompressed but otherwise unchanged. */
  sent(): string;
  runs(): TracedRun[];
  feedback: GivenFeedback[];
  moods: Moods;
  /** Resolves as soon as `isEnough` accepts the received runs. */
  until(isEnough: (runs: readonly TracedRun[]) => boolean): Promise<void>;
  forget(): void;
  close(): void;
}

export async function openLangsmithServer(): Promise<LangSmithServer> {
  const requests: string[] = [];
  const bodies: string[] = [];
  const feedback: GivenFeedback[] = [];
  const moods: Moods = {};
  const arrivals = new EventEmitter();
  const answer = (request: IncomingMessage, response: ServerResponse, body: string) => {
    const [route] = (request.url ?? '').split('?') as [string];
    requests.push(`${request.method} ${request.url}`);
    arrivals.emit('more');
    const mood = moods[route]?.(requests.filter((asked) => asked.split(/[ ?]/)[1] === route).length);
    if (mood === 'never') return;
    if (mood === 'half') return void response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    const { status, body: answered, page }: Mood = mood ?? { status: 200, body: usual[route] };
    const type = page === undefined ? 'application/json' : 'text/html';
    response.writeHead(status, { 'content-type': type }).end(page ?? JSON.stringify(answered ?? {}));
    if (status >= 400 || page !== undefined) return;
    if (route === '/feedback') feedback.push(JSON.parse(body) as GivenFeedback);
    else bodies.push(body);
    arrivals.emit('more');
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const body = Buffer.concat(chunks);
        const isCompressed = request.headers['content-encoding'] === 'gzip';
        answer(request, response, (isCompressed ? gunzipSync(body) : body).toString('utf8'));
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0),
    requests,
    sent: () => bodies.join('\n'),
    runs: () => collectRuns(bodies),
    feedback,
    moods,
    until: async (isEnough) => {
      while (!isEnough(collectRuns(bodies))) await once(arrivals, 'more');
    },
    forget: () => {
      for (const kept of [requests, bodies, feedback]) kept.length = 0;
      for (const route of Object.keys(moods)) delete moods[route];
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const limits = { use_multipart_endpoint: true, size_limit: 100, size_limit_bytes: 20_971_520 };
const usual: Readonly<Record<string, unknown>> = {
  '/info': { version: '0.10', batch_ingest_config: limits },
  '/sessions': [{ id: projectId }],
};

/** Joins the parts of runs. A run is sent when it starts and when it ends, or once as a whole. */
function collectRuns(bodies: readonly string[]): TracedRun[] {
  const runs = new Map<string, Partial<TracedRun>>();
  for (const body of bodies) {
    for (const [, id, field, text] of body.matchAll(part)) {
      const value = JSON.parse(text!) as object;
      runs.set(id!, { ...runs.get(id!), ...(field === undefined ? value : { [field]: value }) });
    }
  }
  return [...runs.values()] as TracedRun[];
}

const part = /name="(?:post|patch)\.([0-9a-f-]{36})(?:\.(\w+))?"\r\n[^\r]*\r\n\r\n([^\r]*)\r\n/g;
