// The PostgreSQL server through which several machines play one tournament: its connection, its tables, and pg-boss,
// which is loaded only here, so that playing on one machine does not require it.
import type { ConstructorOptions, PgBoss } from 'pg-boss';
import { type Clock } from '../../models/machine/clock.ts';
import { getMachine } from '../../models/machine/machine.ts';
import { flattenToOneLine } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import { findCertificateFault } from '../../models/connection-fault.ts';
import { listDatabaseReaches } from './database-address.ts';

/** Oldest supported version of PostgreSQL. */
export const oldestPostgres = 14;

/** Schemas: the first for the queue's own tables, the second for the jobs of pg-boss. */
export const databaseSchemas = ['wolfgraph', 'wolfgraph_queue'] as const;
const [ownSchema, jobSchema] = databaseSchemas;

/**
 * Lock for everything that creates schemas and tables. If several machines start together, only one of them creates the
 * schemas and tables.
 */
const lock = 'select pg_advisory_xact_lock(7240731)';

/** Columns of `wolfgraph.match` that tables of earlier versions do not have. */
const addedColumns = ['faults', 'deaths', 'calls_before'];

const quoteList = (names: readonly string[]) => `array['${names.join("', '")}']`;

/**
 * Creates schemas that are missing. PostgreSQL's `create schema if not exists` requires the right to create schemas
 * even if the schema exists, and the user may lack that right.
 */
const makeSchemas = `do $$ declare wanted text; begin
  foreach wanted in array ${quoteList(databaseSchemas)} loop
    if to_regnamespace(wanted) is null then execute format('create schema %I', wanted); end if;
  end loop;
end $$`;

/** The queue's own tables. */
const tables = `
create table if not exists wolfgraph.tournament (
  name text primary key, plan text not null, plan_sha256 text not null, made_with text not null,
  cap double precision, spent double precision not null default 0, reserved double precision not null default 0,
  stop_kind text, stop_words text,
  down_since timestamptz, tried_at timestamptz, tries int not null default 0, down_words text, is_reached boolean not null default false,
  created_at timestamptz not null default now());
create table if not exists wolfgraph.match (
  tournament text not null references wolfgraph.tournament on delete cascade, key text not null, place int not null,
  state text not null default 'waiting', attempt int not null default 0, worker text,
  spent double precision not null default 0, reserved double precision not null default 0,
  calls int not null default 0, tokens bigint not null default 0, unpriced int not null default 0,
  id text, error_name text, error_words text, record bytea, finished_at timestamptz, faults int not null default 0,
  deaths int not null default 0, calls_before int not null default 0,
  primary key (tournament, key));
do $$ declare added text; begin
  foreach added in array ${quoteList(addedColumns)} loop
    if not exists (select from information_schema.columns
        where table_schema = 'wolfgraph' and table_name = 'match' and column_name = added) then
      execute format('alter table wolfgraph.match add column %I int not null default 0', added);
    end if;
  end loop;
end $$;
create table if not exists wolfgraph.answer (
  tournament text not null, key text not null, call text not null, number bigserial, line text not null,
  primary key (tournament, key, call),
  foreign key (tournament, key) references wolfgraph.match on delete cascade);
create table if not exists wolfgraph.worker (
  id text primary key, tournament text, matches int not null, calls int not null, pace text not null,
  seen_at timestamptz not null default now());
create table if not exists wolfgraph.pace (
  model text primary key, calls_at double precision not null default 0, tokens_at double precision not null default 0,
  hold_until double precision not null default 0);`;

const tableNames = [...tables.matchAll(/(?<=create table if not exists )\S+/g)].map(([name]) => name);

/**
 * Query that returns whether all tables and columns exist. Creating them needs a right that is unnecessary if they
 * exist.
 */
const findTables = `select (select bool_and(to_regclass(name) is not null) from unnest(${quoteList(tableNames)}) name)
  and (select count(*) = ${addedColumns.length} from information_schema.columns
    where table_schema = 'wolfgraph' and table_name = 'match' and column_name = any (${quoteList(addedColumns)})) as are_there`;

