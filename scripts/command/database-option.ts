// The database of a queued tournament, named by an option or by an environment variable. A variable does not appear in
// shell histories or process lists.
import type { QueueDatabase } from '../../graph/queue/database.ts';
import { createFileTest } from '../../models/key-policy.ts';
import { UsageError } from '../../state/usage-error.ts';
import { type CommandIO, describeError } from './command-line.ts';

/** Variable that names the database if no option does. */
const variable = 'WOLFGRAPH_DATABASE';

export const databaseOption = [
  '--database <address>',
  `the PostgreSQL database that workers use, e.g. postgres://user:password@host/name (default: ${variable}, which process lists do not show)`,
] as const;

/** Returns the database's address; undefined if none is given, or with --no-database. */
export const findDatabase = (typed: string | false | undefined, env: CommandIO['env']): string | undefined =>
  typed === false ? undefined : (typed ?? (env[variable] === '' ? undefined : env[variable]));

/** Returns the database's address. Throws a UsageError if none is given. */
export function requireDatabase(typed: string | undefined, env: CommandIO['env'], what: string): string {
  const address = findDatabase(typed, env);
  if (address === undefined)
    throw new UsageError(`${what} needs a database: --database postgres://…, or ${variable} in the environment.`);
  return address;
}

/** Opens the database, calls the function with it, and closes it at the end. Reports a lost connection. */
export async function useDatabase<Result>(
  address: string,
  { io, signal, isWorker }: { io: CommandIO; signal: AbortSignal; isWorker?: boolean },
  use: (database: QueueDatabase) => Promise<Result>,
): Promise<Result> {
  const { openDatabase } = await import('../../graph/queue/database.ts');
  await checkPassword(address, io.env);
  const onTrouble = (words: string) => void io.stderr.write(`${describeError(words, io.env)}\n`);
  const database = await openDatabase(address, { signal, isWorker: isWorker ?? false, onTrouble });
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

/** Throws a UsageError if a `.env` file names the server that would receive the password of the shell. */
export async function checkPassword(address: string, env: CommandIO['env']): Promise<void> {
  const isOfFile = createFileTest(env);
  if (!isOfFile(variable) || address !== env[variable] || !env['PGPASSWORD'] || isOfFile('PGPASSWORD')) return;
  if (!URL.canParse(address) || new URL(address).password !== '') return;
  const { searchParams, host } = new URL(address);
  const { checkServer } = await import('../../models/providers/index.ts');
  const reach = { address: `postgres://${searchParams.get('host') ?? host}`, key: 'PGPASSWORD', addressFrom: variable };
  checkServer(env, 'the database', reach, false);
}

/** Returns a command line without the address, to be printed. */
export function hideDatabase(argv: readonly string[]): string[] {
  const at = argv.findIndex((text) => /^--database(=|$)/.test(text));
  return at < 0 ? [...argv] : argv.toSpliced(at, argv[at] === '--database' ? 2 : 1, '--database', '…');
}
