-- The own columns that a block of a sheet fills, and its time: values that were changed later stay.
ALTER TABLE imported_fields
  ADD COLUMN keys text[] NOT NULL DEFAULT '{}',
  ADD COLUMN at timestamptz NOT NULL DEFAULT clock_timestamp();
UPDATE imported_fields SET keys = ARRAY(
  SELECT DISTINCT jsonb_object_keys(r.fields) FROM json_to_recordset(rows) AS r (fields jsonb))
WHERE json_typeof(rows) = 'array';
