-- Why what a ticket waits for may not be asked (paused, down, auth, quota, proxies; null where it may by now), and since
-- when the ticket waits for that. Both mean something only while waiting_for is not null.
ALTER TABLE tickets ADD COLUMN waiting_cause text, ADD COLUMN waiting_since timestamptz;
