-- The uploaded files, for ORIGINAL_DAYS. Rows of both tables are deleted with their ticket or its uploaded rows (see
-- row_deletions), in small steps.
CREATE TABLE originals (
  ticket_id bigint PRIMARY KEY,
  -- The part of the .xlsx file that was read; null for an .xls file, which has no chunks.
  sheet_part text,
  -- The sheet's row with the header that was skipped.
  header_row integer,
  kept_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX originals_age ON originals (kept_at);

CREATE TABLE original_chunks (
  ticket_id bigint NOT NULL,
  nth integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (ticket_id, nth)
);
-- The files are compressed already.
ALTER TABLE original_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;
