// PostgreSQL in set-ups that other people use: encrypted or not, with a private authority, read-only, or with schemas
// that somebody else created. Each set-up works, or the error says what is wrong and how to fix it, and `doctor` finds
// the problem. Skipped if no PostgreSQL runs.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openConnections, openDatabase } from '../../graph/queue/database.ts';
import { openPostgres, queryRows } from '../postgres-server.ts';
import { privateAuthority } from '../private-authority.ts';
import { run, start } from '../scripts/process.ts';
import { writeShortPlan } from '../short-plan.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const out = createTemporaryFolder();
const authority = path.join(out, 'authority.pem');
writeFileSync(authority, privateAuthority.authority);
const program = path.join(import.meta.dirname, '../../scripts/wolfgraph.mjs');

const postgres = await openPostgres({
  certificate: privateAuthority,
  hba: ['hostnossl all sealed 127.0.0.1/32 reject', 'host all locked 127.0.0.1/32 scram-sha-256'],
});
const plain = await openPostgres();
afterAll(() => {
  postgres?.close();
  plain?.close();
});

/** Returns the address with another user, database or encryption mode. */
function address({ user = 'wolf', name = 'postgres', query = '' }, server = postgres): string {
  const url = new URL(server!.address);
  url.username = user;
  url.pathname = name;
  url.search = query;
  return url.href;
}

/** Runs statements as the database's owner. */
async function administer(statements: readonly string[], name = 'postgres') {
  const { database } = await openConnections(address({ name }), { max: 1 });
  for (const text of statements) await database.executeSql(text);
  await database.close();
}

