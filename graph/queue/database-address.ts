// How a database is reached: its address, with the words for encryption (`sslmode`) read as PostgreSQL's own programs read them.
import type { ConnectionOptions } from 'node:tls';
import { getDisk } from '../../models/machine/machine.ts';
import { describeNearName, UsageError } from '../../state/usage-error.ts';

/** How the database may be named without an option. */
export const databaseVariable = 'WOLFGRAPH_DATABASE';

/** One way to connect. */
export interface DatabaseReach {
  connectionString: string;
  /** False: without encryption; undefined: as the package pg decides, which encrypts nothing unless told. */
  ssl?: ConnectionOptions | false;
}

/** What `sslmode` may be. `no-verify` is pg's own word; the others are libpq's. */
const modes = ['disable', 'allow', 'prefer', 'require', 'no-verify', 'verify-ca', 'verify-full'];

const files = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const;

/**
 * The ways to connect to a database, the first one to be tried first; the second only where the server cannot encrypt, and
 * the user does not insist. Throws a UsageError for what is no address, an unknown `sslmode`, and a file that cannot be read.
 *
 * The package pg takes `require` and `prefer` for `verify-full`, which most servers in use do not pass: their certificates
 * are signed by themselves. As in libpq, `require` encrypts without a check of the certificate unless `sslrootcert` names
 * its authority; `verify-ca` checks the authority alone; `verify-full` also the name of the host. Authorities are those of
 * Node and NODE_EXTRA_CA_CERTS, or that of `sslrootcert`.
 *
 * @example listDatabaseReaches('postgres://me@db.example/wolfgraph?sslmode=require')[0].ssl // { rejectUnauthorized: false }
 */
export function listDatabaseReaches(address: string): [DatabaseReach, ...DatabaseReach[]] {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol))
    throw new UsageError(
      `The database must be an address such as postgres://user:password@host:5432/name (--database, or ${databaseVariable}).`,
    );
  const { searchParams } = url;
  const inAddress = searchParams.get('sslmode');
  const mode = inAddress ?? (process.env['PGSSLMODE'] || null);
  if (mode === null) return [{ connectionString: address }];
  if (!modes.includes(mode))
    throw new UsageError(
      `${inAddress === null ? 'PGSSLMODE' : 'sslmode'} of the database is "${mode}". ${describeNearName(mode, modes)}It may be ${modes.join(', ')}.`,
    );
  const read = Object.entries(files).flatMap(([name, option]) => {
    const file = searchParams.get(name);
    searchParams.delete(name);
    return file === null || (name === 'sslrootcert' && file === 'system') ? [] : [[option, readPem(name, file)]];
  });
  searchParams.delete('sslmode');
  const connectionString = url.href;
  const plain: DatabaseReach = { connectionString, ssl: false };
  if (mode === 'disable') return [plain];
  const given = Object.fromEntries(read) as ConnectionOptions;
  const isChecked = mode.startsWith('verify') || (mode === 'require' && given.ca !== undefined);
  const ssl: ConnectionOptions = {
    ...given,
    ...(isChecked ? {} : { rejectUnauthorized: false }),
    ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  };
  const encrypted: DatabaseReach = { connectionString, ssl };
  return mode === 'prefer' || mode === 'allow' ? [encrypted, plain] : [encrypted];
}

function readPem(name: string, file: string): string {
  try {
    return getDisk().read(file).toString();
  } catch (error) {
    throw new UsageError(`${name}=${file} in the address of the database cannot be read.`, { cause: error });
  }
}
