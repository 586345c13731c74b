import type { Selectable } from 'kysely';
import type { Schema } from '#server/schema.ts';
import type { CoverageRow } from '../results.contract.ts';
import { describeExpiry } from './coverage-expiry.ts';

/** The columns of `serials` that a row of results is made of. */
export const resultColumns = [
  'ticket_id',
  'position',
  'serial',
  'original',
  'state',
  'reason',
  'details',
  'type',
  'activation_status',
  'purchase_date',
  'warranty_title',
  'coverage_start_date',
  'coverage_end_date',
  'fetched_at',
  'source',
  'attempts',
  'egress',
  'cached',
] as const;

export type SerialRow = Pick<Selectable<Schema['serials']>, (typeof resultColumns)[number]>;

/** A row as GET /imei and the JSON export answer it. */
export function describeRow(row: SerialRow, today: string): CoverageRow {
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
    source: row.source,
    attempts: row.attempts,
    egress: row.egress,
    cached: row.cached,
  };
}

/** Which rows are asked for: those with an activation status or in a state; undefined for all. */
export type RowFilter = 'activated' | 'unactivated' | 'failed' | 'pending' | undefined;

/** The filter behind a `status` of the API, where active and inactive stand for activated and unactivated. */
export function filterOf(status: string | undefined): RowFilter {
  if (status === 'active' || status === 'activated') return 'activated';
  if (status === 'inactive' || status === 'unactivated') return 'unactivated';
  if (status === 'failed' || status === 'pending') return status;
  return undefined;
}

/**
 * The rows of the ticket `$1` that anyone may still see: from the moment when results or uploaded rows are deleted none
 * of those, however long it takes until they are gone. The flags are read by the statement that reads the rows.
 */
export const seenRows = `serials WHERE ticket_id = $1
  AND NOT (SELECT coverage_deleted FROM tickets WHERE id = $1)
  AND (state <> 'pending' OR NOT (SELECT serial_deleted FROM tickets WHERE id = $1))`;

/** What a filter adds to the conditions of a statement. */
export function conditionOf(filter: RowFilter): string {
  if (filter === undefined) return '';
  if (filter === 'failed' || filter === 'pending') return `AND state = '${filter}'`;
  return `AND state = 'done' AND activation_status = '${filter}'`;
}
