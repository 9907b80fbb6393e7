// Faults on the way to a server that the user can mend, in the same words for models, LangSmith and the database: a
// certificate that is not trusted, and a proxy that opens no connection.

/** How Node and OpenSSL say that a certificate is not trusted, too old, or another host's: no further attempt changes that. */
const certificateCodes =
  /^(?!ERR_SSL_).*(?:CERT|CRL_)|^(?:INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|UNABLE_TO_(?:VERIFY|GET|DECODE|DECRYPT)_\w+)$/;

/** What to do about a certificate that is not trusted. */
export const trustAdvice =
  'The certificate of the server cannot be trusted: check the address, or name the authority that signed it in NODE_EXTRA_CA_CERTS.';

/** An error and what caused it, the deepest last. */
function* listLinks(error: unknown): Generator<{ readonly code?: unknown; readonly message?: unknown }> {
  let link = error;
  for (let depth = 0; typeof link === 'object' && link !== null && depth < 8; depth++) {
    yield link;
    link = (link as { cause?: unknown }).cause;
  }
}

/**
 * The code of the fault of a certificate by which a connection failed; undefined where it failed otherwise.
 *
 * @example findCertificateFault(Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }));
 */
export function findCertificateFault(error: unknown): string | undefined {
  for (const { code } of listLinks(error))
    if (typeof code === 'string' && certificateCodes.test(code.trim())) return code.trim();
  return undefined;
}

/**
 * The status with which a proxy opened no connection to the server, as undici tells it; undefined where none did.
 *
 * @example findProxyStatus(new TypeError('fetch failed', { cause: new Error('Proxy response (407) !== 200 …') })); // 407
 */
export function findProxyStatus(error: unknown): number | undefined {
  for (const { message } of listLinks(error)) {
    const [, status] =
      typeof message === 'string'
        ? (/^\s*Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(message) ?? [])
        : [];
    if (status !== undefined) return Number(status);
  }
  return undefined;
}

/** What to do about a proxy that opens no connection. */
export const describeProxyAnswer = (status: number): string =>
  `The proxy answered with status ${status}: check HTTPS_PROXY (with its name and password, if it wants them), or name the server in NO_PROXY to ask it without the proxy.`;
