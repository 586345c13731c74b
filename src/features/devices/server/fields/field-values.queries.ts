import { isVisibleUser } from '#features/accounts/server/visible-users.service.ts';
import {
  array,
  bool,
  int8,
  json,
  jsonb,
  nullable,
  type RowOf,
  text,
  timestamptz,
} from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';
import { countChange } from '../count-change.queries.ts';

/** The values of a device's own columns, by key. */
export type Values = Record<string, string>;

/** SQL: the keys of removed columns of a company, an expression, whose values are not deleted yet: they are not shown. */
const removedKeys = (companyCode: string) =>
  `ARRAY(SELECT key FROM removed_fields WHERE company_code = ${companyCode})`;

/**
 * SQL: joins the values (`fields`, null without any) of a company's serial, two expressions; `more` adds columns. The company
 * is compared as an expression, so that PostgreSQL never reads all values of a company for each serial: it expects one row of
 * a company that is newer than its statistics.
 */
export const joinFields = (companyCode: string, serial: string, more = '') => `LEFT JOIN (
    SELECT company_code AS fields_company, serial AS fields_serial, fields${more} FROM device_fields
  ) AS own ON fields_company = ${companyCode} || '' AND fields_serial = ${serial}`;

/** SQL: the joined values, of which there may be none. */
export const joinedFields = `coalesce(own.fields - ${removedKeys('own.fields_company')}, '{}') AS fields`;

/** SQL: a column of the joined values for an order by the key `:fieldKey`, which is null for any other order. */
export const sortedValue = `, lower(fields ->> :fieldKey::text) COLLATE "C" AS sorted_value`;

/**
 * SQL conditions for joined values of a company, an expression, with the parameters `fieldFilterParams`. The left side of
 * the first is the expression of the index.
 */
export const passesFieldFilter = (companyCode: string) => `
  AND (:fieldIs::text IS NULL OR ('{"' || own.fields_company || '":' || lower(own.fields::text) || '}')::jsonb
    @> ('{"' || ${companyCode} || '":' || lower(:fieldIs) || '}')::jsonb)
  AND (:fieldContains::jsonb IS NULL OR NOT EXISTS (
    SELECT FROM jsonb_each_text(:fieldContains) AS part
    WHERE strpos(lower(own.fields ->> part.key), lower(part.value)) > 0 IS NOT TRUE))
  AND (:fieldsFilled::text[] IS NULL OR own.fields ?& :fieldsFilled)
  AND (:fieldsEmpty::text[] IS NULL OR own.fields ?| :fieldsEmpty IS NOT TRUE)`;

export const fieldFilterParams = {
  fieldIs: nullable(text),
  fieldContains: nullable(jsonb<Values>()),
  fieldsFilled: nullable(array(text)),
  fieldsEmpty: nullable(array(text)),
};

/** New values of a serial's own columns by key; null removes a value. */
export type ChangedValues = { serial: string; fields: Record<string, string | null> };

const serialValues = { serial: text, fields: jsonb<Values>() };

/** Lists the values of a company's serials. Serials without any are left out. Of a company without own columns none is read. */
export const listValues = statement({
  name: 'list-field-values',
  text: `SELECT serial, fields - ${removedKeys(':companyCode')} AS fields FROM device_fields
     WHERE company_code = :companyCode AND serial = ANY (:serials::text[])
       AND EXISTS (SELECT FROM company_fields WHERE company_code = :companyCode)`,
  params: { companyCode: text, serials: array(text) },
  row: serialValues,
});

/**
 * Stores values of a company's serials, each once, and the history of what changed, under the lock of the register. The
 * change is counted for the company, so that open screens notice it. Values are skipped if their key is unknown, or was added
 * or changed after `at`, the time of the values (null: now), a text because a Date has no microseconds.
 * @returns the number of serials whose values changed
 */
