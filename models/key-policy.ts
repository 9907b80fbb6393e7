// Decides which variable's value may be sent to which host. Before the first call, announces where calls go. The
// decision is attached to the environment object that has the keys. If an environment has no decision, a vendor's key
// may be sent only to that vendor, and all other calls may only go to servers on this machine.
import { UsageError } from '../state/usage-error.ts';

/** Property under which an environment holds its policy. Copies of the environment share it. */
export const keyPolicy: unique symbol = Symbol('key policy');

/** A destination and the key that is sent there. */
interface Reach {
  address: string;
  /** Environment variable with the key; null if no key is sent. */
  key: string | null;
  /** Environment variable with the address; null if the address has another source. */
  addressFrom: string | null;
}

/** A server, and what is sent to it. */
interface ReachedServer {
  /** Host, with the port unless it is the usual one. */
  host: string;
  /** Environment variable with the key; null if no key is sent. */
  key: string | null;
  /** Models that are called at this server, or other data that is sent to it. */
  models: Set<string>;
  /** Whether sending is allowed. */
  isAllowed: boolean;
  isTold: boolean;
}

/** Rules about where the keys of an environment may go. */
export interface KeyPolicy {
  /** Words of the command line. They may allow pairs of key and host. */
  readonly argv: readonly string[];
  /** Whether everything is allowed, because a program names its models itself. */
  readonly isOpen: boolean;
  /** Whether no server is called, as for an estimate, so that nothing needs permission. */
  readonly isDry: boolean;
  readonly servers: Map<string, ReachedServer>;
  /** Shows a line to the user. */
  readonly tell: (line: string) => void;
}

/** An environment with its policy, if it has one. */
type PolicyHolder = Readonly<Record<string, string | undefined>> & { readonly [keyPolicy]?: KeyPolicy | undefined };

const createKeyPolicy = (given: Partial<Omit<KeyPolicy, 'servers'>> = {}): KeyPolicy => ({
  ...{ argv: [], isOpen: false, isDry: false, tell: () => undefined, servers: new Map() },
  ...given,
});

const addPolicy = <Env extends object>(env: Env, policy: KeyPolicy): Env => ({ ...env, [keyPolicy]: policy });

/**
 * Returns a copy of a command's environment with a policy. `argv`: may allow pairs of key and host; `tell`: announces
 * where calls go. An environment that has a policy keeps it.
 *
 * @example addCommandPolicy(process.env, { argv: process.argv.slice(2), tell: console.error });
 */
export const addCommandPolicy = <Env extends object>(env: Env, given: Pick<KeyPolicy, 'argv' | 'tell'>): Env =>
  keyPolicy in env ? env : addPolicy(env, createKeyPolicy(given));

/** Returns a copy of the environment for a program that names its models itself, and so decides where keys go. */
export const addProgramPolicy = <Env extends object>(env: Env): Env =>
  keyPolicy in env ? env : addPolicy(env, createKeyPolicy({ isOpen: true }));

/** Returns the environment for code that calls no server. It announces destinations and refuses nothing. */
export function addDryPolicy<Env extends object>(env: Env): Env {
  const policy = (env as PolicyHolder)[keyPolicy] ?? createKeyPolicy();
  return addPolicy(env, { ...policy, isDry: true });
}

/** Returns the environment for inspecting models that will not be called. It announces and refuses nothing. */
export const addSilentPolicy = <Env extends object>(env: Env): Env =>
  addPolicy(env, { ...createKeyPolicy(), isDry: true });

/** Variable that lists the variables set by a file `.env`, separated by commas; `scripts/prepare.mjs` sets it. */
const envFileVariable = 'WOLFGRAPH_FROM_ENV_FILE';

/**
 * Returns a test for whether a variable got its value from a file `.env`. Such a file may come from a stranger.
 *
 * @example createFileTest({ WOLFGRAPH_FROM_ENV_FILE: 'OPENAI_BASE_URL' })('OPENAI_BASE_URL'); // true
 */
export function createFileTest(env: Readonly<Record<string, string | undefined>>): (name: string) => boolean {
  const names = new Set((env[envFileVariable] ?? '').split(','));
  return (name) => names.has(name);
}

/** Word that takes the place of a model's name in the notice of calls, for hosts that receive traces. */
export const traces = 'traces';

