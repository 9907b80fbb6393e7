// Lists of the examples that a page's cells count. Each statement is shown in full once, with a way to open its match.
// Other lists that count the same statement link to it.
import { getFigureKey } from '../deception/metrics/metric.ts';
import { rulesExtractor } from '../deception/metrics/comparability.ts';
import type { CountedCell, FigureExample } from '../deception/summary/figure-examples.ts';
import type { SampledExamples } from '../deception/summary/example-sampler.ts';
import { formatCommandInFile } from '../state/command-in-file.ts';
import { formatWhole } from './format.ts';
import { escapeHtml, type HtmlCell } from './html-page.ts';
import type { LinkedCell } from './cells-with-examples.ts';

/**
 * Examples behind a figure. `href`: link to the page of the example's match, relative to the report; null if there is
 * no such page.
 */
export interface LinkedExamples extends CountedCell, Pick<SampledExamples, 'total'> {
  shown: readonly (FigureExample & { href: string | null })[];
}

type ShownExample = LinkedExamples['shown'][number];

/** Place of a cell on the page. The cell's list links back to this place. */
export interface CellPlace {
  /** Id of an element of the page. */
  id: string;
  title: string;
}

/** Size limit of a page in bytes, so that it can be sent. As many examples are shown as there is room for. */
const maxPageBytes = 2_900_000;

/**
 * Limits on the examples per list and the characters per example, largest first. The page uses the first pair of limits
 * with which it is not too large.
 */
const steps = [
  { examples: 20, characters: 800 },
  { examples: 20, characters: 300 },
  { examples: 10, characters: 300 },
  { examples: 5, characters: 300 },
  { examples: 3, characters: 200 },
  { examples: 1, characters: 200 },
] as const;

interface WantedList {
  cell: LinkedCell;
  counted: LinkedExamples;
  places: CellPlace[];
}

/**
 * Links cells of tables to lists of the cases that the cells count. Only lists to which a cell links are rendered.
 *
 * @example
 * const lists = new ExampleLists(examples);
 * const cell = lists.link('31 %', findHeadlineCell('lied', 'openai:x'), { id: 'models', title: 'Models' });
 * const html = lists.render(1_000_000);
 */
export class ExampleLists {
  readonly #counted: ReadonlyMap<string, LinkedExamples>;
  /** Maps the key of each counted cell to its list, in the order in which cells were linked. */
  readonly #wanted = new Map<string, WantedList>();
  readonly #judge: string | null;

  /**
   * `judge`: the judge whose claims the figures count. Links open matches with the claims of this judge; null: with
   * those of the match's default extractor.
   */
  constructor(counted: readonly LinkedExamples[], judge: string | null = null) {
    this.#judge = judge;
    this.#counted = new Map(counted.map((one) => [getFigureKey(one), one]));
  }

  /** Returns the text as a link to the cases that the cell counts. Without such cases, returns the text itself. */
  link(text: string, cell: LinkedCell | null | undefined, place: CellPlace): HtmlCell {
    if (!cell) return text;
    const name = getFigureKey(cell.counted);
    const counted = this.#counted.get(name);
    if (counted === undefined) return text;
    const wanted = this.#wanted.get(name) ?? { cell, counted, places: [] };
    this.#wanted.set(name, wanted);
    if (!wanted.places.some(({ id }) => id === place.id)) wanted.places.push(place);
    return { text, href: `#${nameList([...this.#wanted.keys()].indexOf(name))}` };
  }

  /** Returns the page that `renderWhole` makes around the lists, with as many examples as fit. */
  fillPage(renderWhole: (lists: string) => string): string {
    return renderWhole(this.render(maxPageBytes - Buffer.byteLength(renderWhole(''))));
  }

