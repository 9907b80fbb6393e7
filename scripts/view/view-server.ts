// Serves the viewer on this machine alone. It reads records and never writes; every address begins with a token that only
// whoever started it knows, and names that are not this machine's are refused, or another site could read along (DNS
// rebinding).
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { getDisk } from '../../models/machine/machine.ts';
import { escapeHtml, readEscaped } from '../../report/html-page.ts';
import type { ListedMatch } from '../../report/viewer/match-list.ts';
import {
  createMatchPolicy,
  renderMatchDocument,
  reportPolicy,
  servedPolicy,
  viewerDocument,
} from '../../report/viewer/viewer-document.ts';
import { listPrompts, type ViewedMatch } from '../../report/viewer/viewed-match.ts';
import { viewerStyles } from '../../report/viewer/viewer-styles.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { MatchIndex } from './match-index.ts';
import { readPrompts, readViewedMatch, readWholeMatch } from './read-match.ts';

export interface ViewServer {
  /** With its token. */
  address: string;
  /** Settles when it does not listen any more. */
  closed: Promise<void>;
  close(): Promise<void>;
}

/** What `show --html` writes beside a record; here it is made when it is asked for. */
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
  const answer = async (address: URL): Promise<Answer | null> => {
    const [, given, ...rest] = address.pathname.split('/');
    if (given !== token) return null;
    const what = rest.join('/');
    if (rest.length === 0) return { status: 308, type: 'text/plain', body: '', location: `/${token}/` };
    if (what === '') return { type: 'text/html', body: viewerDocument };
    if (what === 'viewer.js') return { type: 'text/javascript', body: script };
    if (what === 'viewer.css') return { type: 'text/css', body: viewerStyles };
    if (what === 'api/matches') {
      const matches = index.list();
      void index.countJudged(); // seen at the next look
      return {
        type: 'application/json',
        body: JSON.stringify({ matches, reports: listPages(index.pages), folder: root }),
      };
    }
    if (what === 'api/match') return answerMatch(address.searchParams.get('path') ?? '');
    if (what === 'api/prompts')
      return answerPrompts(address.searchParams.get('path') ?? '', address.searchParams.get('moment') ?? '');
    return what.startsWith('page/') ? answerPage(decodeURIComponent(what.slice('page/'.length))) : null;
  };
  /**
   * Pages of reports with what they link to, and the pages of single matches. The former may have come from anybody, so they
   * are shut off; the latter are made here, whatever file lies there.
   */
  const answerPage = async (name: string): Promise<Answer | null> => {
    const [folder, base] = [path.posix.dirname(name), path.posix.basename(name)];
    if (base === matchPage && index.has(folder)) {
      const html = await keep(`${folder}/${matchPage}`, folder, async () =>
        renderMatchDocument(await readWholeMatch(path.join(root, folder)), script),
      );
      return { type: 'text/html', body: html, policy: createMatchPolicy(script) };
    }
    const file = path.join(root, name);
    if (!isOfReport(name) || isThroughLink(root, name)) return null;
    const text = getDisk().readText(file, largestPage);
    const type = types[path.posix.extname(base)];
    if (type === undefined) return null;
    const body = type === 'text/html' ? linkMatches(text, name, index.list(), `/${token}/page/`) : text;
    return { type, body, policy: reportPolicy };
  };
  /** Whether it is a report, or a picture or table beside one. */
  const isOfReport = (name: string) => {
    if (index.hasPage(name)) return true;
    const folder = path.posix.dirname(name);
    const base = path.posix.basename(name);
    const holder = /^[\w-]+\.(svg|csv)$/.test(base)
      ? path.posix.basename(folder) === 'pictures'
        ? path.posix.dirname(folder)
        : base === 'figures.csv'
          ? folder
          : null
      : null;
    return holder !== null && index.pages.some((page) => path.posix.dirname(page) === holder);
  };
  const answerMatch = async (folder: string): Promise<Answer | null> => {
    if (!index.has(folder)) return null;
    try {
      return {
        type: 'application/json',
        body: await keep(folder, folder, async () => JSON.stringify(await read(folder))),
      };
    } catch (error) {
      return { status: 404, type: 'text/plain', body: (error as Error).message }; // gone meanwhile, or damaged
    }
  };
  const read = (folder: string) => readViewedMatch(path.join(root, folder));
  /** The prompts of one moment: those of a whole match are too many to be sent with it. */
  const answerPrompts = async (folder: string, moment: string): Promise<Answer | null> => {
    if (!index.has(folder)) return null;
    const match = JSON.parse(await keep(folder, folder, async () => JSON.stringify(await read(folder)))) as ViewedMatch;
    const step = match.steps.find(({ id }) => id === moment);
    return step
      ? {
          type: 'application/json',
          body: JSON.stringify(listPrompts(step, (await readPrompts(path.join(root, folder), step.round)).prompts)),
        }
      : null;
  };
  /** What is made of a match, made anew only where its record has changed. */
  const keep = async (name: string, folder: string, make: () => Promise<string>): Promise<string> => {
    const stamp = createStamp(path.join(root, folder));
    const before = kept.get(name);
    const body = before?.stamp === stamp ? before.body : await make();
    kept.delete(name);
    kept.set(name, { stamp, body });
    if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
    return body;
  };
  const server = createServer((request, response) => void respond(request, response, answer));
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

