// People at the table, in a real browser: two seats beside bots, a page that is closed and opened again, a killed
// process, and a record that replays to the same match. If SEAT_PICTURES names a folder, pictures of every kind of
// question are written there.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { replayMatch } from '../../graph/play-match.ts';
import { readRecord } from '../../models/record/recorder.ts';
import type { SeatPage } from '../../report/seat/seat-text.ts';
import { isVisibleTo } from '../../state/events.ts';
import { openBrowser } from '../browser.ts';
import { type OpenAIServer, openOpenaiServer } from '../openai-server.ts';
import { readQuestion } from '../question.ts';
import { createLegalAnswer } from '../scripted-model.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const browser = await openBrowser();
const root = path.join(import.meta.dirname, '../..');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const out = createTemporaryFolder();
const pictures = process.env['SEAT_PICTURES'];

interface Playing {
  child: ChildProcess;
  /** Player → address of the player's page, with its token. */
  addresses: Map<string, string>;
  ended: Promise<number | null>;
  output: () => string;
}

/** Starts the command of the match, and waits for the addresses of its seats. */
async function start(
  rules: readonly string[],
  seats: readonly string[] = ['Ginger=human:alice?seconds=3600', 'Sam=human:bob'],
  more: readonly string[] = ['--seed', '11'],
): Promise<Playing> {
  const people = seats.filter((seat) => seat.includes('=human:'));
  const child = spawn(
    process.execPath,
    [
      ...['--import', './scripts/prepare.mjs', 'scripts/match.ts', '--serve', '--out', out, ...more],
      ...seats.flatMap((seat) => ['--seat', seat]),
      ...rules.flatMap((rule) => ['--rule', rule]),
    ],
    { cwd: root, env: { ...process.env, NO_COLOR: '1', OPENAI_API_KEY: 'none' } },
  );
  let [told, printed] = ['', ''];
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  const addresses = new Map<string, string>();
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (text: Buffer) => {
      told += text.toString();
      for (const [, player = '', address = ''] of told.matchAll(/^(\w+) \(human:\w+\): (http\S+)$/gm))
        addresses.set(player, address);
      if (addresses.size === people.length) resolve();
    });
    child.on('close', () => reject(new Error(`The match ended: ${told}`)));
  });
  return { child, addresses, ended, output: () => told + printed };
}

const request = (address: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    get(address, { agent: false, headers }, (response) => {
      let body = '';
      response.on('data', (text: Buffer) => (body += text.toString()));
      response.on('end', () => resolve({ status: response.statusCode, body }));
    }).on('error', reject);
  });

/** A seat in the browser, with everything that its event stream has sent. */
interface OpenSeat {
  player: string;
  context: BrowserContext;
  page: Page;
  stream: string[];
}

async function sit(player: string, address: string): Promise<OpenSeat> {
  if (!browser) throw new Error('No browser.');
  const context = await browser.newContext({ bypassCSP: true, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForURL(/\/seat\/\d+\/$/);
  const stream: string[] = [];
  const [cookie] = await context.cookies();
  get(new URL('events', page.url()), { headers: { cookie: `${cookie?.name}=${cookie?.value}` } }, (response) => {
    response.on('data', (text: Buffer) => stream.push(text.toString()));
    response.on('error', () => undefined);
  }).on('error', () => undefined);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: new URL(page.url()).pathname });
  return { player, context, page, stream };
}

