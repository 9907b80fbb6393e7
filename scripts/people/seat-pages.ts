// The pages of one match's seats. Each address has a token that opens one seat once; from then on the browser has the
// seat's cookie. Requests reach the pages through the server that listens on the port: the server of the match, or
// LangGraph's.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SeatDesk } from '../../models/human/seat-desk.ts';
import { getMachine } from '../../models/machine/machine.ts';
import { seatDocument, seatPolicy, welcomeDocument } from '../../report/seat/seat-document.ts';
import { seatStyles } from '../../report/seat/seat-styles.ts';
import { describeSeat, type SeatPage } from '../../report/seat/seat-text.ts';
import { parseJson } from '../../state/text.ts';
import { privateHeaders } from '../command/page-script.ts';

/** A seat as the server knows it. */
interface Seat {
  player: string;
  desk: SeatDesk;
  /** Hash of the token that opens the seat; null once it was used. */
  token: Buffer | null;
  /** Hash of the cookie's value; null until the seat was opened. */
  session: Buffer | null;
  streams: Set<ServerResponse>;
  /** The page as last sent, without the remaining time. */
  sent: string;
}

export interface SeatPagesOptions {
  /** Path of all pages, e.g. `/seat`; the first seat is at `/seat/1/`. */
  path: string;
  /** Script of the page. */
  script: string;
}

/** Size limit of an answer, in bytes: more than the longest one. */
const largestAnswer = 64 * 1024;

/** Pages of one seat that are open at the same time; the oldest is closed. */
const mostStreams = 8;

/** Milliseconds between events that show browsers that the connection is alive. */
const beatEvery = 15_000;

/** Seconds for which a browser keeps the cookie. */
const longestSession = 86_400;

const hashSecret = (text: string) => createHash('sha256').update(text).digest();
const isSame = (expected: Buffer | null, given: string) =>
  expected !== null && timingSafeEqual(expected, hashSecret(given));

/** Answer to a request that opens no seat. */
export const notYours =
  'This address opens no seat: it was used before, or belongs to another seat. Ask for a new one.\n';

/**
 * Serves the pages of one match's seats.
 *
 * @example
 * const pages = new SeatPages({ path: '/seat', script: await buildPageScript('seat') });
 * const addresses = pages.open([{ player: 'Ginger', desk }], 'http://127.0.0.1:8080');
 */
export class SeatPages {
  readonly #seats: Seat[] = [];
  readonly #options: SeatPagesOptions;
  /**
   * Part of the names of this match's cookies. Browsers send cookies to all ports of a host, so also to the server of
   * another match.
   */
  readonly #id = randomBytes(4).toString('hex');
  #roles: SeatPage['roles'] = null;
  #stopBeats: () => void = () => undefined;

  constructor(options: SeatPagesOptions) {
    this.#options = options;
  }

