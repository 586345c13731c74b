-- The latest transaction that changed an ended ticket or an order of a company, so that open screens notice it without
-- reading all tickets. Running tickets change often and are few: they are read themselves. No foreign key: written when
-- the transaction ends, in which the company may be deleted.
CREATE TABLE ended_ticket_changes (
  company_code text PRIMARY KEY,
  changed_by xid8 NOT NULL
);

CREATE FUNCTION note_ended_ticket_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ended_ticket_changes AS e (company_code, changed_by)
  VALUES (coalesce(NEW.company_code, OLD.company_code), pg_current_xact_id())
  ON CONFLICT (company_code) DO UPDATE SET changed_by = excluded.changed_by WHERE e.changed_by <> excluded.changed_by;
  RETURN NULL;
END $$;
-- Deferred, so that a long import does not make the changes of its company's other tickets wait.
CREATE CONSTRAINT TRIGGER note_ended_insert AFTER INSERT ON tickets DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status IN ('Completed', 'Cancelled') OR NEW.total = 0)
  EXECUTE FUNCTION note_ended_ticket_change();
CREATE CONSTRAINT TRIGGER note_ended_update AFTER UPDATE ON tickets DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status IN ('Completed', 'Cancelled') OR NEW.total = 0)
  EXECUTE FUNCTION note_ended_ticket_change();
CREATE CONSTRAINT TRIGGER note_ended_delete AFTER DELETE ON tickets DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION note_ended_ticket_change();

CREATE INDEX tickets_running ON tickets (company_code)
  WHERE status IN ('Pending', 'Processing') AND total > 0;
