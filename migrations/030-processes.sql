-- Every running process of the product and the settings that all of them share. A process that has not been seen for
-- 10 seconds is dead, and the next one that registers deletes its row.
CREATE TABLE processes (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('api', 'worker')),
  host text NOT NULL,
  pid integer NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  last_seen timestamptz NOT NULL DEFAULT now(),
  -- The names of its sources, in the order in which they are asked.
  sources text[] NOT NULL,
  -- By variable: a hash of its value.
  fingerprints jsonb NOT NULL
);