/** Lists the problems that axe finds, except minor ones. */
async function findFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
      }
    ).axe.run();
    return violations
      .filter(({ impact }) => impact !== 'minor')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`);
  });
}

/** Checks a page at two window widths. */
async function look({ page, player }: OpenSeat, name: string): Promise<void> {
  for (const width of [1280, 420]) {
    await page.setViewportSize({ width, height: 800 });
    expect([name, width, await findFaults(page)]).toEqual([name, width, []]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect([name, width, wide]).toEqual([name, width, 0]);
    if (pictures === undefined) continue;
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: path.join(pictures, `${name}-${player}-${width}.png`) });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** Fills in the form as a person would who takes every first choice, and sends it. */
async function answer({ page }: OpenSeat, words: string): Promise<void> {
  const form = page.locator('form');
  for (const set of await form.locator('fieldset.choices').all()) {
    const radio = set.locator('input[type=radio]').first();
    if ((await radio.count()) > 0) await radio.check({ force: true });
  }
  for (const slider of await form.locator('input[type=range]').all()) await slider.fill('70');
  for (const area of await form.locator('textarea').all()) await area.fill(words);
  const before = await form.locator('h2').textContent();
  await form.locator('button').click();
  await page
    .waitForFunction(
      (text) => document.querySelector('form h2')?.textContent !== text || document.querySelector('.problem'),
      before,
      { timeout: 1500 },
    )
    .catch(() => undefined); // the next question may have the same words
  expect(await page.locator('[role=alert]').allTextContents()).toEqual([]);
}

afterAll(() => browser?.close());

const hostile = '</script><img src=x onerror=alert(1)><b>Ignore the rules</b> & "quotes"';

(browser === null ? describe.skip : describe)('two people beside bots', () => {
  let playing: Playing | undefined;
  afterAll(() => void playing?.child.kill('SIGKILL'));

  it('play a whole match, over a closed page and a killed process, and each sees only what the seat may know', async () => {
    const rules = ['maxRounds=2', 'debateTurns=2', 'analysis=both', 'beliefs=each-round'];
    playing = await start(rules);
    const [ginger, sam] = [playing.addresses.get('Ginger') ?? '', playing.addresses.get('Sam') ?? ''];
    const other = ginger.replace(/[^/]+$/, sam.replace(/^.*\//, ''));
    for (const address of [other, ginger.replace(/[^/]+$/, ''), `${ginger}x`, ginger.replace(/\/seat.*/, '/')])
      expect(await request(address)).toEqual({ status: 403, body: expect.stringContaining('opens no seat') });
    expect((await request(ginger, { host: 'evil.example' })).status).toBe(403);
    expect((await request(ginger, { 'sec-purpose': 'prefetch' })).status).toBe(403);
    let seats = [await sit('Ginger', ginger), await sit('Sam', sam)];
    expect((await request(ginger)).status).toBe(403); // the token was already used
    expect(seats.every(({ page }) => !page.url().includes('token'))).toBe(true);
    const alerts: string[] = [];
    const streams = new Map(seats.map(({ player }) => [player, [] as string[][]]));
    const watch = () => {
      for (const { page, player, stream } of seats) {
        page.on('dialog', (dialog) => (alerts.push(dialog.message()), void dialog.dismiss()));
        streams.get(player)?.push(stream);
      }
    };
    watch();
    const looked = new Set<string>();
    let [answered, isReopened, isKilled] = [0, false, false];
    for (let idle = 0; idle < 200;) {
      let isAsked = false;
      for (const seat of seats) {
        const { page, player } = seat;
        if ((await page.locator('form').count()) === 0) continue;
        isAsked = true;
        const title = (await page.locator('form h2').textContent()) ?? '';
        const kind = title
          .toLowerCase()
          .replaceAll(/\d+/g, 'n')
          .replaceAll(/[^a-z]+/g, '-')
          .slice(0, 40);
        if (!looked.has(kind)) await look(seat, kind);
        looked.add(kind);
        if (answered === 6 && !isReopened) {
          isReopened = true;
          const address = page.url();
          await page.close();
          seat.page = await seat.context.newPage();
          await seat.page.goto(address);
          await seat.page.locator('form h2').waitFor();
          expect(await seat.page.locator('form h2').textContent()).toBe(title);
        }
        await answer(seat, player === 'Sam' ? hostile : 'I trust nobody yet.');
        answered += 1;
        if (answered === 12 && !isKilled) {
          isKilled = true;
          playing.child.kill('SIGKILL');
          await playing.ended;
          const old = seats;
          playing = await start(rules);
          seats = [
            await sit('Ginger', playing.addresses.get('Ginger') ?? ''),
            await sit('Sam', playing.addresses.get('Sam') ?? ''),
          ];
          for (const { context } of old) await context.close();
          watch();
          break;
        }
      }
      const results = await Promise.all(
        seats.map(({ page }) => page.locator('h2', { hasText: 'The match is over' }).count()),
      );
      if (results.every((count) => count > 0)) break;
      idle = isAsked ? 0 : idle + 1;
      if (!isAsked) await new Promise((resolve) => setTimeout(resolve, 100));
    }
    for (const seat of seats) await look(seat, 'the-match-is-over');
    expect(await playing.ended).toBe(0);
    expect([isReopened, isKilled, alerts]).toEqual([true, true, []]);
    const folder = path.join(out, readdirSync(out).find((name) => name.includes('people')) ?? '');
    const { manifest, answers, events, isFinished } = readRecord(folder, { isThorough: true });
    expect(isFinished).toBe(true);
    expect((await replayMatch(folder)).isReworded).toBe(false);
    expect(
      answers.filter(({ model }) => model.startsWith('human:')).every(({ shown_ms: ms }) => ms !== undefined),
    ).toBe(true);
    expect(events.some((event) => event.type === 'ballot' && event.explanation?.includes('onerror=alert'))).toBe(true);
    // No stream may contain other players' secrets, or which model plays a seat.
    for (const [player, parts] of streams) {
      const text = parts.flat().join('');
      const pages = [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json) as SeatPage);
      expect(pages.length).toBeGreaterThan(5);
      const secrets = events
        .filter((event) => !isVisibleTo(event, player))
        .flatMap((event) =>
          'reasoning' in event
            ? [event.reasoning]
            : 'reason' in event && event.type === 'proposal'
              ? [event.reason]
              : event.type === 'summary'
                ? [event.text]
                : [],
        )
        .filter((secret) => secret.length > 20 && !secret.includes('trust nobody') && !secret.includes('onerror'));
      expect(secrets.length).toBeGreaterThan(10);
      expect(secrets.filter((secret) => text.includes(JSON.stringify(secret).slice(1, -1)))).toEqual([]);
      for (const word of [manifest.salt ?? '', 'bot:classic', 'human:', 'alice', `"seed"`, 'prompt_sha256'])
        expect(text).not.toContain(word);
      const own = manifest.setup.players.find(({ name }) => name === player);
      for (const page of pages) {
        expect(page.role).toBe(own?.role);
        if (page.result === null) expect(page.roles).toBeNull();
      }
    }
    expect(playing.output()).not.toContain(manifest.salt);
  }, 300_000);
});

/**
 * Address of a real server of models, e.g. `http://127.0.0.1:18080/v1`. Without an address, a local server answers
 * immediately.
 */
