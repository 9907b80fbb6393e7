// The proxies named in the environment, read as curl and most programs read them. `providers/proxy-agent.ts` connects
// through them.
import type { Environment } from './model.ts';

export interface Proxies {
  /** Proxies for http:// and https:// addresses; undefined for none. */
  httpProxy: string | undefined;
  httpsProxy: string | undefined;
  /** Hosts that are reached without a proxy, separated by commas. This machine is always among them. */
  noProxy: string;
}

const thisMachine = ['localhost', '127.0.0.1', '[::1]', '::1'];

/** Returns the value of a variable that programs spell in lower or upper case. */
const readEither = (env: Environment, name: string) =>
  env[name.toLowerCase()]?.trim() || env[name]?.trim() || undefined;

/**
 * Returns the proxies in HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY; null if there are none.
 *
 * @example findProxies({ HTTPS_PROXY: 'http://proxy.lab:3128' })?.httpsProxy; // 'http://proxy.lab:3128'
 */
export function findProxies(env: Environment): Proxies | null {
  const all = readEither(env, 'ALL_PROXY');
  const [httpProxy, httpsProxy] = ['HTTP_PROXY', 'HTTPS_PROXY'].map((name) => readEither(env, name) ?? all);
  if (httpProxy === undefined && httpsProxy === undefined) return null;
  const noProxy = readEither(env, 'NO_PROXY');
  return {
    httpProxy,
    httpsProxy,
    noProxy: noProxy === '*' ? '*' : [noProxy, ...thisMachine].filter(Boolean).join(','),
  };
}

/**
 * Returns the hosts of the proxies for messages, without user names and passwords, which an address may contain.
 *
 * @example describeProxies({ httpProxy: undefined, httpsProxy: 'http://me:secret@proxy.lab:3128', noProxy: '' }); // 'proxy.lab:3128'
 */
export const describeProxies = ({ httpProxy, httpsProxy }: Proxies): string =>
  [
    ...new Set([httpsProxy, httpProxy].flatMap((proxy) => (proxy && URL.canParse(proxy) ? new URL(proxy).host : []))),
  ].join(' and ');
