-- Entries of tickets named them by id, entries of their rows and results by ticket number, so a filter by either missed
-- some. Every entry of a ticket has recorded its number.
ALTER TABLE audit_log DISABLE TRIGGER audit_log_kept;
UPDATE audit_log SET object_id = coalesce(after, before) ->> 'ticket_number'
WHERE object_type = 'ticket' AND coalesce(after, before) ? 'ticket_number';
ALTER TABLE audit_log ENABLE TRIGGER audit_log_kept;
