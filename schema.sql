-- The schema that the migrations make, drawn by `npm run schema`.
SET check_function_bodies = off;

CREATE TYPE activation AS ENUM ('activated', 'unactivated');
CREATE TYPE serial_kind AS ENUM ('imei', 'meid', 'serial');
CREATE TYPE serial_state AS ENUM ('pending', 'done', 'failed');
CREATE TYPE ticket_status AS ENUM ('Pending', 'Processing', 'Completed', 'Cancelled');

CREATE OR REPLACE FUNCTION count_devices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO device_counts AS c
    SELECT coalesce(company_code, ''), activation_status, coverage_end_date, count(*) FROM added
    GROUP BY activation_status, coverage_end_date, ROLLUP (company_code) ORDER BY 1, 2, 3
    ON CONFLICT (company_code, activation_status, coverage_end_date) DO UPDATE SET devices = c.devices + excluded.devices;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO device_counts AS c
    SELECT coalesce(company_code, ''), activation_status, coverage_end_date, -count(*) FROM removed
    GROUP BY activation_status, coverage_end_date, ROLLUP (company_code) ORDER BY 1, 2, 3
    ON CONFLICT (company_code, activation_status, coverage_end_date) DO UPDATE SET devices = c.devices + excluded.devices;
  ELSE
    INSERT INTO device_counts AS c
    SELECT coalesce(company_code, ''), activation_status, coverage_end_date, sum(change)
    FROM (SELECT company_code, activation_status, coverage_end_date, 1 AS change FROM added
          UNION ALL
          SELECT company_code, activation_status, coverage_end_date, -1 FROM removed) AS changes
    GROUP BY activation_status, coverage_end_date, ROLLUP (company_code) HAVING sum(change) <> 0 ORDER BY 1, 2, 3
    ON CONFLICT (company_code, activation_status, coverage_end_date) DO UPDATE SET devices = c.devices + excluded.devices;
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION delete_client_devices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM devices WHERE company_code IN (SELECT company_code FROM deleted);
  DELETE FROM device_counts WHERE company_code IN (SELECT company_code FROM deleted);
  DELETE FROM imported_fields WHERE company_code IN (SELECT company_code FROM deleted);
  DELETE FROM device_fields WHERE company_code IN (SELECT company_code FROM deleted);
  DELETE FROM device_field_changes WHERE company_code IN (SELECT company_code FROM deleted);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION delete_device_answers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM device_answers WHERE device_id IN (SELECT id FROM deleted);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION delete_device_fields()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM device_fields f USING deleted d WHERE f.company_code = d.company_code AND f.serial = d.serial;
  DELETE FROM device_field_changes f USING deleted d WHERE f.company_code = d.company_code AND f.serial = d.serial;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION keep_audit_log()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  days text := current_setting('coverdesk.audit_days', true);
BEGIN
  IF TG_OP = 'DELETE' AND days ~ '^[1-9]\d*$' AND OLD.at < now() - make_interval(days => days::integer) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the audit log cannot be changed' USING ERRCODE = 'insufficient_privilege';
END
$function$;

CREATE OR REPLACE FUNCTION keep_issued_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF OLD.status <> 'draft' AND (TG_OP = 'DELETE' OR
     (NEW.number, NEW.issued_at, NEW.issued_on, NEW.company_code, NEW.company_name, NEW.client_address, NEW.client_tax_number, NEW.month,
      NEW.tickets, NEW.subtotal, NEW.ppn_percent, NEW.ppn, NEW.total, NEW.seller, NEW.note, NEW.due_at)
     IS DISTINCT FROM
     (OLD.number, OLD.issued_at, OLD.issued_on, OLD.company_code, OLD.company_name, OLD.client_address, OLD.client_tax_number, OLD.month,
      OLD.tickets, OLD.subtotal, OLD.ppn_percent, OLD.ppn, OLD.total, OLD.seller, OLD.note, OLD.due_at)) THEN
    RAISE EXCEPTION 'invoice % was issued and cannot change', OLD.number;
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $function$;

CREATE OR REPLACE FUNCTION note_ended_ticket_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO ended_ticket_changes AS e (company_code, changed_by)
  VALUES (coalesce(NEW.company_code, OLD.company_code), pg_current_xact_id())
  ON CONFLICT (company_code) DO UPDATE SET changed_by = excluded.changed_by WHERE e.changed_by <> excluded.changed_by;
  RETURN NULL;
END $function$;

CREATE TABLE clients (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  company_name text NOT NULL,
  company_code text NOT NULL,
  active boolean DEFAULT true NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  bill_known boolean DEFAULT true NOT NULL,
  CONSTRAINT clients_pkey PRIMARY KEY (id),
  CONSTRAINT clients_company_code_key UNIQUE (company_code)
);
CREATE TRIGGER client_devices_deleted AFTER DELETE ON clients REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_client_devices();

CREATE TABLE users (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL,
  new_user boolean DEFAULT true NOT NULL,
  company_code text,
  sessions_valid_from bigint DEFAULT 0 NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  role text NOT NULL,
  active boolean DEFAULT true NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  name text GENERATED ALWAYS AS (
CASE
    WHEN last_name = ''::text THEN first_name
    ELSE (first_name || ' '::text) || last_name
END) STORED NOT NULL,
  superadmin boolean GENERATED ALWAYS AS (role = 'superadmin'::text) STORED NOT NULL,
  second_factor boolean DEFAULT false NOT NULL,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_role_check CHECK (role = ANY (ARRAY['superadmin'::text, 'company-admin'::text, 'user'::text])),
  CONSTRAINT users_company_code_fkey FOREIGN KEY (company_code) REFERENCES clients(company_code)
);
ALTER TABLE users ADD CONSTRAINT users_check CHECK (superadmin OR company_code IS NOT NULL) NOT VALID;
CREATE INDEX users_company ON users USING btree (company_code);
CREATE UNIQUE INDEX users_email ON users USING btree (lower(email));
COMMENT ON COLUMN users.second_factor IS 'Whether signing in needs a code. A secret without this is being set up.';

