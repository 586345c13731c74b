-- The removed own columns of a company whose values are not all deleted yet.
CREATE TABLE removed_fields (
  company_code text NOT NULL REFERENCES clients (company_code) ON DELETE CASCADE,
  key text NOT NULL,
  PRIMARY KEY (company_code, key)
);
