// HTTP answers of the viewer's server: the page, its program, lists, matches, prompts, reports and pictures.
import path from 'node:path';
import { getDisk } from '../../models/machine/machine.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { escapeHtml, readEscaped } from '../../report/html-page.ts';
import { nameProgress, replaceIdentities } from '../../report/shown-models.ts';
import { hideListedMatch, type ListedMatch } from '../../report/viewer/match-list.ts';
import { listStudy, type ViewedStudy } from '../../report/viewer/viewed-study.ts';
import {
  createMatchPolicy,
  renderMatchDocument,
  reportPolicy,
  viewerDocument,
} from '../../report/viewer/viewer-document.ts';
import { buildViewedForks, type RecordAtPath } from '../../report/viewer/viewed-forks.ts';
import { listPrompts, type ViewedMatch } from '../../report/viewer/viewed-match.ts';
import { viewerStyles } from '../../report/viewer/viewer-styles.ts';
import { listTypedNames } from '../../state/model-identity.ts';
import type { MatchIndex } from './match-index.ts';
import { addStoredPrompts, readPrompts, readViewedMatch, type ShownParts } from './read-match.ts';

export interface ViewAnswer {
  /** HTTP status, 200 by default. */
  status?: number;
  type: string;
  body: string;
  /** Content security policy; by default that of the viewer's own page. */
  policy?: string;
  location?: string;
}

/** Name of the page that `show --html` writes next to a record. The viewer makes this page on request instead. */
const matchPage = 'match.html';

/**
 * Number of matches that are cached in the form in which they were sent, so that reloading an unchanged match costs
 * nothing.
 */
const mostKept = 8;

/** Maximum number of studies whose progress the list shows. */
const mostStudies = 200;

/** Size limit of a report's page, picture or table, in bytes. */
const largestPage = 64 * 2 ** 20;

/** Content types of the files served from the folder. */
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.svg': 'image/svg+xml', '.csv': 'text/csv' };

const toJson = (value: unknown): ViewAnswer => ({ type: 'application/json', body: JSON.stringify(value) });

/**
 * Answers the requests to one server. `root`: the served folder; `token`: start of every address; `script`: the page's
 * program.
 *
 * @example await new ViewAnswers('runs', index, script, token).find(new URL(`http://localhost/${token}/api/matches`));
 */
export class ViewAnswers {
  readonly #root: string;
  readonly #index: MatchIndex;
  readonly #script: string;
  readonly #token: string;
  readonly #kept = new Map<string, { stamp: string; get: () => string }>();

  readonly #shown: ShownParts;

  /** Creates the answers. `shown`: which parts of matches may be shown. */
  constructor(root: string, index: MatchIndex, script: string, token: string, shown: ShownParts = {}) {
    this.#shown = shown;
    this.#root = root;
    this.#index = index;
    this.#script = script;
    this.#token = token;
  }

