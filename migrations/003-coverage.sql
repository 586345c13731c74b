-- The coverage engine: its queue, and what the worker processes share with one another.

-- One job is one batch of serials of one ticket. A job is never lost by age and never handed out twice because its
-- source is slow: only a worker that stops sending heartbeats loses its jobs.
SELECT pgboss.create_queue('lookups', '{
  "policy": "standard",
  "retryLimit": 1000000000,
  "expireInSeconds": 315360000,
  "retentionSeconds": 315360000,
  "deleteAfterSeconds": 600,
  "heartbeatSeconds": 10
}');
CREATE INDEX lookup_jobs_of_ticket ON pgboss.job_common (group_id) WHERE name = 'lookups' AND state <= 'active';
CREATE INDEX lookup_jobs_waiting ON pgboss.job_common (singleton_key)
  WHERE name = 'lookups' AND state < 'active' AND singleton_key IS NOT NULL;

-- Every worker process, on whichever machine. It holds the advisory lock of its id while it lives. One whose lock is
-- free, or that sends no heartbeat for 10 seconds, is gone; it is forgotten, with all that it holds, soon after.
CREATE TABLE workers (
  id uuid PRIMARY KEY,
  since timestamptz NOT NULL DEFAULT now(),
  heartbeat timestamptz NOT NULL DEFAULT now(),
  gone_at timestamptz
);

-- How each configured source does, as all workers see it.
CREATE TABLE sources (
  name text PRIMARY KEY,
  -- Names the source and its configuration (without secrets); a new configuration starts afresh.
  key text NOT NULL,
  -- up; down: cannot be reached; auth, quota: answered so; proxies: none can be used now.
  state text NOT NULL DEFAULT 'up' CHECK (state IN ('up', 'down', 'auth', 'quota', 'proxies')),
  -- Paused by hand.
  paused boolean NOT NULL DEFAULT false,
  -- When the next probe goes out, how many went out in vain, and who sends it.
  probe_at timestamptz,
  probe_step integer NOT NULL DEFAULT 0,
  probe_worker uuid,
  probe_until timestamptz,
  -- Calls a second while it is asked more slowly than its limits allow, and the pace before; null otherwise.
  pace integer,
  full_pace integer,
  -- The calls since the last look at the pace, and how many of them were retry or throttled.
  window_calls integer NOT NULL DEFAULT 0,
  window_bad integer NOT NULL DEFAULT 0,
  last_error text,
  last_error_at timestamptz
);

-- How much of a source's limits each worker may use now. The sum never exceeds the limit: a worker that has to give
-- some back stops using it first and says so afterwards. Null: the source has no such limit.
CREATE TABLE source_shares (
  source text NOT NULL REFERENCES sources ON DELETE CASCADE,
  worker uuid NOT NULL REFERENCES workers ON DELETE CASCADE,
  -- Whether it has rows for this source.
  wants boolean NOT NULL,
  per_second integer,
  concurrency integer,
  PRIMARY KEY (source, worker)
);

-- Calls, outcomes and latencies per source and minute: the health figures and the last hour's line.
CREATE TABLE source_minutes (
  source text NOT NULL,
  minute timestamptz NOT NULL,
  calls integer NOT NULL,
  -- Outcome -> how many.
  outcomes jsonb NOT NULL,
  -- How many calls took up to 1, 2, 4, ... milliseconds (see latency.ts).
  latencies integer[] NOT NULL,
  PRIMARY KEY (source, minute)
);

-- What a source said about a serial, for CACHE_HOURS. `source_key` is sources.key: a changed configuration finds nothing.
CREATE TABLE coverage_cache (
  source_key text NOT NULL,
  serial text NOT NULL,
  fetched_at timestamptz NOT NULL,
  egress text NOT NULL,
  type text,
  activation_status activation,
  purchase_date date,
  warranty_title text,
  coverage_start_date date,
  coverage_end_date date,
  PRIMARY KEY (source_key, serial)
);
CREATE INDEX coverage_cache_age ON coverage_cache USING brin (fetched_at);

-- What is known about proxies of the active sets, and which worker alone may use each now; a proxy without a row is
-- unchecked and free.
CREATE TABLE proxy_states (
  -- As in proxies.url.
  proxy text PRIMARY KEY,
  state text NOT NULL DEFAULT 'unchecked' CHECK (state IN ('unchecked', 'good', 'resting')),
  rest_until timestamptz,
  -- Rests since it last answered.
  rest_step integer NOT NULL DEFAULT 0,
  -- It rests because it could not reach a source, which may be the source's fault.
  beyond boolean NOT NULL DEFAULT false,
  worker uuid REFERENCES workers ON DELETE SET NULL
);
CREATE INDEX proxy_states_worker ON proxy_states (worker);
