-- Who is told about a ticket's end shows on no screen: open screens need not read again for it.
DROP TRIGGER note_ended_update ON tickets;
CREATE CONSTRAINT TRIGGER note_ended_update AFTER UPDATE ON tickets DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN ((NEW.status IN ('Completed', 'Cancelled') OR NEW.total = 0)
    AND NEW.completion_told = OLD.completion_told AND NEW.wait_told = OLD.wait_told)
  EXECUTE FUNCTION note_ended_ticket_change();
