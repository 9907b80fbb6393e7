// Runs before any TypeScript is loaded: refuses an old Node with a readable message instead of a syntax error, caches
// compiled code for the next start, and reads `.env`.
import { readFileSync, statSync } from 'node:fs';
import module from 'node:module';
import { homedir, tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { parseEnv } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { stopAtBatchSignal } from './batch-signal.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
// Node 23, 24.0 and 24.1 have no import.meta.main: commands would exit without output.
if (major < 22 || major === 23 || (major === 22 && minor < 19) || (major === 24 && minor < 2)) {
  process.stderr.write(
    `Wolfgraph needs Node 22 from 22.19 on, or Node 24.2 or newer. This is ${process.versions.node}. ` +
      'Install one of these; in a clone, npm ci installs one, and npm run uses it.\n',
  );
  process.exit(1);
}

// Libraries look for settings in the home directory. They throw if there is none. If HOME is empty, they use the
// working directory, which may have come from somebody else. Debian uses the path /nonexistent for accounts without a
// home directory.
const findHome = (find) => {
  try {
    return isAbsolute(find()) ? find() : null;
  } catch {
    return null;
  }
};
if (findHome(homedir) === null) process.env.HOME = findHome(() => userInfo().homedir) ?? '/nonexistent';

if (isMainThread) stopAtBatchSignal();

// Threads find the compile cache only through this variable.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
module.enableCompileCache();

// Keys may be stored in a `.env` file; variables of the environment have priority. The file is in the working
// directory, which may have come from somebody else. So it may not set variables that control this process, its
// connections and its helpers, that locate other credentials, caches and settings, or that allow hosts to receive keys.
const shellOnly = [
  /^(NODE|NPM|LD|DYLD|GIT|SSH|XDG|SSL|OPENSSL|UV|OTEL|CLOUDSDK|GCE|LANGGRAPH|ESBUILD|TSX|CHOKIDAR)_/i,
  /_PROXY$/i,
  /^(PATH|PATHEXT|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SHELL|ENV|BASH_ENV|TMPDIR|TEMP|TMP|SYSTEMROOT|COMSPEC)$/i,
  /^AWS_(?!(ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|BEARER_TOKEN_BEDROCK|REGION|DEFAULT_REGION|PROFILE)$)/,
  /^GOOGLE_(EXTERNAL_ACCOUNT_|CLOUD_UNIVERSE_DOMAIN$|CLOUD_QUOTA_PROJECT$)/,
  /^LANG(SMITH|CHAIN)_(RUNS_ENDPOINTS|FAILED_TRACES|CONFIG_FILE|PROFILE)/,
  /^PG(?!(PASSWORD|USER)$)/,
  /^WOLFGRAPH_(ALLOW_KEYS|FROM_ENV_FILE|ENV_FILE_TOLD)$/,
];
const file = '.env';
const longest = 1_000_000; // size limit of the file in bytes

async function readEnvFile() {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return {};
  if (!found.isFile() || found.size > longest) {
    process.stderr.write(`${file} is no file of at most ${longest} bytes: it is left out.\n`);
    return {};
  }
  const { decodeText, findWrongKind } = await import('../models/machine/decode-text.ts'); // a static import would fail in an old Node
  const bytes = readFileSync(file);
  const wrong = findWrongKind(bytes);
  if (wrong !== null) {
    process.stderr.write(`${file} is ${wrong}. It is left out.\n`);
    return {};
  }
  return parseEnv(decodeText(bytes));
}

const given = Object.entries(await readEnvFile()).filter(([name]) => process.env[name] === undefined);
const isLeftOut = (name) => shellOnly.some((pattern) => pattern.test(name));
const leftOut = given.map(([name]) => name).filter(isLeftOut);
const taken = given.filter(([name]) => !isLeftOut(name));
for (const [name, value] of taken) process.env[name] = value;
// Code that sends keys must know which addresses and keys came from the file; see models/providers/permit-keys.ts. A
// child process inherits the variables and this list, so it knows too.
const before = process.env.WOLFGRAPH_FROM_ENV_FILE?.split(',') ?? [];
const names = [...new Set([...before, ...taken.map(([name]) => name)])].filter((name) => name !== '');
if (names.length > 0) process.env.WOLFGRAPH_FROM_ENV_FILE = names.join(',');
// This runs after `.env` is read, because `.env` cannot set proxies. The module is loaded only if a proxy is set,
// because loading takes time.
if (Object.entries(process.env).some(([name, value]) => /^(?:https?|all)_proxy$/i.test(name) && value)) {
  const { useProxies } = await import('../models/providers/proxy-agent.ts');
  try {
    useProxies(process.env);
  } catch {
    // An invalid proxy is reported later, when a model is opened.
  }
}
if (leftOut.length > 0 && process.env.WOLFGRAPH_ENV_FILE_TOLD !== '1') {
  process.stderr.write(`${file} sets ${leftOut.join(', ')}: these count only in the shell, and are left out.\n`);
  process.env.WOLFGRAPH_ENV_FILE_TOLD = '1'; // the command may start Node again with other flags
}
