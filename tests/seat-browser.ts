// A person's browser without a window: it opens a seat by its address, follows its events and sends answers.
import { get, request } from 'node:http';
import type { FormField } from '../prompts/form.ts';
import type { SeatPage } from '../report/seat/seat-text.ts';

interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Sends a request over a connection of its own. */
export const sendRequest = (
  address: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
) =>
  new Promise<Reply>((resolve, reject) => {
    const sent = request(address, { method, headers: { connection: 'close', ...headers } }, (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** An opened seat. */
export interface SeatBrowser {
  /** Address of the seat without its token. */
  address: string;
  cookie: string;
  /** Returns all text that the page has received as events. */
  sent: () => string;
  pages: SeatPage[];
  /** Sends an answer to a question, and returns the status. */
  answer: (question: NonNullable<SeatPage['question']>, answer: unknown) => Promise<number>;
}

/**
 * Opens a seat by its address. `onPage`: called with every page that its events bring.
 *
 * @example const seat = await openSeat(address, (page, seat) => void answerFirst(page, seat));
 */
export async function openSeat(
  address: string,
  onPage: (page: SeatPage, seat: SeatBrowser) => void,
): Promise<SeatBrowser> {
  const { status, headers } = await sendRequest(address);
  const [cookie = ''] = [headers['set-cookie'] ?? []].flat();
  if (status !== 200) throw new Error(`${address} answers ${status}.`);
  const own = { cookie: cookie.split(';')[0] ?? '' };
  const base = address.replace(/[^/]+$/, '');
  let [text, rest] = ['', ''];
  const seat: SeatBrowser = {
    address: base,
    cookie: own.cookie,
    sent: () => text,
    pages: [],
    answer: async ({ id }, answer) => {
      const body = JSON.stringify({ id, answer });
      const head = { ...own, 'content-type': 'application/json' };
      return (await sendRequest(`${base}answer`, { method: 'POST', headers: head, body })).status;
    },
  };
  get(`${base}events`, { headers: own }, (response) => {
    response.on('data', (part: Buffer) => {
      text += part.toString();
      const blocks = (rest + part.toString()).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, json] = /^event: page\ndata: (.*)$/m.exec(block) ?? [];
        if (json === undefined) continue;
        const page = JSON.parse(json) as SeatPage;
        seat.pages.push(page);
        onPage(page, seat);
      }
    });
    response.on('error', () => undefined);
  }).on('error', () => undefined);
  return seat;
}

/** Returns the answer of a person who takes the first choice everywhere. `words`: what is written in fields of text. */
export function takeFirstChoices(fields: readonly FormField[], words: string): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.name, takeFirst(field, words)]));
}

function takeFirst(field: FormField, words: string): unknown {
  if (field.kind === 'choice') return field.options[0]?.value;
  if (field.kind === 'several') return [];
  if (field.kind === 'scale') return field.to;
  if (field.kind === 'share') return 0.7;
  if (field.kind === 'text') return words;
  return Object.fromEntries(
    field.entries.map(({ player, fields }) => {
      const [only, ...others] = fields;
      const isAlone = only?.name === 'value' && others.length === 0;
      return [player, isAlone ? takeFirst(only, words) : takeFirstChoices(fields, words)];
    }),
  );
}
