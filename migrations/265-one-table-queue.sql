-- The queue of lookups: one row for each block of a running ticket, until all of its rows have a result. It replaces pg-boss
-- and waiting_jobs. A job is
--   ready: held_until, due_at are null, sources is empty
--   waiting: until due_at, or until one of its sources may be asked
--   held: by a worker, until held_until unless extended
CREATE TABLE lookup_jobs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  company_code text NOT NULL,
  ticket_id bigint NOT NULL REFERENCES tickets ON DELETE CASCADE,
  -- The block's positions.
  lo integer NOT NULL,
  hi integer NOT NULL,
  -- Rechecks come behind people's uploads.
  is_recheck boolean NOT NULL,
  due_at timestamptz,
  -- The source that delayed the row that is due then.
  delayed_by text,
  sources text[] NOT NULL DEFAULT '{}',
  held_until timestamptz,
  -- How often the job was fetched. It fences a worker that held it earlier.
  holds integer NOT NULL DEFAULT 0,
  -- When it was added or given back.
  queued_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);

INSERT INTO lookup_jobs (company_code, ticket_id, lo, hi, is_recheck)
SELECT t.company_code, t.id, (j.data ->> 'lo')::integer, (j.data ->> 'hi')::integer, t.import_kind IS NOT DISTINCT FROM 'recheck'
FROM pgboss.job AS j JOIN tickets AS t ON t.id = (j.data ->> 'ticketId')::bigint
WHERE j.name = 'lookups' AND j.state <= 'active' AND t.status IN ('Pending', 'Processing');
INSERT INTO lookup_jobs (company_code, ticket_id, lo, hi, is_recheck, due_at, delayed_by, sources)
SELECT t.company_code, t.id, w.lo, w.hi, t.import_kind IS NOT DISTINCT FROM 'recheck', nullif(w.due_at, '-infinity'), w.delayed_by,
       CASE WHEN w.due_at = '-infinity' THEN '{}' ELSE w.sources END
FROM waiting_jobs AS w JOIN tickets AS t ON t.id = w.ticket_id WHERE t.status IN ('Pending', 'Processing');

-- Jobs in their turns: by company, in it by block, then by ticket. A job that only waits for a time is left out.
CREATE INDEX lookup_jobs_turns ON lookup_jobs (is_recheck, company_code, sources, lo, ticket_id)
  WHERE held_until IS NULL AND (due_at IS NULL OR sources <> '{}');
CREATE INDEX lookup_jobs_due ON lookup_jobs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX lookup_jobs_held ON lookup_jobs (ticket_id, held_until) WHERE held_until IS NOT NULL;
CREATE INDEX lookup_jobs_of_ticket ON lookup_jobs (ticket_id, sources, due_at);

DROP TABLE waiting_jobs;
DROP SCHEMA pgboss CASCADE;
DROP FUNCTION keep_marked_job_waiting();
ANALYZE lookup_jobs;
