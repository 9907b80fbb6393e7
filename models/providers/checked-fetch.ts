// A `fetch` for packages that would fail without a status, or with a misleading message, if the response is not an
// answer.
import { parseJsonOrText } from '../parse-answer.ts';
import { findErrorMessage } from '../error-body.ts';
import { noAnswerCode } from '../provider-error.ts';
import { fetchOverHttp } from './http.ts';

/**
 * Returns a `fetch` that rejects if the body, parsed as JSON, is not an answer by `isAnswer`. The failure counts as a
 * lost connection. The body of the response can be read as text, JSON or a stream.
 */
export const createCheckedFetch =
  (isAnswer: (body: unknown) => boolean) =>
  async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetchOverHttp(url, init);
    const text = await response.text();
    const { status, headers } = response;
    headers.set('content-type', 'application/json'); // some servers declare another type
    const body = parseJsonOrText(text);
    if (response.ok && !isAnswer(body)) {
      const words = findErrorMessage(body) ?? `Not a valid answer of such a server: ${text === '' ? 'nothing' : text}`;
      throw Object.assign(new Error(words), { code: noAnswerCode, body });
    }
    return new Response(text, { status, headers });
  };

/**
 * Fetches a stream of JSON lines; the last line has `done`. If the server refuses, rejects with its status, headers and
 * message.
 */
export async function fetchJsonLines(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetchOverHttp(url, init);
  const text = await response.text();
  const { status, headers } = response;
  if (!response.ok) {
    const body = parseJsonOrText(text);
    const message = findErrorMessage(body) ?? '';
    throw Object.assign(new Error(message), { status, headers, error: body });
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const last = parseJsonOrText(lines.at(-1) ?? '') as { done?: unknown; error?: unknown } | null;
  const isWhole = lines.every((line) => typeof parseJsonOrText(line) === 'object') && last?.done === true;
  if (isWhole) return new Response(text, { status, headers });
  const words = findErrorMessage(last) ?? `Not a valid answer of such a server: ${text === '' ? 'nothing' : text}`;
  throw Object.assign(new Error(words), { code: noAnswerCode, body: last });
}
