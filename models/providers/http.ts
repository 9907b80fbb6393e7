// How requests go out to OpenAI and servers like it: over kept connections, for as long as an attempt may take.
import { Agent, EnvHttpProxyAgent, interceptors, request } from 'undici';

/** Attempts have a timeout of their own: Node's own `fetch` would end any that answers nothing for 300 s. */
const untimed = { headersTimeout: 0, bodyTimeout: 0 };

/** As Node's own `fetch` does: by way of a proxy where Node is told to heed those in the environment. */
const connections = (
  process.env['NODE_USE_ENV_PROXY'] === '1' ? new EnvHttpProxyAgent(untimed) : new Agent(untimed)
).compose(interceptors.redirect({ maxRedirections: 5 }));

/** Answers that have no body, not even an empty one. */
const bodiless = [204, 205, 304];

/**
 * `fetch` for requests whose body is text and whose answers are read whole: undici's plain request, which takes a
 * third of the time. Resolves when the whole answer is there.
 */
export async function httpFetch(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', headers, body, signal } = init;
  const answer = await request(url as string, {
    method: method as 'POST',
    headers: Object.fromEntries(new Headers(headers)),
    body: body as string,
    signal: signal ?? null,
    dispatcher: connections,
  });
  const text = await answer.body.text();
  return new Response(bodiless.includes(answer.statusCode) ? null : text, {
    status: answer.statusCode,
    headers: Object.entries(answer.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
  });
}
