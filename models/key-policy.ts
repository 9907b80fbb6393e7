// Decides which variable's value may be sent to which host, and says where calls go before the first one. The decision travels
// with the environment that holds the keys: whoever is given keys is given it too, and where it got lost only a vendor's own
// key for the vendor and servers of this machine are left.
import { UsageError } from '../state/usage-error.ts';

/** Under which an environment holds its policy. Copies of the environment hold the same one. */
export const keyPolicy: unique symbol = Symbol('key policy');

/** Where something is sent, and by which key. */
interface Reach {
  address: string;
  /** The variable; null where no key is sent. */
  key: string | null;
  /** The variable that gave the address; null where none did. */
  addressFrom: string | null;
}

/** What one server is sent. */
interface ReachedServer {
  /** With its port unless that is the usual one. */
  host: string;
  /** The variable; null where no key is sent. */
  key: string | null;
  /** Who is asked there, or what is sent. */
  models: Set<string>;
  /** Whether it may be sent. */
  isAllowed: boolean;
  isTold: boolean;
}

/** Where the keys of an environment may go. */
export interface KeyPolicy {
  /** The words of the command line, which may give pairs of key and host. */
  readonly argv: readonly string[];
  /** Whether whatever is asked for may be sent: a program names its models itself. */
  readonly isOpen: boolean;
  /** Whether nothing is called, so that nothing has to be allowed: an estimate. */
  readonly isDry: boolean;
  readonly servers: Map<string, ReachedServer>;
  /** Tells a line to the user. */
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
 * A copy of the environment of a command: `argv` may give pairs of key and host, and `tell` tells where calls go. An
 * environment that has a policy keeps it.
 *
 * @example addCommandPolicy(process.env, { argv: process.argv.slice(2), tell: console.error });
 */
export const addCommandPolicy = <Env extends object>(env: Env, given: Pick<KeyPolicy, 'argv' | 'tell'>): Env =>
  keyPolicy in env ? env : addPolicy(env, createKeyPolicy(given));

/** A copy of the environment of a program that names its models itself: whatever it names is its own decision. */
export const addProgramPolicy = <Env extends object>(env: Env): Env =>
  keyPolicy in env ? env : addPolicy(env, createKeyPolicy({ isOpen: true }));

/** The environment for what calls nobody: everything is told, and nothing refused. */
export function addDryPolicy<Env extends object>(env: Env): Env {
  const policy = (env as PolicyHolder)[keyPolicy] ?? createKeyPolicy();
  return addPolicy(env, { ...policy, isDry: true });
}

/** The environment for a look at models that nobody is going to ask: nothing is told or refused. */
export const addSilentPolicy = <Env extends object>(env: Env): Env =>
  addPolicy(env, { ...createKeyPolicy(), isDry: true });

/** Names the variables that a file `.env` gave, with commas between; `scripts/prepare.mjs` sets it. */
const envFileVariable = 'WOLFGRAPH_FROM_ENV_FILE';

/**
 * What says whether a variable has its value from a file `.env`, which is a file like any other: a stranger may have made it.
 *
 * @example createFileTest({ WOLFGRAPH_FROM_ENV_FILE: 'OPENAI_BASE_URL' })('OPENAI_BASE_URL'); // true
 */
export function createFileTest(env: Readonly<Record<string, string | undefined>>): (name: string) => boolean {
  const names = new Set((env[envFileVariable] ?? '').split(','));
  return (name) => names.has(name);
}

/** Stands for the name of a model where traces are sent. */
export const traces = 'traces';

/** Stands for a key where none is sent. */
export const noKey = 'none';

const formatPair = (key: string | null, host: string) => `${key ?? noKey}@${host}`;

const usualPort = /:(?:80|443)$/;

/** The host of an address, with its port unless that is the usual one, as a URL writes it: in small letters, not in Unicode. */
export const readHost = (address: string): string => new URL(address).host.replace(usualPort, '');

/**
 * Reads `NAME@HOST`. Throws a UsageError for anything else; `what` says where it stands.
 *
 * @example readKeyPair('--allow-key', 'GROQ_API_KEY@Example.org:8000'); // 'GROQ_API_KEY@example.org:8000'
 */
export function readKeyPair(what: string, text: string): string {
  const [, name, host = ''] = /^([A-Za-z_]\w*)@([^@/?#\s]+)$/.exec(text) ?? [];
  if (name === undefined || !URL.canParse(`http://${host}`))
    throw new UsageError(
      `${what} takes NAME@HOST, a variable and the host that may get its value, e.g. GROQ_API_KEY@10.0.0.7:8000 (none@HOST: a server that gets no key), not "${text}".`,
    );
  return formatPair(name, readHost(`http://${host}`));
}

/**
 * Whether an address is on this machine.
 *
 * @example isLoopback('http://127.0.0.1.example.org/v1'); // false
 */
export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * Throws a UsageError, which prints the option that allows it, where a key may not be sent to a server; else remembers the
 * server for `tellServers`. `model`: who is asked there, or what is sent; `isVendorPair`: whether the key is the vendor's
 * own and the host too; `isGiven`: whether the user has given the pair; `listGiven`: the pairs that the user has given.
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
    `${model} would be asked at ${host}${source}, ${what}. Nothing was sent: neither the command line nor the shell says that this host may get it. If you trust the host, add --allow-key ${pair}, or set WOLFGRAPH_ALLOW_KEYS=${pair} in the shell.`,
  );
}

/**
 * Tells a line for each server that models of this environment are asked at, of those that were not told yet: models, host,
 * and the variable whose value is sent, never the value.
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
