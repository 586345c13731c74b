-- A held job names its worker instead of a time, which the worker had to extend. It is freed when the worker is gone. Not a
-- foreign key: the deletion of a worker would wait for locked jobs.
-- What workers of the older release still hold becomes ready; they end by themselves.
UPDATE lookup_jobs SET queued_at = now() WHERE held_until IS NOT NULL;
DROP INDEX lookup_jobs_turns;
DROP INDEX lookup_jobs_held;
ALTER TABLE lookup_jobs DROP COLUMN held_until, ADD COLUMN holder uuid;
CREATE INDEX lookup_jobs_turns ON lookup_jobs (is_recheck, company_code, sources, lo, ticket_id)
  WHERE holder IS NULL AND (due_at IS NULL OR sources <> '{}');
CREATE INDEX lookup_jobs_held ON lookup_jobs (ticket_id, holder) WHERE holder IS NOT NULL;
