-- How a ticket's rows came, and who sent them: null for an order that waits for them.
ALTER TABLE tickets ADD COLUMN import_kind text CHECK (import_kind IN ('upload', 'paste', 'recheck')),
  ADD COLUMN imported_by bigint REFERENCES users ON DELETE SET NULL;

-- The order of lists, newest first (tickets.queries.ts).
CREATE INDEX tickets_newest ON tickets
  ((imported_at IS NULL OR (serial_deleted AND coverage_deleted)), imported_at DESC NULLS LAST, ticket_number DESC);
CREATE INDEX tickets_newest_of_company ON tickets
  (company_code, (imported_at IS NULL OR (serial_deleted AND coverage_deleted)), imported_at DESC NULLS LAST, ticket_number DESC);

-- After the indexes: a table whose rows have pending checks takes none.
UPDATE tickets SET import_kind = CASE
    WHEN EXISTS (SELECT FROM own_imports o WHERE o.ticket_number = tickets.ticket_number) THEN 'recheck'
    WHEN file_name ~* '\.xlsx?$' THEN 'upload' ELSE 'paste' END,
  imported_by = coalesce((SELECT actor_id FROM audit_log JOIN users u ON u.id = actor_id WHERE object_type = 'data'
    AND object_id = tickets.ticket_number::text AND action = 'data.upload' LIMIT 1), created_by)
  WHERE imported_at IS NOT NULL;