  /**
   * Finds the answer to a request; null if there is nothing at the address. Throws the error of a file that cannot be
   * read.
   */
  async find({ pathname, searchParams }: URL): Promise<ViewAnswer | null> {
    const [, given, ...rest] = pathname.split('/');
    if (given !== this.#token) return null;
    if (rest.length === 0) return { status: 308, type: 'text/plain', body: '', location: `/${this.#token}/` };
    const what = rest.join('/');
    const folder = searchParams.get('path') ?? '';
    if (what === '') return { type: 'text/html', body: viewerDocument };
    if (what === 'viewer.js') return { type: 'text/javascript', body: this.#script };
    if (what === 'viewer.css') return { type: 'text/css', body: viewerStyles };
    if (what === 'api/matches') return this.#answerMatches();
    if (what === 'api/study') return this.#answerStudy(folder);
    if (what === 'api/match') return this.#answerMatch(folder);
    if (what === 'api/forks') return this.#answerForks(folder, searchParams.get('moment') ?? '');
    if (what === 'api/prompts') return this.#answerPrompts(folder, searchParams.get('moment') ?? '');
    return what.startsWith('page/') ? this.#answerPage(decodeURIComponent(what.slice('page/'.length))) : null;
  }

  #answerMatches(): ViewAnswer {
    if (this.#shown.isPublic) {
      const listed = this.#index.list().map(hideListedMatch);
      return toJson({ matches: listed, studies: [], unlisted: 0, reports: [], folder: path.basename(this.#root) });
    }
    const rows = this.#index.list();
    const sides = rows.flatMap(({ villagers, werewolves }) => [...villagers.split(', '), ...werewolves.split(', ')]);
    const matches = replaceIdentities(rows, listTypedNames([...new Set(sides)]));
    void this.#index.countJudged(); // visible at the next request
    const { studies } = this.#index;
    const shown = studies.slice(0, mostStudies).flatMap((study) => {
      const progress = this.#index.measureStudy(study);
      return progress === null ? [] : [listStudy(study, nameStudy(study, this.#root), nameProgress(progress))];
    });
    const reports = listPages(this.#index.pages);
    return toJson({ matches, studies: shown, unlisted: studies.length - shown.length, reports, folder: this.#root });
  }

  #answerStudy(study: string): ViewAnswer | null {
    const progress = this.#shown.isPublic ? null : this.#index.measureStudy(study);
    if (progress === null) return null;
    const below = study === '.' ? '' : `${study}/`;
    const pages = listPages(this.#index.pages.filter((name) => name.startsWith(below)));
    return toJson({
      path: study,
      name: nameStudy(study, this.#root),
      progress: nameProgress(progress),
      pages,
    } satisfies ViewedStudy);
  }

  async #answerMatch(folder: string): Promise<ViewAnswer | null> {
    if (!this.#index.has(folder)) return null;
    try {
      return { type: 'application/json', body: await this.#readMatch(folder) };
    } catch (error) {
      return { status: 404, type: 'text/plain', body: (error as Error).message }; // gone meanwhile, or damaged
    }
  }

  /** Answers with the arms of a forked statement. The folder may be of the original match or of one of its forks. */
  async #answerForks(folder: string, statement: string): Promise<ViewAnswer | null> {
    if (this.#shown.isPublic || !this.#index.has(folder)) return null; // forks show private ballots and beliefs
    const rows = this.#index.list();
    const open = rows.find(({ path: name }) => name === folder);
    const origin = open?.fork?.match ?? open?.id;
    const own = rows.filter(({ id, fork }) =>
      fork === null ? id === origin : fork.match === origin && fork.statement === statement,
    );
    if (!own.some(({ fork }) => fork !== null)) return null;
    const folders = own.map((row) => row.path);
    const body = await this.#keep(`${folders.join('\n')}\n${statement}`, folders, () =>
      Promise.resolve(JSON.stringify(buildViewedForks(statement, this.#readRecords(own)))),
    );
    return body === 'null' ? null : { type: 'application/json', body };
  }

  /** Reads the records of these rows. Skips unreadable records. */
  #readRecords(rows: readonly ListedMatch[]): RecordAtPath[] {
    return rows.flatMap(({ path: name }) => {
      try {
        return [{ path: name, record: readRecord(path.join(this.#root, name), { canLackSeal: true }) }];
      } catch {
        return []; // gone meanwhile, or damaged, which the list reports
      }
    });
  }

  /** Answers with the prompts of one moment. The prompts of a whole match are too large to be sent with it. */
  async #answerPrompts(folder: string, moment: string): Promise<ViewAnswer | null> {
    if (!this.#index.has(folder)) return null;
    const match = JSON.parse(await this.#readMatch(folder)) as ViewedMatch;
    const step = match.steps.find(({ id }) => id === moment);
    if (!step || !match.hasPrompts) return null;
    const { prompts } = await readPrompts(path.join(this.#root, folder), step.round);
    return toJson(listPrompts(step, prompts));
  }

  /**
   * Answers with pages of reports, the files that reports link to, and pages of single matches. Anybody may have
   * written a report, so its page is sandboxed. Pages of single matches are rendered here and never read from a file.
   */
  async #answerPage(name: string): Promise<ViewAnswer | null> {
    const [folder, base] = [path.posix.dirname(name), path.posix.basename(name)];
    if (base === matchPage && this.#index.has(folder)) return this.#answerMatchPage(folder);
    if (this.#shown.isPublic) return null;
    if (!isOfReport(name, this.#index) || isThroughLink(this.#root, name)) return null;
    const text = getDisk().readText(path.join(this.#root, name), largestPage);
    const type = types[path.posix.extname(base)];
    if (type === undefined) return null;
    const pages = `/${this.#token}/page/`;
    const body = type === 'text/html' ? linkMatches(text, name, this.#index.list(), pages) : text;
    return { type, body, policy: reportPolicy };
  }

  async #answerMatchPage(folder: string): Promise<ViewAnswer> {
    const html = await this.#keep(`${folder}/${matchPage}`, [folder], async () => {
      const match = JSON.parse(await this.#readMatch(folder)) as ViewedMatch;
      return renderMatchDocument(await addStoredPrompts(path.join(this.#root, folder), match), this.#script);
    });
    return { type: 'text/html', body: html, policy: createMatchPolicy(this.#script) };
  }

  /** Reads the match as JSON. */
  #readMatch(folder: string): Promise<string> {
    return this.#keep(folder, [folder], async () =>
      JSON.stringify(await readViewedMatch(path.join(this.#root, folder), this.#shown)),
    );
  }

  /**
   * Caches the text that `make` returns, or the error that it throws. Calls `make` again only if a record has changed.
   */
  async #keep(name: string, folders: readonly string[], make: () => Promise<string>): Promise<string> {
    const stamp = folders.map((folder) => createStamp(path.join(this.#root, folder))).join('\n\n');
    const before = this.#kept.get(name);
    const get = before?.stamp === stamp ? before.get : await settle(make);
    this.#kept.delete(name);
    this.#kept.set(name, { stamp, get });
    if (this.#kept.size > mostKept) this.#kept.delete(this.#kept.keys().next().value!);
    return get();
  }
}

/**
 * Calls `make`, and creates a function that returns its result, or rethrows its error if the record itself is at fault.
 * Failures of the system are not cached, so that the next request tries again.
 */
async function settle(make: () => Promise<string>): Promise<() => string> {
  try {
    const body = await make();
    return () => body;
  } catch (error) {
    const isDamage = error instanceof RecordError && error.cause === undefined;
    if (!isDamage) throw error;
    return () => {
      throw error;
    };
  }
}

/** Returns whether a file of this name is a report, or a picture or table next to a report. */
function isOfReport(name: string, index: MatchIndex): boolean {
  if (index.hasPage(name)) return true;
  const holder = findReportFolder(name);
  return holder !== null && index.pages.some((page) => path.posix.dirname(page) === holder);
}

/** Finds the folder of the report that a picture or table of this name belongs to; null for any other name. */
function findReportFolder(name: string): string | null {
  const [folder, base] = [path.posix.dirname(name), path.posix.basename(name)];
  if (!/^[\w-]+\.(svg|csv)$/.test(base)) return null;
  if (path.posix.basename(folder) === 'pictures') return path.posix.dirname(folder);
  return base === 'figures.csv' ? folder : null;
}

/** Returns whether the file, or a folder on the path to it, is a link. Its target may be outside the served folder. */
function isThroughLink(root: string, name: string): boolean {
  const parts = path.posix.normalize(name).split('/');
  return parts.some((_, index) => getDisk().isForeignLink(path.join(root, ...parts.slice(0, index + 1))));
}

/**
 * In a report, replaces the commands that show a match by links, if the match can be identified: a match with this id
 * below the report's folder, or else any match with this id. An id of several matches gets no link.
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

/** Pattern of a command in `report.html` that shows a match. */
const command = /<code data-match="([^"<>]*)" data-moment="([^"<>]*)"(?: data-judge="([^"<>]*)")?>[^<]*<\/code>/g;

const encodePath = (name: string) => name.split('/').map(encodeURIComponent).join('/');

const listPages = (pages: readonly string[]) => pages.map((name) => ({ name, href: `page/${encodePath(name)}` }));

/** Returns the name of a study's folder. */
const nameStudy = (study: string, root: string) => path.basename(study === '.' ? path.resolve(root) : study);

/** Returns a stamp that changes with every file of the record; empty for an unreadable folder. */
function createStamp(folder: string): string {
  try {
    return getDisk()
      .list(folder)
      .map(({ name }) => [name, getDisk().find(path.join(folder, name))] as const)
      .map(([name, status]) => `${name} ${status?.size} ${status?.changedAt}`)
      .sort()
      .join('\n');
  } catch {
    return ''; // the code that reads the record reports the reason
  }
}
