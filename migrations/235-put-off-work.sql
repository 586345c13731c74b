-- Due work of one subject that failed, until it is tried again: a digest of a company, a report of a recheck, and others.
-- Deleted when it succeeds.
CREATE TABLE put_off_work (
  kind text NOT NULL,
  subject text NOT NULL,
  attempts integer NOT NULL,
  next_at timestamptz NOT NULL,
  PRIMARY KEY (kind, subject)
);
