import { array, float8, int4, int8, text, uuid } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** Whether nobody holds the job of the reservation `r`, or only other rows of its block. */
const isUnheld = `NOT EXISTS (SELECT FROM lookup_jobs AS j
       WHERE j.id = r.job AND j.holder IS NOT NULL AND r.position BETWEEN j.lo AND j.hi)`;

/**
 * Reserves the serials of a held job that have no cached answer. A reservation ends with the job or the row's result.
 * Returns the positions of the reserved rows; another job of the company has reserved the others.
 */
export const reserveSerials = statement({
  name: 'reserve-serials',
  // Ordered by hash to avoid deadlocks.
  text: `INSERT INTO reservations AS r (serial_hash, job, ticket_id, position)
     SELECT DISTINCT ON (hash) hash, :job::uuid, :ticketId::bigint, s.position
     FROM (SELECT position, serial, company_code, answers_from, hashtextextended(serial, hashtextextended(company_code, 0)) AS hash
           FROM tickets CROSS JOIN serials
           WHERE id = :ticketId AND ticket_id = :ticketId AND position BETWEEN :lo AND :hi AND state = 'pending'
           -- With this order only the rows of the job are read, even before the table is analysed.
           ORDER BY position) AS s
     -- LATERAL, because NOT EXISTS would read the whole cache before the table is analysed.
     LEFT JOIN LATERAL (SELECT true AS is_known FROM coverage_cache AS k
       WHERE k.company_code = s.company_code AND k.source_key = ANY(:keys) AND k.serial = s.serial
         AND k.fetched_at > greatest(now() - :hours * interval '1 hour', s.answers_from)
       LIMIT 1) AS c ON true
     WHERE c.is_known IS NULL
     ORDER BY hash
     ON CONFLICT (serial_hash) DO UPDATE SET
       job = excluded.job, ticket_id = excluded.ticket_id, position = excluded.position
     WHERE r.job = excluded.job
       OR ${isUnheld}
       OR NOT EXISTS (SELECT FROM serials AS o
         WHERE o.ticket_id = r.ticket_id AND o.position = r.position AND o.state = 'pending')
     RETURNING position`,
  params: { ticketId: int8, lo: int4, hi: int4, job: uuid, keys: array(text), hours: float8 },
  row: { position: int4 },
});

/** Deletes the reservations of jobs that ended or were given back. Those of a job that another worker holds by now stay. */
export const deleteReservations = statement({
  name: 'delete-reservations',
  // SKIP LOCKED, because another job is reserving such a serial. To wait for it could be a deadlock.
  text: `DELETE FROM reservations WHERE serial_hash = ANY(ARRAY(
       SELECT serial_hash FROM reservations AS r WHERE job = ANY(:jobs::uuid[]) AND ${isUnheld} FOR UPDATE SKIP LOCKED))`,
  params: { jobs: array(uuid) },
});

/** Deletes reservations of jobs that nobody holds. @returns how many, at most `limit` */
export const deleteOldReservations = statement({
  text: `DELETE FROM reservations WHERE serial_hash = ANY(ARRAY(
       SELECT serial_hash FROM reservations AS r WHERE ${isUnheld} LIMIT :limit FOR UPDATE SKIP LOCKED))`,
  params: { limit: int8 },
});
