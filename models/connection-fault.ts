// Connection faults that users can fix: an untrusted certificate, or a proxy that opens no connection. Errors of
// models, LangSmith and the database describe them in the same words.

/**
 * Codes by which Node and OpenSSL report that a certificate is untrusted, expired or issued for another host. Retrying
 * does not help.
 */
const certificateCodes =
  /^(?!ERR_SSL_).*(?:CERT|CRL_)|^(?:INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|UNABLE_TO_(?:VERIFY|GET|DECODE|DECRYPT)_\w+)$/;

/** Advice for an untrusted certificate. */
export const trustAdvice =
  "The server's certificate is not trusted. Check the address, or give the file of the certificate authority that signed it in NODE_EXTRA_CA_CERTS.";

/** Yields an error and its causes, deepest last. */
function* listLinks(error: unknown): Generator<{ readonly code?: unknown; readonly message?: unknown }> {
  let link = error;
  for (let depth = 0; typeof link === 'object' && link !== null && depth < 8; depth++) {
    yield link;
    link = (link as { cause?: unknown }).cause;
  }
}

/**
 * Returns the code of the certificate fault that caused the error; undefined for other errors.
 *
 * @example findCertificateFault(Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }));
 */
export function findCertificateFault(error: unknown): string | undefined {
  for (const { code } of listLinks(error))
    if (typeof code === 'string' && certificateCodes.test(code.trim())) return code.trim();
  return undefined;
}

/**
 * Returns the status with which a proxy refused to connect, as undici reports it; undefined if no proxy did.
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

/** Returns advice for a proxy that opens no connection. */
export const describeProxyAnswer = (status: number): string =>
  `The proxy answered with status ${status}: check HTTPS_PROXY (with user name and password if the proxy needs them), or add the server to NO_PROXY to reach it without the proxy.`;
