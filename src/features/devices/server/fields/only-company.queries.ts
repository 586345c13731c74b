import { array, int8, nullable, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** Lists the companies of the devices of a ticket (null: any) with some ids (null: any); at most two. */
export const listCompaniesOf = statement({
  text: `SELECT DISTINCT company_code FROM devices
     WHERE (:ticketNumber::bigint IS NULL OR tickets @> ARRAY[:ticketNumber])
       AND (:ids::bigint[] IS NULL OR id = ANY (:ids)) LIMIT 2`,
  params: { ticketNumber: nullable(int8), ids: nullable(array(int8)) },
  row: { company_code: text },
});
