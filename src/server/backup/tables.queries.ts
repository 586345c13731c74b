import { array, bool, float8, int4, int8, notNull, text, timestamptz } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** The product's tables, and the job queue's in backups of earlier releases. */
const ownSchemas = `(current_schema(), 'pgboss')`;
/** Leaves out objects of extensions. */
const notOfExtension = (catalog: string, id: string) =>
  `NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = '${catalog}'::regclass AND d.objid = ${id} AND d.deptype = 'e')`;

/**
 * Lists the tables with the columns that a COPY takes. Names are quoted where SQL needs it. Unlogged tables are left out:
 * they hold nothing that has to survive a crash.
 */
export const listTables = statement({
  text: `SELECT CASE n.nspname WHEN 'pgboss' THEN 'pgboss.' ELSE '' END || quote_ident(c.relname) AS name,
            ARRAY(SELECT quote_ident(a.attname) FROM pg_attribute AS a
                  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
                  ORDER BY a.attnum) AS columns
     FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname IN ${ownSchemas} AND c.relkind = 'r' AND c.relpersistence = 'p'
       AND ${notOfExtension('pg_class', 'c.oid')}
     ORDER BY 1`,
  row: { name: text, columns: array(text) },
});

/** Lists the sequences with their present values, which no snapshot holds back. */
export const listSequences = statement({
  text: `SELECT CASE schemaname WHEN 'pgboss' THEN 'pgboss.' ELSE '' END || quote_ident(sequencename) AS name,
            coalesce(last_value, start_value) AS value, last_value IS NOT NULL AS called
     FROM pg_sequences WHERE schemaname IN ${ownSchemas} ORDER BY 1`,
  row: { name: text, value: notNull(int8), called: bool },
});

export const writeSequence = statement({
  text: 'SELECT setval(:name::text::regclass, :value, :called) AS value',
  params: { name: text, value: int8, called: bool },
  row: { value: int8 },
});

export const listForeignKeys = statement({
  text: `SELECT k.conrelid::regclass::text AS "table", quote_ident(k.conname) AS name,
            pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint AS k JOIN pg_namespace AS n ON n.oid = k.connamespace
     WHERE n.nspname IN ${ownSchemas} AND k.contype = 'f' AND k.conparentid = 0 ORDER BY 1, 2`,
  row: { table: text, name: text, definition: text },
});

export const listTriggers = statement({
  text: `SELECT t.tgrelid::regclass::text AS "table", quote_ident(t.tgname) AS name
     FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname IN ${ownSchemas} AND NOT t.tgisinternal AND t.tgparentid = 0 AND t.tgenabled = 'O' ORDER BY 1, 2`,
  row: { table: text, name: text },
});

/** Lists all that migrations have made outside the job queue's schema, in an order in which it can be dropped. */
export const listObjects = statement({
  text: `SELECT 'TABLE' AS kind, c.oid::regclass::text AS name
     FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND ${notOfExtension('pg_class', 'c.oid')}
     UNION ALL
     SELECT 'FUNCTION', p.oid::regprocedure::text
     FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
     WHERE n.nspname = current_schema() AND ${notOfExtension('pg_proc', 'p.oid')}
     UNION ALL
     SELECT 'TYPE', t.oid::regtype::text
     FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = t.typnamespace
     WHERE n.nspname = current_schema() AND t.typtype IN ('e', 'd') AND ${notOfExtension('pg_type', 't.oid')}`,
  row: { kind: text, name: text },
});

export const hasTable = statement({
  text: 'SELECT to_regclass(:name) IS NOT NULL AS exists',
  params: { name: text },
  row: { exists: bool },
});

/** Each finds whether its table has rows. An earlier release may not have the table. */
const work = {
  tickets: statement({ text: 'SELECT EXISTS (SELECT FROM tickets) AS found', row: { found: bool } }),
  devices: statement({ text: 'SELECT EXISTS (SELECT FROM devices) AS found', row: { found: bool } }),
  invoices: statement({ text: 'SELECT EXISTS (SELECT FROM invoices) AS found', row: { found: bool } }),
};

/** Returns whether a database of the product, of any release, has tickets, devices or invoices. */
export async function hasWork(db: Queryable): Promise<boolean> {
  for (const [name, query] of Object.entries(work)) {
    if ((await hasTable.one(db, { name })).exists && (await query.one(db)).found) return true;
  }
  return false;
}

/** Lists the heartbeats of processes that were seen within so many milliseconds, or in the future: the clock may have been set back. */
export const listHeartbeats = statement({
  // Only columns that every release has.
  text: `SELECT kind, host, pid, last_seen FROM processes WHERE last_seen >= now() - :ms * interval '1 millisecond'`,
  params: { ms: float8 },
  row: { kind: text, host: text, pid: int4, last_seen: timestamptz },
});
