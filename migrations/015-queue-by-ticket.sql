-- What is asked about the job queue every second costs the same however many jobs are pending in it: what the jobs of a
-- ticket wait for, whether it has any, and which jobs wait for something.
CREATE INDEX lookups_of_ticket ON pgboss.job_common (name, group_id, start_after) WHERE state <= 'active';
CREATE INDEX lookups_waiting ON pgboss.job_common (name, singleton_key)
  WHERE state < 'active' AND singleton_key IS NOT NULL;
-- Nobody reads the queue's statistics, which pg-boss would add up over all jobs again and again.
UPDATE pgboss.version SET monitor_backoff_on = 'infinity';