export interface QueueDatabase {
  boss: PgBoss;
  /**
   * Runs a statement, and retries while the server is unreachable. Callers parse the rows with a schema. Throws
   * DatabaseError.
   */
  query(text: string, values?: readonly unknown[]): Promise<unknown[]>;
  /** Runs an action of pg-boss; retries like `query`. The action must be safe to repeat. */
  repeat<Result>(act: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Signals that the database refused a connection or a statement. The message never contains the database's address. */
export class DatabaseError extends Error {
  override name = 'DatabaseError';
  /** Whether the database rejects the statement itself, so that repeating it would fail again. */
  readonly isOfStatement: boolean;

  constructor(message: string, isOfStatement = false) {
    super(message);
    this.isOfStatement = isOfStatement;
  }
}

/** Milliseconds to wait in total for a server that was reached before, and milliseconds between two attempts. */
const patience = { total: 15 * 60_000, step: 500 };

/** Milliseconds to wait for one statement. A broken connection does not say which statements were executed. */
const statementPatience = 30_000;

/** Seconds without a heartbeat after which a worker counts as dead. It is pg-boss's minimum. */
export const heartbeatSeconds = 10;

export interface DatabaseOptions {
  clock?: Clock;
  signal?: AbortSignal;
  /** Called once when the server becomes unreachable, and once when it is back. */
  onTrouble?: (words: string) => void;
  /** Whether to supervise jobs from here, as workers do. Jobs of dead workers are then given to other workers. */
  isWorker?: boolean;
  /** Milliseconds after which a statement without a reply is sent again; for tests. */
  statementMs?: number;
}

/**
 * Opens the database and creates missing tables. Throws a UsageError if the address is invalid or pg-boss is not
 * installed, and DatabaseError if the server refuses. No error contains the address.
 *
 * @example const database = await openDatabase('postgres://me:secret@db.example/wolfgraph');
 */
export async function openDatabase(address: string, options: DatabaseOptions = {}): Promise<QueueDatabase> {
  const { isWorker = false, clock = getMachine().clock, signal = new AbortController().signal, onTrouble } = options;
  const { statementMs = statementPatience } = options;
  const boss = await startBoss(address, {
    max: isWorker ? 8 : 4,
    ...{ query_timeout: statementMs, keepAlive: true, keepAliveInitialDelayMillis: 10_000 }, // in pg's format
    supervise: isWorker,
  });
  const repeat: QueueDatabase['repeat'] = async (act) => {
    const since = clock.elapsed();
    let isTold = false;
    for (;;) {
      try {
        const result = await act();
        if (isTold) onTrouble?.('The database answers again.');
        return result;
      } catch (error) {
        if (!isPassing(error) || clock.elapsed() - since > patience.total) throw createDatabaseError(error);
        if (!isTold) onTrouble?.(`${createDatabaseError(error).message} Trying again.`);
        isTold = true;
        await clock.sleep(patience.step, signal);
      }
    }
  };
  return {
    ...{ boss, repeat },
    query: (text, values = []) =>
      repeat(async () => (await boss.getDb().executeSql(text, [...values])).rows as unknown[]),
    close: () => boss.stop({ graceful: false, close: true }).catch(() => undefined),
  };
}

/** Opens the database by the first way that works, with all schemas and tables. Throws DatabaseError. */
async function startBoss(address: string, options: BossOptions): Promise<PgBoss> {
  const { boss, database } = await openConnections(address, options);
  try {
    await database.executeSql(`${lock}; ${makeSchemas}`);
    await boss.start();
    const [found] = (await database.executeSql(findTables)).rows as { are_there: boolean }[];
    if (!found?.are_there) await database.executeSql(`${lock}; ${tables}`);
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    await database.close().catch(() => undefined); // a pg-boss that never started would leave it open
    throw createDatabaseError(error);
  }
}

type BossOptions = Omit<ConstructorOptions, 'connectionString' | 'ssl' | 'schema'>;

/** Connections of pg-boss that its types do not mention. */
interface Connections {
  open: () => Promise<void>;
  close: () => Promise<void>;
  executeSql: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;
}

/**
 * Connects to a database by the first way that works, and creates nothing. Throws a UsageError if the address is
 * invalid or pg-boss is not installed, and DatabaseError if the server refuses.
 *
 * @example
 * const { database } = await openConnections('postgres://me@db.example/wolfgraph', { max: 1 });
 * await database.executeSql('select 1').finally(() => database.close());
 */
export async function openConnections(
  address: string,
  options: BossOptions = {},
): Promise<{ boss: PgBoss; database: Connections }> {
  const reaches = listDatabaseReaches(address);
  const { PgBoss: Boss } = await loadPgBoss();
  for (const [index, reach] of reaches.entries()) {
    const boss = new Boss({
      ...reach,
      schema: jobSchema,
      application_name: 'wolfgraph',
      ...{ schedule: false, registerInstance: false, createSchema: false },
      ...{ superviseIntervalSeconds: 2, monitorIntervalSeconds: 2, maintenanceIntervalSeconds: 600 },
      ...options,
    });
    boss.on('error', () => undefined); // relevant errors show in our own statements
    const database = boss.getDb() as unknown as Connections;
    await database.open();
    try {
      await database.executeSql('select 1');
      return { boss, database };
    } catch (error) {
      await database.close().catch(() => undefined);
      if (index + 1 === reaches.length || !isUnencrypted(error)) throw createDatabaseError(error);
    }
  }
  throw new Error('A database has at least one address.');
}

async function loadPgBoss(): Promise<typeof import('pg-boss')> {
  try {
    return await import('pg-boss');
  } catch (error) {
    throw new UsageError('Playing through a database needs the package pg-boss: npm install pg-boss@12', {
      cause: error,
    });
  }
}

/** Codes of errors after which a server may become available again: PostgreSQL's by prefix, or the system's. */
const passing = /^(08|57P|53|40)|^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)/;

function isPassing(error: unknown): boolean {
  const { code, message } = readDatabaseFault(error);
  return (
    passing.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout/.test(message)
  );
}

/** Reads an error. Some errors contain several, one for each address of a host. */
function readDatabaseFault(error: unknown): { code: string; message: string } {
  const { code = '', message = '', errors } = error as { code?: string; message?: string; errors?: unknown[] };
  return code === '' && errors?.[0] !== undefined ? readDatabaseFault(errors[0]) : { code, message };
}

/** Advice for a user who may not create schemas: somebody with more rights must do it. */
export const grantAdvice = `Ask an administrator to run, with this user’s name for NAME: create schema if not exists ${ownSchema} authorization NAME; create schema if not exists ${jobSchema} authorization NAME. If others created the schemas and tables: grant usage, create on schema ${ownSchema}, ${jobSchema} to NAME; grant all on all tables in schema ${ownSchema}, ${jobSchema} to NAME; grant all on all sequences in schema ${ownSchema} to NAME`;

const noEncryption = /does not support SSL/;

/** Errors of the package pg without a code, recognized by their message. */
const uncoded: readonly (readonly [RegExp, string])[] = [
  [
    noEncryption,
    'does not encrypt connections, but sslmode requires it: switch ssl on at the server, or write sslmode=prefer or sslmode=disable',
  ],
  [/password must be a/, 'requires a password: put it into the address, or into PGPASSWORD'],
];

const isUnencrypted = (error: unknown) => noEncryption.test(readDatabaseFault(error).message);

/**
 * A server that accepts only encrypted connections refuses unencrypted connections in the same way as an unknown
 * user.
 */
const encryptedAlone = 'accepts only encrypted connections: add sslmode=require to its address';

/** Explains a refusal in words without a full stop at the end. Undefined for an unknown refusal. */
function explainFault(error: unknown): string | undefined {
  const { code, message } = readDatabaseFault(error);
  if (findCertificateFault(error) !== undefined)
    return `has a certificate that is not trusted. Name the authority that signed it in NODE_EXTRA_CA_CERTS, or with sslrootcert=FILE in the address; sslmode=require encrypts without checking the certificate`;
  if (code === '28000' && /no encryption|SSL off/.test(message)) return encryptedAlone;
  return (
    uncoded.find(([known]) => known.test(message))?.[1] ??
    refusals[code] ??
    (/^[0-9A-Z]{5}$/.test(code) ? refusals[code.slice(0, 2)] : undefined)
  );
}

/**
 * Explanations by code of PostgreSQL or the system. For a code that is not listed, its first two characters are looked
 * up.
 */
const refusals: Readonly<Record<string, string>> = {
  '28P01': 'refuses the password',
  '28000': 'refuses the user: ask its administrator for a line in pg_hba.conf that lets this user in from this machine',
  '3D000': 'has no database of that name',
  '42501': `does not let this user create or use the tables. ${grantAdvice}`,
  '25006': 'is read-only. If this is the address of a replica, give the address of the primary server',
  '40': 'has rolled back a statement because of a concurrent one',
  '53100': 'is full: its disk has no space left',
  '53200': 'is out of memory',
  '53300': 'accepts no more connections',
  '53': 'is out of resources',
  '57014': 'has canceled a statement that took too long',
  '57P01': 'is shutting down',
  '57P02': 'has crashed and is restarting',
  '57P03': 'is starting or shutting down',
  '57': 'is not in service',
  '58': 'cannot access its own files',
  XX: 'has an internal error',
  ENOTFOUND: 'has an unknown host name',
  ECONNREFUSED: 'cannot be reached: nothing listens there',
};

/** PostgreSQL's error classes about a statement's content, whose messages contain no secrets. */
const ofStatement = /^(22|23|42|0A|21|54)/;

/** Creates the error. PostgreSQL's messages name users and hosts, so only harmless messages are shown. */
export function createDatabaseError(error: unknown): DatabaseError {
  const { code, message } = readDatabaseFault(error);
  const told = explainFault(error);
  const isOfStatement = told === undefined && ofStatement.test(code);
  const words = told ?? (isOfStatement ? `refuses a statement: ${flattenToOneLine(message)}` : 'cannot be reached');
  return new DatabaseError(`The database ${words}${code === '' ? '' : ` (${code})`}.`, isOfStatement);
}
