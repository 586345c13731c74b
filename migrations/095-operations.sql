-- What operators see: backups, and what each process does.

CREATE TABLE backups (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('scheduled', 'migration', 'command')),
  started_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  -- Null where it failed.
  file text,
  size_bytes bigint,
  error text
);
CREATE INDEX backups_ended ON backups (ended_at);

ALTER TABLE processes ADD COLUMN version text NOT NULL DEFAULT '', ADD COLUMN in_flight integer NOT NULL DEFAULT 0;
