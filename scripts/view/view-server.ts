// Serves the viewer on this machine alone. It reads records and never writes; every address begins with a token that only
// whoever started it knows, and names that are not this machine's are refused, or another site could read along (DNS
// rebinding).
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { getDisk } from '../../models/machine/machine.ts';
import { servedPolicy, viewerDocument, viewerStyles } from '../../report/viewer/viewer-document.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { MatchIndex } from './match-index.ts';
import { readViewedMatch } from './read-match.ts';

export interface ViewServer {
  /** With its token. */
  address: string;
  close(): Promise<void>;
}

/** What `show --html` writes beside a record. */
const matchPage = 'match.html';

const local = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** Matches that are kept as they were last sent, so that looking again at one that has not changed costs nothing. */
const mostKept = 8;

/**
 * Opens the server. `port`: 0 takes a free one. Throws a UsageError for a port that is taken.
 *
 * @example const { address } = await openViewServer('runs', { index, script, port: 0 });
 */
export async function openViewServer(
  root: string,
  { index, script, port }: { index: MatchIndex; script: string; port: number },
): Promise<ViewServer> {
  const token = randomBytes(16).toString('hex');
  const kept = new Map<string, { stamp: string; body: string }>();
  const answer = (address: URL): Answer | null => {
    const [, given, ...rest] = address.pathname.split('/');
    if (given !== token) return null;
    const what = rest.join('/');
    if (what === '') return { type: 'text/html', body: viewerDocument };
    if (what === 'viewer.js') return { type: 'text/javascript', body: script };
    if (what === 'viewer.css') return { type: 'text/css', body: viewerStyles };
    if (what === 'api/matches')
      return {
        type: 'application/json',
        body: JSON.stringify({ matches: index.list(), reports: listPages(index.pages) }),
      };
    if (what === 'api/match') return answerMatch(address.searchParams.get('path') ?? '');
    return what.startsWith('page/') ? answerPage(decodeURIComponent(what.slice('page/'.length))) : null;
  };
  /** Pages of reports, and those of single matches, which reports link to; each has a policy of its own in it. */
  const answerPage = (name: string): Answer | null => {
    const isOfMatch = path.posix.basename(name) === matchPage && index.has(path.posix.dirname(name));
    const file = path.join(root, name);
    if ((!isOfMatch && !index.pages.includes(name)) || getDisk().isForeignLink(file)) return null;
    return { type: 'text/html', body: getDisk().readText(file), isPage: true };
  };
  const answerMatch = (folder: string): Answer | null => {
    if (!index.has(folder)) return null;
    try {
      const stamp = createStamp(path.join(root, folder));
      const before = kept.get(folder);
      const body = before?.stamp === stamp ? before.body : JSON.stringify(readViewedMatch(path.join(root, folder)));
      kept.delete(folder);
      kept.set(folder, { stamp, body });
      if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
      return { type: 'application/json', body };
    } catch {
      return null; // gone meanwhile, or damaged
    }
  };
  const server = createServer((request, response) => respond(request, response, answer));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: Error) => {
    throw new UsageError(`--port ${port} cannot be used: ${error.message}. Choose another, or leave it out.`);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${taken}/${token}/`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

interface Answer {
  type: string;
  body: string;
  /** Whether it has a policy of its own in it. */
  isPage?: boolean;
}

function respond(request: IncomingMessage, response: ServerResponse, answer: (address: URL) => Answer | null): void {
  request.resume();
  const { method = '', headers, url = '' } = request;
  const send = (status: number, type: string, body: string) => {
    response.writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
    response.end(method === 'HEAD' ? undefined : body);
  };
  if (!local.test(headers.host ?? ''))
    return send(403, 'text/plain', 'Only this machine may look: open the address that was printed.\n');
  if (method !== 'GET' && method !== 'HEAD') return send(405, 'text/plain', 'Nothing can be changed here.\n');
  const found = URL.canParse(url, 'http://localhost') ? findAnswer(answer, new URL(url, 'http://localhost')) : null;
  if (found === null) return send(404, 'text/plain', 'There is nothing here.\n');
  if (!found.isPage) response.setHeader('content-security-policy', servedPolicy);
  send(200, found.type, found.body);
}

/** What fails while it is read is not there. */
function findAnswer(answer: (address: URL) => Answer | null, address: URL): Answer | null {
  try {
    return answer(address);
  } catch {
    return null;
  }
}

const listPages = (pages: readonly string[]) =>
  pages.map((name) => ({ name, href: `page/${name.split('/').map(encodeURIComponent).join('/')}` }));

/** Changes with every file of the record. */
function createStamp(folder: string): string {
  return getDisk()
    .list(folder)
    .map(({ name }) => [name, getDisk().find(path.join(folder, name))] as const)
    .map(([name, status]) => `${name} ${status?.size} ${status?.changedAt}`)
    .sort()
    .join('\n');
}