  /**
   * Renders the lists as HTML of at most `bytes` bytes. The HTML is longer only if even its shortest form does not fit.
   * Empty without lists.
   */
  render(bytes: number): string {
    if (this.#wanted.size === 0) return '';
    let html = '';
    for (const step of steps) {
      html = this.#renderAt(step);
      if (Buffer.byteLength(html) <= bytes) break;
    }
    return html;
  }

  #renderAt(step: (typeof steps)[number]): string {
    const lists = [...this.#wanted.values()];
    const shown = lists.map(({ counted }) => counted.shown.slice(0, step.examples));
    const isShort = shown.some((own, at) => own.length < lists[at]!.counted.shown.length);
    const ids = new Map<string, number>();
    const rendered = lists.map((list, at) => ({
      title: list.places[0]!.title,
      html: renderList(list, at, shown[at]!, (example) => renderExample(example, ids, step.characters, this.#judge)),
    }));
    const folded = [...Map.groupBy(rendered, ({ title }) => title)].map(
      ([title, own]) =>
        `<details class="statements"><summary>${escapeHtml(title)}</summary>${own.map(({ html }) => html).join('\n')}</details>`,
    );
    return `<section class="behind"><h2 id="statements">What the figures count: statements, judgments, matches and days</h2>
<p>Numbers in tables link to these lists. Each list has the total of a figure and examples of what it counts, drawn by the seed from as many matches as possible${isShort ? '; there are fewer examples than usual, so that the page stays small enough to send' : ''}. A statement is shown in full where it first occurs.</p>
${folded.join('\n')}</section>`;
  }
}

const nameList = (at: number) => `counted-${at}`;

function renderList(
  { cell: { of, noun }, counted: { total }, places }: WantedList,
  at: number,
  shown: readonly ShownExample[],
  render: (example: ShownExample) => string,
): string {
  const some = total > shown.length ? `; ${shown.length} of them` : '';
  const title = `${of}: ${formatWhole(total)} ${noun[total === 1 ? 0 : 1]}${some}`;
  const back = places.map(({ id, title: name }) => `<a href="#${escapeHtml(id)}">${escapeHtml(name)}</a>`).join(', ');
  // The title is the link target: a jump to a place below the title would hide the title.
  return `<h3 id="${nameList(at)}">${escapeHtml(title)}</h3><p class="back">Back to ${back}</p><ul>${shown.map(render).join('\n')}</ul>`;
}

/** Number of characters shown of a statement that was already shown in full. */
const fewCharacters = 48;

const cut = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most)}…`);

function renderExample(
  example: ShownExample,
  ids: Map<string, number>,
  characters: number,
  judge: string | null,
): string {
  const { player, text, note, match, round, moment: id } = example;
  const way = renderWay(example, judge);
  const speech = (most: number) =>
    `<b>${escapeHtml(player ?? '')}</b>: “<bdi>${escapeHtml(cut(text ?? '', most))}</bdi>”`;
  if (text === null) {
    const when = round === null ? '' : `, round ${round}`;
    return `<li>${escapeHtml(note)}${when} <small>(${escapeHtml(match)}: ${way})</small></li>`;
  }
  const noted = note === '' ? '' : ` – ${escapeHtml(note)}`;
  const name = JSON.stringify([match, id]);
  const known = ids.get(name);
  if (known !== undefined) {
    const own = example.href === null ? '' : ` <small>(${way})</small>`;
    return `<li><a href="#said-${known}">${speech(fewCharacters)}</a>${noted}${own}</li>`;
  }
  ids.set(name, ids.size);
  const place = `${escapeHtml(match)}, ${escapeHtml(id ?? '')}`;
  return `<li id="said-${ids.size - 1}">${speech(characters)}${noted} <small>(${place}: ${way})</small></li>`;
}

/**
 * Renders how to open the match: a link to the match's page if the page exists, or else a command, which `npm run view`
 * replaces by a link.
 */
function renderWay({ href, match, moment, folder, round, player }: ShownExample, judge: string | null): string {
  if (href !== null) {
    const place = moment === null ? '' : `/${encodeURIComponent(moment)}`;
    const by = judge === null ? '' : `?judge=${encodeURIComponent(judge)}`;
    return `<a href="${escapeHtml(`${href}#/match/${encodeURIComponent(match)}${place}${by}`)}">its match</a>`;
  }
  const options = [
    ...(round === null ? [] : ['--round', String(round)]),
    ...(player === null ? [] : ['--player', player]),
    ...(judge === null ? [] : judge === rulesExtractor ? ['--no-judge'] : ['--judge', judge]),
  ];
  const by = judge === null ? '' : ` data-judge="${escapeHtml(judge)}"`;
  return `<code data-match="${escapeHtml(match)}" data-moment="${escapeHtml(moment ?? '')}"${by}>${escapeHtml(formatCommandInFile('show', folder, ...options))}</code>`;
}
