// A `fetch` for OpenAI and compatible servers. Connections are kept open for as long as an attempt may take. It uses
// the parts of a `Response` that the openai package uses: `status`, `headers`, `json()` and `text()`, never the stream.
// It exists for speed: without it, a match needs additional CPU time, equal to 0.2 times the CPU time of its calls.
// undici's `fetch` with the same dispatcher could replace it; Node's own `fetch` ends every attempt that is silent for
// 300 s.
import { Agent, request } from 'undici';
import { findProxyStatus } from '../connection-fault.ts';
import { findProxies } from '../proxies.ts';
import { createProxyAgent } from './proxy-agent.ts';
import { reportResponse } from '../rate-limit-headers.ts';

/** Size limit in bytes. An endless answer would exhaust the memory. */
const longestAnswer = 16 * 2 ** 20;

/** Settings without timeouts, because attempts have their own timeouts of up to an hour. */
const settings = { headersTimeout: 0, bodyTimeout: 0, maxResponseSize: longestAnswer };

const proxies = findProxies(process.env);
const connections = proxies ? createProxyAgent(proxies, settings) : new Agent(settings);

const mostRedirects = 5;

/**
 * Fetches over undici's plain request, for requests with a text body. Resolves when the whole answer has arrived; the
 * response's stream, `body`, is null. Redirects are followed only on the same host, because another host must not
 * receive the prompt or the key. A redirect to another host is an error that names the address.
 */
export async function fetchOverHttp(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  let address = new URL(url instanceof Request ? url.url : url);
  for (let redirects = 0; ; redirects++) {
    const { response, location } = await sendOnce(address, init);
    if (location === null) return response;
    const next = new URL(location, address);
    if (!isSameHost(address, next) || redirects === mostRedirects) return createRedirectRefusal(response.status, next);
    address = next;
  }
}

/**
 * Returns whether a redirect stays on the host. A redirect from HTTP to HTTPS counts as staying, one from HTTPS to HTTP
 * does not.
 */
const isSameHost = (from: URL, to: URL) =>
  from.origin === to.origin ||
  (from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname && to.port === '');

/** Redirects after which the same request is sent again. */
const redirectStatuses = [301, 302, 307, 308];

function createRedirectRefusal(status: number, { origin, pathname }: URL): Response {
  const message = `The server redirects to ${origin}${pathname}; the prompt was not sent there. If that address is right, give it as baseUrl.`;
  return Response.json({ error: { message } }, { status });
}

/**
 * Throws a proxy's refusal under another name than undici's AbortError, which Anthropic's package would report as a
 * timeout.
 */
function renameProxyRefusal(error: unknown): never {
  if (findProxyStatus(error) === undefined || !(error instanceof Error)) throw error;
  throw new Error(error.message, { cause: error });
}

/** Sends one request. `location`: target of a redirect; null for any other answer. */
async function sendOnce(url: URL, init: RequestInit): Promise<{ response: Response; location: string | null }> {
  const { method = 'GET', headers, body, signal } = init;
  const answer = await request(url, {
    method: method as 'POST',
    headers: { 'accept-encoding': 'identity', ...Object.fromEntries(new Headers(headers)) },
    body: body as string,
    signal: signal ?? null,
    dispatcher: connections,
  }).catch(renameProxyRefusal);
  const coding = answer.headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity') {
    await answer.body.dump();
    throw new Error(`${url.href} answers with the encoding "${coding.toString()}", which was not requested.`);
  }
  const text = await answer.body.text();
  const joined = Object.entries(answer.headers).map(
    ([name, value]) => [name, [value ?? []].flat().join(', ')] as const,
  );
  const response = new Response(null, { status: answer.statusCode, headers: Object.fromEntries(joined) });
  // A response created from the text would copy the text through a stream, which costs most of the time saved.
  Object.defineProperties(response, {
    text: { value: () => Promise.resolve(text) }, // assignment fails if a server has installed its own class
    json: { value: () => new Promise<unknown>((resolve) => resolve(JSON.parse(text))) },
  });
  const location = redirectStatuses.includes(answer.statusCode) ? response.headers.get('location') : null;
  reportResponse({ status: response.status, headers: response.headers, text: location === null ? text : '' });
  return { response, location };
}
