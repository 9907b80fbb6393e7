// Every page that a seat can show, in a real browser: each question that the rules ask, of each role, and the pages
// without a question. Pictures are written to the folder SEAT_PICTURES, if it is set.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { playMatch } from '../../graph/play-match.ts';
import { prepareMatch } from '../../graph/prepare-match.ts';
import { drawLegalAnswer } from '../../models/bots/random.ts';
import type { People, PersonAnswer, PersonQuestion } from '../../models/human/people.ts';
import { ServedTable } from '../../scripts/people/served-table.ts';
import { draw } from '../../state/random.ts';
import { openBrowser } from '../browser.ts';

const browser = await openBrowser();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pictures = process.env['SEAT_PICTURES'];
const names = ['Dan', 'Ginger', 'Isaac', 'Jackson', 'Jacob', 'Leah', 'Mason', 'Paul', 'Sam', 'Will', 'Bert', 'Harold'];

/** Lists the problems that axe finds, except minor ones. */
async function findFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    interface Violation {
      id: string;
      impact: string;
      nodes: { html: string }[];
    }
    const { axe: checker } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    const { violations } = await checker.run();
    return violations
      .filter(({ impact }) => impact !== 'minor')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`);
  });
}

/** Checks a page at both window widths: accessible, and no wider than the window. */
async function look(page: Page, name: string): Promise<void> {
  for (const width of [1280, 420]) {
    await page.setViewportSize({ width, height: 800 });
    expect([name, width, await findFaults(page)]).toEqual([name, width, []]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect([name, width, wide]).toEqual([name, width, 0]);
    if (pictures === undefined) continue;
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: path.join(pictures, `${name}-${width}.png`) });
  }
}

/** Answers the open question like a person who takes the first choice, by the page's own form. */
async function fillIn(page: Page): Promise<void> {
  const form = page.locator('form');
  for (const set of await form.locator('fieldset.choices').all()) {
    const radio = set.locator('input[type=radio]').first();
    if ((await radio.count()) > 0) await radio.check({ force: true });
  }
  for (const slider of await form.locator('input[type=range]').all()) await slider.fill('70');
  for (const area of await form.locator('textarea').all()) await area.fill('I watch how everybody votes.');
  await form.locator('button').click();
}

/** A table whose people answer by themselves, except the first time that a question is asked. */
class PicturedTable implements People {
  readonly #table: ServedTable;
  readonly #pages = new Map<string, Page>();
  readonly #addresses = new Map<string, string>();
  /** Looks one after another: the browser has one window size at a time. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #looked: Set<string>;

  constructor(looked: Set<string>) {
    this.#looked = looked;
    this.#table = new ServedTable({ host: '127.0.0.1', port: 0 }, (line) => {
      const [, player = '', address = ''] = /^(\w+) \(human:\w+\): (http\S+)$/.exec(line) ?? [];
      if (player) this.#addresses.set(player, address);
    });
  }

  open(...given: Parameters<People['open']>) {
    return this.#table.open(...given);
  }

  show(view: Parameters<People['show']>[0]) {
    this.#table.show(view);
    const isDead = !view.alive.includes(view.me);
    if (isDead) void this.#lookOnce('left', view.me, (page) => page.locator('.ask h2').waitFor());
  }

  async ask(question: PersonQuestion): Promise<PersonAnswer | null> {
    const { schema, view, step, action } = question.prompt;
    const kind = action;
    if (this.#looked.has(kind)) {
      const drawn = drawLegalAnswer(schema, draw(1, view.me, view.round, step, action));
      return { answer: { ...drawn, reasoning: '' }, shownMs: 1 };
    }
    const asked = this.#table.ask(question);
    // The next page is looked at when this answer has arrived, because a seat shows one question at a time.
    this.#last = this.#lookOnce(kind, view.me, (page) => page.locator('form h2').waitFor()).then(async () => {
      await fillIn(await this.#openPage(view.me));
      await asked;
    });
    const given = await asked;
    void this.#lookOnce('please-wait', view.me, (page) => page.locator('h2', { hasText: 'Please wait' }).waitFor());
    await this.#last;
    return given;
  }

  async close(roles: Parameters<People['close']>[0]) {
    await this.#last;
    const [page] = this.#pages.values();
    await this.#table.close(roles);
    if (page && !this.#looked.has('the-end')) {
      this.#looked.add('the-end');
      await page.locator('h2', { hasText: 'The match is over' }).waitFor();
      await look(page, 'the-end');
    }
    for (const one of this.#pages.values()) await one.context().close();
  }

  async #openPage(player: string): Promise<Page> {
    const known = this.#pages.get(player);
    if (known || !browser) return known!;
    const context = await browser.newContext({ bypassCSP: true, viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    this.#pages.set(player, page);
    await page.goto(this.#addresses.get(player) ?? '');
    await page.waitForURL(/\/seat\/\d+\/$/);
    return page;
  }

  #lookOnce(kind: string, player: string, wait: (page: Page) => Promise<unknown>): Promise<unknown> {
    if (this.#looked.has(kind)) return this.#last;
    this.#looked.add(kind);
    return (this.#last = this.#last.then(async () => {
      const page = await this.#openPage(player);
      await wait(page);
      await look(page, kind);
    }));
  }
}

const everybody = Object.fromEntries(names.map((name) => [name, `human:${name.toLowerCase()}`]));
const sheriff = { sheriff: true, syntheticVotes: true, voteSummary: true, exile: 'plurality', exileTies: 'pk' };

(browser === null ? describe.skip : describe)('the page of a seat', () => {
  afterAll(() => browser?.close());

  it('shows each question of each role, and the pages without a question, at two window widths', async () => {
    const looked = new Set<string>();
    const expected = new Set(['left', 'please-wait', 'the-end']);
    const board = {
      name: 'all-roles',
      roles: { Werewolf: 3, Seer: 1, Doctor: 1, Witch: 1, Hunter: 1, Guard: 1, Villager: 4 },
    };
    const rules = [
      { ...sheriff, beliefs: 'each-round', debateTurns: 2 },
      { ...sheriff, debateOrder: 'round-robin', analysis: 'off' },
    ].map((rule) => ({ ...rule, maxRounds: 3 }));
    const plans = rules.map((rule) => ({ board, seats: everybody, rule }));
    for (const plan of plans) {
      const { manifest } = await prepareMatch(plan, {}, 0);
      // The wording is listed by question, and by moments of questions, whose names have several words.
      const wordings = Object.keys(manifest.made_by.questions_sha256 ?? {});
      for (const name of wordings) if (/^\w+$/.test(name) && name !== 'history') expected.add(name);
    }
    const isComplete = () => [...expected].every((kind) => looked.has(kind));
    for (let seed = 3; !isComplete() && seed < 20; seed += 1)
      for (const plan of plans) await playMatch({ ...plan, seed, out: null, people: new PicturedTable(looked) });
    expect([...looked].sort()).toEqual([...expected].sort());
  });
});
