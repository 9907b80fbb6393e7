// People in matches of the service: LangGraph's real server, its own client, and people who open the addresses that the
// run streams.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@langchain/langgraph-sdk';
import { replayMatch } from '../../graph/play-match.ts';
import { readRecord } from '../../models/record/recorder.ts';
import type { SeatPage } from '../../report/seat/seat-text.ts';
import { isVisibleTo } from '../../state/events.ts';
import type { Game } from '../../state/game.ts';
import { openBrowser } from '../browser.ts';
import { findFreePort } from '../free-port.ts';
import { openSeat, type SeatBrowser, sendRequest, takeFirstChoices } from '../seat-browser.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const folder = createTemporaryFolder();
const project = path.resolve(import.meta.dirname, '../..');
const records = path.join(folder, 'records');
let server: ChildProcess;
let client: Client;
let port: number;
let output = '';

beforeAll(async () => {
  const { scripts } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as {
    scripts: Record<'studio', string>;
  };
  const [, ...command] = scripts.studio.split(' ');
  port = await findFreePort();
  server = spawn(process.execPath, [...command, '--no-reload', '--port', String(port)], {
    cwd: project,
    env: { WOLFGRAPH_OUT: records, PATH: process.env['PATH'], HOME: folder, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a process group of its own, which can be stopped as a whole
  });
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Server running')) resolve();
    };
    server.stdout!.on('data', hear);
    server.stderr!.on('data', hear);
    server.once('exit', () => reject(new Error(`The dev server ended: ${output}`)));
  });
  client = new Client({ apiUrl: `http://localhost:${port}`, apiKey: null, defaultHeaders: { connection: 'close' } });
});

afterAll(async () => {
  const gone = once(server, 'exit');
  process.kill(-server.pid!, 'SIGKILL');
  await gone;
});

const context = {
  seats: { Ginger: 'human:alice', Sam: 'human:bob?seconds=3600' },
  rule: { debateTurns: 2, maxRounds: 2 },
  seed: 11,
};

interface Chunk {
  event: string;
  data: { seats?: Record<string, string>; run_id?: string; message?: string };
}

/** Starts a run, and collects its chunks. `seats` is resolved when the addresses arrive. */
function start(thread: string, given: object = context, streamMode: ('custom' | 'updates')[] = ['updates', 'custom']) {
  const { promise: seats, resolve } = Promise.withResolvers<Record<string, string>>();
  const chunks: Chunk[] = [];
  let id = '';
  const collect = async () => {
    const asked = { input: {}, context: given, streamMode } as const;
    for await (const chunk of client.runs.stream(thread, 'match', asked)) {
      const one = chunk as Chunk;
      chunks.push(one);
      id = one.data.run_id ?? id;
      if (one.event === 'custom' && one.data.seats) resolve(one.data.seats);
    }
  };
  const ended = collect();
  return { seats, chunks, ended, id: () => id };
}

const words = 'I watch how everybody votes before I accuse anybody.';
const takeSeat = (address: string, isWilling: (page: SeatPage) => boolean) =>
  openSeat(address, ({ question, ...page }, seat) => {
    if (question && isWilling({ question, ...page }))
      void seat.answer(question, takeFirstChoices(question.fields, words));
  });

