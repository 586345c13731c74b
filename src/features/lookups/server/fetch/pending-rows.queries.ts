import type { Coverage } from '#features/sources/sources.contract.ts';
import {
  array,
  enumeration,
  float8,
  int4,
  int8,
  jsonb,
  notNull,
  nullable,
  type RowOf,
  text,
} from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/**
 * Lists the pending rows of a job, with the cached answer of the first source that has one. None if the ticket was cancelled
 * or deleted. A ticket that checks devices again reuses only answers since its import.
 */
export const loadPendingRows = statement({
  name: 'load-pending-rows',
  text: `SELECT s.position, s.serial, s.kind, s.lookup,
       -- No longer than when it was written, because the clock may have been set back since.
       CASE WHEN s.lookup ->> 'due' IS NOT NULL THEN least((s.lookup ->> 'wait')::float8,
         (s.lookup ->> 'due')::float8 - extract(epoch FROM clock_timestamp())::float8 * 1000) END AS wait,
         to_jsonb(c) - '{company_code,serial}'::text[] AS cached
     FROM serials AS s
     LEFT JOIN LATERAL (
       SELECT * FROM coverage_cache AS k
       WHERE k.company_code = (SELECT company_code FROM tickets WHERE id = :ticketId) AND k.source_key = ANY(:keys)
         AND k.serial = s.serial AND k.fetched_at > greatest(now() - :hours * interval '1 hour', (SELECT answers_from FROM tickets WHERE id = :ticketId))
       ORDER BY array_position(:keys, k.source_key) LIMIT 1
     ) AS c ON true
     WHERE s.ticket_id = :ticketId AND s.position BETWEEN :lo AND :hi AND s.state = 'pending'
       AND EXISTS (SELECT FROM tickets WHERE id = :ticketId AND status IN ('Pending', 'Processing'))
     ORDER BY s.position`,
  params: { ticketId: int8, lo: int4, hi: int4, keys: array(text), hours: float8 },
  row: {
    position: int4,
    serial: text,
    // Only an invalid cell has no kind, and none of those is pending.
    kind: notNull(enumeration('serial_kind', ['imei', 'meid', 'serial'])),
    lookup: nullable(jsonb<unknown>()),
    /** The remaining wait of the row in milliseconds; null if it does not wait. */
    wait: nullable(float8),
    cached: nullable(
      jsonb<Coverage & { source_key: string; fetched_at: string; egress: 'direct' | 'proxies' }>(),
    ),
  },
});

/** A row without a result, and the cached answer for its serial. */
export type PendingRow = RowOf<typeof loadPendingRows.row>;
