-- Which transaction was the last to change a ticket or what its rows show; a deleted ticket stays known here. Whoever has
-- an answer made from a snapshot asks whether anything in it was changed by a transaction that the snapshot did not see.
CREATE TABLE ticket_changes (
  ticket_number bigint PRIMARY KEY,
  company_code text NOT NULL,
  changed_by xid8 NOT NULL
);
CREATE INDEX ticket_changes_company ON ticket_changes (company_code, changed_by);
CREATE INDEX ticket_changes_latest ON ticket_changes (changed_by);
INSERT INTO ticket_changes SELECT ticket_number, company_code, pg_current_xact_id() FROM tickets;

CREATE FUNCTION note_changed_ticket() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  t tickets := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  INSERT INTO ticket_changes AS c VALUES (t.ticket_number, t.company_code, pg_current_xact_id())
  ON CONFLICT (ticket_number) DO UPDATE SET changed_by = excluded.changed_by WHERE c.changed_by <> excluded.changed_by;
  RETURN NULL;
END $$;
CREATE TRIGGER note_changed AFTER INSERT OR UPDATE OR DELETE ON tickets
  FOR EACH ROW EXECUTE FUNCTION note_changed_ticket();

-- A result changes its ticket's counts in the same transaction, and what is deleted its flags. Attempts of a row that goes
-- on waiting change nothing else that anybody sees.
CREATE FUNCTION note_changed_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ticket_changes SET changed_by = pg_current_xact_id()
  WHERE ticket_number = (SELECT ticket_number FROM tickets WHERE id = NEW.ticket_id)
    AND changed_by <> pg_current_xact_id();
  RETURN NULL;
END $$;
CREATE TRIGGER note_changed AFTER UPDATE ON serials
  FOR EACH ROW WHEN (OLD.state = NEW.state AND OLD.attempts <> NEW.attempts) EXECUTE FUNCTION note_changed_row();
