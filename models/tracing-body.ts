// What goes to LangSmith, gone through once more: no key may be in it, wherever in a trace a server has put one.
import { gunzipSync, gzipSync } from 'node:zlib';

/** What a request sends; it can be sent more than once. */
export type SentBody = Uint8Array<ArrayBuffer> | null;

/** A part of a form: the length that its head declares, and the JSON that it holds, in which line breaks are escaped. */
const formPart = /(; length=)\d+(\r\n\r\n)([^\r]*)(?=\r\n)/g;

/** The body of a request with all its words and names redacted. Of forms, JSON and both compressed. */
export async function redactedBody(
  { body, headers }: Pick<RequestInit, 'body' | 'headers'>,
  redact: (text: string) => string,
): Promise<SentBody> {
  if (body === undefined || body === null) return null;
  const sent = new Uint8Array(await new Response(body).arrayBuffer()); // a stream can be read only once
  const isCompressed = new Headers(headers).get('content-encoding') === 'gzip';
  const text = new TextDecoder().decode(isCompressed ? gunzipSync(sent) : sent);
  const safe = text.startsWith('--')
    ? text.replace(formPart, (_, length: string, gap: string, json: string) => {
        const value = redactedJson(json, redact);
        return `${length}${Buffer.byteLength(value)}${gap}${value}`;
      })
    : redactedJson(text, redact);
  return isCompressed ? new Uint8Array(gzipSync(safe)) : new TextEncoder().encode(safe);
}

/** In the values and not in the text, where what looks like a key may end within an escape. */
function redactedJson(json: string, redact: (text: string) => string): string {
  try {
    return JSON.stringify(JSON.parse(json, (_, value: unknown) => redacted(value, redact)));
  } catch {
    return redact(json);
  }
}

/** A server may choose the names of fields too. */
function redacted(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [redact(name), field as unknown]));
}
