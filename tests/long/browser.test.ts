// The viewer in a real browser: list, match, keyboard, one player's view, a live match, files opened from disk without
// a network, and axe. Skipped, with a reason, if no browser runs. All tests are in one file because they share one
// browser and its matches.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { playMatch } from '../../graph/play-match.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { MatchIndex } from '../../scripts/view/match-index.ts';
import { readPrompts, readViewedMatch } from '../../scripts/view/read-match.ts';
import { openViewServer, type ViewServer } from '../../scripts/view/view-server.ts';
import { buildViewerScript } from '../../scripts/command/page-script.ts';
import { renderMatchDocument } from '../../report/viewer/viewer-document.ts';
import { buildViewedMatch, listPrompts, type ViewedMatch } from '../../report/viewer/viewed-match.ts';
import { describeVerdict } from '../../report/viewer/step-details.ts';
import { listTimeline } from '../../report/viewer/timeline.ts';
import { openBrowser } from '../browser.ts';
import { matchOf, said as tell } from '../deception/match-builder.ts';
import { run, startScript } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const out = createTemporaryFolder();
const browser = await openBrowser();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

(browser === null ? describe.skip : describe)('in a browser', () => {
  let server: ViewServer;
  let page: Page;
  /** Errors and warnings that the browser reports. */
  const complaints: string[] = [];

  const openPage = async (colorScheme: 'light' | 'dark' = 'light') => {
    // axe's script is not part of the page, so the page's policy would block it.
    const context = await browser!.newContext({ colorScheme, bypassCSP: false });
    const opened = await context.newPage();
    opened.on('console', (message) => complaints.push(message.text()));
    opened.on('pageerror', (error) => complaints.push(error.message));
    return opened;
  };

  beforeAll(async () => {
    for (const seed of [1, 2, 3]) await playMatch({ out, id: `m${seed}`, seed });
    await playMatch({ out, id: 'large', board: 'plus-12', rules: 'plus', seed: 5 });
    for (const id of ['m1', 'm2', 'm3', 'large']) await run('show', [path.join(out, id), '--html']);
    await run('report', [out, '--no-tables', '--no-baselines', '--resamples', '19']);
    server = await openViewServer(out, {
      index: new MatchIndex(out, null),
      script: await buildViewerScript(),
      port: 0,
    });
    page = await openPage();
  });
  afterAll(async () => {
    await server.close();
    await browser!.close();
  });

  const findWrong = async (scheme: 'light' | 'dark', address: string, prepare: (one: Page) => Promise<unknown>) => {
    const context = await browser!.newContext({ colorScheme: scheme, bypassCSP: true });
    const checked = await context.newPage();
    await checked.goto(address);
    await prepare(checked);
    await checked.evaluate(axe);
    const found = await checked.evaluate(() =>
      (
        globalThis as unknown as {
          axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
        }
      ).axe.run(),
    );
    await context.close();
    return found.violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html }) => html.slice(0, 120))
          .slice(0, 3)
          .join(' ')}`,
    );
  };
  /** Reads all texts and attributes of the page as plain text. */
  const readAll = () =>
    page.evaluate(() =>
      [document.querySelector('#app')!, ...document.querySelectorAll('#app *')]
        .flatMap((one) => [...one.attributes].map(({ value }) => value))
        .concat(document.querySelector('#app')!.textContent)
        .join('\n'),
    );
  const shownText = (one = page) => one.evaluate(() => document.body.innerText);

  it('the list is filtered and sorted, and opens a match', async () => {
    await page.goto(server.address);
    await page.waitForSelector('tbody tr');
    expect(await page.locator('tbody tr').count()).toBe(4);
    await page.fill('#filter', 'plus-12');
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(await shownText()).toContain('1 of 4 matches');
    await page.fill('#filter', '');
    await page.click('thead button:has-text("Rounds")');
    const rounds = await page.locator('tbody td:nth-child(8)').allInnerTexts();
    expect(rounds.map(Number)).toEqual([...rounds.map(Number)].sort((one, other) => one - other));
    await page.click('tbody a:has-text("m1")');
    await page.waitForSelector('.steps');
    expect(await shownText()).toContain('The match is won by');
  });

  it('a match is stepped by keyboard, by moments and by nights and days, and played', async () => {
    const { steps } = await readViewedMatch(path.join(out, 'm1'));
    await page.goto(`${server.address}#/match/m1`);
    await page.waitForSelector('.steps [aria-current]');
    const readCurrent = () => page.getAttribute('.steps [aria-current]', 'data-moment');
    for (let at = 1; at < 6; at++) {
      await page.keyboard.press('ArrowRight');
      expect(await readCurrent()).toBe(steps[at]!.id);
    }
    await page.keyboard.press('ArrowLeft');
    expect(await readCurrent()).toBe(steps[4]!.id);
    await page.keyboard.press('j');
    const first = steps.findIndex(({ phase, round }) => phase === 'day' && round === 1);
    expect(await readCurrent()).toBe(steps[first]!.id);
    await page.keyboard.press('k');
    expect(await readCurrent()).toBe(steps[0]!.id);
    await page.keyboard.press('Space');
    await page.waitForFunction(
      (id) => document.querySelector('.steps [aria-current]')?.getAttribute('data-moment') === id,
      steps[2]!.id,
    );
    await page.keyboard.press('Space');
  });

  it('playing ends with the last moment, where the slider ends too', async () => {
    const { steps } = await readViewedMatch(path.join(out, 'm1'));
    await page.goto(`${server.address}#/match/m1/${steps.at(-2)!.id}`);
    const slider = page.locator('input[aria-label="Moment"]');
    await slider.waitFor();
    expect(await slider.getAttribute('max')).toBe(String(steps.length - 1));
    expect(await slider.inputValue()).toBe(String(steps.length - 2));
    await page.click('button:text-is("Play")');
    await page.waitForSelector('button:text-is("Pause")');
    await page.waitForSelector('button:text-is("Play")');
    expect(await slider.inputValue()).toBe(String(steps.length - 1));
    await slider.fill('1');
    expect(await page.getAttribute('.steps [aria-current]', 'data-moment')).toBe(steps[1]!.id);
  });

  it('a link opens its moment, with what was said, claimed, thought and heard', async () => {
    const match = await readViewedMatch(path.join(out, 'large'));
    const step = match.steps.find(({ readings }) => (readings?.['rules']?.claims.length ?? 0) > 0)!;
    await page.goto(`${server.address}#/match/large/${step.id}`);
    await page.waitForSelector('.details mark');
    await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)));
    const words = (await page.locator('.statement .words').textContent())!;
    const details = await page.innerText('.details');
    const { claims } = step.readings!['rules']!;
    for (const [at, { words: claimed, verdict, reason }] of claims.entries()) {
      const mark = page.locator(`.claim[data-claims="${at + 1}"]`);
      expect((await mark.textContent())!.startsWith(claimed)).toBe(true);
      expect(words).toContain(claimed);
      expect(details).toContain(reason);
      // On focus and on hover, the reason appears above the claim's words. For people who cannot see it, it is a
      // description of the claim.
      const told = page.locator('.claim .reason').nth(at);
      expect(await told.isVisible()).toBe(false);
      await mark.locator('button').focus();
      expect(await told.innerText()).toBe(`${describeVerdict(verdict).word} ${reason}`);
      await page.locator('h1').click();
      expect(await told.isVisible()).toBe(false);
      await mark.hover();
      expect(await told.isVisible()).toBe(true);
      const described = await mark.locator('button').getAttribute('aria-describedby');
      expect(await page.evaluate((id) => document.getElementById(id)!.textContent, described!)).toContain(reason);
    }
    for (const { reasoning, action } of step.thoughts ?? []) {
      expect(details).toContain(reasoning);
      expect(action).not.toBe('');
    }
    const [prompt] = listPrompts(step, (await readPrompts(path.join(out, 'large'))).prompts);
    await page.waitForSelector('.details pre');
    expect(await page.innerText('.details pre')).toContain(prompt!.messages[0]!.content.slice(0, 60).trim());
  });

  it('two reasonings of one player each say before what they were', async () => {
    const { steps } = await readViewedMatch(path.join(out, 'm1'));
    const step = steps.find(
      ({ actor, thoughts = [] }) => thoughts.filter(({ player }) => player === actor).length === 2,
    )!;
    await page.goto('about:blank'); // a new address alone would leave the last page there for a while
    await page.goto(`${server.address}#/match/m1/${step.id}`);
    await page.waitForSelector('.folds');
    const titles = await page.locator('.folds summary').allInnerTexts();
    expect(titles.filter((title) => title.includes(`${step.actor}’s reasoning before bidding`))).toHaveLength(1);
    expect(titles.filter((title) => title.includes(`${step.actor}’s reasoning before speaking`))).toHaveLength(1);
  });

  it('the table shows the dead with how and when, and arrows only for what the current step says', async () => {
    const { steps } = await readViewedMatch(path.join(out, 'm1'));
    const exile = steps.findIndex(({ cause }) => cause === 'exile');
    const { leaves, round } = steps[exile]!;
    await page.goto(`${server.address}#/match/m1/${steps[exile]!.id}`);
    const seat = page.locator(`.seat[data-player="${leaves}"]`);
    await seat.waitFor();
    expect(await seat.getAttribute('class')).toContain('dead');
    expect(await seat.innerText()).toMatch(new RegExp(`exiled on day ${round}, \\d of \\d votes`));
    const ballots = steps.filter(({ type, round: day }) => type === 'ballot' && day === round);
    expect(await page.locator('.arrows .arrow').count()).toBe(ballots.length);
    const ballot = steps.find(({ type }) => type === 'ballot')!;
    await page.goto(`${server.address}#/match/m1/${ballot.id}`);
    await page.waitForSelector(`.seat[data-player="${ballot.target}"]:has-text("named by ${ballot.actor}")`);
    expect(await page.locator('.arrows .arrow.votes').count()).toBe(1);
    expect(await page.locator('.arrows .arrow').count()).toBe(1);
  });

  it('the time line leads to every night, statement and vote, and marks the lies', async () => {
    const match = await readViewedMatch(path.join(out, 'large'));
    await page.goto('about:blank'); // a new address alone would leave the last page there for a while
    await page.goto(`${server.address}#/match/large`);
    await page.waitForSelector('.timeline a');
    const cells = listTimeline({ match, at: 0, viewer: 'all', source: 'rules' }).flatMap((part) => part.cells);
    expect(await page.locator('.timeline a').count()).toBe(cells.length);
    const lying = cells.findIndex(({ lies }) => lies !== null && lies > 0);
    const cell = page.locator('.timeline a').nth(lying);
    expect(await cell.locator('.lies').innerText()).toBe(String(cells[lying]!.lies));
    await cell.click();
    await page.waitForFunction((id) => location.hash.endsWith(`/${id}`), match.steps[cells[lying]!.places[0]!]!.id);
    await page.waitForSelector(`.timeline a[aria-current="step"] >> text="${cells[lying]!.label}"`);
    expect(await cell.getAttribute('aria-current')).toBe('step');
    expect(await page.locator('.statement .verdict.lie').count()).toBe(cells[lying]!.lies);
  });

  it('a forked statement has its arms side by side, and a link to each of them', async () => {
    const where = ['--where', 'kind=debate team=werewolves', '--arms', 'silence', '--sample', '1'];
    const forked = path.join(out, 'forked');
    await playMatch({ out: forked, id: 'origin', seed: 1, rule: { maxRounds: 1 } });
    expect((await run('fork', [forked, ...where, '--out', path.join(forked, 'effects'), '--quiet'])).code).toBe(0);
    const looked = await openViewServer(forked, {
      ...{ index: new MatchIndex(forked, null), script: await buildViewerScript(), port: 0 },
    });
    const [name] = readdirSync(path.join(forked, 'effects', 'forks')).filter((one) => one.includes('.silence.'));
    const { statement } = readRecord(path.join(forked, 'effects', 'forks', name!)).manifest.fork_of!;
    await page.goto(`${looked.address}#/match/origin/${statement}`);
    await page.waitForSelector('.fork-arms tbody tr');
    const heads = await page.locator('.fork-arms thead th').allInnerTexts();
    expect(heads).toEqual(['Arm', 'as recorded (shown)', 'keep', 'keep, copy 2', 'silence']);
    await page.click('.fork-arms thead a:has-text("silence")');
    await page.waitForSelector('.fork-arms thead b:has-text("silence")');
    expect(await page.innerText(`.talk [data-moment="${statement}"]`)).toContain('fork point');
    await page.selectOption('#viewer', 'public');
    expect(await page.locator('.fork-arms').count()).toBe(0);
    await page.selectOption('#viewer', 'all');
    const ready = (one: Page) => one.waitForSelector('.fork-arms tbody tr');
    expect(await findWrong('light', `${looked.address}#/match/origin/${statement}`, ready)).toEqual([]);
    await page.goto('about:blank'); // a page whose server is gone complains that it cannot follow the match
    await looked.close();
  });

  it('suspicion reads as in the record', async () => {
    const { steps } = await readViewedMatch(path.join(out, 'm1'));
    const place = steps.findIndex(({ suspicion }) => suspicion !== undefined);
    await page.goto('about:blank'); // a new address alone would leave the last page there for a while
    await page.goto(`${server.address}#/match/m1/${steps[place]!.id}`);
    await page.waitForSelector('.heat');
    for (const [observer, of] of Object.entries(steps[place]!.suspicion!))
      for (const [target, { score, round }] of Object.entries(of)) {
        if (round === null || observer === target) continue;
        const column = (await page.locator('.heat').first().locator('thead th').allInnerTexts()).indexOf(target);
        const row = page.locator('.heat').first().locator(`tbody tr:has(th:text-is("${observer}"))`);
        expect(
          await row
            .locator('td')
            .nth(column - 1)
            .innerText(),
        ).toMatch(new RegExp(`^${Math.round(100 * score)}\\b`));
      }
  });

  it("one player's view, and the public one, show nothing that these cannot know", async () => {
    const match = await readViewedMatch(path.join(out, 'm2'));
    const { manifest } = readRecord(path.join(out, 'm2'));
    const { name } = manifest.setup.players.find(({ role }) => role === 'Villager')!;
    await page.goto(`${server.address}#/match/m2`);
    await page.waitForSelector('.steps');
    for (const viewer of [name, 'public']) {
      await page.selectOption('#viewer', viewer);
      const secrets = listSecrets(match, viewer);
      expect(secrets.length).toBeGreaterThan(20);
      await page.locator('input[type=range]').press('Home');
      const moments = Number(/of (\d+)/.exec(await page.innerText('output'))![1]);
      expect(moments).toBeGreaterThan(10);
      for (let moment = 1; moment <= moments; moment++) {
        expect(await page.innerText('output')).toContain(`${moment} of ${moments}`);
        const text = await readAll();
        for (const secret of secrets) expect(text).not.toContain(secret);
        await page.locator('h1').click(); // moves the focus off elements that handle keys
        await page.keyboard.press('ArrowRight');
      }
      expect(await page.locator('.heat tbody tr').count()).toBeLessThanOrEqual(viewer === 'public' ? 0 : 1);
    }
    await page.selectOption('#viewer', 'all');
  });

  it('a match that is being played grows while it is watched', async () => {
    const { child, ended } = startScript('match', [
      '--out',
      out,
      '--id',
      'live',
      '--seed',
      '9',
      '--model',
      'bot:classic',
      '--quiet',
    ]);
    await page.goto(server.address);
    await page.waitForSelector('tbody a:has-text("live")', { timeout: 20_000 });
    await ended;
    void child;
    await page.waitForSelector('tbody tr:has-text("live"):not(:has-text("under way"))', { timeout: 20_000 });
  });

  it('a study is followed while it is played, by pairing, and leads to its matches', async () => {
    const root = createTemporaryFolder();
    const studied = await openViewServer(root, { index: new MatchIndex(root, null), script: await buildViewerScript(), port: 0 }); // prettier-ignore
    const looking = await openPage();
    try {
      await looking.goto(studied.address);
      const design = ['--crossed', 'bot:classic?salt=1', 'bot:classic?salt=2', '--matches', '2'];
      const { ended } = startScript('match', [...design, '--out', path.join(root, 'planted'), '--concurrency', '1', '--quiet']); // prettier-ignore
      await looking.click('.studies a:has-text("planted")', { timeout: 30_000 });
      await looking.waitForSelector('h1:has-text("planted")');
      expect(await looking.locator('.pairings tbody td').count()).toBe(4);
      await ended;
      await looking.waitForSelector('.badge.done:has-text("complete")', { timeout: 30_000 }); // the page updates without a reload
      expect(await shownText(looking)).toContain('8 of 8 finished');
      expect(await looking.locator('.pairings tbody td').allInnerTexts()).toEqual(Array.from({ length: 4 }, () => expect.stringContaining('2 of 2'))); // prettier-ignore
      await looking.click('a:has-text("All matches")');
      await looking.waitForSelector('.list-table .group');
      expect(await looking.locator('.list-table .group').count()).toBe(4);
      const deals = await looking.locator('.list-table tbody tr:not(.group) td:nth-child(2)').allInnerTexts();
      expect(deals).toEqual(['1', '2', '1', '2', '1', '2', '1', '2']);
      for (const width of [420, 1280]) {
        await looking.setViewportSize({ width, height: 900 });
        for (const [where, sign] of [
          ['#/study/planted', '.meters'],
          ['#/', '.studies'],
        ] as const) {
          await looking.goto(`${studied.address}${where}`);
          await looking.waitForSelector(sign);
          expect(await looking.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        }
      }
      for (const scheme of ['light', 'dark'] as const)
        for (const [where, sign] of [
          ['#/study/planted', '.meters'],
          ['#/', '.studies'],
        ] as const)
          expect(await findWrong(scheme, `${studied.address}${where}`, (one) => one.waitForSelector(sign))).toEqual([]);
    } finally {
      await looking.context().close();
      await studied.close();
    }
  });

  it('a list of more than two hundred matches has pages, its deals in the order of numbers', async () => {
    const root = createTemporaryFolder();
    const [manifest, summary] = ['manifest.json', 'deception_summary.json'].map((name) => readFileSync(path.join(out, 'm1', name), 'utf8')); // prettier-ignore
    for (let seed = 1; seed <= 250; seed += 1) {
      const id = `classic-8-${seed}-0f3a`;
      mkdirSync(path.join(root, id));
      const own = JSON.parse(manifest!) as { id: string; setup: { seed: number } };
      [own.id, own.setup.seed] = [id, seed];
      writeFileSync(path.join(root, id, 'manifest.json'), JSON.stringify(own));
      writeFileSync(path.join(root, id, 'deception_summary.json'), summary!);
    }
    const many = await openViewServer(root, { index: new MatchIndex(root, null), script: await buildViewerScript(), port: 0 }); // prettier-ignore
    const looking = await openPage();
    try {
      await looking.goto(many.address);
      await looking.click('thead button:has-text("Deal")');
      const readDeals = async () => (await looking.locator('tbody td:nth-child(2)').allInnerTexts()).map(Number);
      expect(await readDeals()).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
      await looking.locator('.pages button:has-text("Next")').first().click();
      expect(await readDeals()).toEqual(Array.from({ length: 50 }, (_, index) => index + 201));
      expect(await shownText(looking)).toContain('Page 2 of 2');
      await looking.fill('#filter', 'classic-8-7-');
      expect(await readDeals()).toEqual([7]);
    } finally {
      await looking.context().close();
      await many.close();
    }
  });

  it('the report opens from the list', async () => {
    await page.goto(server.address);
    await page.click('a:has-text("report.html")');
    expect(await page.innerText('h1')).toBe('Report on 4 matches');
  });

  it('a headline leads to its statements, and one of these to its match', async () => {
    await page.goto(server.address);
    await page.click('a:has-text("report.html")');
    const cell = page.locator('td a[href^="#counted-"]').first();
    const list = page.locator((await cell.getAttribute('href'))!);
    expect(await list.isVisible()).toBe(false);
    await cell.click();
    expect(await list.isVisible()).toBe(true);
    const linked = page.locator(`${(await cell.getAttribute('href'))!} ~ ul`).first().locator('a[href*="/match.html#"]').first(); // prettier-ignore
    const where = (await linked.getAttribute('href'))!.split('#')[1]!;
    await linked.click();
    await page.waitForSelector('.steps');
    expect(await page.evaluate(() => location.hash)).toBe(`#${where}`);
    expect(await page.locator('.steps [aria-current]').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('a page that somebody planted in the folder reads nothing and sends nothing', async () => {
    const planted = path.join(out, 'planted/report.html');
    mkdirSync(path.dirname(planted));
    const heard: string[] = [];
    const elsewhere = createServer((request, response) => {
      heard.push(request.url!);
      response.setHeader('access-control-allow-origin', '*').end();
    });
    await new Promise<void>((listening) => void elsewhere.listen(0, '127.0.0.1', listening));
    const { port } = elsewhere.address() as AddressInfo;
    const away = `http://127.0.0.1:${port}/`;
    writeFileSync(
      planted,
      `<h1>Planted</h1><style>@import "${away}style"; h1 { background: url(${away}css) }</style>
      <img src="${away}img"><iframe src="../../"></iframe><link rel="stylesheet" href="${away}link">
      <meta http-equiv="refresh" content="1;url=${away}refresh">
      <script>fetch('../../api/matches').then((r) => r.text()).then((t) => fetch('${away}' + t.length)); document.title = 'ran'</script>`,
    );
    const visitor = await (await browser!.newContext()).newPage();
    await visitor.goto(server.address);
    await visitor.click('a:has-text("planted/report.html")');
    expect(await visitor.innerText('h1')).toBe('Planted');
    await visitor.waitForTimeout(2500);
    expect(await visitor.title()).not.toBe('ran');
    expect(visitor.url()).toContain('planted/report.html');
    expect(heard).toEqual([]);
    await visitor.context().close();
    await new Promise((closed) => elsewhere.close(closed));
    rmSync(path.dirname(planted), { recursive: true });
  });

  it('whatever a model said is text, also control characters, marks of direction and a megabyte', async () => {
    const said = [
      '</script><script>document.title = "ran"</script><img src=x onerror="document.title = \'ran\'">',
      '\u001b[31mred\u001b[0m \u202egnp.exe\u202c {{constructor}} [click](javascript:alert(1)) <a href="//x">x</a>',
      `Much ${'x'.repeat(1_000_000)}`,
    ];
    const spoken = said.map((text, at) => tell(`1.${at + 1}`, 'Dan', { text }));
    const file = path.join(out, 'hostile.html');
    writeFileSync(file, renderMatchDocument(buildViewedMatch(matchOf(spoken)), await buildViewerScript()));
    const offline = await openPage();
    for (const [at, text] of said.entries()) {
      await offline.goto(`${pathToFileURL(file).href}#/match/x/1.${at + 1}`);
      await offline.reload();
      await offline.waitForSelector('.details blockquote');
      const shown = await offline.evaluate(() => document.querySelector('.details blockquote')!.textContent);
      expect(shown.slice(0, 300)).toBe(text.slice(0, 300));
    }
    expect(await offline.locator('#app img, #app a:not([href^="#"])').count()).toBe(0);
    expect(await offline.title()).not.toContain('ran');
    expect(complaints).toEqual([]);
    await offline.context().close();
  });

  it('figures of report.html are those of report.json', async () => {
    const report = JSON.parse(readFileSync(path.join(out, 'report/report.json'), 'utf8')) as {
      metrics: { name: string; title: string; figures: { value: number | null }[] }[];
    };
    await page.goto(pathToFileURL(path.join(out, 'report/report.html')).href);
    await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)));
    const tables = await page.evaluate(() =>
      [...document.querySelectorAll('table')].map((table) => ({
        caption: table.caption?.textContent ?? '',
        numbers: [...table.querySelectorAll('td')].map(({ textContent }) => textContent.trim()),
      })),
    );
    const shown = report.metrics.flatMap(({ title, figures }) => {
      const own = tables.filter(({ caption }) => caption === title).flatMap(({ numbers }) => numbers);
      const values = figures.flatMap(({ value }) => value ?? []);
      return own.length === 0 || values.length === 0 ? [] : [{ title, own, values }];
    });
    expect(shown.length).toBeGreaterThan(10);
    for (const { title, own, values } of shown) {
      const found = own.flatMap((text) => (/^[-−]?[\d.,]+( %)?$/.test(text) ? [text] : []));
      const near = (text: string, value: number) => {
        const number = Number(text.replace(/[,%\s]/g, '').replace('−', '-')) / (text.includes('%') ? 100 : 1);
        return Math.abs(number - value) <= 0.006 + Math.abs(value) * 0.006;
      };
      const hits = values.filter((value) => found.some((text) => near(text, value))).length;
      expect([title, hits / values.length > 0.5]).toEqual([title, true]); // other values are in a row together
    }
  });

  it('keys do what the focus is on: a button is pressed, a fold opened, a wide table scrolled', async () => {
    await page.goto(`${server.address}#/match/m1/1.2`);
    await page.waitForSelector('.details summary');
    const readMoment = () => page.innerText('output');
    const before = await readMoment();
    await page.locator('.details summary').first().focus();
    await page.keyboard.press('Space');
    expect(await page.innerText('.scrub')).toContain('Play');
    await page.locator('.scroll:has(.heat)').first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await readMoment()).toBe(before);
    await page.locator('.scrub button:has-text("Next")').focus();
    await page.keyboard.press('Space');
    expect(await readMoment()).not.toBe(before);
    expect(await page.title()).toContain('m1');
  });

  it('an address that is none of ours breaks nothing', async () => {
    await page.goto(`${server.address}#/match/%`);
    await page.waitForSelector('[role=alert]');
    expect(await shownText()).toContain('The match % was not found');
    await page.goto(`${server.address}#/match/m2`);
    await page.waitForSelector('.steps');
    await page.goto(server.address.slice(0, -1));
    await page.waitForSelector('tbody tr');
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    complaints.splice(0);
  });

  it('an open match stays while the server is gone, and the page says so', async () => {
    const short = await openViewServer(out, {
      ...{ index: new MatchIndex(out, null), script: await buildViewerScript(), port: 0 },
    });
    const visitor = await (await browser!.newContext()).newPage();
    await visitor.goto(`${short.address}#/match/m1`);
    await visitor.waitForSelector('.steps');
    await short.close();
    await visitor.waitForSelector('[role=alert]:has-text("The server no longer answers")');
    expect(await visitor.locator('.steps').count()).toBe(1);
    await visitor.context().close();
  });

  it('a match is read without script, and printed whole', async () => {
    const context = await browser!.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    const file = pathToFileURL(path.join(out, 'm1/match.html')).href;
    await plain.goto(file);
    const { steps } = await readViewedMatch(path.join(out, 'm1'));
    for (const { told, type } of steps)
      if (type !== 'round_started') expect(await plain.innerText('#printed')).toContain(told);
    await context.close();
    await page.goto(file);
    await page.waitForSelector('.steps');
    // A page opened from a file does not move the focus. Only a change from one page to another does.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    expect(await page.isVisible('#printed')).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect([await page.isVisible('#printed'), await page.isVisible('.steps')]).toEqual([true, false]);
    await page.emulateMedia({ media: null });
  });

  it('a report is printed with its conditions and the titles of what stays folded, and nothing is cut', async () => {
    const printed = await openPage();
    await printed.setViewportSize({ width: 726, height: 1000 }); // US Letter without its margins
    await printed.goto(pathToFileURL(path.join(out, 'report/report.html')).href);
    const shown = () =>
      Promise.all(
        [
          '.folded > .printed',
          '.folded > .fold summary',
          '.folded > .fold table',
          'section:not(.folded) > .fold table',
          'figure details table',
        ].map((selector) => printed.locator(selector).first().isVisible()),
      );
    expect(await shown()).toEqual([false, true, false, false, false]);
    await printed.emulateMedia({ media: 'print' });
    expect(await shown()).toEqual([true, true, false, true, true]);
    const cut = await printed.evaluate(() =>
      [...document.querySelectorAll('main table')]
        .filter((table) => table.getBoundingClientRect().right > window.innerWidth + 1)
        .map((table) => table.querySelector('caption, th')?.textContent),
    );
    expect(cut).toEqual([]);
    const overflowing = await printed.evaluate(() =>
      [...document.querySelectorAll('.figures .missing')]
        .filter((cell) => cell.scrollWidth > cell.clientWidth + 1)
        .map((cell) => cell.textContent),
    );
    expect(overflowing).toEqual([]);
    await printed.close();
  });

  it('both files open from disk without a network and without a complaint', async () => {
    const offline = await openPage();
    await offline.context().setOffline(true);
    await offline.goto(pathToFileURL(path.join(out, 'm1/match.html')).href);
    await offline.waitForSelector('.steps');
    await offline.keyboard.press('ArrowRight');
    expect(await shownText(offline)).toContain('m1');
    await offline.goto(pathToFileURL(path.join(out, 'report/report.html')).href);
    expect(await offline.innerText('h1')).toBe('Report on 4 matches');
    expect(complaints).toEqual([]);
  });

  it.each([420, 1280])('nothing stands beside a window of %i px, neither of the list nor of a match', async (width) => {
    const context = await browser!.newContext({ viewport: { width, height: 900 } });
    const narrow = await context.newPage();
    for (const [address, sign] of [
      ['', 'tbody tr'],
      ['#/match/m1/1.2', '.heat'],
      ['#/match/large/1.2', '.stage'],
    ] as const) {
      // prettier-ignore
      await narrow.goto(`${server.address}${address}`);
      await narrow.waitForSelector(sign);
      expect([address, await narrow.evaluate(() => document.documentElement.scrollWidth)]).toEqual([address, width]);
    }
    await context.close();
  });

  it.each(['light', 'dark'] as const)('axe finds nothing wrong in %s', async (scheme) => {
    const { steps } = await readViewedMatch(path.join(out, 'large'));
    const lie = steps.find(({ readings }) => readings?.['rules']?.claims.some(({ verdict }) => verdict === 'lie'))!.id;
    const found = [
      await findWrong(scheme, server.address, (one) => one.waitForSelector('tbody tr')),
      await findWrong(scheme, `${server.address}#/match/m1/1.2`, (one) => one.waitForSelector('.heat')),
      await findWrong(scheme, `${server.address}#/match/m1/1.2`, async (one) => {
        await one.setViewportSize({ width: 420, height: 900 });
        await one.waitForSelector('.heat');
        await one.evaluate(() => document.querySelectorAll('details').forEach((fold) => (fold.open = true)));
      }),
      await findWrong(scheme, `${server.address}#/match/large/${lie}`, (one) => one.waitForSelector('.claim')),
      await findWrong(scheme, pathToFileURL(path.join(out, 'report/report.html')).href, () => Promise.resolve()),
    ];
    expect(found.flat()).toEqual([]);
  });
});

