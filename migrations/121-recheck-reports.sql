-- Whether the report of a run was handed to the mails of the expiry watch, or nobody was to get it.
ALTER TABLE recheck_runs ADD COLUMN reported boolean NOT NULL DEFAULT false;
CREATE INDEX recheck_runs_unreported ON recheck_runs (id) WHERE NOT reported;
-- A report without changes has no list.
ALTER TABLE watch_mails ALTER COLUMN file DROP NOT NULL, ALTER COLUMN file_name DROP NOT NULL;
