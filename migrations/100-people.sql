-- A role between superadmin and user, first and last names, and users who can be deactivated.

ALTER TABLE users
  ADD COLUMN role text NOT NULL DEFAULT 'user' CHECK (role IN ('superadmin', 'company-admin', 'user')),
  ADD COLUMN active boolean NOT NULL DEFAULT true,
  ADD COLUMN first_name text NOT NULL DEFAULT '',
  ADD COLUMN last_name text NOT NULL DEFAULT '';

-- The last word of a name is the last name.
UPDATE users SET role = CASE WHEN superadmin THEN 'superadmin' ELSE 'user' END,
  first_name = CASE WHEN name ~ '^.+ [^ ]+$' THEN regexp_replace(name, ' [^ ]+$', '') ELSE name END,
  last_name = coalesce(substring(name FROM '^.+ ([^ ]+)$'), '');

-- `name` and `superadmin` are now derived.
ALTER TABLE users
  DROP COLUMN name,
  DROP COLUMN superadmin,
  ALTER COLUMN first_name DROP DEFAULT,
  ALTER COLUMN last_name DROP DEFAULT,
  ALTER COLUMN role DROP DEFAULT;
ALTER TABLE users
  ADD COLUMN name text NOT NULL GENERATED ALWAYS AS (
    CASE WHEN last_name = '' THEN first_name ELSE first_name || ' ' || last_name END) STORED,
  ADD COLUMN superadmin boolean NOT NULL GENERATED ALWAYS AS (role = 'superadmin') STORED;
-- Only a superadmin may be without a company.
ALTER TABLE users ADD CHECK (superadmin OR company_code IS NOT NULL) NOT VALID;
