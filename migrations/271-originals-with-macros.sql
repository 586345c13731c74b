-- A workbook with macros has no chunks, like an .xls file.
ALTER TABLE originals ADD COLUMN has_macros boolean NOT NULL DEFAULT false;
