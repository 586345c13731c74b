-- How often values of own columns of a company were changed, so that open screens notice it.
ALTER TABLE device_deletions ADD COLUMN value_changes bigint NOT NULL DEFAULT 0;
