import { array, bool, int8, notNull, nullable, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';
import { countChange } from '../count-change.queries.ts';

/** Lists the own columns of a company, in their order. */
export const listFields = statement({
  text: 'SELECT key, name FROM company_fields WHERE company_code = :companyCode ORDER BY place',
  params: { companyCode: text },
  row: { key: text, name: text },
});

/** Lists those of the keys that no own column has, of a company or (null) of any. */
export const listUnknownKeys = statement({
  text: `SELECT key FROM unnest(:keys::text[]) AS asked (key)
     WHERE NOT EXISTS (SELECT FROM company_fields f
       WHERE f.key = asked.key AND (:companyCode::text IS NULL OR f.company_code = :companyCode))`,
  params: { companyCode: nullable(text), keys: array(text) },
  row: { key: text },
});

/** Deletes the own columns of a company that have none of the keys. */
export const deleteOtherFields = statement({
  text: 'DELETE FROM company_fields WHERE company_code = :companyCode AND key <> ALL (:keys::text[])',
  params: { companyCode: text, keys: array(text) },
});

/** Stores the own columns of a company in their order. Those that it has keep the time at which they were added. */
export const storeFields = statement({
  text: `INSERT INTO company_fields (company_code, key, name, place)
     SELECT :companyCode, key, name, place
     FROM unnest(:keys::text[], :names::text[]) WITH ORDINALITY AS given (key, name, place)
     ON CONFLICT (company_code, key) DO UPDATE SET name = excluded.name, place = excluded.place`,
  params: { companyCode: text, keys: array(text), names: array(text) },
});

/** Returns whether a company has values of some keys, or sheets that fill them and are not stored yet. */
export const hasValuesOf = statement({
  text: `SELECT EXISTS (SELECT FROM device_fields WHERE company_code = :companyCode AND fields ?| :keys::text[])
       OR EXISTS (SELECT FROM imported_fields WHERE company_code = :companyCode AND keys && :keys) AS found`,
  params: { companyCode: text, keys: array(text) },
  row: { found: bool },
});

/** Notes removed columns whose values are to be deleted. */
export const insertRemovedFields = statement({
  text: 'INSERT INTO removed_fields (company_code, key) SELECT :companyCode, key FROM unnest(:keys::text[]) AS removed (key)',
  params: { companyCode: text, keys: array(text) },
});

/** Returns whether values of some removed columns of a company are still being deleted. */
export const hasRemovedFields = statement({
  text: `SELECT EXISTS (SELECT FROM removed_fields WHERE company_code = :companyCode AND key = ANY (:keys::text[])) AS found`,
  params: { companyCode: text, keys: array(text) },
  row: { found: bool },
});

/** Finds a company (null: any) with removed columns whose values are not all deleted yet. */
export const findRemovedFields = statement({
  text: `SELECT company_code, array_agg(key) AS keys FROM removed_fields
     WHERE :companyCode::text IS NULL OR company_code = :companyCode
     GROUP BY company_code ORDER BY company_code LIMIT 1`,
  params: { companyCode: nullable(text) },
  row: { company_code: text, keys: notNull(array(text)) },
});

/** Notes that the values of some removed columns are deleted. */
export const deleteRemovedFields = statement({
  text: 'DELETE FROM removed_fields WHERE company_code = :companyCode AND key = ANY (:keys::text[])',
  params: { companyCode: text, keys: array(text) },
});

/** Counts a change of the own columns of a company, so that open screens notice it. */
export const noteChangedFields = statement({
  text: countChange('value_changes', 'VALUES (:companyCode, 1)'),
  params: { companyCode: text },
});

/** Lists the companies of the devices of a ticket (null: any) with some ids (null: any); at most two. */
export const listCompaniesOf = statement({
  text: `SELECT DISTINCT company_code FROM devices
     WHERE (:ticketNumber::bigint IS NULL OR tickets @> ARRAY[:ticketNumber])
       AND (:ids::bigint[] IS NULL OR id = ANY (:ids)) LIMIT 2`,
  params: { ticketNumber: nullable(int8), ids: nullable(array(int8)) },
  row: { company_code: text },
});
