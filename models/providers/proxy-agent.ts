// Connects by way of the proxies that the environment names: Node's own `fetch` would ignore them in silence.
import { EnvHttpProxyAgent, setGlobalDispatcher } from 'undici';
import { UsageError } from '../../state/usage-error.ts';
import type { Environment } from '../model.ts';
import { findProxies, type Proxies } from '../proxies.ts';

/**
 * Sends what packages ask by Node's own `fetch` through the proxies of the environment too. Does nothing where there are none.
 *
 * @example useProxies(process.env);
 */
export function useProxies(env: Environment): void {
  const proxies = findProxies(env);
  if (proxies) setGlobalDispatcher(createProxyAgent(proxies));
}

/** A dispatcher for undici that goes by way of proxies. Throws a UsageError for a proxy that is no address. */
export function createProxyAgent(
  { httpProxy, httpsProxy, noProxy }: Proxies,
  settings: EnvHttpProxyAgent.Options = {},
): EnvHttpProxyAgent {
  for (const proxy of [httpProxy, httpsProxy])
    if (proxy !== undefined && !/^https?:\/\/[^/]/.test(proxy))
      throw new UsageError('HTTPS_PROXY and HTTP_PROXY must be addresses such as http://proxy.example:3128.'); // may hold a password
  // An empty text keeps undici from reading the variables itself.
  return new EnvHttpProxyAgent({ ...settings, httpProxy: httpProxy ?? '', httpsProxy: httpsProxy ?? '', noProxy });
}
