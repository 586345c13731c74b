-- Rows of an import that were answered from the device register, and whether they are billed: a setting of the company,
-- as it was at the import.
ALTER TABLE clients ADD COLUMN bill_known boolean NOT NULL DEFAULT true;
ALTER TABLE tickets
  ADD COLUMN known_count integer NOT NULL DEFAULT 0,
  -- The known rows where they are not billed, otherwise 0.
  ADD COLUMN unbilled_count integer NOT NULL DEFAULT 0;