export const storeValues = statement({
  text: `WITH given AS (
       SELECT r.serial COLLATE "C" AS serial,
         r.fields - ARRAY(
           SELECT jsonb_object_keys(r.fields) EXCEPT SELECT key FROM company_fields
           WHERE company_code = :companyCode AND (added_at > :at::text::timestamptz) IS NOT TRUE
           UNION ALL
           SELECT jsonb_object_keys(c.changes) FROM device_field_changes c
           WHERE c.company_code = :companyCode AND c.serial = r.serial COLLATE "C" AND c.at > :at::text::timestamptz) AS fields
       FROM json_to_recordset(:rows::json) AS r (serial text, fields jsonb)),
     compared AS (
       SELECT g.serial, coalesce(f.fields, '{}') AS before,
         jsonb_strip_nulls(coalesce(f.fields, '{}') || g.fields) AS after
       FROM given g LEFT JOIN device_fields f ON f.company_code = :companyCode AND f.serial = g.serial),
     changed AS MATERIALIZED (SELECT * FROM compared WHERE before <> after),
     emptied AS (
       DELETE FROM device_fields f USING changed c WHERE f.company_code = :companyCode AND f.serial = c.serial AND c.after = '{}'),
     stored AS (
       INSERT INTO device_fields (company_code, serial, fields)
       SELECT :companyCode, serial, after FROM changed WHERE after <> '{}' ORDER BY serial
       ON CONFLICT (company_code, serial) DO UPDATE SET fields = excluded.fields),
     noted AS (
       INSERT INTO device_field_changes (company_code, serial, at, ticket_number, changed_by, changes)
       SELECT :companyCode, serial, coalesce(:at::text::timestamptz, clock_timestamp()), :ticketNumber, :userId, (
         SELECT jsonb_object_agg(key, jsonb_build_array(before -> key, after -> key))
         FROM jsonb_object_keys(before || after) AS keys (key) WHERE before -> key IS DISTINCT FROM after -> key)
       FROM changed),
     counted AS (
       ${countChange('value_changes', 'SELECT :companyCode, 1 WHERE EXISTS (SELECT FROM changed)')})
     SELECT count(*) FROM changed`,
  params: {
    companyCode: text,
    at: nullable(text),
    ticketNumber: nullable(int8),
    userId: nullable(int8),
    rows: json<ChangedValues[]>(),
  },
  row: { count: int8 },
});

const fieldChange = {
  at: timestamptz,
  ticket_number: nullable(int8),
  by: nullable(jsonb<{ id: number; email: string }>()),
  changes: jsonb<Record<string, [string | null, string | null]>>(),
};
export type FieldChangeRow = RowOf<typeof fieldChange>;

/** Lists the changes of the values of a company's serial, oldest first, with the users whom a scope may see. */
export const listFieldChanges = statement({
  text: `SELECT c.at, c.ticket_number, c.changes - ${removedKeys(':companyCode')} AS changes, (
       SELECT jsonb_build_object('id', u.id, 'email', u.email) FROM users u
       WHERE u.id = c.changed_by AND ${isVisibleUser}) AS by
     FROM device_field_changes c
     WHERE c.company_code = :companyCode AND c.serial = :serial
       AND c.changes - ${removedKeys(':companyCode')} <> '{}' ORDER BY c.at, c.id`,
  params: { scope: nullable(text), companyCode: text, serial: text },
  row: fieldChange,
});

/**
 * Deletes the values of some keys of up to `limit` serials of a company, and their history, under the lock of the register.
 * @returns the number of serials and changes that had one
 */
export const deleteValues = statement({
  text: `WITH valued AS (
       SELECT serial FROM device_fields WHERE company_code = :companyCode AND fields ?| :keys::text[] LIMIT :limit),
     kept AS (
       UPDATE device_fields f SET fields = f.fields - :keys::text[] FROM valued v
       WHERE f.company_code = :companyCode AND f.serial = v.serial AND f.fields - :keys::text[] <> '{}'),
     emptied AS (
       DELETE FROM device_fields f USING valued v
       WHERE f.company_code = :companyCode AND f.serial = v.serial AND f.fields - :keys::text[] = '{}'),
     noted AS (
       SELECT id FROM device_field_changes WHERE company_code = :companyCode AND changes ?| :keys::text[] LIMIT :limit),
     shortened AS (
       UPDATE device_field_changes c SET changes = c.changes - :keys::text[] FROM noted n
       WHERE c.company_code = :companyCode AND c.id = n.id AND c.changes - :keys::text[] <> '{}'),
     forgotten AS (
       DELETE FROM device_field_changes c USING noted n
       WHERE c.company_code = :companyCode AND c.id = n.id AND c.changes - :keys::text[] = '{}')
     SELECT (SELECT count(*) FROM valued) + (SELECT count(*) FROM noted) AS count`,
  params: { companyCode: text, keys: array(text), limit: int8 },
  row: { count: int8 },
});