/**
 * Lists texts of a match that a viewer must not see: other players' reasoning, prompts and private messages, and hidden
 * roles and models.
 */
function listSecrets(match: ViewedMatch, viewer: string): string[] {
  const isOwn = (name: string | undefined) => name === viewer;
  const mine = match.steps.flatMap(({ tellings, toldToAll }) => tellings[viewer] ?? toldToAll ?? []).join('\n');
  const private_ = match.steps.flatMap((step) => [
    ...(step.thoughts ?? []).flatMap(({ player, reasoning }) => (isOwn(player) ? [] : [reasoning])),
    ...(step.heard ?? []).flatMap(({ player, reasoning }) => (isOwn(player) ? [] : [reasoning])),
    ...Object.entries(step.tellings).flatMap(([name, told]) => (isOwn(name) ? [] : [told])),
  ]);
  const own = new Set(
    match.steps.flatMap((step) =>
      [...(step.thoughts ?? []), ...(step.heard ?? [])].flatMap(({ player, reasoning }) =>
        isOwn(player) ? [reasoning] : [],
      ),
    ),
  );
  const roles = match.players.flatMap(({ name, role, knownTo }) =>
    knownTo.includes(viewer) ? [] : [`${name} (${role})`, `${name}, ${role},`],
  );
  return [...new Set([...private_, ...roles, 'bot:classic'])].filter((text) => !own.has(text) && !mine.includes(text));
}