/** Opens the database. Returns its error, or whether the connection is encrypted. */
async function open(url: string): Promise<string> {
  try {
    const database = await openDatabase(url);
    const [row] = await queryRows<{ ssl: boolean }>(
      database,
      'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
    );
    await database.close();
    return row!.ssl ? 'open, encrypted' : 'open';
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns the line that `doctor` prints about the database. */
async function examine(url: string): Promise<string> {
  const { stdout } = await run('doctor', ['--out', out, '--database', url]);
  expect(stdout).not.toContain('secret-of-the-test');
  return stdout.split('\n').find((line) => / database /.test(line)) ?? '';
}

const untrusted =
  'The database has a certificate that is not trusted. Name the authority that signed it in NODE_EXTRA_CA_CERTS';

(postgres === null || plain === null ? describe.skip : describe)('the connection to PostgreSQL', () => {
  it.each([
    ['', 'open'],
    ['sslmode=disable', 'open'],
    ['sslmode=prefer', 'open, encrypted'],
    ['sslmode=allow', 'open, encrypted'],
    ['sslmode=require', 'open, encrypted'],
    ['sslmode=no-verify', 'open, encrypted'],
    ['sslmode=verify-ca', untrusted],
    ['sslmode=verify-full', untrusted],
    [`sslmode=require&sslrootcert=${authority}`, 'open, encrypted'],
    [`sslmode=verify-ca&sslrootcert=${authority}`, 'open, encrypted'],
    [`sslmode=verify-full&sslrootcert=${authority}`, 'open, encrypted'],
    [
      'sslmode=requiere',
      'sslmode of the database is "requiere". Did you mean "require"? Possible values: disable, allow',
    ],
    [
      'sslmode=require&sslrootcert=/nowhere.pem',
      'sslrootcert=/nowhere.pem in the address of the database cannot be read.',
    ],
  ])('is made as %s asks', async (query, told) => {
    const found = await open(address({ query }));
    expect(found.startsWith('open') ? found : found.slice(0, told.length)).toBe(told);
  });

  it('checks the name of the host where sslmode asks for it, and only there', async () => {
    const elsewhere = (mode: string) =>
      address({ query: `sslmode=${mode}&sslrootcert=${authority}` }).replace('127.0.0.1', 'localhost');
    expect(await open(elsewhere('verify-full'))).toContain(untrusted);
    expect(await open(elsewhere('verify-ca'))).toBe('open, encrypted');
  });

  it('takes the mode of PGSSLMODE where the address has none', async () => {
    process.env['PGSSLMODE'] = 'require';
    try {
      expect(await open(address({}))).toBe('open, encrypted');
      expect(await open(address({ query: 'sslmode=disable' }))).toBe('open');
    } finally {
      delete process.env['PGSSLMODE'];
    }
  });

  it('trusts the authority of NODE_EXTRA_CA_CERTS, and doctor says that it was read', async () => {
    const examineAlone = (env: Readonly<Record<string, string>>) =>
      start(process.execPath, [program, 'doctor', '--database', address({ query: 'sslmode=verify-full' })], {
        cwd: out,
        env,
      }).ended;
    const trusting = await examineAlone({ NODE_EXTRA_CA_CERTS: authority });
    expect(trusting.stdout).toMatch(/^ok +certificates +those that Node trusts, and 1 of NODE_EXTRA_CA_CERTS$/m);
    expect(trusting.stdout).toMatch(/^ok +database +PostgreSQL [\d.]+, encrypted/m);
    const other = await examineAlone({ NODE_EXTRA_CA_CERTS: path.join(out, 'none.pem') });
    expect(other.stdout).toMatch(/^FAULT certificates +NODE_EXTRA_CA_CERTS: .*none\.pem/m);
    expect(other.stdout).toMatch(/^FAULT database +.*not trusted.*NODE_EXTRA_CA_CERTS/m);
  });

  it('is not encrypted where the server cannot, unless sslmode insists, which says why', async () => {
    const at = (query: string) => address({ query }, plain);
    expect(await open(at('sslmode=prefer'))).toBe('open');
    const refusal = 'The database does not encrypt connections, but sslmode requires it';
    expect(await open(at('sslmode=require'))).toContain(refusal);
    expect(await examine(at('sslmode=verify-full'))).toContain(`FAULT database             ${refusal}`);
  });

  it('that the server takes encrypted alone says how', async () => {
    await administer(['create role sealed login']);
    expect(await open(address({ user: 'sealed' }))).toBe(
      'The database accepts only encrypted connections: add sslmode=require to its address (28000).',
    );
    expect(await examine(address({ user: 'sealed' }))).toContain('add sslmode=require');
  });

  it('without its password says so', async () => {
    await administer([`create role locked login password 'right'`]);
    const locked = new URL(address({ user: 'locked' }));
    expect(await open(locked.href)).toBe('The database refuses the password (28P01).');
    locked.password = '';
    expect(await open(locked.href)).toBe(
      'The database requires a password: put it into the address, or into PGPASSWORD.',
    );
  });
});

(postgres === null ? describe.skip : describe)('a PostgreSQL that somebody else looks after', () => {
  beforeAll(async () => {
    await administer(['create role guest login', 'create role clerk login', 'create role reader login']);
    await administer(['create database theirs', 'create database fresh']);
    await administer(['alter role reader set default_transaction_read_only = on']);
  });
  const theirs = (user: string) => address({ user, name: 'theirs' });
  const grant = (...statements: readonly string[]) => administer(statements, 'theirs');
  const remedy =
    'create schema if not exists wolfgraph authorization NAME; create schema if not exists wolfgraph_queue authorization NAME';

  it('says what to run where the user may make no schema, and works once it was run', async () => {
    const told = await open(theirs('guest'));
    expect(told).toContain('The database does not let this user create or use the tables. Ask an administrator');
    expect(told).toContain(remedy);
    const found = await examine(theirs('guest'));
    expect(found).toMatch(/^FAULT database +.*the user may not create the schemas wolfgraph and wolfgraph_queue\./);
    expect(found).toContain(remedy);

    await grant(...remedy.replaceAll('NAME', 'guest').split('; '));
    expect(await examine(theirs('guest'))).toMatch(/^ok +database +.*creates its tables$/);
    const env = { WOLFGRAPH_DATABASE: theirs('guest') };
    const plan = writeShortPlan(
      out,
      'theirs',
      'entrants: { one: bot:classic, two: bot:random }',
      'format: round-robin',
      'deals: 1',
    );
    const folder = path.join(out, 'theirs');
    expect(await run('tournament', [plan, '--out', folder, '--detach'], { env })).toMatchObject({ code: 0 });
    expect(await run('worker', [], { env })).toMatchObject({ code: 0 });
    expect(await run('tournament', [plan, '--out', folder], { env })).toMatchObject({ code: 0 });
    expect(await examine(theirs('guest'))).toMatch(/^ok +database +.*its tables exist$/);
  });

  it('lets a user in who may only read and write the tables', async () => {
    expect(await examine(theirs('clerk'))).toMatch(/^FAULT database +.*may not write to the tables\./);
    await grant(
      'grant usage on schema wolfgraph, wolfgraph_queue to clerk',
      'grant all on all tables in schema wolfgraph, wolfgraph_queue to clerk',
      'grant all on all sequences in schema wolfgraph to clerk',
    );
    expect(await examine(theirs('clerk'))).toMatch(/^ok +database +.*its tables exist$/);
    const env = { WOLFGRAPH_DATABASE: theirs('clerk') };
    const plan = writeShortPlan(
      out,
      'clerk',
      'entrants: { one: bot:classic, two: bot:random }',
      'format: round-robin',
      'deals: 1',
    );
    const folder = path.join(out, 'clerk');
    expect(await run('tournament', [plan, '--out', folder, '--detach'], { env })).toMatchObject({ code: 0 });
    expect(await run('worker', [], { env })).toMatchObject({ code: 0 });
    expect(await run('tournament', [plan, '--out', folder], { env })).toMatchObject({ code: 0, stderr: '' });
  });

  it('is called read-only before anything is made there', async () => {
    const reader = address({ user: 'reader', name: 'fresh' });
    const words = 'read-only';
    expect(await examine(reader)).toMatch(/^FAULT database +.*it is read-only\. Give the address of the primary/);
    expect(await open(reader)).toContain(words);
    expect(await examine(address({ name: 'fresh' }))).toMatch(/^ok +database +.*creates its tables$/);
  });
});
