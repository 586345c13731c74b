-- What the processes of the API are told as soon as it is committed, by whichever process changed it.

-- 'ACM001 12 {"ticket_number": "12", …}': whose ticket it is, which one, and what an event tells of it.
CREATE FUNCTION tell_changed_ticket() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('changed_tickets', concat_ws(' ', NEW.company_code, NEW.ticket_number, json_build_object(
    'ticket_number', NEW.ticket_number::text,
    'status', NEW.status,
    'done', NEW.done,
    'failed', NEW.failed,
    'total', CASE WHEN NEW.total > 0 THEN NEW.total ELSE NEW.data_count END)));
  RETURN NULL;
END $$;
CREATE TRIGGER tell_changed AFTER INSERT OR UPDATE ON tickets
  FOR EACH ROW EXECUTE FUNCTION tell_changed_ticket();

-- The id of a user whose sessions or rights may be others now.
CREATE FUNCTION tell_changed_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('changed_users', OLD.id::text);
  RETURN NULL;
END $$;
CREATE TRIGGER tell_changed AFTER UPDATE OR DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION tell_changed_user();

-- The code of a company that was made Active or Inactive.
CREATE FUNCTION tell_changed_client() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.active IS DISTINCT FROM NEW.active THEN
    PERFORM pg_notify('changed_clients', NEW.company_code);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tell_changed AFTER UPDATE ON clients
  FOR EACH ROW EXECUTE FUNCTION tell_changed_client();
