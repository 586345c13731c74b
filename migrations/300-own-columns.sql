-- The own columns of a company, such as Employee, in their order.
CREATE TABLE company_fields (
  company_code text NOT NULL REFERENCES clients (company_code) ON DELETE CASCADE,
  key text NOT NULL,
  name text NOT NULL,
  place smallint NOT NULL,
  PRIMARY KEY (company_code, key)
);

-- Their values by serial, `{ key: text }` and never empty. An import knows them before its serials become devices.
CREATE TABLE device_fields (
  company_code text NOT NULL,
  serial text COLLATE "C" NOT NULL,
  fields jsonb NOT NULL,
  PRIMARY KEY (company_code, serial)
);
-- Finds whole values in any case.
CREATE INDEX device_fields_values ON device_fields USING gin ((lower(fields::text)::jsonb) jsonb_path_ops);

-- The history of the values: by an import or by a user.
CREATE TABLE device_field_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  company_code text NOT NULL,
  serial text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ticket_number bigint,
  changed_by bigint REFERENCES users (id) ON DELETE SET NULL,
  changes jsonb NOT NULL
);
CREATE INDEX device_field_changes_serial ON device_field_changes (company_code, serial);

-- The values of a sheet, for many rows in one, until they are stored.
CREATE TABLE imported_fields (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  company_code text NOT NULL,
  ticket_id bigint NOT NULL,
  rows json NOT NULL
);
-- Compressing them would cost more than writing them: they are deleted within seconds.
ALTER TABLE imported_fields ALTER COLUMN rows SET STORAGE EXTERNAL;

-- The choice of columns for sheets with the same heads. `heads`: their SHA-256.
CREATE TABLE field_choices (
  company_code text NOT NULL REFERENCES clients (company_code) ON DELETE CASCADE,
  heads bytea NOT NULL,
  fields jsonb NOT NULL,
  chosen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_code, heads)
);
-- The fields that the columns of an uploaded file have.
ALTER TABLE originals ADD COLUMN field_keys text[] NOT NULL DEFAULT '{}';

CREATE FUNCTION delete_device_fields() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM device_fields f USING deleted d WHERE f.company_code = d.company_code AND f.serial = d.serial;
  DELETE FROM device_field_changes f USING deleted d WHERE f.company_code = d.company_code AND f.serial = d.serial;
  RETURN NULL;
END $$;
CREATE TRIGGER device_fields_deleted AFTER DELETE ON devices
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_device_fields();

CREATE OR REPLACE FUNCTION delete_client_devices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM devices WHERE company_code IN (SELECT company_code FROM deleted);
  DELETE FROM device_counts WHERE company_code IN (SELECT company_code FROM deleted);
  DELETE FROM imported_fields WHERE company_code IN (SELECT company_code FROM deleted);
  DELETE FROM device_fields WHERE company_code IN (SELECT company_code FROM deleted);
  DELETE FROM device_field_changes WHERE company_code IN (SELECT company_code FROM deleted);
  RETURN NULL;
END $$;