/** Word that takes the place of a key's variable in the notice of calls, for hosts that receive no key. */
export const noKey = 'none';

const formatPair = (key: string | null, host: string) => `${key ?? noKey}@${host}`;

const usualPort = /:(?:80|443)$/;

/**
 * Returns the host of an address as a URL writes it (lower case, no Unicode), with its port unless it is the usual one.
 */
export const readHost = (address: string): string => new URL(address).host.replace(usualPort, '');

/**
 * Parses `NAME@HOST`. Throws a UsageError for anything else; `what` names the source in the message.
 *
 * @example readKeyPair('--allow-key', 'GROQ_API_KEY@Example.org:8000'); // 'GROQ_API_KEY@example.org:8000'
 */
export function readKeyPair(what: string, text: string): string {
  const [, name, host = ''] = /^([A-Za-z_]\w*)@([^@/?#\s]+)$/.exec(text) ?? [];
  if (name === undefined || !URL.canParse(`http://${host}`))
    throw new UsageError(
      `${what} must be NAME@HOST, a variable and the host that may receive its value, e.g. GROQ_API_KEY@10.0.0.7:8000 (none@HOST for a server without a key), not "${text}".`,
    );
  return formatPair(name, readHost(`http://${host}`));
}

/**
 * Returns whether an address is on this machine.
 *
 * @example isLoopback('http://127.0.0.1.example.org/v1'); // false
 */
export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * Throws a UsageError if a key may not be sent to a server; the message names the option that allows it. Otherwise
 * remembers the server for `tellServers`. `model`: the model that is called there, or what is sent; `isVendorPair`:
 * whether key and host belong to the same vendor; `isGiven`: whether the user has allowed the pair; `listGiven`: the
 * pairs that the user has allowed.
 *
 * @example checkReach(env, 'openai:gpt-4o', reach, { isVendorPair: true, listGiven: () => new Set() });
 */
export function checkReach(
  env: PolicyHolder,
  model: string,
  { address, key, addressFrom }: Reach,
  {
    isVendorPair,
    isGiven = false,
    listGiven,
  }: { isVendorPair: boolean; isGiven?: boolean; listGiven: (argv: readonly string[]) => ReadonlySet<string> },
): void {
  const policy = env[keyPolicy] ?? createKeyPolicy();
  const host = readHost(address);
  const pair = formatPair(key, host);
  const isAllowed =
    policy.isOpen ||
    isGiven ||
    isLoopback(address) ||
    (isVendorPair && address.startsWith('https:')) ||
    listGiven(policy.argv).has(pair);
  const server = policy.servers.get(pair) ?? { host, key, models: new Set<string>(), isAllowed, isTold: false };
  if (!server.models.has(model)) server.isTold = false;
  server.models.add(model);
  policy.servers.set(pair, server);
  if (isAllowed || policy.isDry) return;
  const source = addressFrom === null ? '' : ` (${addressFrom} says so)`;
  const what = key === null ? 'without a key; prompts are sent there' : `with the key in ${key}`;
  throw new UsageError(
    `${model} would be called at ${host}${source}, ${what}. Nothing was sent: neither the command line nor the shell allows this host. If you trust the host, add --allow-key ${pair}, or set WOLFGRAPH_ALLOW_KEYS=${pair} in the shell.`,
  );
}

/**
 * Prints a line for each server that models of this environment call, unless it was announced before: models, host, and
 * the variable whose value is sent. The value itself is never printed.
 *
 * @example tellServers(env); // Calls go to api.openai.com (openai:gpt-4o), with the key in OPENAI_API_KEY.
 */
export function tellServers(env: PolicyHolder): void {
  const policy = env[keyPolicy];
  if (!policy) return;
  for (const server of policy.servers.values()) {
    const { host, key, models, isAllowed } = server;
    if (server.isTold) continue;
    server.isTold = true;
    const what = key === null ? 'without a key' : `with the key in ${key}`;
    const sent = models.size === 1 && models.has(traces) ? 'Traces' : 'Calls';
    const asked = sent === 'Traces' ? `${host}, ${what}.` : `${host} (${[...models].join(', ')}), ${what}.`;
    policy.tell(
      isAllowed
        ? `${sent} go to ${asked}`
        : `${sent} would go to ${asked} This needs --allow-key ${formatPair(key, host)}.`,
    );
  }
}
