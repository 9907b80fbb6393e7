// Serves the viewer on this machine only. The server reads records and never writes. Every address begins with a token
// that only the server's user knows, and foreign host names are refused, so that no other site can read along (DNS
// rebinding).
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { servedPolicy } from '../../report/viewer/viewer-document.ts';
import { UsageError } from '../../state/usage-error.ts';
import { privateHeaders } from '../command/page-script.ts';
import type { MatchIndex } from './match-index.ts';
import type { ShownParts } from './read-match.ts';
import { type ViewAnswer, ViewAnswers } from './view-answers.ts';

export interface ViewServer {
  /** Address of the server, with its token. */
  address: string;
  /** Settles when the server has stopped listening. */
  closed: Promise<void>;
  close(): Promise<void>;
}

const local = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * Opens the server. `port`: 0 chooses a free port. Throws a UsageError for a port in use.
 *
 * @example const { address } = await openViewServer('runs', { index, script, port: 0 });
 */
export async function openViewServer(
  root: string,
  { index, script, port, shown }: { index: MatchIndex; script: string; port: number; shown?: ShownParts },
): Promise<ViewServer> {
  const token = randomBytes(16).toString('hex');
  const answers = new ViewAnswers(root, index, script, token, shown);
  const server = createServer((request, response) => void respond(request, response, answers));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: Error) => {
    throw new UsageError(`--port ${port} cannot be used: ${error.message}. Choose another, or leave it out.`);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${taken}/${token}/`,
    closed: once(server, 'close').then(() => undefined),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, answers: ViewAnswers): Promise<void> {
  request.resume();
  const { method = '', headers, url = '' } = request;
  const send = ({ status = 200, type, body, policy = servedPolicy, location }: ViewAnswer) => {
    const tag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    const isKnown = status === 200 && headers['if-none-match'] === tag;
    response.writeHead(isKnown ? 304 : status, {
      'content-type': `${type}; charset=utf-8`,
      ...(isKnown ? {} : { 'content-length': Buffer.byteLength(body) }),
      ...(location !== undefined && { location }),
      'content-security-policy': policy,
      etag: tag,
      ...privateHeaders,
    });
    response.end(method === 'HEAD' || isKnown ? undefined : body);
  };
  const say = (status: number, body: string) => send({ status, type: 'text/plain', body });
  if (!local.test(headers.host ?? '')) return say(403, 'Only this machine has access: open the printed address.\n');
  if (method !== 'GET' && method !== 'HEAD') return say(405, 'Nothing can be changed here.\n');
  const found = URL.canParse(url, 'http://localhost')
    ? await findAnswer(answers, new URL(url, 'http://localhost'))
    : null;
  if (found === null) return say(404, 'There is nothing here.\n');
  send(found);
}

/** Finds the answer to a request. A read that fails counts as not found. */
async function findAnswer(answers: ViewAnswers, address: URL): Promise<ViewAnswer | null> {
  try {
    return await answers.find(address);
  } catch {
    return null;
  }
}
