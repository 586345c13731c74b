import { array, bool, nullable, text } from '#server/db/column-types.ts';
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

/** Locks the own columns of a company against other changes of them until the transaction ends. */
export const lockFields = statement({
  text: "SELECT pg_advisory_xact_lock(hashtextextended('fields of ' || :companyCode::text, 0))",
  params: { companyCode: text },
});

export const deleteFields = statement({
  text: 'DELETE FROM company_fields WHERE company_code = :companyCode',
  params: { companyCode: text },
});

/** Inserts the own columns of a company in their order. */
export const insertFields = statement({
  text: `INSERT INTO company_fields (company_code, key, name, place)
     SELECT :companyCode, key, name, place
     FROM unnest(:keys::text[], :names::text[]) WITH ORDINALITY AS given (key, name, place)`,
  params: { companyCode: text, keys: array(text), names: array(text) },
});

/** Returns whether a company has values of some keys, or sheets that fill them and are not stored yet. */
export const hasValuesOf = statement({
  text: `SELECT EXISTS (SELECT FROM device_fields WHERE company_code = :companyCode AND fields ?| :keys::text[])
       OR EXISTS (SELECT FROM imported_fields WHERE company_code = :companyCode AND keys && :keys) AS found`,
  params: { companyCode: text, keys: array(text) },
  row: { found: bool },
});

/** Counts a change of the own columns of a company, so that open screens notice it. */
export const noteChangedFields = statement({
  text: countChange('VALUES (:companyCode, 1)'),
  params: { companyCode: text },
});
