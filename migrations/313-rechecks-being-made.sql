-- Until when a run makes its ticket at the latest; null while it does not. `next_at` is only when it may be tried again.
ALTER TABLE recheck_runs ADD COLUMN making_until timestamptz;
