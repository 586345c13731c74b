-- The time at which an own column was added: sheets that were imported, or begun, before do not fill it.
ALTER TABLE company_fields ADD COLUMN added_at timestamptz NOT NULL DEFAULT '-infinity';
ALTER TABLE company_fields ALTER COLUMN added_at SET DEFAULT clock_timestamp();
-- An import finds the own columns in its transaction, which begins at this time.
ALTER TABLE imported_fields ALTER COLUMN at SET DEFAULT now();
