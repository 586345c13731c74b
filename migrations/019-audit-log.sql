-- Who did what, when and from where. Entries stand for themselves: they refer to nothing that may be deleted.

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  actor_id bigint,
  actor_email text,
  address text,
  action text NOT NULL,
  object_type text NOT NULL,
  object_id text,
  company_code text,
  before jsonb,
  after jsonb
);
CREATE INDEX audit_log_at ON audit_log (at, id);
CREATE INDEX audit_log_object ON audit_log (object_type, object_id, at, id);
CREATE INDEX audit_log_company ON audit_log (company_code, at, id);

-- Nothing changes an entry, whoever asks; the one thing that deletes them says how many days are kept, and takes only
-- what is older.
CREATE FUNCTION keep_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  days text := current_setting('coverdesk.audit_days', true);
BEGIN
  IF TG_OP = 'DELETE' AND days ~ '^[1-9]\d*$' AND OLD.at < now() - make_interval(days => days::integer) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the audit log cannot be changed' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER audit_log_kept BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION keep_audit_log();
CREATE TRIGGER audit_log_not_emptied BEFORE TRUNCATE ON audit_log EXECUTE FUNCTION keep_audit_log();
