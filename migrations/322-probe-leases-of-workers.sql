-- The lease of a probe lasts as long as its worker is alive.
ALTER TABLE sources DROP COLUMN probe_until;
-- Nothing reads it.
ALTER TABLE workers DROP COLUMN since;
