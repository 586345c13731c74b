-- How many rows of a ticket failed for the one reason for which they are looked up again. Null where that is not known:
-- tickets that are older than this column and have rows that failed for another reason than an invalid cell.
ALTER TABLE tickets ADD COLUMN unavailable integer;
ALTER TABLE tickets ALTER COLUMN unavailable SET DEFAULT 0;
UPDATE tickets SET unavailable = 0 WHERE failed = invalid_count;
