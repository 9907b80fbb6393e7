// Connections by way of the proxies that the environment names, as curl and most programs make them. Node's own `fetch` would
// ignore them in silence.
import { EnvHttpProxyAgent, setGlobalDispatcher } from 'undici';
import { UsageError } from '../state/usage-error.ts';
import type { Environment } from './model.ts';

export interface Proxies {
  /** For addresses that begin with http:// and with https://; undefined: none. */
  httpProxy: string | undefined;
  httpsProxy: string | undefined;
  /** Hosts that are reached without, separated by commas. This machine is always among them. */
  noProxy: string;
}

const thisMachine = ['localhost', '127.0.0.1', '[::1]', '::1'];

/** The value of a variable that programs spell in small or large letters. */
const readEither = (env: Environment, name: string) =>
  env[name.toLowerCase()]?.trim() || env[name]?.trim() || undefined;

/**
 * The proxies that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY name; null where there are none.
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

/**
 * The hosts of the proxies, for people: without names and passwords, which an address may hold.
 *
 * @example describeProxies({ httpProxy: undefined, httpsProxy: 'http://me:secret@proxy.lab:3128', noProxy: '' }); // 'proxy.lab:3128'
 */
export const describeProxies = ({ httpProxy, httpsProxy }: Proxies): string =>
  [
    ...new Set([httpsProxy, httpProxy].flatMap((proxy) => (proxy && URL.canParse(proxy) ? new URL(proxy).host : []))),
  ].join(' and ');
