-- The instant from which cached answers may be reused for a ticket that checks devices again; null for any answer.
ALTER TABLE tickets ADD COLUMN answers_from timestamptz;
