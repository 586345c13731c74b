import { describeExpiry } from '#features/devices/coverage-expiry.shared.ts';
import type { Values } from '#features/devices/server/devices.service.ts';
import {
  bool,
  date,
  enumeration,
  int2,
  int4,
  int8,
  nullable,
  type RowOf,
  text,
  textOf,
  timestamptz,
} from '#server/db/column-types.ts';
import type { ResultRow } from '../results.contract.ts';

/** The columns of `serials` that results are read from. */
export const serialRow = {
  ticket_id: int8,
  position: int4,
  serial: text,
  original: nullable(text),
  sheet_row: int4,
  state: enumeration('serial_state', ['pending', 'done', 'failed']),
  reason: nullable(text),
  details: nullable(text),
  type: nullable(text),
  activation_status: nullable(enumeration('activation', ['activated', 'unactivated'])),
  purchase_date: nullable(date),
  warranty_title: nullable(text),
  coverage_start_date: nullable(date),
  coverage_end_date: nullable(date),
  fetched_at: nullable(timestamptz),
  source: nullable(text),
  attempts: int2,
  egress: nullable(textOf<'direct' | 'proxies'>()),
  cached: nullable(bool),
};

export type SerialRow = RowOf<typeof serialRow>;

/** A row with the values of its company's own columns. */
export type ValuedRow = SerialRow & { fields: Values };

/** Describes a row as GET /imei and the JSON export answer it. @param today YYYY-MM-DD */
export function describeRow(row: ValuedRow, today: string): ResultRow {
  return {
    _id: `${row.ticket_id}-${row.position}`,
    position: row.position,
    serial_number: row.serial,
    type: row.type,
    activation_status: row.activation_status,
    purchase_date: row.purchase_date,
    warranty_title: row.warranty_title,
    coverage_start_date: row.coverage_start_date,
    coverage_end_date: row.coverage_end_date,
    coverage_expires: describeExpiry(row.state, row.coverage_end_date, today),
    timestamp: row.fetched_at?.toISOString() ?? null,
    state: row.state,
    reason: row.reason,
    details: row.details,
    original: row.original,
    sheet_row: row.sheet_row,
    source: row.source,
    attempts: row.attempts,
    egress: row.egress,
    cached: row.cached,
    fields: row.fields,
  };
}
