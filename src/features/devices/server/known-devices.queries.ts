import { int8 } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const count = statement({
  name: 'count-known-devices',
  text: `SELECT count(*) AS all, count(*) FILTER (WHERE last_checked > now() - interval '1 day') AS day,
       count(*) FILTER (WHERE last_checked > now() - interval '7 days') AS week,
       count(*) FILTER (WHERE last_checked > now() - interval '30 days') AS month
     FROM devices WHERE company_code = $1 AND serial = ANY ($2)`,
  row: { all: int8, day: int8, week: int8, month: int8 },
});

/** Counts the devices of a company with these serials, and those checked within 1, 7 and 30 days. */
export function countKnownDevices(db: Queryable, companyCode: string, serials: string[]) {
  return count.one(db, [companyCode, serials]);
}
