-- What each process works on, by its last heartbeat: the ids of tickets, and the calls in flight by source.
ALTER TABLE processes ADD COLUMN work jsonb NOT NULL DEFAULT '{"tickets": [], "calls": {}}';

-- The size of the database, once a day.
CREATE TABLE database_sizes (
  day date PRIMARY KEY,
  size_bytes bigint NOT NULL
);
