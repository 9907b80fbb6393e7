// The database of a queued tournament: an option, or a variable that no shell history and no list of processes shows.
import type { QueueDatabase } from '../../graph/queue/database.ts';
import { createFileTest } from '../../models/key-policy.ts';
import { UsageError } from '../../state/usage-error.ts';
import { type CommandIO, describeError } from './command-line.ts';

/** How the database is named where no option does. */
const variable = 'WOLFGRAPH_DATABASE';

export const databaseOption = [
  '--database <address>',
  `a PostgreSQL through which workers play, e.g. postgres://user:password@host/name (default: ${variable}, which no list of processes shows)`,
] as const;

/** The address; undefined where none is named, or --no-database leaves it out. */
export const findDatabase = (typed: string | false | undefined, env: CommandIO['env']): string | undefined =>
  typed === false ? undefined : (typed ?? (env[variable] === '' ? undefined : env[variable]));

/** Throws a UsageError where none is named. */
export function requireDatabase(typed: string | undefined, env: CommandIO['env'], what: string): string {
  const address = findDatabase(typed, env);
  if (address === undefined)
    throw new UsageError(`${what} takes a database: --database postgres://…, or ${variable} in the environment.`);
  return address;
}

/** Opens the database, closes it in the end, and tells when it is away. */
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

/** Throws a UsageError where a file `.env` names the server that would get the password of the shell. */
export async function checkPassword(address: string, env: CommandIO['env']): Promise<void> {
  const isOfFile = createFileTest(env);
  if (!isOfFile(variable) || address !== env[variable] || !env['PGPASSWORD'] || isOfFile('PGPASSWORD')) return;
  if (!URL.canParse(address) || new URL(address).password !== '') return;
  const { searchParams, host } = new URL(address);
  const { checkServer } = await import('../../models/providers/index.ts');
  const reach = { address: `postgres://${searchParams.get('host') ?? host}`, key: 'PGPASSWORD', addressFrom: variable };
  checkServer(env, 'the database', reach, false);
}

/** A command line without the address, to be shown. */
export function hideDatabase(argv: readonly string[]): string[] {
  const at = argv.findIndex((text) => /^--database(=|$)/.test(text));
  return at < 0 ? [...argv] : argv.toSpliced(at, argv[at] === '--database' ? 2 : 1, '--database', '…');
}
