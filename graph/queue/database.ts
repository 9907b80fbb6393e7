// The PostgreSQL server through which several machines play one tournament: its connection, its tables, and pg-boss, which
// is loaded only here, so that whoever plays on one machine need not install it.
import type { PgBoss } from 'pg-boss';
import { type Clock } from '../../models/machine/clock.ts';
import { getMachine } from '../../models/machine/machine.ts';
import { flattenToOneLine } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';

/** The queue's own tables; pg-boss keeps its jobs in a schema beside. */
const tables = `
create schema if not exists wolfgraph;
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
  foreach added in array array['faults', 'deaths', 'calls_before'] loop
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

/** How the database may be named without an option. */
const databaseVariable = 'WOLFGRAPH_DATABASE';

export interface QueueDatabase {
  boss: PgBoss;
  /** Runs a statement, again while the server cannot be reached. Its rows are for a schema to parse. Throws DatabaseError. */
  query(text: string, values?: readonly unknown[]): Promise<unknown[]>;
  /** Does the same for what pg-boss does, which must be safe to do twice. */
  repeat<Result>(act: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** What the database refuses, without its address. */
export class DatabaseError extends Error {
  override name = 'DatabaseError';
  /** Whether it refuses what a statement holds, as it would again; else nothing is wrong with the statement. */
  readonly isOfStatement: boolean;

  constructor(message: string, isOfStatement = false) {
    super(message);
    this.isOfStatement = isOfStatement;
  }
}

/** Milliseconds for which a server that was reached once is waited for, and between two attempts. */
const patience = { total: 15 * 60_000, step: 500 };

/** Milliseconds for which one statement is waited for: a cut network tells nothing of the statements that it has taken. */
const statementPatience = 30_000;

/** Of how many seconds without a sign of life a worker is taken for dead; pg-boss allows no fewer. */
export const heartbeatSeconds = 10;

export interface DatabaseOptions {
  clock?: Clock;
  signal?: AbortSignal;
  /** Told once each time the server cannot be reached, and when it can again. */
  onTrouble?: (words: string) => void;
  /** Whether jobs are to be supervised from here, as workers do: those of dead workers are given to others. */
  isWorker?: boolean;
  /** Milliseconds after which a statement without a reply is sent again; for tests. */
  statementMs?: number;
}

/**
 * Opens the database and makes its tables where they are missing. Throws a UsageError where the address cannot be used or
 * pg-boss is not installed, and DatabaseError where the server refuses. No error holds the address.
 *
 * @example const database = await openDatabase('postgres://me:secret@db.example/wolfgraph');
 */
export async function openDatabase(address: string, options: DatabaseOptions = {}): Promise<QueueDatabase> {
  const { isWorker = false, clock = getMachine().clock, signal = new AbortController().signal, onTrouble } = options;
  const { statementMs = statementPatience } = options;
  checkAddress(address);
  const { PgBoss: Boss } = await loadPgBoss();
  const boss = new Boss({
    connectionString: address,
    schema: 'wolfgraph_queue',
    application_name: 'wolfgraph',
    max: isWorker ? 8 : 4,
    ...{ query_timeout: statementMs, keepAlive: true, keepAliveInitialDelayMillis: 10_000 }, // as pg takes them
    supervise: isWorker,
    schedule: false,
    registerInstance: false,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    maintenanceIntervalSeconds: 600,
  });
  boss.on('error', () => undefined); // what matters shows in the statements of our own
  try {
    await boss.start();
    await boss.getDb().executeSql(`select pg_advisory_xact_lock(7240731); ${tables}`);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw createDatabaseError(error);
  }
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
        if (!isTold) onTrouble?.(`${createDatabaseError(error).message} It is tried again.`);
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

function checkAddress(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol))
    throw new UsageError(
      `The database must be an address such as postgres://user:password@host:5432/name (--database, or ${databaseVariable}).`,
    );
}

async function loadPgBoss(): Promise<typeof import('pg-boss')> {
  try {
    return await import('pg-boss');
  } catch (error) {
    throw new UsageError('Playing through a database takes the package pg-boss: npm install pg-boss@12', {
      cause: error,
    });
  }
}

/** Codes of PostgreSQL that begin so, or of the system, by which a server is away and may come back. */
const passing = /^(08|57P|53|40)|^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)/;

function isPassing(error: unknown): boolean {
  const { code, message } = readDatabaseFault(error);
  return (
    passing.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout/.test(message)
  );
}

/** Some errors hold several, one for each address of a host. */
function readDatabaseFault(error: unknown): { code: string; message: string } {
  const { code = '', message = '', errors } = error as { code?: string; message?: string; errors?: unknown[] };
  return code === '' && errors?.[0] !== undefined ? readDatabaseFault(errors[0]) : { code, message };
}

/** By code of PostgreSQL or of the system; of codes that are not here the first two characters count. */
const refusals: Readonly<Record<string, string>> = {
  '28P01': 'refuses the password',
  '28000': 'refuses the user',
  '3D000': 'has no database of that name',
  '42501': 'does not let this user make or use the tables',
  '25006': 'is read-only: it takes no change. Is this the address of a replica?',
  '40': 'has undone a statement because of another one',
  '53100': 'is full: its disk has no room left',
  '53200': 'is out of memory',
  '53300': 'takes no further connection',
  '53': 'is out of resources',
  '57014': 'has ended a statement that took too long',
  '57P01': 'is shutting down',
  '57P02': 'has crashed and starts again',
  '57P03': 'is starting or shutting down',
  '57': 'is not in service',
  '58': 'has trouble with its own files',
  XX: 'has a fault of its own',
  ENOTFOUND: 'has a host name that nobody knows',
  ECONNREFUSED: 'cannot be reached: nothing listens there',
};

/** Classes of PostgreSQL for what a statement holds, in whose words nothing is secret. */
const ofStatement = /^(22|23|42|0A|21|54)/;

/** The words of PostgreSQL name users and hosts: only what is known to be harmless is told. */
function createDatabaseError(error: unknown): DatabaseError {
  const { code, message } = readDatabaseFault(error);
  const told = refusals[code] ?? (/^[0-9A-Z]{5}$/.test(code) ? refusals[code.slice(0, 2)] : undefined);
  const isOfStatement = told === undefined && ofStatement.test(code);
  const words = told ?? (isOfStatement ? `refuses a statement: ${flattenToOneLine(message)}` : 'cannot be reached');
  return new DatabaseError(`The database ${words}${code === '' ? '' : ` (${code})`}.`, isOfStatement);
}
