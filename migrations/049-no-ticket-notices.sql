-- Nobody listens any more to which tickets and companies change.
DROP TRIGGER tell_changed ON tickets;
DROP TRIGGER tell_changed ON clients;
DROP FUNCTION tell_changed_ticket();
DROP FUNCTION tell_changed_client();