/**
 * SQL of a CTE `unused`: which of the given serials are no longer a device or in a ticket of their company. Each ticket is
 * searched once for all of them.
 * @param serials a SELECT of `company_code` and `serial`
 */
const unusedOf = (serials: string) => `gone AS MATERIALIZED (
       SELECT f.company_code, f.serial FROM (${serials}) AS f
       WHERE NOT EXISTS (SELECT FROM devices d WHERE d.company_code = f.company_code AND d.serial = f.serial)),
     unused AS (
       SELECT company_code, serial FROM gone
       WHERE (company_code, serial) NOT IN (
         SELECT t.company_code, s.serial COLLATE "C" FROM tickets t JOIN serials s ON s.ticket_id = t.id
         WHERE t.company_code = ANY (ARRAY(SELECT company_code FROM gone))
           AND s.serial COLLATE "C" = ANY (ARRAY(SELECT serial FROM gone))))`;

const serialKey = { company_code: text, serial: text };
export type SerialKey = RowOf<typeof serialKey>;

/** Lists the next `limit` serials with values after another, by company and serial, and whether they are unused. */
export const listSerialsWithValues = statement({
  text: `WITH slice AS MATERIALIZED (
       SELECT company_code, serial FROM device_fields WHERE (company_code, serial) > (:afterCompany, :afterSerial)
       ORDER BY company_code, serial LIMIT :limit),
     ${unusedOf('SELECT * FROM slice')}
     SELECT company_code, serial, (company_code, serial) IN (SELECT * FROM unused) AS unused FROM slice
     ORDER BY company_code, serial`,
  params: { afterCompany: text, afterSerial: text, limit: int8 },
  row: { ...serialKey, unused: bool },
});

/** Deletes the values, and their history, of those of some serials that are unused, under the lock of the register. */
export const deleteUnusedValues = statement({
  text: `WITH ${unusedOf(`SELECT company_code, serial COLLATE "C" AS serial
         FROM json_to_recordset(:serials::json) AS r (company_code text, serial text)`)},
     noted AS (
       DELETE FROM device_field_changes c USING unused u WHERE c.company_code = u.company_code AND c.serial = u.serial),
     forgotten AS (
       DELETE FROM device_fields f USING unused u WHERE f.company_code = u.company_code AND f.serial = u.serial)
     SELECT count(*) FROM unused`,
  params: { serials: json<SerialKey[]>() },
  row: { count: int8 },
});

/** A row of a sheet: its serial, then its values in the order of the block's keys, null for an empty cell. */
export type BlockRow = [serial: string, ...values: (string | null)[]];

const importedFields = {
  company_code: text,
  at: text,
  ticket_number: nullable(int8),
  keys: array(text),
  // ChangedValues from a process of an older release that imported after the migration 319.
  rows: json<(BlockRow | ChangedValues)[]>(),
};

/** Lists the blocks of values of sheets of a company (null: of all in turn) that are not stored yet, oldest first. */
export const listImportedFields = statement({
  text: `SELECT id FROM imported_fields WHERE :companyCode::text IS NULL OR company_code = :companyCode
     ORDER BY row_number() OVER (PARTITION BY company_code ORDER BY id), id LIMIT :limit`,
  params: { companyCode: nullable(text), limit: int8 },
  row: { id: int8 },
});

/** Takes a block of values that are not stored yet, and deletes it there; undefined when another process has stored it. */
export const takeImportedFields = statement({
  text: `DELETE FROM imported_fields WHERE id = :id
     RETURNING company_code, at::text, (SELECT ticket_number FROM tickets WHERE id = ticket_id) AS ticket_number, keys, rows`,
  params: { id: int8 },
  row: importedFields,
});

/** Moves a block of values behind all others. */
export const postponeImportedFields = statement({
  text: `WITH block AS (DELETE FROM imported_fields WHERE id = :id RETURNING *)
     INSERT INTO imported_fields (company_code, ticket_id, keys, rows, at)
     SELECT company_code, ticket_id, keys, rows, at FROM block`,
  params: { id: int8 },
});

/** Counts devices by their value of an own column; null is the group of those without one. */
export const countByValue = statement({
  text: `SELECT own.fields ->> :key::text AS value, count(*)
     FROM devices ${joinFields('devices.company_code', 'devices.serial')}
     WHERE id = ANY (:ids::bigint[]) GROUP BY 1`,
  params: { ids: array(int8), key: text },
  row: { value: nullable(text), count: int8 },
});
