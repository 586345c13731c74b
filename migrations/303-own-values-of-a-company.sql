-- Finds whole values of a company in any case. A value that is frequent in other companies costs nothing.
DROP INDEX device_fields_values;
CREATE INDEX device_fields_values ON device_fields
  USING gin ((('{"' || company_code || '":' || lower(fields::text) || '}')::jsonb) jsonb_path_ops);
