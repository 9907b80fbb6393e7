// Checks a database for `doctor`: what its user may do, without creating anything.
import { z } from 'zod';
import { flattenToOneLine } from '../../state/text.ts';
import { openConnections, createDatabaseError, databaseSchemas, grantAdvice, oldestPostgres } from './database.ts';

const SurveyRow = z.object({
  version: z.string().transform(flattenToOneLine),
  number: z.number(),
  is_read_only: z.boolean(),
  is_encrypted: z.boolean(),
  can_make_schemas: z.boolean(),
  /**
   * For each of `databaseSchemas`: null if the schema does not exist, otherwise whether this user may create tables in
   * it.
   */
  can_make_tables: z.array(z.boolean().nullable()),
  /** Whether this user may write to the tables; null if they do not exist or are not visible. */
  can_write: z.boolean().nullable(),
});

/**
 * The query checks privileges only on existing tables, because has_table_privilege fails for a missing table and for a
 * table in a forbidden schema.
 */
const look = `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
  pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only,
  coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as is_encrypted,
  has_database_privilege(current_database(), 'create') as can_make_schemas,
  array(select (select has_schema_privilege(oid, 'create') and has_schema_privilege(oid, 'usage')
      from pg_namespace where nspname = wanted)
    from unnest(array['${databaseSchemas.join("', '")}']) with ordinality as one (wanted, place)
    order by place) as can_make_tables,
  (select has_table_privilege(c.oid, 'select, insert, update, delete') from pg_class c
    join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'wolfgraph' and c.relname = 'match') as can_write`;

export interface DatabaseSurvey {
  /** Whether a tournament can be played through the database. */
  isFit: boolean;
  /**
   * Description. It begins with the server and its version, or with the fault and its fix, and never contains the
   * address.
   */
  says: string;
}

/**
 * Connects and checks the version, whether the server accepts changes, and whether schemas and tables exist or may be
 * created. Throws a UsageError for an invalid address, and DatabaseError if the connection is refused.
 *
 * @example (await surveyDatabase('postgres://me@db.example/wolfgraph')).says // 'PostgreSQL 16.4, encrypted; …'
 */
export async function surveyDatabase(address: string): Promise<DatabaseSurvey> {
  const { database } = await openConnections(address, { max: 1 });
  try {
    return describeSurvey(SurveyRow.parse((await database.executeSql(look)).rows[0]));
  } catch (error) {
    throw error instanceof z.ZodError ? error : createDatabaseError(error);
  } finally {
    await database.close().catch(() => undefined);
  }
}

function describeSurvey(row: z.infer<typeof SurveyRow>): DatabaseSurvey {
  const server = `PostgreSQL ${row.version}, ${row.is_encrypted ? 'encrypted' : 'not encrypted (sslmode in its address)'}`;
  const refuse = (words: string) => ({ isFit: false, says: `${server}: ${words}.` });
  if (row.number < oldestPostgres * 10_000) return refuse(`too old; ${oldestPostgres} or newer is needed`);
  if (row.is_read_only) return refuse('it is read-only. Give the address of the primary server, not of a replica');
  const missing = databaseSchemas.filter((_, at) => row.can_make_tables[at] === null);
  if (missing.length > 0 && !row.can_make_schemas)
    return refuse(`the user may not create the schemas ${missing.join(' and ')}. ${grantAdvice}`);
  if (row.can_write === true) return { isFit: true, says: `${server}; its tables exist` };
  if (row.can_write === false) return refuse(`the user may not write to the tables. ${grantAdvice}`);
  const closed = databaseSchemas.filter((_, at) => row.can_make_tables[at] === false);
  if (closed.length > 0) return refuse(`the user may not create tables in ${closed.join(' and ')}. ${grantAdvice}`);
  return { isFit: true, says: `${server}; the first command that plays through it creates its tables` };
}