CREATE TABLE api_tokens (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  token_hash bytea NOT NULL,
  name text NOT NULL,
  scope text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  last_used timestamp with time zone,
  CONSTRAINT api_tokens_pkey PRIMARY KEY (id),
  CONSTRAINT api_tokens_token_hash_key UNIQUE (token_hash),
  CONSTRAINT api_tokens_scope_check CHECK (scope = ANY (ARRAY['read'::text, 'write'::text])),
  CONSTRAINT api_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX api_tokens_user ON api_tokens USING btree (user_id);

CREATE TABLE apple_devices (
  account text NOT NULL,
  identifier text NOT NULL,
  generation integer NOT NULL,
  device_id text NOT NULL,
  model text,
  ordered text,
  CONSTRAINT apple_devices_pkey PRIMARY KEY (account, identifier)
);

CREATE TABLE apple_indexes (
  account text NOT NULL,
  generation integer DEFAULT 0 NOT NULL,
  completed_at timestamp with time zone,
  next_page text,
  builder uuid,
  builder_until timestamp with time zone,
  CONSTRAINT apple_indexes_pkey PRIMARY KEY (account)
);

CREATE TABLE apple_tokens (
  account text NOT NULL,
  token text,
  expires_at timestamp with time zone,
  refused_at timestamp with time zone,
  refusal jsonb,
  holder uuid,
  held_until timestamp with time zone,
  CONSTRAINT apple_tokens_pkey PRIMARY KEY (account)
);

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  at timestamp with time zone DEFAULT now() NOT NULL,
  actor_id bigint,
  actor_email text,
  address text,
  action text NOT NULL,
  object_type text NOT NULL,
  object_id text,
  company_code text,
  before jsonb,
  after jsonb,
  token_id bigint,
  token_name text,
  CONSTRAINT audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_at ON audit_log USING btree (at, id);
CREATE INDEX audit_log_company ON audit_log USING btree (company_code, at, id);
CREATE INDEX audit_log_object ON audit_log USING btree (object_type, object_id, at, id);
CREATE TRIGGER audit_log_kept BEFORE DELETE OR UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION keep_audit_log();
CREATE TRIGGER audit_log_not_emptied BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log();

CREATE TABLE backups (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  kind text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone NOT NULL,
  file text,
  size_bytes bigint,
  error text,
  CONSTRAINT backups_pkey PRIMARY KEY (id),
  CONSTRAINT backups_kind_check CHECK (kind = ANY (ARRAY['scheduled'::text, 'migration'::text, 'command'::text]))
);

CREATE TABLE budgets (
  company_code text NOT NULL,
  monthly_rupiah bigint NOT NULL,
  CONSTRAINT budgets_pkey PRIMARY KEY (company_code),
  CONSTRAINT budgets_monthly_rupiah_check CHECK (monthly_rupiah >= 0),
  CONSTRAINT budgets_company_code_fkey FOREIGN KEY (company_code) REFERENCES clients(company_code) ON DELETE CASCADE
);

CREATE TABLE call_totals (
  source text NOT NULL,
  outcome text NOT NULL,
  calls bigint NOT NULL,
  CONSTRAINT call_totals_pkey PRIMARY KEY (source, outcome)
);

CREATE TABLE client_terms (
  company_code text NOT NULL,
  price numeric(14,6),
  discount integer NOT NULL,
  payment_days integer,
  address text NOT NULL,
  tax_number text NOT NULL,
  invoice_emails text[] NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  CONSTRAINT client_terms_pkey PRIMARY KEY (company_code),
  CONSTRAINT client_terms_discount_check CHECK (discount >= 0 AND discount <= 100),
  CONSTRAINT client_terms_payment_days_check CHECK (payment_days >= 0),
  CONSTRAINT client_terms_price_check CHECK (price > 0::numeric),
  CONSTRAINT client_terms_company_code_fkey FOREIGN KEY (company_code) REFERENCES clients(company_code) ON DELETE CASCADE
);

CREATE TABLE company_fields (
  company_code text NOT NULL,
  key text NOT NULL,
  name text NOT NULL,
  place smallint NOT NULL,
  added_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
  CONSTRAINT company_fields_pkey PRIMARY KEY (company_code, key),
  CONSTRAINT company_fields_company_code_fkey FOREIGN KEY (company_code) REFERENCES clients(company_code) ON DELETE CASCADE
);

CREATE TABLE counters (
  name text NOT NULL,
  value bigint NOT NULL,
  CONSTRAINT counters_pkey PRIMARY KEY (name)
);
COMMENT ON TABLE counters IS 'Gapless counters: ticket numbers (ticket), company codes (client:ACM), proxy sets of a day (proxy-set:20261121).';

CREATE TABLE coverage_cache (
  source_key text NOT NULL,
  serial text NOT NULL,
  fetched_at timestamp with time zone NOT NULL,
  egress text NOT NULL,
  type text,
  activation_status activation,
  purchase_date date,
  warranty_title text,
  coverage_start_date date,
  coverage_end_date date,
  company_code text NOT NULL,
  CONSTRAINT coverage_cache_pkey PRIMARY KEY (company_code, source_key, serial)
);
CREATE INDEX coverage_cache_age ON coverage_cache USING btree (fetched_at);

CREATE TABLE database_sizes (
  day date NOT NULL,
  size_bytes bigint NOT NULL,
  CONSTRAINT database_sizes_pkey PRIMARY KEY (day)
);

CREATE TABLE device_answers (
  device_id bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  ticket_number bigint NOT NULL,
  source text,
  type text,
  activation_status activation,
  purchase_date date,
  warranty_title text,
  coverage_start_date date,
  coverage_end_date date,
  CONSTRAINT device_answers_pkey PRIMARY KEY (device_id, at)
);
CREATE INDEX device_answers_ticket_at ON device_answers USING btree (ticket_number, at);

CREATE TABLE device_counts (
  company_code text NOT NULL,
  activation_status activation,
  coverage_end_date date,
  devices bigint NOT NULL,
  CONSTRAINT device_counts_company_code_activation_status_coverage_end_d_key UNIQUE NULLS NOT DISTINCT (company_code, activation_status, coverage_end_date)
) WITH (fillfactor=70);

CREATE TABLE device_deletions (
  company_code text NOT NULL,
  deletions bigint DEFAULT 0 NOT NULL,
  registrations bigint DEFAULT 0 NOT NULL,
  value_changes bigint DEFAULT 0 NOT NULL,
  CONSTRAINT device_deletions_pkey PRIMARY KEY (company_code),
  CONSTRAINT device_deletions_company_code_fkey FOREIGN KEY (company_code) REFERENCES clients(company_code) ON DELETE CASCADE
);

CREATE TABLE device_field_changes (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  company_code text NOT NULL,
  serial text COLLATE "C" NOT NULL,
  at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
  ticket_number bigint,
  changed_by bigint,
  changes jsonb NOT NULL,
  CONSTRAINT device_field_changes_pkey PRIMARY KEY (id),
  CONSTRAINT device_field_changes_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX device_field_changes_serial ON device_field_changes USING btree (company_code, serial);

CREATE TABLE device_fields (
  company_code text NOT NULL,
  serial text COLLATE "C" NOT NULL,
  fields jsonb NOT NULL,
  CONSTRAINT device_fields_pkey PRIMARY KEY (company_code, serial)
);
CREATE INDEX device_fields_values ON device_fields USING gin (((((('{"'::text || company_code) || '":'::text) || lower(fields::text)) || '}'::text)::jsonb) jsonb_path_ops);

CREATE TABLE device_views (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  owner_id bigint NOT NULL,
  company_code text,
  name text NOT NULL,
  query text NOT NULL,
  shared boolean NOT NULL,
  CONSTRAINT device_views_pkey PRIMARY KEY (id),
  CONSTRAINT device_views_company_code_fkey FOREIGN KEY (company_code) REFERENCES clients(company_code) ON DELETE CASCADE,
  CONSTRAINT device_views_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX device_views_company ON device_views USING btree (company_code) WHERE shared;
CREATE INDEX device_views_owner ON device_views USING btree (owner_id);

CREATE TABLE devices (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  company_code text NOT NULL,
  serial text COLLATE "C" NOT NULL,
  type text,
  activation_status activation,
  purchase_date date,
  warranty_title text,
  coverage_start_date date,
  coverage_end_date date,
  source text,
  first_seen timestamp with time zone NOT NULL,
  last_checked timestamp with time zone NOT NULL,
  changed_at timestamp with time zone,
  tickets bigint[] NOT NULL,
  CONSTRAINT devices_pkey PRIMARY KEY (id)
);
CREATE INDEX devices_changed ON devices USING btree (company_code, changed_at) WHERE changed_at IS NOT NULL;
CREATE INDEX devices_company_end ON devices USING btree (company_code, coverage_end_date);
CREATE UNIQUE INDEX devices_company_serial ON devices USING btree (company_code, serial) INCLUDE (id, activation_status, coverage_end_date, last_checked, changed_at);
CREATE INDEX devices_serial ON devices USING btree (serial);
CREATE INDEX devices_serial_end ON devices USING btree (reverse(serial));
CREATE TRIGGER device_answers_deleted AFTER DELETE ON devices REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_device_answers();
CREATE TRIGGER device_fields_deleted AFTER DELETE ON devices REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_device_fields();
CREATE TRIGGER devices_counted_delete AFTER DELETE ON devices REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_devices();
CREATE TRIGGER devices_counted_insert AFTER INSERT ON devices REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_devices();
CREATE TRIGGER devices_counted_update AFTER UPDATE ON devices REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_devices();

CREATE TABLE duplicates (
  ticket_id bigint NOT NULL,
  sheet_row integer NOT NULL,
  serial text NOT NULL,
  first_row integer NOT NULL,
  CONSTRAINT duplicates_pkey PRIMARY KEY (ticket_id, sheet_row, serial)
);

CREATE TABLE ended_ticket_changes (
  company_code text NOT NULL,
  changed_by xid8 NOT NULL,
  CONSTRAINT ended_ticket_changes_pkey PRIMARY KEY (company_code)
);

CREATE TABLE field_choices (
  company_code text NOT NULL,
  heads bytea NOT NULL,
  fields jsonb NOT NULL,
  chosen_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT field_choices_pkey PRIMARY KEY (company_code, heads),
  CONSTRAINT field_choices_company_code_fkey FOREIGN KEY (company_code) REFERENCES clients(company_code) ON DELETE CASCADE
);

CREATE TABLE finished_rows (
  ticket_id bigint NOT NULL,
  last_place bigint NOT NULL,
  positions integer[] NOT NULL,
  CONSTRAINT finished_rows_pkey PRIMARY KEY (ticket_id, last_place)
);

CREATE TABLE gsx_sessions (
  account text NOT NULL,
  token text,
  activation_hash bytea,
  created_at timestamp with time zone,
  used_at timestamp with time zone,
  refused_at timestamp with time zone,
  holder uuid,
  held_until timestamp with time zone,
  CONSTRAINT gsx_sessions_pkey PRIMARY KEY (account)
);

CREATE UNLOGGED TABLE held_shares (
  id uuid NOT NULL,
  kind text NOT NULL,
  user_id bigint NOT NULL,
  company text NOT NULL,
  amount bigint NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT held_shares_pkey PRIMARY KEY (id)
);

CREATE TABLE idempotent_changes (
  user_id bigint NOT NULL,
  key text NOT NULL,
  input_hash bytea NOT NULL,
  answer jsonb,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT idempotent_changes_pkey PRIMARY KEY (user_id, key),
  CONSTRAINT idempotent_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE imported_fields (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  company_code text NOT NULL,
  ticket_id bigint NOT NULL,
  rows json NOT NULL,
  keys text[] DEFAULT '{}'::text[] NOT NULL,
  at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT imported_fields_pkey PRIMARY KEY (id)
);
ALTER TABLE imported_fields ALTER rows SET STORAGE EXTERNAL;

CREATE TABLE invitations (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  token_hash bytea NOT NULL,
  email text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  role text NOT NULL,
  company_code text NOT NULL,
  invited_by bigint,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT invitations_pkey PRIMARY KEY (id),
  CONSTRAINT invitations_token_hash_key UNIQUE (token_hash),
  CONSTRAINT invitations_role_check CHECK (role = ANY (ARRAY['superadmin'::text, 'company-admin'::text, 'user'::text])),
  CONSTRAINT invitations_company_code_fkey FOREIGN KEY (company_code) REFERENCES clients(company_code) ON DELETE CASCADE,
  CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX invitations_company ON invitations USING btree (company_code);
CREATE UNIQUE INDEX invitations_email ON invitations USING btree (lower(email), company_code);
CREATE INDEX invitations_inviter ON invitations USING btree (invited_by);

CREATE TABLE invoices (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  company_code text NOT NULL,
  month date NOT NULL,
  status text DEFAULT 'draft'::text NOT NULL,
  note text DEFAULT ''::text NOT NULL,
  due_at date,
  created_at timestamp with time zone NOT NULL,
  number text,
  issued_at timestamp with time zone,
  issued_on date,
  company_name text,
  tickets jsonb,
  subtotal bigint,
  ppn_percent numeric(5,2),
  ppn bigint,
  total bigint,
  seller jsonb,
  paid_at date,
  payment_note text,
  credit_number text,
  credit_reason text,
  credited_at timestamp with time zone,
  credited_on date,
  reminded_at timestamp with time zone,
  reminded_days integer DEFAULT 0 NOT NULL,
  client_address text DEFAULT ''::text NOT NULL,
  client_tax_number text DEFAULT ''::text NOT NULL,
  sent_at timestamp with time zone,
  sent_to text[],
  send_failed boolean DEFAULT false NOT NULL,
  earlier_sent_at timestamp with time zone,
  earlier_sent_to text[],
  CONSTRAINT invoices_pkey PRIMARY KEY (id),
  CONSTRAINT invoices_credit_number_key UNIQUE (credit_number),
  CONSTRAINT invoices_number_key UNIQUE (number),
  CONSTRAINT invoices_check CHECK ((status = 'draft'::text) = (number IS NULL)),
  CONSTRAINT invoices_check1 CHECK (status = 'draft'::text OR issued_at IS NOT NULL AND issued_on IS NOT NULL AND company_name IS NOT NULL AND tickets IS NOT NULL AND subtotal IS NOT NULL AND ppn_percent IS NOT NULL AND ppn IS NOT NULL AND total IS NOT NULL AND seller IS NOT NULL),
  CONSTRAINT invoices_check2 CHECK ((status = 'credited'::text) = (credit_number IS NOT NULL)),
  CONSTRAINT invoices_check3 CHECK (status <> 'paid'::text OR paid_at IS NOT NULL),
  CONSTRAINT invoices_status_check CHECK (status = ANY (ARRAY['draft'::text, 'issued'::text, 'paid'::text, 'credited'::text])),
  CONSTRAINT invoices_company_code_fkey FOREIGN KEY (company_code) REFERENCES clients(company_code)
);
CREATE INDEX invoices_company ON invoices USING btree (company_code, id);
CREATE INDEX invoices_issued_on ON invoices USING btree (issued_on);
CREATE INDEX invoices_open_due ON invoices USING btree (due_at) WHERE status = 'issued'::text;
CREATE TRIGGER keep_issued_invoice BEFORE DELETE OR UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION keep_issued_invoice();
CREATE CONSTRAINT TRIGGER note_delete AFTER DELETE ON invoices DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_ended_ticket_change();
CREATE CONSTRAINT TRIGGER note_insert AFTER INSERT ON invoices DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_ended_ticket_change();
CREATE CONSTRAINT TRIGGER note_status AFTER UPDATE ON invoices DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.status <> old.status) EXECUTE FUNCTION note_ended_ticket_change();

CREATE TABLE invoice_mails (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  invoice_id bigint NOT NULL,
  address text NOT NULL,
  name text NOT NULL,
  language text NOT NULL,
  message_id uuid DEFAULT gen_random_uuid() NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  next_at timestamp with time zone DEFAULT now() NOT NULL,
  kind text DEFAULT 'reminder'::text NOT NULL,
  sending boolean DEFAULT false NOT NULL,
  CONSTRAINT invoice_mails_pkey PRIMARY KEY (id),
  CONSTRAINT invoice_mails_kind_check CHECK (kind = ANY (ARRAY['invoice'::text, 'reminder'::text])),
  CONSTRAINT invoice_mails_language_check CHECK (language = ANY (ARRAY['en'::text, 'id'::text])),
  CONSTRAINT invoice_mails_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(id) ON DELETE CASCADE
);
CREATE INDEX invoice_mails_invoice ON invoice_mails USING btree (invoice_id);
CREATE INDEX invoice_mails_next_at ON invoice_mails USING btree (next_at);

CREATE TABLE invoice_reminder_settings (
  id boolean DEFAULT true NOT NULL,
  days integer[] NOT NULL,
  language text NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  CONSTRAINT invoice_reminder_settings_pkey PRIMARY KEY (id),
  CONSTRAINT invoice_reminder_settings_id_check CHECK (id),
  CONSTRAINT invoice_reminder_settings_language_check CHECK (language = ANY (ARRAY['en'::text, 'id'::text]))
);

CREATE TABLE invoice_tickets (
  ticket_number bigint NOT NULL,
  invoice_id bigint NOT NULL,
  CONSTRAINT invoice_tickets_pkey PRIMARY KEY (ticket_number),
  CONSTRAINT invoice_tickets_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(id) ON DELETE CASCADE
);
CREATE INDEX invoice_tickets_invoice ON invoice_tickets USING btree (invoice_id);

CREATE TABLE known_addresses (
  user_id bigint NOT NULL,
  address text NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  CONSTRAINT known_addresses_pkey PRIMARY KEY (user_id, address),
  CONSTRAINT known_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE login_failures (
  account text NOT NULL,
  address text NOT NULL,
  failed_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE INDEX login_failures_address ON login_failures USING btree (address, failed_at);
CREATE INDEX login_failures_pair ON login_failures USING btree (account, address, failed_at);

CREATE TABLE tickets (
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  ticket_number bigint NOT NULL,
  company_code text NOT NULL,
  created_by bigint,
  status ticket_status DEFAULT 'Pending'::ticket_status NOT NULL,
  data_count integer NOT NULL,
  total integer DEFAULT 0 NOT NULL,
  done integer DEFAULT 0 NOT NULL,
  failed integer DEFAULT 0 NOT NULL,
  activated integer DEFAULT 0 NOT NULL,
  unactivated integer DEFAULT 0 NOT NULL,
  invalid_count integer DEFAULT 0 NOT NULL,
  duplicate_count integer DEFAULT 0 NOT NULL,
  price numeric(14,6) NOT NULL,
  current_dollar_price integer NOT NULL,
  discount integer DEFAULT 0 NOT NULL,
  file_name text,
  serial_deleted boolean DEFAULT false NOT NULL,
  coverage_deleted boolean DEFAULT false NOT NULL,
  waiting_for text,
  waiting_source text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  imported_at timestamp with time zone,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  header_skipped boolean DEFAULT false NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  waiting_cause text,
  waiting_since timestamp with time zone,
  unavailable integer DEFAULT 0,
  known_count integer DEFAULT 0 NOT NULL,
  unbilled_count integer DEFAULT 0 NOT NULL,
  answers_from timestamp with time zone,
  import_kind text,
  imported_by bigint,
  completion_told boolean DEFAULT false NOT NULL,
  wait_told boolean DEFAULT false NOT NULL,
  CONSTRAINT tickets_pkey PRIMARY KEY (id),
  CONSTRAINT tickets_ticket_number_key UNIQUE (ticket_number),
  CONSTRAINT tickets_check CHECK ((done + failed) <= total),
  CONSTRAINT tickets_discount_check CHECK (discount >= 0 AND discount <= 100),
  CONSTRAINT tickets_import_kind_check CHECK (import_kind = ANY (ARRAY['upload'::text, 'paste'::text, 'recheck'::text])),
  CONSTRAINT tickets_company_code_fkey FOREIGN KEY (company_code) REFERENCES clients(company_code),
  CONSTRAINT tickets_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT tickets_imported_by_fkey FOREIGN KEY (imported_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX tickets_company ON tickets USING btree (company_code, imported_at DESC NULLS LAST, ticket_number DESC);
CREATE INDEX tickets_completion_untold ON tickets USING btree (id) WHERE status = 'Completed'::ticket_status AND NOT completion_told;
CREATE INDEX tickets_finished ON tickets USING btree (finished_at DESC);
CREATE INDEX tickets_newest ON tickets USING btree ((imported_at IS NULL OR serial_deleted AND coverage_deleted), imported_at DESC NULLS LAST, ticket_number DESC);
CREATE INDEX tickets_newest_of_company ON tickets USING btree (company_code, (imported_at IS NULL OR serial_deleted AND coverage_deleted), imported_at DESC NULLS LAST, ticket_number DESC);
CREATE INDEX tickets_running ON tickets USING btree (company_code) WHERE (status = ANY (ARRAY['Pending'::ticket_status, 'Processing'::ticket_status])) AND total > 0;
CREATE INDEX tickets_status ON tickets USING btree (status);
CREATE INDEX tickets_that_wait ON tickets USING btree (id) WHERE waiting_for IS NOT NULL;
CREATE INDEX tickets_wait_untold ON tickets USING btree (waiting_since) WHERE waiting_for IS NOT NULL AND NOT wait_told;
CREATE CONSTRAINT TRIGGER note_ended_delete AFTER DELETE ON tickets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_ended_ticket_change();
CREATE CONSTRAINT TRIGGER note_ended_insert AFTER INSERT ON tickets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.status = ANY (ARRAY['Completed'::ticket_status, 'Cancelled'::ticket_status])) OR new.total = 0) EXECUTE FUNCTION note_ended_ticket_change();
CREATE CONSTRAINT TRIGGER note_ended_update AFTER UPDATE ON tickets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.status = ANY (ARRAY['Completed'::ticket_status, 'Cancelled'::ticket_status])) OR new.total = 0) AND new.completion_told = old.completion_told AND new.wait_told = old.wait_told) EXECUTE FUNCTION note_ended_ticket_change();

CREATE TABLE lookup_jobs (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  company_code text NOT NULL,
  ticket_id bigint NOT NULL,
  lo integer NOT NULL,
  hi integer NOT NULL,
  is_recheck boolean NOT NULL,
  due_at timestamp with time zone,
  delayed_by text,
  sources text[] DEFAULT '{}'::text[] NOT NULL,
  holds integer DEFAULT 0 NOT NULL,
  queued_at timestamp with time zone DEFAULT now() NOT NULL,
  holder uuid,
  CONSTRAINT lookup_jobs_pkey PRIMARY KEY (id),
  CONSTRAINT lookup_jobs_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES tickets(id) ON DELETE CASCADE
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=500);
CREATE INDEX lookup_jobs_due ON lookup_jobs USING btree (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX lookup_jobs_held ON lookup_jobs USING btree (ticket_id, holder) WHERE holder IS NOT NULL;
CREATE INDEX lookup_jobs_of_ticket ON lookup_jobs USING btree (ticket_id, sources, due_at);
CREATE INDEX lookup_jobs_turns ON lookup_jobs USING btree (is_recheck, company_code, sources, lo, ticket_id) WHERE holder IS NULL AND (due_at IS NULL OR sources <> '{}'::text[]);

CREATE TABLE notifications (
  user_id bigint NOT NULL,
  completed boolean DEFAULT true NOT NULL,
  from_rows integer DEFAULT 1000 NOT NULL,
  CONSTRAINT notifications_pkey PRIMARY KEY (user_id),
  CONSTRAINT notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE original_chunks (
  ticket_id bigint NOT NULL,
  nth integer NOT NULL,
  bytes bytea NOT NULL,
  CONSTRAINT original_chunks_pkey PRIMARY KEY (ticket_id, nth)
);
ALTER TABLE original_chunks ALTER bytes SET STORAGE EXTERNAL;

CREATE TABLE originals (
  ticket_id bigint NOT NULL,
  sheet_part text,
  header_row integer,
  kept_at timestamp with time zone DEFAULT now() NOT NULL,
  has_macros boolean DEFAULT false NOT NULL,
  field_keys text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT originals_pkey PRIMARY KEY (ticket_id)
);
CREATE INDEX originals_age ON originals USING btree (kept_at);

CREATE TABLE own_imports (
  key text NOT NULL,
  ticket_number bigint NOT NULL,
  CONSTRAINT own_imports_pkey PRIMARY KEY (key)
);

CREATE TABLE password_resets (
  token_hash bytea NOT NULL,
  user_id bigint NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT password_resets_pkey PRIMARY KEY (token_hash),
  CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX password_resets_user ON password_resets USING btree (user_id, created_at);

CREATE TABLE processes (
  id uuid NOT NULL,
  kind text NOT NULL,
  host text NOT NULL,
  pid integer NOT NULL,
  started_at timestamp with time zone DEFAULT now() NOT NULL,
  last_seen timestamp with time zone DEFAULT now() NOT NULL,
  sources text[] NOT NULL,
  fingerprints jsonb NOT NULL,
  version text DEFAULT ''::text NOT NULL,
  in_flight integer DEFAULT 0 NOT NULL,
  work jsonb DEFAULT '{"calls": {}, "tickets": []}'::jsonb NOT NULL,
  CONSTRAINT processes_pkey PRIMARY KEY (id),
  CONSTRAINT processes_kind_check CHECK (kind = ANY (ARRAY['api'::text, 'worker'::text, 'rotation'::text]))
);

CREATE TABLE proxy_sets (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  proxy_set text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT proxy_sets_pkey PRIMARY KEY (id),
  CONSTRAINT proxy_sets_proxy_set_key UNIQUE (proxy_set)
);

CREATE TABLE proxies (
  proxy_set_id bigint NOT NULL,
  "position" integer NOT NULL,
  url text NOT NULL,
  CONSTRAINT proxies_pkey PRIMARY KEY (proxy_set_id, "position"),
  CONSTRAINT proxies_proxy_set_id_fkey FOREIGN KEY (proxy_set_id) REFERENCES proxy_sets(id) ON DELETE CASCADE
);

CREATE TABLE workers (
  id uuid NOT NULL,
  heartbeat timestamp with time zone DEFAULT now() NOT NULL,
  gone_at timestamp with time zone,
  CONSTRAINT workers_pkey PRIMARY KEY (id)
);

CREATE TABLE proxy_states (
  proxy text NOT NULL,
  state text DEFAULT 'unchecked'::text NOT NULL,
  rest_until timestamp with time zone DEFAULT now() NOT NULL,
  rest_step integer DEFAULT 0 NOT NULL,
  beyond boolean DEFAULT false NOT NULL,
  worker uuid,
  CONSTRAINT proxy_states_pkey PRIMARY KEY (proxy),
  CONSTRAINT proxy_states_state_check CHECK (state = ANY (ARRAY['unchecked'::text, 'good'::text, 'resting'::text])),
  CONSTRAINT proxy_states_worker_fkey FOREIGN KEY (worker) REFERENCES workers(id) ON DELETE SET NULL
);
CREATE INDEX proxy_states_beyond ON proxy_states USING btree (proxy) WHERE beyond;
CREATE INDEX proxy_states_free ON proxy_states USING btree (rest_until) WHERE worker IS NULL;
CREATE INDEX proxy_states_rest ON proxy_states USING btree (rest_until);
CREATE INDEX proxy_states_worker ON proxy_states USING btree (worker);

CREATE TABLE put_off_work (
  kind text NOT NULL,
  subject text NOT NULL,
  attempts integer NOT NULL,
  next_at timestamp with time zone NOT NULL,
  CONSTRAINT put_off_work_pkey PRIMARY KEY (kind, subject)
);

CREATE TABLE real_sources (
  is_single boolean DEFAULT true NOT NULL,
  names text[] NOT NULL,
  CONSTRAINT real_sources_pkey PRIMARY KEY (is_single),
  CONSTRAINT real_sources_is_single_check CHECK (is_single)
);

CREATE TABLE rechecks (
  company_code text NOT NULL,
  active boolean DEFAULT false NOT NULL,
  cadence text DEFAULT 'monthly'::text NOT NULL,
  view_id bigint,
  cap integer DEFAULT 10000 NOT NULL,
  next_on date,
  version integer DEFAULT 1 NOT NULL,
  CONSTRAINT rechecks_pkey PRIMARY KEY (company_code),
  CONSTRAINT rechecks_cadence_check CHECK (cadence = ANY (ARRAY['monthly'::text, 'quarterly'::text])),
  CONSTRAINT rechecks_company_code_fkey FOREIGN KEY (company_code) REFERENCES clients(company_code) ON DELETE CASCADE
);
CREATE INDEX rechecks_next_on ON rechecks USING btree (next_on);

CREATE TABLE recheck_runs (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  company_code text NOT NULL,
  due_on date,
  started_at timestamp with time zone NOT NULL,
  refusal text,
  refused_count integer,
  attempts integer DEFAULT 0 NOT NULL,
  next_at timestamp with time zone DEFAULT now() NOT NULL,
  reported boolean DEFAULT false NOT NULL,
  making_until timestamp with time zone,
  CONSTRAINT recheck_runs_pkey PRIMARY KEY (id),
  CONSTRAINT recheck_runs_company_code_due_on_key UNIQUE (company_code, due_on),
  CONSTRAINT recheck_runs_company_code_fkey FOREIGN KEY (company_code) REFERENCES rechecks(company_code) ON DELETE CASCADE
);
CREATE INDEX recheck_runs_unreported ON recheck_runs USING btree (id) WHERE NOT reported;

CREATE TABLE recovery_codes (
  user_id bigint NOT NULL,
  code_hash bytea NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE registries (
  source text NOT NULL,
  uploaded_at timestamp with time zone NOT NULL,
  devices integer NOT NULL,
  CONSTRAINT registries_pkey PRIMARY KEY (source)
);

CREATE TABLE registry_devices (
  source text NOT NULL,
  serial text NOT NULL,
  purchase_date date,
  warranty_title text,
  coverage_start_date date,
  coverage_end_date date,
  CONSTRAINT registry_devices_pkey PRIMARY KEY (source, serial)
);

CREATE TABLE removed_fields (
  company_code text NOT NULL,
  key text NOT NULL,
  CONSTRAINT removed_fields_pkey PRIMARY KEY (company_code, key),
  CONSTRAINT removed_fields_company_code_fkey FOREIGN KEY (company_code) REFERENCES clients(company_code) ON DELETE CASCADE
);

CREATE UNLOGGED TABLE reservations (
  serial_hash bigint NOT NULL,
  job uuid NOT NULL,
  ticket_id bigint NOT NULL,
  "position" integer NOT NULL,
  CONSTRAINT reservations_pkey PRIMARY KEY (serial_hash)
);
CREATE INDEX reservations_job ON reservations USING btree (job);

CREATE TABLE row_deletions (
  ticket_id bigint NOT NULL,
  round integer DEFAULT 1 NOT NULL,
  forgets_devices boolean DEFAULT false NOT NULL,
  ticket_number bigint,
  company_code text,
  CONSTRAINT row_deletions_pkey PRIMARY KEY (ticket_id)
);

CREATE TABLE schema_migrations (
  number integer NOT NULL,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (number)
);

CREATE TABLE second_factors (
  user_id bigint NOT NULL,
  secret text NOT NULL,
  last_step bigint DEFAULT 0 NOT NULL,
  CONSTRAINT second_factors_pkey PRIMARY KEY (user_id),
  CONSTRAINT second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE seller (
  id boolean DEFAULT true NOT NULL,
  name text NOT NULL,
  address text NOT NULL,
  tax_number text NOT NULL,
  bank text NOT NULL,
  ppn_percent numeric(5,2),
  version integer DEFAULT 1 NOT NULL,
  CONSTRAINT seller_pkey PRIMARY KEY (id),
  CONSTRAINT seller_id_check CHECK (id),
  CONSTRAINT seller_ppn_percent_check CHECK (ppn_percent >= 0::numeric AND ppn_percent <= 100::numeric)
);

CREATE TABLE serials (
  ticket_id bigint NOT NULL,
  "position" integer NOT NULL,
  sheet_row integer NOT NULL,
  serial text NOT NULL,
  kind serial_kind,
  original text,
  state serial_state DEFAULT 'pending'::serial_state NOT NULL,
  reason text,
  details text,
  type text,
  activation_status activation,
  purchase_date date,
  warranty_title text,
  coverage_start_date date,
  coverage_end_date date,
  fetched_at timestamp with time zone,
  source text,
  attempts smallint DEFAULT 0 NOT NULL,
  egress text,
  cached boolean,
  lookup jsonb,
  CONSTRAINT serials_pkey PRIMARY KEY (ticket_id, "position")
) WITH (fillfactor=30);
CREATE INDEX serials_beginning ON serials USING btree (ticket_id, serial COLLATE "C", "position");

CREATE TABLE sign_in_challenges (
  challenge_hash bytea NOT NULL,
  user_id bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  sessions_valid_from bigint NOT NULL,
  wrong_codes integer DEFAULT 0 NOT NULL,
  CONSTRAINT sign_in_challenges_pkey PRIMARY KEY (challenge_hash),
  CONSTRAINT sign_in_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sign_in_challenges_user ON sign_in_challenges USING btree (user_id, created_at);

CREATE TABLE single_sign_on_codes (
  code_hash bytea NOT NULL,
  user_id bigint NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  sessions_valid_from bigint NOT NULL,
  CONSTRAINT single_sign_on_codes_pkey PRIMARY KEY (code_hash),
  CONSTRAINT single_sign_on_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX single_sign_on_codes_end ON single_sign_on_codes USING btree (expires_at);
CREATE INDEX single_sign_on_codes_user ON single_sign_on_codes USING btree (user_id);

CREATE TABLE source_minutes (
  source text NOT NULL,
  minute timestamp with time zone NOT NULL,
  calls integer NOT NULL,
  outcomes jsonb NOT NULL,
  latencies integer[] NOT NULL,
  CONSTRAINT source_minutes_pkey PRIMARY KEY (source, minute)
);

CREATE TABLE sources (
  name text NOT NULL,
  key text NOT NULL,
  state text DEFAULT 'up'::text NOT NULL,
  paused boolean DEFAULT false NOT NULL,
  probe_at timestamp with time zone,
  probe_step integer DEFAULT 0 NOT NULL,
  probe_worker uuid,
  pace integer,
  full_pace integer,
  window_calls integer DEFAULT 0 NOT NULL,
  window_bad integer DEFAULT 0 NOT NULL,
  last_error text,
  last_error_at timestamp with time zone,
  CONSTRAINT sources_pkey PRIMARY KEY (name),
  CONSTRAINT sources_state_check CHECK (state = ANY (ARRAY['up'::text, 'down'::text, 'auth'::text, 'quota'::text, 'proxies'::text]))
);

CREATE TABLE source_shares (
  source text NOT NULL,
  worker uuid NOT NULL,
  wants boolean NOT NULL,
  per_second integer,
  concurrency integer,
  CONSTRAINT source_shares_pkey PRIMARY KEY (source, worker),
  CONSTRAINT source_shares_source_fkey FOREIGN KEY (source) REFERENCES sources(name) ON DELETE CASCADE,
  CONSTRAINT source_shares_worker_fkey FOREIGN KEY (worker) REFERENCES workers(id) ON DELETE CASCADE
);

CREATE TABLE ticket_mails (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  ticket_id bigint NOT NULL,
  user_id bigint NOT NULL,
  kind text NOT NULL,
  message_id uuid DEFAULT gen_random_uuid() NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  next_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT ticket_mails_pkey PRIMARY KEY (id),
  CONSTRAINT ticket_mails_kind_check CHECK (kind = ANY (ARRAY['completed'::text, 'waiting'::text])),
  CONSTRAINT ticket_mails_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES tickets(id) ON DELETE CASCADE,
  CONSTRAINT ticket_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX ticket_mails_next_at ON ticket_mails USING btree (next_at);
CREATE INDEX ticket_mails_ticket ON ticket_mails USING btree (ticket_id);
CREATE INDEX ticket_mails_user ON ticket_mails USING btree (user_id);

CREATE TABLE ticket_minutes (
  ticket_id bigint NOT NULL,
  minute timestamp with time zone NOT NULL,
  finished integer NOT NULL,
  CONSTRAINT ticket_minutes_pkey PRIMARY KEY (ticket_id, minute),
  CONSTRAINT ticket_minutes_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES tickets(id) ON DELETE CASCADE
);
CREATE INDEX ticket_minutes_minute ON ticket_minutes USING btree (minute);

CREATE TABLE unregistered_results (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  ticket_id bigint NOT NULL,
  ticket_number bigint NOT NULL,
  company_code text NOT NULL,
  positions integer[] NOT NULL,
  CONSTRAINT unregistered_results_pkey PRIMARY KEY (id)
);
CREATE INDEX unregistered_results_ticket ON unregistered_results USING btree (ticket_id);

CREATE TABLE uploads (
  user_id bigint NOT NULL,
  key text NOT NULL,
  file_hash bytea,
  phase text NOT NULL,
  rows integer DEFAULT 0 NOT NULL,
  status smallint,
  answer jsonb,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  company_code text NOT NULL,
  CONSTRAINT uploads_pkey PRIMARY KEY (user_id, company_code, key),
  CONSTRAINT uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE watches (
  company_code text NOT NULL,
  active boolean DEFAULT false NOT NULL,
  cadence text DEFAULT 'weekly'::text NOT NULL,
  day integer DEFAULT 1 NOT NULL,
  horizon_days integer DEFAULT 30 NOT NULL,
  language text DEFAULT 'en'::text NOT NULL,
  secret text NOT NULL,
  secret_hash bytea NOT NULL,
  next_on date,
  version integer DEFAULT 1 NOT NULL,
  group_by text,
  CONSTRAINT watches_pkey PRIMARY KEY (company_code),
  CONSTRAINT watches_secret_hash_key UNIQUE (secret_hash),
  CONSTRAINT watches_cadence_check CHECK (cadence = ANY (ARRAY['weekly'::text, 'monthly'::text])),
  CONSTRAINT watches_day_check CHECK (day >= 1 AND day <= 28),
  CONSTRAINT watches_language_check CHECK (language = ANY (ARRAY['en'::text, 'id'::text])),
  CONSTRAINT watches_company_code_fkey FOREIGN KEY (company_code) REFERENCES clients(company_code) ON DELETE CASCADE
);
CREATE INDEX watches_next_on ON watches USING btree (next_on);

CREATE TABLE watch_receivers (
  company_code text NOT NULL,
  address text NOT NULL,
  token uuid DEFAULT gen_random_uuid() NOT NULL,
  state text DEFAULT 'active'::text NOT NULL,
  confirm_token uuid DEFAULT gen_random_uuid() NOT NULL,
  asked_at timestamp with time zone,
  CONSTRAINT watch_receivers_pkey PRIMARY KEY (company_code, address),
  CONSTRAINT watch_receivers_confirm_token_key UNIQUE (confirm_token),
  CONSTRAINT watch_receivers_token_key UNIQUE (token),
  CONSTRAINT watch_receivers_state_check CHECK (state = ANY (ARRAY['active'::text, 'unsubscribed'::text, 'unconfirmed'::text])),
  CONSTRAINT watch_receivers_company_code_fkey FOREIGN KEY (company_code) REFERENCES watches(company_code) ON DELETE CASCADE
);

CREATE TABLE watch_mails (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  company_code text NOT NULL,
  address text NOT NULL,
  content jsonb NOT NULL,
  file_name text,
  file bytea,
  message_id uuid DEFAULT gen_random_uuid() NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  next_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT watch_mails_pkey PRIMARY KEY (id),
  CONSTRAINT watch_mails_company_code_address_fkey FOREIGN KEY (company_code, address) REFERENCES watch_receivers(company_code, address) ON DELETE CASCADE
);
CREATE INDEX watch_mails_next_at ON watch_mails USING btree (next_at);
CREATE INDEX watch_mails_receiver ON watch_mails USING btree (company_code, address);

CREATE TABLE watch_notices (
  device_id bigint NOT NULL,
  ends_on date NOT NULL,
  CONSTRAINT watch_notices_pkey PRIMARY KEY (device_id, ends_on),
  CONSTRAINT watch_notices_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE
);

CREATE TABLE webhooks (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  company_code text,
  created_by bigint,
  url text NOT NULL,
  events text[] NOT NULL,
  secret text NOT NULL,
  active boolean NOT NULL,
  language text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  busy_until timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
  slow boolean DEFAULT false NOT NULL,
  failing_since timestamp with time zone,
  switched_off_at timestamp with time zone,
  mail_at timestamp with time zone,
  old_secret text,
  old_secret_until timestamp with time zone,
  version integer DEFAULT 1 NOT NULL,
  CONSTRAINT webhooks_pkey PRIMARY KEY (id),
  CONSTRAINT webhooks_check CHECK ((old_secret IS NULL) = (old_secret_until IS NULL)),
  CONSTRAINT webhooks_language_check CHECK (language = ANY (ARRAY['en'::text, 'id'::text])),
  CONSTRAINT webhooks_company_code_fkey FOREIGN KEY (company_code) REFERENCES clients(company_code) ON DELETE CASCADE,
  CONSTRAINT webhooks_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX webhooks_company ON webhooks USING btree (company_code);
CREATE INDEX webhooks_mail ON webhooks USING btree (mail_at) WHERE mail_at IS NOT NULL;

CREATE TABLE webhook_deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  webhook_id bigint NOT NULL,
  event text NOT NULL,
  at timestamp with time zone DEFAULT now() NOT NULL,
  subject text NOT NULL,
  path text NOT NULL,
  data jsonb NOT NULL,
  status text DEFAULT 'waiting'::text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  tries integer DEFAULT 0 NOT NULL,
  next_at timestamp with time zone DEFAULT now() NOT NULL,
  attempted_at timestamp with time zone,
  duration_ms integer,
  response_status integer,
  response_body text,
  error text,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text])),
  CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_subject ON webhook_deliveries USING btree (webhook_id, subject, id) WHERE status = 'waiting'::text;
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries USING btree (webhook_id, id) WHERE status = 'waiting'::text;
CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries USING btree (webhook_id, id);

CREATE TABLE webhook_device_changes (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  company_code text NOT NULL,
  device_id bigint NOT NULL,
  serial text NOT NULL,
  ticket_number bigint NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  CONSTRAINT webhook_device_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_device_changes_company ON webhook_device_changes USING btree (company_code, id);