  /** Opens the seats. Returns the address of each with its token. `origin`: where the pages are served. */
  open(desks: readonly { player: string; desk: SeatDesk }[], origin: string): { player: string; address: string }[] {
    this.#stopBeats = getMachine().clock.repeat(beatEvery, () => {
      for (const { streams } of this.#seats) for (const stream of streams) stream.write(':\n\n');
    });
    return desks.map(({ player, desk }, index) => {
      const token = randomBytes(24).toString('base64url');
      this.#seats.push({ player, desk, token: hashSecret(token), session: null, streams: new Set(), sent: '' });
      return { player, address: `${origin}${this.#options.path}/${index + 1}/${token}` };
    });
  }

  /** Sends a player's page to all its open streams, if it has changed since it was last sent. */
  push(player: string): void {
    const seat = this.#seats.find((one) => one.player === player);
    if (!seat) return;
    const page = this.#describe(seat);
    const key = formatKey(page);
    if (page === null || key === seat.sent) return; // an update without changes would reveal that something happened elsewhere
    seat.sent = key;
    for (const stream of seat.streams) stream.write(formatPage(page));
  }

  /** Shows the roles on all pages, unless they are null, and ends their streams. */
  close(roles: SeatPage['roles']): void {
    this.#roles = roles;
    for (const { player } of this.#seats) this.push(player);
    this.#stopBeats();
    for (const { streams } of this.#seats) for (const stream of streams) stream.end();
  }

  #describe({ desk }: Seat): SeatPage | null {
    const { view, question } = desk;
    if (view === null) return null;
    const { form, id, seconds, leftMs } = question ?? {};
    const asked = form && id !== undefined ? { ...form, id, seconds: seconds ?? null, leftMs: leftMs ?? null } : null;
    return describeSeat(view, { question: asked, roles: this.#roles });
  }

  /** Answers a request. The caller has checked the host of the request. */
  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers, url = '' } = request;
    const send = (status: number, type: string, body: string, more: Record<string, string> = {}) => {
      response.writeHead(status, { ...seatHeaders, 'content-type': `${type}; charset=utf-8`, ...more });
      response.end(body);
    };
    const say = (status: number, body: string) => sendSeatText(response, status, body);
    const { path } = this.#options;
    const [, number, rest = ''] =
      (url.startsWith(path) && /^\/(\d{1,3})\/([\w.-]*)$/.exec(url.slice(path.length))) || [];
    const index = Number(number);
    const seat = number === undefined ? undefined : this.#seats[index - 1];
    if (!seat) return say(403, notYours);
    const cookie = new RegExp(`(?:^|; )seat${index}-${this.#id}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1] ?? '';
    const isOwner = isSame(seat.session, cookie);
    if (method === 'POST' && rest === 'answer') {
      if (!isOwner || !isFromOwnPage(request)) return say(403, notYours);
      return takeAnswer(request, seat.desk, say);
    }
    if (method !== 'GET') return say(405, 'This request is not possible here.\n');
    if (!isOwner && rest !== '' && !isPrefetch(request) && isSame(seat.token, rest)) {
      const session = randomBytes(24).toString('base64url');
      [seat.token, seat.session] = [null, hashSecret(session)];
      const value = `seat${index}-${this.#id}=${session}; Path=${path}/${index}/; Max-Age=${longestSession}; HttpOnly; SameSite=Strict`;
      return send(200, 'text/html', welcomeDocument, { 'set-cookie': value });
    }
    if (!isOwner) return say(403, notYours);
    if (rest === '') return send(200, 'text/html', seatDocument);
    if (rest === 'seat.js') return send(200, 'text/javascript', this.#options.script);
    if (rest === 'seat.css') return send(200, 'text/css', seatStyles);
    if (rest === 'events') return this.#stream(seat, response);
    return say(403, notYours);
  }

  #stream(seat: Seat, response: ServerResponse): void {
    response.writeHead(200, { ...seatHeaders, 'content-type': 'text/event-stream; charset=utf-8' });
    response.write('retry: 1000\n\n');
    seat.streams.add(response);
    response.on('close', () => seat.streams.delete(response));
    const [oldest] = seat.streams;
    if (seat.streams.size > mostStreams) oldest?.end();
    const page = this.#describe(seat);
    if (page !== null) response.write(formatPage(page));
  }
}

/** Sends a plain text with the headers of a seat's pages. */
export function sendSeatText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...seatHeaders, 'content-type': 'text/plain; charset=utf-8' });
  response.end(text);
}

/** Headers of all answers. */
const seatHeaders = {
  'content-security-policy': seatPolicy,
  ...privateHeaders,
  'cross-origin-opener-policy': 'same-origin',
};

/** Formats a page as a server-sent event. The event needs no escapes, because JSON has no line breaks. */
const formatPage = (page: SeatPage) => `event: page\ndata: ${JSON.stringify(page)}\n\n`;

/** Formats everything on a page except the remaining time. The page is sent again when this text changes. */
const formatKey = (page: SeatPage | null) =>
  JSON.stringify(page && { ...page, question: page.question && { ...page.question, leftMs: 0 } });

/**
 * Returns whether a browser only loads the page in advance. Such a request would use up the token before the person
 * opens the page.
 */
const isPrefetch = ({ headers }: IncomingMessage) =>
  /prefetch|prerender/i.test(`${String(headers['sec-purpose'] ?? '')} ${String(headers['purpose'] ?? '')}`);

/** Returns whether a request comes from a page of this server, as far as the browser says. */
function isFromOwnPage({ headers }: IncomingMessage): boolean {
  const { origin, host, 'sec-fetch-site': site = 'same-origin' } = headers;
  return site === 'same-origin' && (origin === undefined || origin === `http://${host}`);
}

/** Reads a person's answer and gives it to the desk. */
async function takeAnswer(
  request: IncomingMessage,
  desk: SeatDesk,
  say: (status: number, body: string) => void,
): Promise<void> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return say(415, 'Answers are JSON.\n');
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > largestAnswer) return say(413, 'This answer is too long.\n');
      chunks.push(chunk);
    }
  } catch {
    return; // the browser went away
  }
  const given = parseJson(Buffer.concat(chunks).toString()) as { id?: unknown; answer?: unknown } | null | undefined;
  if (typeof given?.id !== 'number') return say(400, 'This is not a valid answer.\n');
  const refusal = desk.answer(given.id, given.answer);
  if (refusal !== null) return say(409, refusal);
  say(200, 'Thank you.\n');
}