/** Whether the file, or a folder on the way to it, is a link: what lies there is not of the folder that is served. */
function isThroughLink(root: string, name: string): boolean {
  const parts = path.posix.normalize(name).split('/');
  return parts.some((_, index) => getDisk().isForeignLink(path.join(root, ...parts.slice(0, index + 1))));
}

interface Answer {
  /** 200 unless told. */
  status?: number;
  type: string;
  body: string;
  /** Unless told, that of the viewer's own page. */
  policy?: string;
  location?: string;
}

/** In bytes, of a report's page, picture or table. */
const largestPage = 64 * 2 ** 20;

/** Of the files that are served from the folder. */
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.svg': 'image/svg+xml', '.csv': 'text/csv' };

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (address: URL) => Promise<Answer | null>,
): Promise<void> {
  request.resume();
  const { method = '', headers, url = '' } = request;
  const send = ({ status = 200, type, body, policy = servedPolicy, location }: Answer) => {
    const tag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    const isKnown = status === 200 && headers['if-none-match'] === tag;
    response.writeHead(isKnown ? 304 : status, {
      'content-type': `${type}; charset=utf-8`,
      ...(isKnown ? {} : { 'content-length': Buffer.byteLength(body) }),
      ...(location !== undefined && { location }),
      'content-security-policy': policy,
      etag: tag,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
    response.end(method === 'HEAD' || isKnown ? undefined : body);
  };
  const say = (status: number, body: string) => send({ status, type: 'text/plain', body });
  if (!local.test(headers.host ?? ''))
    return say(403, 'Only this machine may look: open the address that was printed.\n');
  if (method !== 'GET' && method !== 'HEAD') return say(405, 'Nothing can be changed here.\n');
  const found = URL.canParse(url, 'http://localhost')
    ? await findAnswer(answer, new URL(url, 'http://localhost'))
    : null;
  if (found === null) return say(404, 'There is nothing here.\n');
  send(found);
}

/** What fails while it is read is not there. */
async function findAnswer(answer: (address: URL) => Promise<Answer | null>, address: URL): Promise<Answer | null> {
  try {
    return await answer(address);
  } catch {
    return null;
  }
}

/**
 * A report with links in place of the commands that show its matches, as far as one match of the folder has that id: one
 * below the folder that the report stands in, else any.
 */
function linkMatches(html: string, name: string, matches: readonly ListedMatch[], pages: string): string {
  const byId = Map.groupBy(matches, ({ id }) => escapeHtml(id));
  const above = path.posix.dirname(path.posix.dirname(name));
  return html.replaceAll(command, (whole, id: string, moment: string, judge: string | undefined) => {
    const same = byId.get(id) ?? [];
    const near = same.filter((match) => above === '.' || match.path.startsWith(`${above}/`));
    const [only, ...others] = near.length > 0 ? near : same;
    if (only === undefined || others.length > 0) return whole;
    const place = moment === '' ? '' : `/${encodeURIComponent(readEscaped(moment))}`;
    const by = judge === undefined ? '' : `?judge=${encodeURIComponent(readEscaped(judge))}`;
    const where = `${pages}${encodePath(only.path)}/${matchPage}#/match/${encodeURIComponent(only.id)}${place}${by}`;
    return `<a href="${escapeHtml(where)}">its match</a>`;
  });
}

/** As `report.html` has it. */
const command = /<code data-match="([^"<>]*)" data-moment="([^"<>]*)"(?: data-judge="([^"<>]*)")?>[^<]*<\/code>/g;

const encodePath = (name: string) => name.split('/').map(encodeURIComponent).join('/');

const listPages = (pages: readonly string[]) => pages.map((name) => ({ name, href: `page/${encodePath(name)}` }));

/** Changes with every file of the record. */
function createStamp(folder: string): string {
  return getDisk()
    .list(folder)
    .map(({ name }) => [name, getDisk().find(path.join(folder, name))] as const)
    .map(([name, status]) => `${name} ${status?.size} ${status?.changedAt}`)
    .sort()
    .join('\n');
}
