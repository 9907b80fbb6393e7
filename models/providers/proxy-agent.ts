// Connects through the proxies named in the environment, which Node's own `fetch` would silently ignore.
import { EnvHttpProxyAgent, setGlobalDispatcher } from 'undici';
import { UsageError } from '../../state/usage-error.ts';
import type { Environment } from '../model.ts';
import { findProxies, type Proxies } from '../proxies.ts';

/**
 * Routes requests that packages make with Node's own `fetch` through the environment's proxies. Does nothing if there
 * are none.
 *
 * @example useProxies(process.env);
 */
export function useProxies(env: Environment): void {
  const proxies = findProxies(env);
  if (proxies) setGlobalDispatcher(createProxyAgent(proxies));
}

/** Creates an undici dispatcher that uses proxies. Throws a UsageError if a proxy is not a valid address. */
export function createProxyAgent(
  { httpProxy, httpsProxy, noProxy }: Proxies,
  settings: EnvHttpProxyAgent.Options = {},
): EnvHttpProxyAgent {
  for (const proxy of [httpProxy, httpsProxy])
    if (proxy !== undefined && !/^https?:\/\/[^/]/.test(proxy))
      throw new UsageError('HTTPS_PROXY and HTTP_PROXY must be addresses such as http://proxy.example:3128.'); // the value may contain a password
  // An empty text prevents undici from reading the variables itself.
  return new EnvHttpProxyAgent({ ...settings, httpProxy: httpProxy ?? '', httpsProxy: httpsProxy ?? '', noProxy });
}
