// Pairs of key and host that a user has permitted: typed on the command line, or given by the shell's environment.
import { createFileTest, readHost, readKeyPair } from '../key-policy.ts';
import type { Environment, ModelReach, Provider } from '../model.ts';

/** Shell variable with permitted pairs, separated by commas or spaces. */
const allowVariable = 'WOLFGRAPH_ALLOW_KEYS';

const isPresent = (env: Environment, name: string) => Boolean(env[name]?.trim());

/** The register of providers, and its function that finds how a model string is reached. */
interface Register {
  providers: readonly Pick<Provider<unknown>, 'name' | 'keyEnv' | 'models'>[];
  findReach: (text: string, env: Environment) => ModelReach | null;
}

/**
 * Lists the permitted pairs of key and host, as `NAME@HOST`. They come from typed model strings, from `--allow-key` and
 * WOLFGRAPH_ALLOW_KEYS, and from shell variables with addresses. An address from a `.env` file may only receive keys of
 * that file. Throws a UsageError for a malformed pair.
 *
 * @example listGivenPairs({ env, argv: ['--allow-key', 'GROQ_API_KEY@10.0.0.7'] }, { providers, findReach });
 */
export function listGivenPairs(
  { env, argv }: { env: Environment; argv: readonly string[] },
  { providers, findReach }: Register,
): ReadonlySet<string> {
  const isOfFile = createFileTest(env);
  const inShell = isOfFile(allowVariable)
    ? []
    : (env[allowVariable] ?? '').split(/[\s,]+/).filter((text) => text !== '');
  return new Set([
    ...listAllowedOptions(argv).map((text) => readKeyPair('--allow-key', text)),
    ...inShell.map((text) => readKeyPair(allowVariable, text)),
    ...listEnvironmentPairs(env, { providers, findReach }, isOfFile),
    ...argv.flatMap((word) => listTypedPairs(word, (text) => findReach(text, env), isOfFile)),
  ]);
}

/**
 * Adds the pairs of `--allow-key` to the environment, for a process that inherits it but not the command line.
 *
 * @example addTypedPairs(process.env, ['--allow-key', 'GROQ_API_KEY@10.0.0.7']); // sets WOLFGRAPH_ALLOW_KEYS
 */
export function addTypedPairs(env: Record<string, string | undefined>, argv: readonly string[]): void {
  const typed = listAllowedOptions(argv).map((text) => readKeyPair('--allow-key', text));
  if (typed.length > 0) env[allowVariable] = [env[allowVariable] ?? '', ...typed].join(' ').trim();
}

/** Lists the values of `--allow-key`, which may be repeated. */
function listAllowedOptions(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.flatMap((word, place) => {
    if (word === '--allow-key') return words[place + 1] ?? [];
    return word.startsWith('--allow-key=') ? [word.slice('--allow-key='.length)] : [];
  });
}

/**
 * Lists, for each address that a variable gives, the provider's own keys. An address from a `.env` file permits only
 * keys from that file.
 */
function listEnvironmentPairs(
  env: Environment,
  { providers, findReach }: Register,
  isOfFile: (name: string) => boolean,
): string[] {
  return providers.flatMap((provider) => {
    const { name, keyEnv = [], models } = provider;
    if (models) return [];
    const reach = catchUnusable(() => findReach(`${name}:gemini-any`, env));
    if (!reach || reach.addressFrom === null) return [];
    const host = readHost(reach.address);
    const isAddressOfFile = isOfFile(reach.addressFrom);
    const keys = isAddressOfFile ? keyEnv.filter((key) => isPresent(env, key) && isOfFile(key)) : keyEnv;
    return [...keys, ...(isAddressOfFile || keyEnv.length > 0 ? [] : ['none'])].map((key) => `${key}@${host}`);
  });
}

/**
 * Returns the key and host of a typed model string. The string may be a whole word of the command line or its end:
 * `--seat=Ginger=openai:x?baseUrl=…`.
 */
function listTypedPairs(
  word: string,
  findReach: (text: string) => ModelReach | null,
  isOfFile: (name: string) => boolean,
): string[] {
  const head = word.split('?')[0]!;
  const starts = [0, ...[...head.matchAll(/=/g)].map(({ index }) => index + 1)];
  return starts.flatMap((start) => {
    const text = word.slice(start);
    if (!text.includes(':')) return [];
    const reach = catchUnusable(() => findReach(text));
    const isTyped = reach && (reach.addressFrom === null || !isOfFile(reach.addressFrom));
    return isTyped ? [`${reach.key ?? 'none'}@${readHost(reach.address)}`] : [];
  });
}

/** Returns the value, or null if it is unusable. The error is then reported where the value is used. */
function catchUnusable<Value>(find: () => Value): Value | null {
  try {
    return find();
  } catch {
    return null;
  }
}
