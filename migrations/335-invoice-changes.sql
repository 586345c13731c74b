-- Tickets show the kind of their invoice, so open screens notice its change as one of an ended ticket. Tickets are put on
-- an invoice and taken off only in a transaction that makes, issues, credits or deletes it.
CREATE CONSTRAINT TRIGGER note_insert AFTER INSERT ON invoices DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION note_ended_ticket_change();
CREATE CONSTRAINT TRIGGER note_status AFTER UPDATE ON invoices DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION note_ended_ticket_change();
CREATE CONSTRAINT TRIGGER note_delete AFTER DELETE ON invoices DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION note_ended_ticket_change();