describe('people in a match of the service', () => {
  it('play it over the server’s own routes, through a cancelled run, and nobody sees more than their own seat', async () => {
    const { thread_id: thread } = await client.threads.create();
    const first = start(thread);
    const addresses = await first.seats;
    expect(Object.keys(addresses)).toEqual(['Ginger', 'Sam']);
    const ginger = addresses['Ginger'] ?? '';
    const sam = addresses['Sam'] ?? '';
    expect(ginger).toMatch(new RegExp(`^http://localhost:${port}/seats/[\\w-]{12}/1/[\\w-]{32}$`));

    const other = ginger.replace(/[^/]+$/, sam.replace(/^.*\//, ''));
    const base = ginger.replace(/[^/]+$/, '');
    for (const address of [
      other,
      base,
      `${ginger}x`,
      `${base}events`,
      base.replace(/\d\/$/, '9/'),
      `http://localhost:${port}/seats/`,
    ])
      expect([address, (await sendRequest(address)).status]).toEqual([address, 403]);
    for (const headers of [{ host: 'evil.example' }, { origin: 'http://evil.example' }, { 'sec-purpose': 'prefetch' }])
      expect((await sendRequest(ginger, { headers: headers as unknown as Record<string, string> })).status).toBe(403);

    let answered = 0;
    const answerSix = () => (answered += 1) <= 6;
    const seats = [await takeSeat(ginger, answerSix), await takeSeat(sam, answerSix)];
    expect((await sendRequest(ginger)).status).toBe(403); // the token was already used
    for (const { address, cookie } of seats) {
      expect(
        (
          await sendRequest(`${address}answer`, {
            method: 'POST',
            headers: { cookie, origin: 'http://localhost:3000', 'content-type': 'application/json' },
            body: '{}',
          })
        ).status,
      ).toBe(403);
      const page = await sendRequest(address, { headers: { cookie } });
      expect([page.status, page.headers['content-security-policy']]).toEqual([
        200,
        expect.stringContaining("default-src 'none'"),
      ]);
    }
    await waitUntil(() => answered > 6);

    const shown = await Promise.all([
      client.threads.getState<Game>(thread),
      client.threads.getHistory(thread),
      client.threads.get(thread),
    ]);
    expect(shown[0].values).toEqual({});
    expect(JSON.stringify(shown)).not.toMatch(/Werewolf|Seer|"role/);
    expect(first.chunks.map(({ event }) => event)).toEqual(['metadata', 'custom']);

    await client.runs.cancel(thread, first.id(), true);
    await first.ended;
    expect(readRecord(path.join(records, thread)).isFinished).toBe(false);
    for (const { address, cookie } of seats)
      expect((await sendRequest(address, { headers: { cookie } })).status).toBe(403);

    const second = start(thread);
    const next = await second.seats;
    expect(next['Ginger']).not.toBe(ginger);
    const again = await Promise.all(Object.values(next).map((address) => takeSeat(address, () => true)));
    await second.ended;
    await waitUntil(() => again.every(({ pages }) => pages.at(-1)?.roles != null));

    const record = readRecord(path.join(records, thread), { isThorough: true });
    const { manifest, events } = record;
    expect(record.isFinished).toBe(true);
    expect((await replayMatch(path.join(records, thread))).isReworded).toBe(false);
    expect(manifest.setup.models).toMatchObject({ Ginger: 'human:alice', Sam: 'human:bob?seconds=3600' });
    const steps = second.chunks.filter(({ event }) => event === 'updates').flatMap(({ data }) => Object.keys(data));
    expect([steps[0], steps.at(-1)]).toEqual(['start_round', 'end']);
    const { values } = await client.threads.getState<Game>(thread);
    expect(values.gameLogs).toEqual(events.filter(({ audience }) => audience !== 'moderator'));

    for (const [index, player] of ['Ginger', 'Sam'].entries()) {
      const text = [seats[index], again[index]].map((seat) => seat?.sent() ?? '').join('');
      const pages = [seats[index], again[index]].flatMap((seat: SeatBrowser | undefined) => seat?.pages ?? []);
      expect(pages.length).toBeGreaterThan(5);
      const secrets = events
        .filter((event) => !isVisibleTo(event, player))
        .flatMap((event) => ('reasoning' in event ? [event.reasoning] : event.type === 'summary' ? [event.text] : []))
        .filter((secret) => secret.length > 20 && secret !== words);
      expect(secrets.length).toBeGreaterThan(10);
      expect(secrets.filter((secret) => text.includes(JSON.stringify(secret).slice(1, -1)))).toEqual([]);
      for (const word of [manifest.salt ?? '', 'bot:classic', 'human:', 'alice', '"seed"', thread])
        expect(text).not.toContain(word);
      for (const { result, roles } of pages) if (result === null) expect(roles).toBeNull();
    }
    const { address, cookie } = again[0]!;
    expect((await sendRequest(address, { headers: { cookie } })).status).toBe(200); // the page still shows the result
    const third = start(thread);
    await third.ended;
    expect(JSON.stringify(third.chunks)).toContain('This match has already ended');
  });

  it('are not seated where their addresses would be lost, and only by names', async () => {
    const refuse = async (given: object, mode: ('custom' | 'updates')[]) => {
      const { thread_id: thread } = await client.threads.create();
      const { chunks, ended } = start(thread, given, mode);
      await ended;
      return chunks.find(({ event }) => event === 'error')?.data.message;
    };
    expect(await refuse(context, ['updates'])).toContain('the mode "custom"');
    expect(await refuse({ ...context, seats: { Ginger: 'human:a b' } }, ['custom'])).toContain('human:NAME');
    expect(await refuse({ ...context, model: 'human:alice' }, ['custom'])).toContain('model');
  });

  it('see their page in a real browser', async () => {
    const browser = await openBrowser();
    if (!browser) return;
    try {
      const { thread_id: thread } = await client.threads.create();
      const run = start(thread, { ...context, seats: { Ginger: 'human' } });
      const page = await browser.newPage({ viewport: { width: 420, height: 800 } });
      await page.goto((await run.seats)['Ginger'] ?? '');
      await page.locator('form h2').waitFor();
      const pictures = process.env['SEAT_PICTURES'];
      if (pictures !== undefined) await page.screenshot({ path: path.join(pictures, 'service.png') });
      await page.reload();
      await page.locator('form h2').waitFor();
      await client.runs.cancel(thread, run.id(), true);
      await run.ended;
      await page.locator('h1', { hasText: 'This seat is closed' }).waitFor();
    } finally {
      await browser.close();
    }
  });
});

async function waitUntil(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
}
