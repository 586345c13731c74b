-- The API token by which an action was done, under its name at that time. Null in a session, and for older entries.
ALTER TABLE audit_log ADD COLUMN token_id bigint, ADD COLUMN token_name text;