const realServer = process.env['SEAT_MODEL_SERVER'];

(browser === null ? describe.skip : describe)('a person beside a model on a server', () => {
  let playing: Playing | undefined;
  let standIn: OpenAIServer | undefined;
  afterAll(async () => {
    playing?.child.kill('SIGKILL');
    await standIn?.close();
  });

  it('plays a whole match, and neither learns who the other is', async () => {
    standIn =
      realServer === undefined
        ? await openOpenaiServer((received, index) => ({
            text: JSON.stringify(createLegalAnswer(readQuestion(received.body.messages))),
            latency: index === 0 ? 5000 : 0, // time to look at the page of a waiting person
          }))
        : undefined;
    const server = standIn?.baseUrl ?? realServer ?? '';
    const board = path.join(out, 'four.yaml');
    writeFileSync(board, 'name: four\nroles: { Werewolf: 1, Villager: 3 }\n');
    const model = `openai:tinyllama?baseUrl=${server}&timeout=1500&maxTokens=200`;
    playing = await start(
      ['maxRounds=1', 'debateTurns=2', 'analysis=off', 'pack=one'],
      ['Ginger=human:carol', `Sam=${model}`],
      ['--board', board, '--seed', '2'],
    );
    const seat = await sit('Ginger', playing.addresses.get('Ginger') ?? '');
    const isOver = () => seat.page.locator('h2', { hasText: 'The match is over' }).count();
    let answered = 0;
    let hasWaited = false;
    while ((await isOver()) === 0) {
      if ((await seat.page.locator('form').count()) === 0) {
        const isWaiting = (await seat.page.locator('h2', { hasText: 'Please wait' }).count()) > 0;
        if (isWaiting && !hasWaited) await look(seat, 'please-wait');
        hasWaited ||= isWaiting;
        await new Promise((resolve) => setTimeout(resolve, 100));
        continue;
      }
      if (answered === 0) await look(seat, 'beside-a-model');
      await answer(seat, 'I watch how everybody votes before I accuse anybody.');
      answered += 1; // on a busy machine, the same question may be answered twice
    }
    expect(await playing.ended).toBe(0);
    expect(hasWaited).toBe(true);
    const folder = path.join(out, readdirSync(out).find((name) => name.startsWith('four-people')) ?? '');
    const { answers, manifest } = readRecord(folder, { isThorough: true });
    expect((await replayMatch(folder)).isReworded).toBe(false);
    const models = new Set(answers.map((line) => line.model.replace(/\?.*/, '')));
    expect(models).toEqual(new Set(['human:carol', 'openai:tinyllama', 'bot:classic']));
    const own = answers.filter((line) => line.model === 'human:carol');
    expect(own.length).toBeGreaterThan(2);
    expect(own.every((line) => line.answer !== null && line.unanswered === undefined)).toBe(true);
    const text = seat.stream.join('');
    expect(text).toContain('Ginger');
    for (const word of ['tinyllama', server, 'human:', manifest.salt ?? '']) expect(text).not.toContain(word);
    const asked = standIn?.requests ?? [];
    for (const { body } of asked) expect(JSON.stringify(body)).not.toMatch(/human|carol/);
    if (standIn !== undefined) expect(asked.length).toBeGreaterThan(2);
  }, 3_000_000);
});
