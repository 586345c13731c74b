import { array, bool, float8, int4, int8, type RowOf, text, uuid } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** The jobs in the index of turns: nobody holds them, and they do not only wait for a time. */
const inTurns = "holder IS NULL AND (due_at IS NULL OR sources <> '{}')";

/** Returns the statement that holds the jobs whose ids `chosen` selects, and sets their columns as `more` says. */
const hold = (
  chosen: string,
  more: string,
) => `UPDATE lookup_jobs SET holder = :worker, holds = holds + 1, ${more}
     WHERE id = ANY(ARRAY(${chosen})) RETURNING id, holds, company_code AS "companyCode",
       is_recheck AS "isRecheck", ticket_id AS "ticketId", lo, hi`;
const fetchedJob = {
  id: uuid,
  holds: int4,
  companyCode: text,
  isRecheck: bool,
  ticketId: int8,
  lo: int4,
  hi: int4,
};

/** A fetched job: the pending rows of one ticket within these positions are looked up. */
export type FetchedJob = RowOf<typeof fetchedJob>;

// Not a prepared statement, because a plan made for few jobs would be kept for many.
const fetchTurns = statement({
  // `lines` jumps in the index from each company, and the sources that its jobs wait for, to the next.
  text: `WITH RECURSIVE lines AS (
       (SELECT is_recheck, company_code, sources FROM lookup_jobs WHERE ${inTurns}
        ORDER BY is_recheck, company_code, sources LIMIT 1)
       UNION ALL
       SELECT n.* FROM lines AS l CROSS JOIN LATERAL (
         SELECT is_recheck, company_code, sources FROM lookup_jobs
         WHERE ${inTurns} AND (is_recheck, company_code, sources) > (l.is_recheck, l.company_code, l.sources)
         ORDER BY is_recheck, company_code, sources LIMIT 1) AS n),
     fetchable AS (
       SELECT * FROM lines WHERE company_code <> ALL(:atMaximum) AND NOT (:uploadsOnly AND is_recheck) AND (sources = '{}' OR sources && ARRAY(
         SELECT name FROM sources WHERE name = ANY(:wanted) AND state = 'up' AND NOT paused))),
     candidates AS (
       SELECT c.id, l.is_recheck, c.size, coalesce(h.rows, 0) AS held, coalesce(h.rows, 0)
         + sum(c.size) OVER (PARTITION BY l.is_recheck, l.company_code ORDER BY c.lo, c.ticket_id) AS turn
       FROM fetchable AS l
       LEFT JOIN unnest(:companies::text[], :rows::integer[]) AS h(company_code, rows) ON h.company_code = l.company_code
       CROSS JOIN LATERAL (
         SELECT id, lo, ticket_id, least(hi - lo + 1, :most::integer) AS size FROM lookup_jobs AS j
         WHERE ${inTurns} AND j.is_recheck = l.is_recheck AND j.company_code = l.company_code AND j.sources = l.sources
           AND (coalesce(h.rows, 0) < :enough::float8 OR j.ticket_id <> ALL(:tickets))
         -- With many companies, few jobs of each are enough.
         ORDER BY lo, ticket_id LIMIT ceil(2.0 * :count::integer / (SELECT count(*) FROM fetchable))) AS c),
     turns AS MATERIALIZED (
       SELECT * FROM candidates WHERE turn - size < greatest(:enough, held + 1) ORDER BY is_recheck, turn, id LIMIT 4 * :count),
     chosen AS MATERIALIZED (
       SELECT j.*, CASE WHEN j.hi - j.lo >= :most THEN (
         SELECT position FROM serials AS s WHERE s.ticket_id = j.ticket_id AND position BETWEEN j.lo AND j.hi AND s.state = 'pending'
         ORDER BY position OFFSET :most LIMIT 1) END AS rest
       FROM turns AS o JOIN lookup_jobs AS j ON j.id = o.id JOIN tickets AS t ON t.id = j.ticket_id WHERE j.holder IS NULL
       -- Skips a ticket that is being cancelled or deleted, whose lock the new jobs would wait for.
       ORDER BY o.is_recheck, o.turn, j.id LIMIT :count FOR UPDATE OF j SKIP LOCKED FOR KEY SHARE OF t SKIP LOCKED),
     rests AS (
       INSERT INTO lookup_jobs (company_code, ticket_id, lo, hi, is_recheck, queued_at)
       SELECT company_code, ticket_id, rest, hi, is_recheck, queued_at FROM chosen WHERE rest IS NOT NULL)
     ${hold(
       'SELECT id FROM chosen',
       `due_at = NULL, delayed_by = NULL, sources = '{}',
       hi = coalesce((SELECT rest - 1 FROM chosen WHERE chosen.id = lookup_jobs.id), hi)`,
     )}`,
  params: {
    worker: uuid,
    count: int4,
    most: int4,
    wanted: array(text),
    companies: array(text),
    rows: array(int4),
    atMaximum: array(text),
    enough: float8,
    tickets: array(int8),
    uploadsOnly: bool,
  },
  row: fetchedJob,
});

/** A worker's request for jobs. */
export type JobRequest = {
  worker: string;
  count: number;
  /** The maximum number of rows of each job. The others of its block become another job. */
  most: number;
  /** The sources that it may ask. Jobs that wait for another one are left out. */
  wanted: string[];
  /** The active rows that it holds of each company. A company with fewer gets its turn earlier. */
  rows: ReadonlyMap<string, number>;
  /** Companies of which it holds as many jobs as it may. */
  atMaximum: string[];
  /** A company with so many rows gets one job more, of a ticket of which the worker has no rows. */
  enough: number;
  /** The tickets of which the worker has rows. */
  tickets: number[];
  uploadsOnly: boolean;
};

/** Fetches ready jobs in their turns: people's uploads first, then company by company, in each the lowest blocks first. */
export function fetchJobs(db: Queryable, request: JobRequest): Promise<FetchedJob[]> {
  const companies = [...request.rows.keys()];
  const rows = [...request.rows.values()];
  return fetchTurns.all(db, { ...request, companies, rows });
}

/** Fetches the job that has waited longest for a source whose gate is shut, for a probe. */
export const fetchJobToProbe = statement({
  // It keeps its sources: its ticket goes on waiting for them while the probe runs.
  text: hold(
    `SELECT id FROM lookup_jobs WHERE sources @> ARRAY[:source::text] AND holder IS NULL
       ORDER BY queued_at, lo LIMIT 1 FOR UPDATE SKIP LOCKED`,
    'due_at = NULL, delayed_by = NULL',
  ),
  params: { worker: uuid, source: text },
  row: fetchedJob,
});
