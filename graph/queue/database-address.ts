// Database addresses. `sslmode` is interpreted as PostgreSQL's own programs do.
import type { ConnectionOptions } from 'node:tls';
import { getDisk } from '../../models/machine/machine.ts';
import { describeNearName, UsageError } from '../../state/usage-error.ts';

/** Environment variable that names the database if no option does. */
export const databaseVariable = 'WOLFGRAPH_DATABASE';

/** One way to connect. */
export interface DatabaseReach {
  connectionString: string;
  /**
   * Encryption. False: none. Undefined: the default of package pg, which does not encrypt unless the address says so.
   */
  ssl?: ConnectionOptions | false;
}

/** Values of `sslmode`. `no-verify` is pg's own; the others are libpq's. */
const modes = ['disable', 'allow', 'prefer', 'require', 'no-verify', 'verify-ca', 'verify-full'];

const files = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const;

/**
 * Lists the ways to connect to a database in the order in which they are tried. Unless the user insists on encryption,
 * the second way is a connection without it, for servers that cannot encrypt. Throws a UsageError for an invalid
 * address, an unknown `sslmode`, or an unreadable file.
 *
 * The package pg treats `require` and `prefer` like `verify-full`, which most servers fail because their certificates
 * are self-signed. As in libpq, `require` here encrypts without checking the certificate unless `sslrootcert` names its
 * authority; `verify-ca` checks only the authority; `verify-full` also checks the host name. Trusted authorities are
 * those of Node and NODE_EXTRA_CA_CERTS, or the one in `sslrootcert`.
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
      `${inAddress === null ? 'PGSSLMODE' : 'sslmode'} of the database is "${mode}". ${describeNearName(mode, modes)}Possible values: ${modes.join(', ')}.`,
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
