-- The sources other than the sandbox that served this database last: at most one row, which outlives all processes.
-- While it exists, no process may use the sandbox only because it has no SOURCES_FILE.
CREATE TABLE real_sources (
  is_single boolean PRIMARY KEY DEFAULT true CHECK (is_single),
  -- In the order in which they are asked.
  names text[] NOT NULL
);
-- Without SOURCES_FILE, the sandbox is the only source.
INSERT INTO real_sources (names) SELECT array_agg(name ORDER BY name) FROM sources WHERE name <> 'sandbox' HAVING count(*) > 0;
