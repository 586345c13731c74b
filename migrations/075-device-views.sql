-- Saved filters of the list of devices.
CREATE TABLE device_views (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  -- The owner's company when the view was made; null for views of superadmins, which find the devices of all companies.
  company_code text REFERENCES clients (company_code) ON DELETE CASCADE,
  name text NOT NULL,
  -- The list's query string.
  query text NOT NULL,
  -- Whether the owner's company and superadmins see it, too.
  shared boolean NOT NULL
);
CREATE INDEX device_views_owner ON device_views (owner_id);
CREATE INDEX device_views_company ON device_views (company_code) WHERE shared;
