-- A rotation of the secrets' key is registered as well, so that no process with the old key starts meanwhile.
ALTER TABLE processes DROP CONSTRAINT processes_kind_check;
ALTER TABLE processes ADD CONSTRAINT processes_kind_check CHECK (kind IN ('api', 'worker', 'rotation'));
