// Sends the requests of Amazon's package as other providers' requests are sent: through proxies, and with the same
// limits. The package itself connects by HTTP/2, which does not support proxies.
import { Readable } from 'node:stream';
import { describeProxyAnswer, findCertificateFault, findProxyStatus, trustAdvice } from '../connection-fault.ts';
import { createCheckedFetch } from './checked-fetch.ts';
import { fetchOverHttp } from './http.ts';

/** Request of Amazon's package. The header fields include the signature. */
interface AwsRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>> | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface AwsResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

function formatAddress({ protocol, hostname, port, path, query = {} }: AwsRequest): URL {
  const url = new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`);
  for (const [name, values] of Object.entries(query))
    for (const value of [values ?? ''].flat()) url.searchParams.append(name, value);
  return url;
}

const fetchAnswer = createCheckedFetch(
  (body) => typeof body === 'object' && typeof (body as { output?: unknown } | null)?.output === 'object',
);

type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** Creates a request handler for clients of Amazon's package. Answers are received as a whole, not as a stream. */
const createTransport = (send: Fetch) => ({
  metadata: { handlerProtocol: 'http/1.1' },
  handle: async (
    request: AwsRequest,
    { abortSignal }: { abortSignal?: AbortSignal } = {},
  ): Promise<{ response: AwsResponse }> => {
    const { method, headers, body } = request;
    const init = { method, headers, body: (body as string | undefined) ?? null, signal: abortSignal ?? null };
    const response = await send(formatAddress(request), init);
    const text = await response.text();
    const answer = { statusCode: response.status, headers: Object.fromEntries(response.headers) };
    return { response: { ...answer, body: Readable.from([Buffer.from(text)]) } };
  },
});

/**
 * Request handler for clients of Bedrock. Rejects with undici's error if the server cannot be reached. Also rejects if
 * the answer does not come from Bedrock. Clients must not ask for a stream.
 *
 * @example new BedrockRuntimeClient({ region: 'us-east-1', requestHandler: awsTransport });
 */
export const awsTransport = createTransport(fetchAnswer);

/**
 * Request handler for the servers of Amazon that give credentials, such as STS and SSO. Amazon's packages keep nothing
 * of an error but its message, which therefore says what to do.
 */
export const awsCredentialsTransport = createTransport((url, init) =>
  fetchOverHttp(url, init).catch((error: unknown) => {
    const status = findProxyStatus(error);
    const isUntrusted = findCertificateFault(error) !== undefined;
    if (status === undefined && !isUntrusted) throw error;
    const advice = status === undefined ? trustAdvice : describeProxyAnswer(status);
    throw new Error(`${advice} (${url.host})`, { cause: error });
  }),
);
