import type { DeviceAnswer } from '#features/devices/server/devices.service.ts';
import { readBatches } from '#server/db/bulk/read-batches.ts';
import {
  int8,
  jsonb,
  listColumns,
  notNull,
  nullable,
  type RowOf,
  text,
  textOf,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { ChangeKind } from '../../rechecks.contract.ts';

/** The ticket `ticketNumber` of a company; only devices of a kind, or null for all. */
export type ScopedChangeQuery = {
  companyCode: string;
  ticketNumber: string;
  kind: ChangeKind | null;
  timeZone: string;
};

/** SQL expression: the six fields of the answer of a table alias. */
export const describeAnswer = (alias: string) => `jsonb_build_object('type', ${alias}.type,
  'activation_status', ${alias}.activation_status, 'purchase_date', ${alias}.purchase_date,
  'warranty_title', ${alias}.warranty_title, 'coverage_start_date', ${alias}.coverage_start_date,
  'coverage_end_date', ${alias}.coverage_end_date)`;

/**
 * SQL expression: the kind of the answer `a` after the answer `b`, two table aliases. Coverage has ended if its end is before
 * the day of the answer in the time zone `:timeZone`.
 */
export const kindOfAnswer = `CASE
  WHEN a.activation_status = 'activated' AND b.activation_status IS DISTINCT FROM 'activated' THEN 'activated'
  WHEN a.coverage_end_date IS NOT DISTINCT FROM b.coverage_end_date THEN 'other'
  WHEN a.coverage_end_date IS NULL THEN 'ended'
  WHEN a.coverage_end_date > b.coverage_end_date THEN 'extended'
  WHEN a.coverage_end_date < (a.at AT TIME ZONE :timeZone::text)::date THEN 'ended'
  WHEN b.coverage_end_date IS NULL THEN 'extended'
  ELSE 'other' END`;

/**
 * The devices of a company whose answer changed while a ticket ran, or that it did not find. An answer counts
 * whichever ticket registered it: several may get the same one, or one may be faster. A first answer is no change.
 * Changed devices are found by two indexes: those that changed after the import, and those of the ticket's older, cached
 * answers.
 */
const changes = `WITH asked AS (
    SELECT * FROM tickets WHERE ticket_number = :ticketNumber::bigint AND company_code = :companyCode::text),
  changed AS (
    SELECT d.id FROM asked t JOIN devices d ON d.company_code = t.company_code AND d.changed_at > t.imported_at
      AND d.tickets @> ARRAY[t.ticket_number]
    UNION
    SELECT e.device_id FROM asked t JOIN device_answers e ON e.ticket_number = t.ticket_number AND e.at <= t.imported_at),
  changes AS (
    SELECT d.id, d.serial, ${kindOfAnswer} AS kind, ${describeAnswer('b')} AS before, ${describeAnswer('a')} AS after
    FROM asked t CROSS JOIN changed c JOIN devices d ON d.id = c.id
    CROSS JOIN LATERAL (SELECT * FROM device_answers e WHERE e.device_id = d.id
        AND (e.ticket_number = t.ticket_number
          OR e.at > t.imported_at AND e.at <= coalesce(t.finished_at, now()))
      ORDER BY e.at DESC LIMIT 1) a
    CROSS JOIN LATERAL (SELECT * FROM device_answers e WHERE e.device_id = d.id
        AND e.at < a.at AND e.at <= t.imported_at AND e.ticket_number <> t.ticket_number
      ORDER BY e.at DESC LIMIT 1) b
    WHERE ${describeAnswer('a')} <> ${describeAnswer('b')}
    UNION ALL
    SELECT d.id, d.serial, 'not_found', NULL, NULL
    FROM asked t JOIN serials s ON s.ticket_id = t.id
    JOIN devices d ON d.company_code = t.company_code AND d.serial = s.serial COLLATE "C"
      AND d.first_seen <= coalesce(s.fetched_at, t.imported_at)
    WHERE NOT t.coverage_deleted AND t.failed > coalesce(t.unavailable, 0)
      AND s.state = 'failed' AND s.reason = 'Not found')`;

const row = {
  id: int8,
  serial: text,
  kind: notNull(textOf<ChangeKind>()),
  before: nullable(jsonb<DeviceAnswer>()),
  after: nullable(jsonb<DeviceAnswer>()),
};
export type ChangeRow = RowOf<typeof row>;

const list = statement({
  text: `${changes} SELECT ${listColumns(row)} FROM changes WHERE :kind::text IS NULL OR kind = :kind
     ORDER BY serial, id LIMIT :limit OFFSET :offset`,
  params: {
    companyCode: text,
    ticketNumber: int8,
    timeZone: text,
    kind: nullable(text),
    limit: nullable(int8),
    offset: int8,
  },
  row,
});

const valuesOf = (scopedQuery: ScopedChangeQuery) => ({
  ...scopedQuery,
  ticketNumber: Number(scopedQuery.ticketNumber),
});

export function listChangePage(
  db: Queryable,
  scopedQuery: ScopedChangeQuery,
  limit: number,
  offset: number,
): Promise<ChangeRow[]> {
  return list.all(db, { ...valuesOf(scopedQuery), limit, offset });
}

/** Reads all changes of a ticket in batches, as of the first batch. */
export function readChanges(
  client: Queryable,
  scopedQuery: ScopedChangeQuery,
  rowsAtOnce: number,
): AsyncGenerator<ChangeRow[]> {
  return readBatches(client, list, { ...valuesOf(scopedQuery), limit: null, offset: 0 }, rowsAtOnce);
}

const count = statement({
  text: `${changes} SELECT kind, count(*) FROM changes GROUP BY kind`,
  params: { companyCode: text, ticketNumber: int8, timeZone: text },
  row: { kind: notNull(textOf<ChangeKind>()), count: int8 },
});

/** Counts the changes of a ticket by kind. A kind without changes is missing. */
export function countChanges(db: Queryable, scopedQuery: ScopedChangeQuery) {
  return count.all(db, valuesOf(scopedQuery));
}
