-- How often results of a company were registered, so that open screens notice it.
ALTER TABLE device_deletions ADD COLUMN registrations bigint NOT NULL DEFAULT 0;
ALTER TABLE device_deletions ALTER COLUMN deletions SET DEFAULT 0;
