-- Every open screen asks which tickets were completed last.
CREATE INDEX tickets_finished ON tickets (finished_at DESC);
