-- What is left of a block of lookups whose rows all wait. pg-boss holds only jobs that are due or held by a worker. Whether
-- an entry may go on is computed when jobs are fetched, so that nothing has to release it.
CREATE TABLE waiting_jobs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ticket_id bigint NOT NULL REFERENCES tickets ON DELETE CASCADE,
  -- The block's positions.
  lo integer NOT NULL,
  hi integer NOT NULL,
  -- When its first delayed row is due, '-infinity' for at once by any clock; null where no row is delayed.
  due_at timestamptz,
  -- The source that delayed that row.
  delayed_by text,
  -- The sources that its other rows wait for. It goes on as soon as a worker may ask one of them.
  sources text[] NOT NULL
);
CREATE INDEX waiting_jobs_due ON waiting_jobs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX waiting_jobs_of_ticket ON waiting_jobs (ticket_id, due_at);
CREATE INDEX waiting_jobs_of_source ON waiting_jobs USING gin (sources) WITH (fastupdate = off);

-- Workers of earlier releases put such a block back into pg-boss, marked with `source:A,B`, `limit:A,B` or `later:A`. They may
-- go on doing so until they are replaced.
CREATE FUNCTION keep_marked_job_waiting() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  names text[] := string_to_array(split_part(NEW.singleton_key, ':', 2), ',');
  is_later boolean := starts_with(NEW.singleton_key, 'later:');
BEGIN
  INSERT INTO waiting_jobs (ticket_id, lo, hi, due_at, delayed_by, sources)
  SELECT id, (NEW.data ->> 'lo')::integer, (NEW.data ->> 'hi')::integer, NEW.start_after,
         CASE WHEN is_later THEN names[1] END, CASE WHEN is_later THEN '{}' ELSE names END
  FROM tickets WHERE id = (NEW.data ->> 'ticketId')::bigint;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_marked_job_waiting BEFORE INSERT ON pgboss.job_common FOR EACH ROW
  WHEN (NEW.name = 'lookups' AND NEW.singleton_key IS NOT NULL) EXECUTE FUNCTION keep_marked_job_waiting();

WITH marked AS (
  DELETE FROM pgboss.job WHERE name = 'lookups' AND state < 'active' AND singleton_key IS NOT NULL RETURNING *)
INSERT INTO pgboss.job SELECT * FROM marked;
-- A fetch by pg-boss kept the mark of a job that was due.
UPDATE pgboss.job SET singleton_key = NULL WHERE name = 'lookups' AND state = 'active' AND singleton_key IS NOT NULL;

DROP INDEX pgboss.lookups_waiting, pgboss.lookup_jobs_waiting;
-- Asked twice a second by every worker, however many tickets there are.
CREATE INDEX tickets_that_wait ON tickets (id) WHERE waiting_for IS NOT NULL;
