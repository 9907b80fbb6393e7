// The server of seats: who gets a page, and from whom it accepts answers.
import { request, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SeatDesk } from '../../../models/human/seat-desk.ts';
import { vote } from '../../../prompts/voting.ts';
import { SeatServer } from '../../../scripts/people/seat-server.ts';
import { draw } from '../../../state/random.ts';
import { createView } from '../../../state/view.ts';
import { gameAt, learned } from '../../game.ts';

const game = gameAt();
const desks = new Map(['Ginger', 'Sam'].map((player) => [player, new SeatDesk(() => server.push(player))]));
const server = new SeatServer({ host: '127.0.0.1', port: 0, script: 'void 0' });
let addresses = new Map<string, string>();

interface Reply {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Sends a request. `until`: text after which a stream is closed. */
const send = (
  address: string,
  {
    method = 'GET',
    headers = {},
    body = '',
    until,
  }: { method?: string; headers?: Record<string, string>; body?: string; until?: string } = {},
) =>
  new Promise<Reply>((resolve, reject) => {
    const sent = request(address, { agent: false, method, headers }, (response) => {
      let text = '';
      const end = () => resolve({ status: response.statusCode, headers: response.headers, body: text });
      response.on('data', (part: Buffer) => {
        text += part.toString();
        if (until === undefined || !text.includes(until)) return;
        end();
        sent.destroy();
      });
      response.on('end', end);
    });
    sent.on('error', reject);
    sent.end(body);
  });

const addressOf = (player: string) => addresses.get(player) ?? '';
const seatOf = (player: string) => addressOf(player).replace(/[^/]+$/, '');
const cookies = new Map<string, string>();
const asOwner = (player: string) => ({ cookie: cookies.get(player) ?? '' });
const postAnswer = (player: string, answer: unknown, headers: Record<string, string> = asOwner(player)) =>
  send(`${seatOf(player)}answer`, {
    method: 'POST',
    body: JSON.stringify(answer),
    headers: { 'content-type': 'application/json', ...headers },
  });

beforeAll(async () => {
  const opened = await server.open([...desks].map(([player, desk]) => ({ player, desk })));
  addresses = new Map(opened.map(({ player, address }) => [player, address]));
  for (const player of desks.keys()) desks.get(player)?.show(createView(game, player));
});
afterAll(() => server.close(null));

describe('the server of seats', () => {
  it('opens a seat to its token alone, once, and not to a browser that loads in advance', async () => {
    const mixed = seatOf('Ginger') + addressOf('Sam').replace(/.*\//, '');
    const base = addressOf('Ginger').replace(/\/seat.*/, '');
    for (const address of [
      mixed,
      seatOf('Ginger'),
      `${addressOf('Ginger')}x`,
      base,
      `${base}/seat/9/`,
      `${seatOf('Ginger')}events`,
    ])
      expect((await send(address)).status).toBe(403);
    for (const headers of [{ 'sec-purpose': 'prefetch;prerender' }, { host: 'evil.example' }] as Record<
      string,
      string
    >[])
      expect((await send(addressOf('Ginger'), { headers })).status).toBe(403);
    expect((await send(addressOf('Ginger'), { method: 'HEAD' })).status).toBe(405);
    for (const player of desks.keys()) {
      const first = await send(addressOf(player));
      const [cookie = ''] = first.headers['set-cookie'] ?? [];
      expect([first.status, cookie]).toEqual([
        200,
        expect.stringMatching(/^seat\d-\w+=[\w-]{32}; Path=\/seat\/\d\/; Max-Age=86400; HttpOnly; SameSite=Strict$/),
      ]);
      cookies.set(player, cookie.split(';')[0] ?? '');
      expect((await send(addressOf(player))).status).toBe(403);
    }
  });

  it('shows the page to its cookie alone, under a strict policy', async () => {
    for (const name of ['', 'seat.js', 'seat.css']) {
      const page = await send(seatOf('Ginger') + name, { headers: asOwner('Ginger') });
      expect([page.status, page.headers['content-security-policy']]).toEqual([
        200,
        expect.stringContaining("default-src 'none'"),
      ]);
      expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      for (const headers of [
        {},
        asOwner('Sam'),
        { cookie: asOwner('Sam').cookie.replace(/^seat\d/, 'seat1') },
      ] as Record<string, string>[])
        expect((await send(seatOf('Ginger') + name, { headers })).status).toBe(403);
    }
    expect((await send(`${seatOf('Ginger')}other`, { headers: asOwner('Ginger') })).status).toBe(403);
  });

  it('takes a legal answer from its own page alone, and sends what is new', async () => {
    const desk = desks.get('Ginger');
    const asked = desk?.ask({
      prompt: vote.put(createView(game, 'Ginger'), draw(1, 'options')),
      seconds: null,
      signal: new AbortController().signal,
    });
    const answer = { id: 1, answer: { vote: 'Sam', explanation: 'Why not' } };
    for (const headers of [
      asOwner('Sam'),
      {},
      { ...asOwner('Ginger'), origin: 'http://evil.example' },
      { ...asOwner('Ginger'), 'sec-fetch-site': 'cross-site' },
    ] as Record<string, string>[])
      expect((await postAnswer('Ginger', answer, headers)).status).toBe(403);
    expect((await postAnswer('Ginger', answer, { ...asOwner('Ginger'), 'content-type': 'text/plain' })).status).toBe(
      415,
    );
    expect((await postAnswer('Ginger', 'x'.repeat(70_000))).status).toBe(413);
    expect((await postAnswer('Ginger', null)).status).toBe(400);
    expect((await postAnswer('Ginger', { id: 1, answer: { vote: 'Zoe', explanation: 'x' } })).status).toBe(409);
    const stream = await send(`${seatOf('Ginger')}events`, {
      headers: asOwner('Ginger'),
      until: '\n\nevent: page\ndata:',
    });
    expect(stream.body).toContain('"question":{"action":"vote"');
    expect((await postAnswer('Ginger', answer)).status).toBe(200);
    expect((await asked)?.answer).toMatchObject({ vote: 'Sam' });
  });

  it('sends a seat nothing when only others learn something', async () => {
    let pages = 0;
    const sent = request(`${seatOf('Ginger')}events`, { headers: asOwner('Ginger') }, (response) => {
      response.on('data', (part: Buffer) => (pages += part.toString().split('event: page').length - 1));
    });
    sent.on('error', () => undefined);
    sent.end();
    while (pages === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const later = { ...game, gameLogs: [...game.gameLogs, learned(1, 'Sam', 'Leah', 'Werewolf')] };
    for (const player of desks.keys()) desks.get(player)?.show(createView(later, player));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(pages).toBe(1);
    const sam = await send(`${seatOf('Sam')}events`, { headers: asOwner('Sam'), until: 'event: page' });
    expect(sam.body).toContain('Leah');
    sent.destroy();
  });
});
