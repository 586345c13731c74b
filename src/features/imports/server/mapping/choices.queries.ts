import { bytea, jsonb, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';
import type { Mapping } from './read-fields.ts';

/** The most remembered choices of a company: of more, the oldest are forgotten. */
const maxChoices = 100;

/** Finds the choice of columns for sheets with the same heads; undefined without one. */
export const findChoice = statement({
  text: 'SELECT fields FROM field_choices WHERE company_code = :companyCode AND heads = :heads',
  params: { companyCode: text, heads: bytea },
  row: { fields: jsonb<Mapping>() },
});

/** Remembers the choice of columns for sheets with the same heads. */
export const storeChoice = statement({
  text: `WITH old AS (
       DELETE FROM field_choices WHERE company_code = :companyCode AND heads IN (
         SELECT heads FROM field_choices WHERE company_code = :companyCode AND heads <> :heads
         ORDER BY chosen_at DESC OFFSET ${maxChoices - 1}))
     INSERT INTO field_choices (company_code, heads, fields) VALUES (:companyCode, :heads, :fields)
     ON CONFLICT (company_code, heads) DO UPDATE SET fields = excluded.fields, chosen_at = now()`,
  params: { companyCode: text, heads: bytea, fields: jsonb<Mapping>() },
});
